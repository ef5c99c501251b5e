"""JSON as people type it: one clear sentence with line and column for what is wrong, and the place of any path."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from workbench.core.json_text import parse_json
from workbench.ui.theme.translation import tr

_WORDS = {
    "Expecting ',' delimiter": tr("comma expected"),
    "Expecting ':' delimiter": tr("colon expected"),
    "Expecting value": tr("a value is expected"),
    "Expecting property name enclosed in double quotes": tr("a key in double quotes is expected"),
    "Unterminated string starting at": tr("this string does not end"),
    "Invalid control character at": tr("a line break or control character inside a string"),
    "Invalid \\escape": "unknown escape after \\",
    "Invalid \\uXXXX escape": "four hex digits are expected after \\u",
    "Extra data": tr("something follows the end"),
    "Illegal trailing comma before end of object": tr("a comma before the closing brace"),
    "Illegal trailing comma before end of array": tr("a comma before the closing bracket"),
    "nested too deeply": tr("nested too deeply"),
    "a number has more than 4300 digits": tr("a number has more than 4300 digits"),
}
_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


class TextFault(NamedTuple):
    """What is wrong in a text, and where."""

    message: str
    line: int
    """From 1; 0 where the fault has no place."""
    column: int
    offset: int

    def words(self, name: str) -> str:
        """`tools.json line 12, column 7: comma expected`."""
        return (
            tr(
                "{name} line {line}, column {column}: {message}",
                name=name,
                line=self.line,
                column=self.column,
                message=self.message,
            )
            if self.line
            else f"{name}: {self.message}"
        )


def fault_at(text: str, offset: int, message: str) -> TextFault:
    """Make a fault at an offset."""
    line = text.count("\n", 0, offset) + 1
    return TextFault(message, line, offset - (text.rfind("\n", 0, offset) + 1) + 1, offset)


class _Repeated(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Repeated(key)
            seen.add(key)
    return made


def _constant(name: str) -> Any:
    raise _Repeated(name)


def read_json(text: str) -> tuple[Any, TextFault | None]:
    """Parse strictly: no repeated keys, no NaN. Return the value, or None and the first fault."""
    try:
        return parse_json(text, object_pairs_hook=_object, parse_constant=_constant), None
    except json.JSONDecodeError as error:
        offset = _blame(text, error)
        return None, fault_at(text, offset, _WORDS.get(error.msg, error.msg))
    except _Repeated as error:
        return None, _repeated_fault(text, str(error))
    except ValueError as error:
        return None, fault_at(text, 0, _WORDS[str(error)])


def _blame(text: str, error: json.JSONDecodeError) -> int:
    """A missing comma is shown where it belongs: after the value before it, not on the next line."""
    if "delimiter" in error.msg:
        return len(text[: error.pos].rstrip())
    return min(error.pos, len(text))


def _repeated_fault(text: str, name: str) -> TextFault:
    if name in ("NaN", "Infinity", "-Infinity"):
        return fault_at(text, max(text.find(name), 0), tr("{name} is not JSON", name=name))
    places = [match.start() for match in _STRING.finditer(text) if match[0] == json.dumps(name, ensure_ascii=False)]
    keys = [place for place in places if _followed_by_colon(text, place)]
    return fault_at(text, keys[1] if len(keys) > 1 else 0, tr("the key {name!r} stands twice", name=name))


def _followed_by_colon(text: str, place: int) -> bool:
    match = _STRING.match(text, place)
    return match is not None and text[_skip(text, match.end()) : _skip(text, match.end()) + 1] == ":"


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
