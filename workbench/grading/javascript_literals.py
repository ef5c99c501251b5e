"""JavaScript literals inside of texts, as the Berkeley Function-Calling Leaderboard reads them: its JavaScript cases give
each argument as a text such as `10n`, `[1, 'two']` or `{key: "value"}`.

What is no literal of the wanted type stays the text that it is, and may be a variable's name. Faults of the leaderboard's
reading are kept, since a verdict in its manner has to fall as it does there: members end at every comma, an object ends at
the first closing brace, and a quoted number inside of an object is a number.
"""

from __future__ import annotations

import re
from typing import Any

from workbench.grading.scalar_literals import Scalars, read_scalar

_INNER = r"\[[^\]\n]*+\]\s*+(?:,\s*+\[[^\]\n]*+\]\s*+)*+"
_LISTS = re.compile(rf"\[\s*+{_INNER}\]|\bnew\s+Array\(\s*+{_INNER}\)")
_LIST = re.compile(r"\[(.*?)\]|\bnew\s+Array\((.*?)\)")
_INNER_LIST = re.compile(r"\[(.*?)\]")
_OBJECT = re.compile(r"\{(.*?)\}")
_PAIR = re.compile(r"([^:]+):\s*(.*?)(?:,\s*(?=[^,]+:)|$)")
_SCALARS: Scalars = {
    "integer": (re.compile(r"-?\d+$"), int),
    "float": (re.compile(r"-?\d+(?:\.\d+)?$"), float),
    "Bigint": (re.compile(r"-?\d+n$"), lambda text: int(text.rstrip()[:-1])),
    "Boolean": (re.compile(r"(?:true|false)\Z"), lambda text: text == "true"),
}
LONGEST = 8_000
"""Characters of a text in which a list or an object is looked for."""
JAVASCRIPT_TYPES = frozenset({*_SCALARS, "String", "any", "array", "dict"})


def read_javascript(text: str, kind: str, members: str = "") -> Any:
    """Return what a literal of a type holds, `members` being the type of a list's members; else the text itself."""
    match kind:
        case "array" if len(text) <= LONGEST:
            return _list(text.strip(), members)
        case "dict" if len(text) <= LONGEST:
            return _object(text.strip())
        case "String":
            return _unquoted(text)
        case _:
            return read_scalar(text, kind, _SCALARS)


def _unquoted(text: str) -> str:
    return text[1:-1] if text and text[0] == text[-1] and text[0] in "\"'" else text


def _list(text: str, members: str) -> Any:
    if lists := _LISTS.match(text):
        inner = [found.strip() for found in _INNER_LIST.findall(lists.group(0))]
        inner[0] = inner[0].removeprefix("[")
        return [[_untyped(part) for part in one.split(",")] for one in inner]
    found = _LIST.match(text)
    if found is None:
        return text
    held = (found.group(1) if found.group(1) is not None else found.group(2)).strip()
    parts = [part.strip() for part in held.split(",")] if held else []
    return [read_javascript(part, members) if members else _untyped(part) for part in parts]


def _object(text: str) -> Any:
    if text == "{}":
        return {}
    found = _OBJECT.match(text)
    if found is None:
        return text
    return {key.strip().strip("'\""): _object_value(value.strip()) for key, value in _PAIR.findall(found.group(1))}


def _object_value(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return _list(text, "")
    if text.startswith("{") and text.endswith("}"):
        return _object(text)
    return _untyped(text.strip("'\""))


def _untyped(text: str) -> Any:
    """A value whose type nobody told: what its spelling says."""
    text = text.strip()
    if text in ("true", "false"):
        return text == "true"
    if text and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
