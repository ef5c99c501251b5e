"""How JSON rows lie in a file: one a line, in a list, in a list below a key, one behind the other over many lines, or one alone.

{…}⏎{…}          [{…}, {…}]          {"version": 1, "results": [{…}, {…}]}          {⏎  …⏎}⏎{⏎  …⏎}
"""

from __future__ import annotations

import io
import json
from contextlib import suppress
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from workbench.core.json_text import UNREADABLE
from workbench.scan.cut_json import EARLY, mended
from workbench.scan.json_values import documents, elements, json_bytes, json_value, keys_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.scan.json_values import Element
    from workbench.scan.opened import Opened

_LISTS = ("data", "results", "rows", "items", "samples", "records", "entries", "logs", "examples", "instances", "replies", "runs", "responses", "outputs", "generations")  # fmt: skip
"""Keys below which a document keeps its rows."""
_SESSION_LISTS = ("items", "messages", "lines", "events", "entries", "records", "transcript", "session", "data")
_LOOKED_AT = 1 << 20
"""Bytes of a document in which the first rows of a session are looked for."""
_FIRST = 64
"""Rows that are looked at before a file is said to hold none that is known."""


class TableRow(NamedTuple):
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


def rows_in(file: Opened, known: Callable[[dict[str, Any]], bool]) -> Iterator[TableRow]:
    """Yield the rows of a file, broken ones too."""
    if file.text.lstrip()[:1] == "[" and len(file.rows) <= 1:
        with file.stream() as stream:
            yield from (TableRow(one.value, f"item {one.number + 1}", 0, one.message) for one in elements(stream))
    elif (alone := _alone(file)) and known(alone):
        yield TableRow(alone, "the document" if len(file.rows) != 1 else "1", 1)
    elif key := _below(file, known):
        with file.stream() as stream:
            yield from (TableRow(one.value, f"{key} {one.number + 1}", 0, one.message) for one in elements(stream, key))
    elif not file.rows and file.text.lstrip()[:1] == "{":
        with file.stream() as stream:
            yield from (TableRow(one.value, f"document {one.number + 1}", 0, one.message) for one in documents(stream))
    else:
        for number, data in file.lines():
            value = json_value(data)
            if value is UNREADABLE and number == file.last_cut:
                with suppress(ValueError):
                    yield TableRow(mended(data.decode("utf-8", "replace")), str(number), number)
            yield TableRow(value, str(number), number, EARLY if value is UNREADABLE and number == file.last_cut else "")


def first_rows(file: Opened, known: Callable[[dict[str, Any]], bool]) -> str | None:
    """Where a session's rows lie of which one of the first is known: `""`, or the key of their list; None: nowhere."""
    if any(isinstance(row, dict) and known(row) for row in file.rows):
        return ""
    head = file.text.lstrip()
    if head[:1] not in ("{", "[") or len(file.rows) > 1:
        return None
    keys = keys_of(head) if head[:1] == "{" else ()
    with file.stream() as stream:
        data = stream.read(_LOOKED_AT)
    for key in ("", *(key for key in _SESSION_LISTS if key in keys)):
        found = _values(io.BytesIO(data), head, key)
        if any(isinstance(one.value, dict) and known(one.value) for one in islice(found, _FIRST)):
            return key
    return None


def session_lines(file: Opened, known: Callable[[dict[str, Any]], bool]) -> Iterator[tuple[int, bytes, str]]:
    """Yield a session's rows as JSON with their numbers, whichever way they lie; with what is broken in a row that is none."""
    key = first_rows(file, known) if len(file.rows) <= 1 else ""
    if not key and (len(file.rows) > 1 or (file.rows and isinstance(file.rows[0], dict))):
        for number, data in file.lines():
            yield number, data, EARLY if number == file.last_cut else ""
        return
    with file.stream() as stream:
        for one in _values(stream, file.text.lstrip(), key or ""):
            broken = one.value is UNREADABLE
            data = b"" if broken else json_bytes(one.value) or json.dumps(one.value).encode()
            yield one.number + 1, data, one.message if broken else ""


def no_json(message: str) -> str:
    """How a session says that a row is none."""
    return "The file ends early, in this line." if message == EARLY else "This line is no JSON."


def _values(stream: IO[bytes], head: str, key: str) -> Iterator[Element]:
    if key or head[:1] == "[":
        return elements(stream, *((key,) if key else ()))
    return documents(stream)


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
