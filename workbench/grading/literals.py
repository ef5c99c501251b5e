"""Kinds of literals in another language, as an expectation names them: `java long`, `java ArrayList of String`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.grading.java_literals import JAVA_TYPES, read_java
from workbench.grading.javascript_literals import JAVASCRIPT_TYPES, read_javascript

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_KEY = re.compile(r"\s*([A-Za-z_$][\w$]*)\s*=(?!=)\s*")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|`(?:[^`\\]|\\.)*+`", re.DOTALL)
_CLASS_BODY = re.compile(r"(new\s[^{}()]{1,200}\([^{}()]{0,200}\))\s*\{.*", re.DOTALL)
_READERS: dict[str, tuple[frozenset[str], Callable[[str, str, str], Any]]] = {
    "java": (JAVA_TYPES, read_java),
    "javascript": (JAVASCRIPT_TYPES, read_javascript),
}


class LiteralKind(NamedTuple):
    """What a text is to be read as."""

    language: str
    type: str
    members: str = ""
    """Type of a list's members; empty: each as it is spelled."""

    def __str__(self) -> str:
        return f"{self.language} {self.type}" + (f" of {self.members}" if self.members else "")

    def read(self, text: str) -> Any:
        """Return what the literal holds; a text that is none stays as it is."""
        return _READERS[self.language][1](text, self.type, self.members)


def literal_kind(words: str) -> LiteralKind | None:
    """Understand a kind's words; None where no such kind is known."""
    language, _, rest = words.partition(" ")
    kind, of, members = rest.partition(" of ")
    types = _READERS[language][0] if language in _READERS else frozenset()
    if kind not in types or (of and members not in types):
        return None
    return LiteralKind(language, kind, members)


def known_kinds() -> str:
    """All kinds, in words."""
    return "; ".join(f"{language} {', '.join(sorted(types))}" for language, (types, _) in _READERS.items())


def spelled(value: Any) -> str:
    """A JSON value as both languages write it: what a reply in text meant where it was read as a value already."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def argument_sources(text: str, language: str) -> dict[str, str]:
    """What stands for each argument between the brackets of `f(a="x", b=new int[]{1, 2})`, quotes around it taken off.

    The body of an anonymous class is left out, as the leaderboard's reader of Java calls does.
    """
    starts = [(found.start(), found.end(), found.group(1)) for found in _keys(text)]
    found = {}
    for number, (_, at, name) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(text)
        source = text[at:end].strip().removesuffix(",").rstrip()
        if len(source) > 1 and source[0] == source[-1] and source[0] in "\"'":
            source = source[1:-1]
        elif language == "java" and source.startswith("new"):
            source = _CLASS_BODY.sub(r"\1", source, count=1)
        found[name] = source
    return found


def _keys(text: str) -> Iterator[re.Match[str]]:
    """The names of arguments: at the beginning and behind each comma that stands in no brackets and no quotes."""
    depth = at = 0
    begins = True
    while at < len(text):
        if begins and (key := _KEY.match(text, at)):
            yield key
            at, begins = key.end(), False
            continue
        if quoted := _QUOTED.match(text, at):
            at, begins = quoted.end(), False
            continue
        char = text[at]
        depth += (char in "([{") - (char in ")]}")
        begins = (char == "," and depth == 0) or (begins and char.isspace())
        at += 1
