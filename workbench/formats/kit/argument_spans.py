"""Where each argument's value stands in the raw text: worked out on demand, from the characters of the arguments alone."""

from __future__ import annotations

import ast
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from workbench.core.calls import FieldSpan, Span
from workbench.formats.kit.braced import braced_marks
from workbench.formats.kit.loose_json import Marks, read_json
from workbench.formats.kit.python_source import FAILURES, expression

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from workbench.core.calls import ParsedCall

Path = tuple[str | int, ...]
_ENTITY = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)|[^\\]", re.DOTALL)


def json_fields(source: str, span: Span) -> tuple[FieldSpan, ...]:
    """Locate the members of a JSON object in `source`; also of one that was encoded as a string, up to three times."""
    places: Callable[[int], int] = int
    text, start, end = source, span.start, span.end
    for _ in range(3):
        stripped = start + len(text[start:end]) - len(text[start:end].lstrip())
        if text[stripped : stripped + 1] not in ("'", '"'):
            break
        text, places = _decoded(text[stripped:end], stripped, places)
        start, end = 0, len(text)
    marks: Marks = []
    read_json(text, start, end, close=True, marks=marks)
    return tuple(_field(mark, places, span.source) for mark in sorted(marks, key=lambda mark: (mark[1], -mark[2])))


def _field(mark: tuple[Path, int, int, int, int], places: Callable[[int], int], source: str) -> FieldSpan:
    path, start, end, key_start, key_end = mark
    key = Span(places(key_start), places(key_end), source) if key_end > key_start else None
    return FieldSpan(path, Span(places(start), places(end), source), key)


def _decoded(text: str, at: int, outer: Callable[[int], int]) -> tuple[str, Callable[[int], int]]:
    """Decode a JSON string literal; return its text and the way from offsets in it back to the source."""
    offsets: list[int] = []
    chars: list[str] = []
    end = 1
    for match in _ENTITY.finditer(text, 1):
        token, end = match.group(), match.end()
        if token == text[0]:
            end = match.start()
            break
        offsets.append(match.start())
        chars.append(_char(token))
    offsets.append(end)
    return "".join(chars), lambda index: outer(at + offsets[index])


def _char(token: str) -> str:
    if token[0] != "\\":
        return token
    if token[1] == "u":
        return chr(int(token[2:], 16))  # noqa: FURB166
    return {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}.get(token[1], token[1])


_DELIMITERS = {"gemma4": '<|"|>', "functiongemma": "<escape>"}
_XML_PARAMETER = re.compile(
    r"""<(?P<ns>[^<>\s/]*?)(?:parameter|param)\s*(?:=\s*"?(?P<eq>[^">\n]+)"?|[^>]*?name\s*=\s*["'](?P<name>[^"']*)["'][^>]*)>"""
    r"""(?P<value>.*?)(?=</[^<>\s/]*?(?:parameter|param)>|<[^<>\s/]*?(?:parameter|param)\b|</[^<>\s/]*?(?:function|invoke)>|\Z)""",
    re.DOTALL,
)
_PAIR = re.compile(
    r"<(?:longcat_)?arg_key(?:[:\w]*)>(?P<name>[^<]*)</[^>]*>\s*(?:<(?:longcat_)?arg_value(?:[:\w]*)>)?(?P<value>.*?)"
    r"(?=</(?:longcat_)?arg_value|<(?:longcat_)?arg_key|\Z)"
    r"|<\|tool_arg:start\|>(?P<name2>.*?)<\|tool_arg:value\|>(?P<value2>.*?)(?=<\|tool_arg:end\|>|<\|tool_arg:start\|>|\Z)"
    r"""|<\|open\|>argument key="(?P<name3>[^"]*)"[^<]*<\|sep\|>(?P<value3>.*?)(?=<\|close\|>|\Z)""",
    re.DOTALL,
)


def tagged_fields(source: str, span: Span) -> tuple[FieldSpan, ...]:
    """Locate values that stand between tags, one tag or tag pair per argument."""
    found = []
    for pattern in (_XML_PARAMETER, _PAIR):
        for match in pattern.finditer(source, span.start, span.end):
            groups = match.groupdict()
            key = next((name for name in ("eq", "name", "name2", "name3") if groups.get(name) is not None), "")
            value = next((name for name in ("value", "value2", "value3") if groups.get(name) is not None), "")
            if key and value:
                start, end = _trimmed(source, *match.span(value))
                found.append(
                    FieldSpan(
                        (match.group(key).strip(),), Span(start, end, span.source), Span(*match.span(key), span.source)
                    )
                )
        if found:
            break
    return tuple(found)


def _trimmed(source: str, start: int, end: int) -> tuple[int, int]:
    """Leave out one newline at each side: it belongs to the layout."""
    if source.startswith("\n", start) and start < end:
        start += 1
    if end > start and source[end - 1] == "\n":
        end -= 1
    return start, end


def python_fields(source: str, span: Span) -> tuple[FieldSpan, ...]:
    """Locate the keyword arguments of a Python call; `span` covers what stands between its parentheses."""
    code = source[span.start : span.end]
    try:
        tree = expression(f"f({code}\n)")
    except FAILURES:
        return ()
    if not isinstance(tree, ast.Call):
        return ()
    lines = f"f({code}".splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def place(line: int, column: int) -> int:
        before = lines[line - 1].encode()[:column].decode(errors="ignore") if line <= len(lines) else ""
        return span.start + starts[min(line - 1, len(starts) - 1)] + len(before) - 2

    found = []
    for keyword in tree.keywords:
        value = keyword.value
        if keyword.arg is None or value.end_lineno is None or value.end_col_offset is None:
            continue
        key_at = place(keyword.lineno, keyword.col_offset)
        end = place(value.end_lineno, value.end_col_offset)
        key = Span(key_at, key_at + len(keyword.arg), span.source)
        found.append(FieldSpan((keyword.arg,), Span(place(value.lineno, value.col_offset), end, span.source), key))
    return tuple(found)


def _keys(value: Any, path: Sequence[str | int]) -> Collection[str]:
    """Return the keys of the object at a path; none where another value stands there."""
    for part in path:
        inside = (isinstance(value, dict) and part in value) or (isinstance(value, list) and part in range(len(value)))
        value = value[part] if inside else None
    return value if isinstance(value, dict) else ()


def fields(source: str, call: ParsedCall) -> tuple[FieldSpan, ...]:
    """Locate the arguments of a call in the text that its `arguments_span` points into, whatever shape they have."""
    span = call.arguments_span
    body = source[span.start : span.end].lstrip()
    if not body or span.end > len(source):
        return ()
    if body[0] == "{" and call.format in _DELIMITERS and '{"' not in body[:2]:
        marks = braced_marks(
            source, span.end - len(body), span.end, _DELIMITERS[call.format], partial(_keys, call.arguments)
        )
        return tuple(_field(mark, int, span.source) for mark in sorted(marks, key=lambda mark: (mark[1], -mark[2])))
    if body[0] in "{\"'":
        return json_fields(source, span)
    if "positional" in call.repairs and _PAIR.match(body):
        return ()  # the keys stand in a row, and the values behind them
    if body[0] == "<" or body.startswith("]<]"):
        return tagged_fields(source, span)
    return python_fields(source, span)
