"""Java literals inside of texts, as the Berkeley Function-Calling Leaderboard reads them: its Java cases give each
argument as a text such as `10L`, `new int[]{1, 2}` or `new HashMap<>() {{ put("k", 1); }}`.

What is no literal of the wanted type stays the text that it is, and may be a variable's name. Faults of the leaderboard's
reading are kept, since a verdict in its manner has to fall as it does there: members end at every comma, also inside of
quotes; the texts of an array keep their quotes, those of an ArrayList lose them; a long needs its L and a float its f.
"""

from __future__ import annotations

import re
from typing import Any

from workbench.grading.scalar_literals import Scalars, read_scalar

LONGEST = 8_000
"""Characters of a text in which a collection is looked for."""
_WHOLE = re.compile(r"-?\d+$")
_LONG = re.compile(r"-?\d+[lL]$")
_DOUBLE = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$")
_FLOAT = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[fF]$")
_AS_LIST = re.compile(r"new\s+ArrayList<\w*>\(Arrays\.asList\((.+?)\)\)")
_ADDED = re.compile(r"new\s+ArrayList<\w*>\(\)\s*\{\{\s*+(.+?)\s*\}\}", re.DOTALL)
_ADD = re.compile(r"add\((.+?)\)")
_EMPTY_LIST = re.compile(r"new\s+ArrayList<\w*>\(\)")
_ARRAY = re.compile(r"new\s+\w+\[\]\s*\{(.*?)\}")
_FILLED_MAP = re.compile(r"new\s+HashMap<.*?>\s*\(\)\s*\{\s*+(?:\{\s*+)?(.*?)\s*(?:\}\s*)?\}", re.DOTALL)
_EMPTY_MAP = re.compile(r"new\s+HashMap<.*?>\s*\(\)", re.DOTALL)
_PUT = re.compile(r"put\(\"(.*?)\",\s*(.*?)\)")


def read_java(text: str, kind: str, members: str = "") -> Any:
    """Return what a literal of a type holds, `members` being the type of a list's members; else the text itself."""
    match kind:
        case "ArrayList" if len(text) <= LONGEST:
            return _array_list(text, members)
        case "Array" if len(text) <= LONGEST:
            return _array(text, members)
        case "HashMap" if len(text) <= LONGEST:
            return _hash_map(text)
        case _:
            return read_scalar(text, kind, _SCALARS)


_SCALARS: Scalars = {
    **dict.fromkeys(("byte", "short", "integer"), (_WHOLE, int)),
    "long": (_LONG, lambda text: int(text[:-1])),
    "float": (_FLOAT, lambda text: float(text[:-1])),
    "double": (_DOUBLE, float),
    "boolean": (re.compile(r"(?:true|false)\Z"), lambda text: text == "true"),
}
"""Texts, characters and `any` hold themselves."""
JAVA_TYPES = frozenset({*_SCALARS, "String", "char", "any", "ArrayList", "Array", "HashMap"})


def _array_list(text: str, members: str) -> Any:
    if found := _AS_LIST.search(text):
        return [_member(part, members) for part in found.group(1).split(",")]
    if found := _ADDED.search(text):
        return [_member(part, members) for part in _ADD.findall(found.group(1))]
    return [] if _EMPTY_LIST.search(text) else text


def _member(part: str, members: str) -> Any:
    part = part.strip()
    if members in ("String", "char"):
        return part[1:-1]
    return read_java(part, members) if members else _untyped(part)


def _array(text: str, members: str) -> Any:
    found = _ARRAY.search(text)
    if found is None:
        return text
    parts = [part.strip() for part in found.group(1).split(",") if part.strip()]
    return [read_java(part, members) if members else _untyped(part) for part in parts]


def _hash_map(text: str) -> Any:
    if found := _FILLED_MAP.search(text[: text.rfind("}") + 1]):  # without an end the search would try every beginning
        return {key: _untyped(value.strip()) for key, value in _PUT.findall(found.group(1))}
    return {} if _EMPTY_MAP.search(text) else text


def _untyped(text: str) -> Any:
    """A value whose type nobody told: what its spelling says."""
    if text in ("true", "false"):
        return text == "true"
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1]
    for kind in ("long", "float"):
        if (value := read_scalar(text, kind, _SCALARS)) != text:
            return value
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
