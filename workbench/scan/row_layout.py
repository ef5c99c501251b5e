"""How JSON rows lie in a file: one a line, in a list, in a list below a key, one behind the other over many lines, or one alone.

{…}⏎{…}          [{…}, {…}]          {"version": 1, "results": [{…}, {…}]}          {⏎  …⏎}⏎{⏎  …⏎}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.scan.json_values import UNREADABLE, documents, elements, json_value, keys_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.scan.opened import Opened

_LISTS = ("data", "results", "rows", "items", "samples", "records", "entries", "logs", "examples", "instances", "replies", "runs", "responses", "outputs", "generations")  # fmt: skip
"""Keys below which a document keeps its rows."""
_FIRST = 64
"""Rows that are looked at before a file is said to hold none that is known."""


class Row(NamedTuple):
    """One row of a file."""

    value: Any
    """`UNREADABLE` where it is broken."""
    place: str
    line: int
    """0: not in lines."""
    message: str = ""
    """What is broken."""


def rows_known(file: Opened, known: Callable[[dict[str, Any]], bool]) -> bool:
    """Whether one of a file's first rows is known, whichever way they lie."""
    if file.rows and any(known(row) for row in _first_lines(file)):
        return True
    if len(file.rows) > 1:
        return False
    if file.text.lstrip()[:1] == "[":
        with file.stream() as stream:
            first = next((one.value for one in elements(stream)), None)
        return isinstance(first, dict) and known(first)
    if row := _alone(file):
        return known(row) or bool(_below(file, known))
    return bool(_below(file, known)) or _behind(file, known)


def rows_in(file: Opened, known: Callable[[dict[str, Any]], bool]) -> Iterator[Row]:
    """Yield the rows of a file, broken ones too."""
    if file.text.lstrip()[:1] == "[" and len(file.rows) <= 1:
        with file.stream() as stream:
            yield from (Row(one.value, f"item {one.number + 1}", 0, one.message) for one in elements(stream))
    elif (alone := _alone(file)) and known(alone):
        yield Row(alone, "the document" if len(file.rows) != 1 else "1", 1)
    elif key := _below(file, known):
        with file.stream() as stream:
            yield from (Row(one.value, f"{key} {one.number + 1}", 0, one.message) for one in elements(stream, key))
    elif not file.rows and file.text.lstrip()[:1] == "{":
        with file.stream() as stream:
            yield from (Row(one.value, f"document {one.number + 1}", 0, one.message) for one in documents(stream))
    else:
        for number, data in file.lines():
            yield Row(json_value(data), str(number), number)


def _first_lines(file: Opened) -> Iterator[dict[str, Any]]:
    lines = [line for line in file.head.split(b"\n") if line.strip()]
    for line in (lines if file.whole or len(lines) == 1 else lines[:-1])[:_FIRST]:
        value = json_value(line)
        yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict))


def _alone(file: Opened) -> dict[str, Any]:
    """A row that is the whole document, over many lines."""
    value = json_value(file.text) if file.whole and file.text.lstrip()[:1] == "{" else None
    return value if isinstance(value, dict) else {}


def _below(file: Opened, known: Callable[[dict[str, Any]], bool]) -> str:
    """The key of the list that holds a document's rows; empty without one."""
    if file.text.lstrip()[:1] != "{" or len(file.rows) > 1:
        return ""
    keys = keys_of(file.text)
    for key in _LISTS:
        if key not in keys and f'"{key}"' not in file.text:
            continue
        with file.stream() as stream:
            first = next((one.value for one in elements(stream, key)), None)
        if isinstance(first, dict) and known(first):
            return key
    return ""


def _behind(file: Opened, known: Callable[[dict[str, Any]], bool]) -> bool:
    if file.text.lstrip()[:1] != "{":
        return False
    with file.stream() as stream:
        for one in documents(stream):
            if one.number >= _FIRST or one.value is UNREADABLE:
                return False
            if isinstance(one.value, dict) and known(one.value):
                return True
    return False
