"""Quotes that were not escaped inside JSON strings, as in `{"content": "print("hi")"}`, or around arguments that were made a
string: `{"name": "now", "arguments": "{"zone": "CET"}"}`.

Such a text can be read in several ways. It is mended only where exactly one of them fits a declared tool's schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from workbench.formats.kit.call_keys import ARGUMENT_KEYS, NAME_KEYS
from workbench.formats.kit.loose_json import JsonRead, read_json
from workbench.formats.kit.types import fits, wanted_types

if TYPE_CHECKING:
    from workbench.formats.kit.toolset import Tool, ToolSet

MAX_TEXT = 65_536
_MAX_STEPS = 4000
_MAX_VALUES = 200
_STAND_IN = "\ue0f7"
"""Stands for a quote that is data while the text is read again; places stay the same."""
_SPACE = re.compile(r"\s*+")
_RUN = re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL)
_KEY = re.compile(r'"([^"\\]{0,128}+)"\s*+:\s*+')
_NEXT_KEY = re.compile(r'\s*+,\s*+"([^"\\]{0,128}+)"\s*+:')
_NEXT_ITEM = re.compile(r"\s*+,\s*+[\"{\[\d\-tfn]")
_CLOSES = re.compile(r"\s*+[}\]]")
_SCALAR = re.compile(r"-?\d[\d.eE+\-]*+|true|false|null")
_SCALARS: dict[str, Any] = {"true": True, "false": False, "null": None}
_QUOTE = re.compile(r'\\.|"', re.DOTALL)
_QUOTED_OBJECT = re.compile(r'"\s*+\{\s*+"')
_QUOTED_END = re.compile(r'\s*+\}\s*+"\s*+[,}]')


class _Text(str):
    """A string as it stands between its quotes, and where."""

    __slots__ = ("end", "start")
    start: int
    end: int


class _Object(dict[str, Any]):
    """An object that stands between quotes, and where they are."""

    __slots__ = ("end", "start")
    start: int
    end: int


class _Enough(Exception):
    """There are too many ways to read the text."""


class _Readings:
    """All readings of `text[at:end]` in which a string ends at any quote that structure follows."""

    def __init__(self, text: str, end: int, keys: frozenset[str]) -> None:
        self.text, self.end, self.keys = text, end, keys
        self.steps = self.values = self.quotes = 0

    def space(self, at: int) -> int:
        return _SPACE.match(self.text, at, self.end).end()  # type: ignore[union-attr]

    def value(self, at: int, in_list: bool = False) -> Iterator[tuple[Any, int]]:
        """Yield `(value, end)` for every reading of the value at `at`."""
        self.values += 1
        if self.values > _MAX_VALUES:
            raise _Enough
        char = self.text[at] if at < self.end else ""
        if char == '"':
            yield from self.strings(at + 1, in_list)
        elif char == "{":
            yield from self.members(self.space(at + 1), {})
        elif char == "[":
            yield from self.items(self.space(at + 1), [])
        elif (match := _SCALAR.match(self.text, at, self.end)) is not None:
            yield _SCALARS.get(match.group(), 0 if match.group().lstrip("-").isdigit() else 0.5), match.end()

    def strings(self, start: int, in_list: bool) -> Iterator[tuple[_Text, int]]:
        at = start
        while True:
            self.steps += 1
            if self.steps > _MAX_STEPS:
                raise _Enough
            stop = _RUN.match(self.text, at, self.end).end()  # type: ignore[union-attr]
            if stop >= self.end:
                return
            at = stop + 1
            follows = _NEXT_ITEM.match(self.text, at, self.end) if in_list else _NEXT_KEY.match(self.text, at, self.end)
            if follows is None and _CLOSES.match(self.text, at, self.end) is None:
                continue
            found = _Text(self.text[start:stop])
            found.start, found.end = start, stop
            quoted = self.quotes > 0
            yield found, at
            if follows is not None and (in_list or follows.group(1) in self.keys):
                return  # no string holds what continues the structure so well
            if quoted and _QUOTED_END.match(self.text, at, self.end) is not None:
                return

    def members(self, at: int, before: dict[str, Any]) -> Iterator[tuple[dict[str, Any], int]]:
        if not before and self.text.startswith("}", at, self.end):
            yield {}, at + 1
            return
        key = _KEY.match(self.text, at, self.end)
        if key is None or key.group(1) in before:
            return
        values = self.value(key.end())
        if key.group(1) in ARGUMENT_KEYS and _QUOTED_OBJECT.match(self.text, key.end(), self.end):
            values = chain(values, self.quoted(key.end()))
        for value, end in values:
            after = self.space(end)
            found = {**before, key.group(1): value}
            if self.text.startswith(",", after, self.end):
                yield from self.members(self.space(after + 1), found)
            elif self.text.startswith("}", after, self.end):
                yield found, after + 1

    def quoted(self, start: int) -> Iterator[tuple[_Object, int]]:
        """Yield the readings of an object between quotes that stand around it alone."""
        self.quotes += 1
        for value, end in self.value(self.space(start + 1)):
            stop = self.space(end)
            if not self.text.startswith('"', stop, self.end):
                continue
            found = _Object(value)
            found.start, found.end = start, stop
            self.quotes -= 1
            yield found, stop + 1
            self.quotes += 1
        self.quotes -= 1

    def items(self, at: int, before: list[Any]) -> Iterator[tuple[list[Any], int]]:
        if not before and self.text.startswith("]", at, self.end):
            yield [], at + 1
            return
        for value, end in self.value(at, in_list=True):
            after = self.space(end)
            if self.text.startswith(",", after, self.end):
                yield from self.items(self.space(after + 1), [*before, value])
            elif self.text.startswith("]", after, self.end):
                yield [*before, value], after + 1


_THRICE = re.compile(f"{_STAND_IN}{{2}}((?!{_STAND_IN}).*(?<!{_STAND_IN})){_STAND_IN}{{2}}", re.DOTALL)
"""What is left of a string between three quotes on either side, as Python writes it, inside of the outer ones."""


def mend_quotes(text: str, at: int, end: int, tools: ToolSet, name: str = "") -> tuple[JsonRead, str] | None:
    """Read the call in `text[at:end]`, or the arguments of the tool `name`, with quotes left unescaped in strings.

    Returns what was read and a text of the same length in which the value can be read by itself, or None.
    """
    end = at + len(text[at:end].rstrip()) if end - at <= MAX_TEXT else at
    if not tools.by_name or end <= at or text[at] not in "{[" or _STAND_IN in text[at:end]:
        return None
    keys = frozenset((*NAME_KEYS, *ARGUMENT_KEYS, *(key for tool in tools.by_name.values() for key in tool.properties)))
    readings = _Readings(text, end, keys)
    fitting: list[Any] = []
    try:
        for value, stop in readings.value(at):
            if stop == end and _suits(value, tools, name):
                fitting.append(value)
                if len(fitting) > 1:
                    return None
    except (_Enough, RecursionError):
        return None
    if not fitting:
        return None
    masked = _masked(text, at, end, fitting[0])
    read = read_json(masked, 0)
    if read.error or read.end != len(masked) or masked == text[at:end]:
        return None
    return read._replace(value=_restored(read.value), repairs=("unescaped_quote", *read.repairs)), masked


def _suits(value: Any, tools: ToolSet, name: str) -> bool:
    """True if the value is a call of a declared tool, or its arguments, with the right keys and types."""
    if isinstance(value, list):
        return bool(value) and all(_suits(item, tools, name) for item in value)
    if not isinstance(value, dict):
        return False
    if name:
        return _suits_tool(value, tools.resolve(name).tool)
    if isinstance(value.get("function"), dict):
        return _suits(value["function"], tools, "")
    named = next((value[key] for key in NAME_KEYS if isinstance(value.get(key), str)), None)
    arguments = next((value[key] for key in ARGUMENT_KEYS if isinstance(value.get(key), dict)), None)
    if named is None and len(value) == 1:
        ((named, arguments),) = value.items()
    return isinstance(arguments, dict) and named is not None and _suits_tool(arguments, tools.resolve(str(named)).tool)


def _suits_tool(arguments: dict[str, Any], tool: Tool | None) -> bool:
    if tool is None or tool.missing(arguments):
        return False
    return all(fits(value, wanted_types(tool.properties.get(key))) for key, value in arguments.items())


def _masked(text: str, at: int, end: int, value: Any) -> str:
    """Return `text[at:end]` with the quotes inside the strings of `value` replaced, and without those around objects."""
    parts: list[str] = []
    done = at
    for begin, stop in _data(value):
        inner = _QUOTE.sub(lambda match: _STAND_IN if match[0] == '"' else match[0], text[begin:stop])
        parts += (text[done:begin], inner if text[begin - 1] == '"' else " ")
        done = stop
    return "".join((*parts, text[done:end]))


def _data(value: Any) -> Iterator[tuple[int, int]]:
    """Yield where the insides of strings stand, and the quotes around objects, in order."""
    if isinstance(value, _Text):
        yield value.start, value.end
    elif isinstance(value, _Object):
        yield value.start, value.start + 1
        yield from _data(dict(value))
        yield value.end, value.end + 1
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _data(item)


def _restored(value: Any) -> Any:
    if isinstance(value, str):
        thrice = _THRICE.fullmatch(value)
        return (thrice[1] if thrice is not None else value).replace(_STAND_IN, '"')
    if isinstance(value, dict):
        return {key: _restored(item) for key, item in value.items()}
    return [_restored(item) for item in value] if isinstance(value, list) else value
