"""Tables of replies as CSV: exports of LangSmith, Langfuse and promptfoo, and any sheet with a column of replies.

LangSmith   id,name,run_type,inputs,outputs,extra            cells are JSON, or what Python prints
Langfuse    id,traceId,type,model,input,output
promptfoo   question,[openai:chat:qwen3] {{question}}         cells begin with [PASS] or [FAIL]
others      model;prompt;output                               names as in JSON rows, in any case; commas, semicolons or tabs
"""

from __future__ import annotations

import csv
import io
import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.json_text import UNREADABLE
from workbench.scan.json_values import json_value
from workbench.scan.python_values import python_value
from workbench.scan.readers.rows import StrangeRows, column_of, row_replies
from workbench.scan.readers.traces import observation_reply, run_reply
from workbench.scan.reply import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.opened import Opened
    from workbench.scan.reply import FoundReply

_LONGEST_CELL = 64 << 20
_NAME = re.compile(r"[\w .:/()\[\]{}#%-]{1,120}\Z")
_PROMPT = re.compile(r"\[([^\]]{1,200})\] ")
"""What promptfoo calls a column: the provider, and the prompt's label."""
_GRADE = re.compile(r"\[(?:PASS|FAIL|ERROR)\](?: \([\d.]+\))? ?")
_OTHER_NAMES = {"outputs": "output", "responses": "response", "model_response": "response", "llm_output": "output", "result": "output"}  # fmt: skip
_SPACED = re.compile(r"[ -]+")
_SEEN = 4
"""Rows that are looked at before a table is said to hold no replies."""


def recognise(file: Opened) -> bool:
    """A line of names, one of which is known, before rows of as many cells."""
    first = file.text.lstrip("\n\r").partition("\n")[0]
    if not first.strip() or first.lstrip()[:1] in ("{", "<", "#") or "\0" in first:
        return False
    try:
        head, *rows = islice(_records(io.StringIO(file.text, newline=""), first), _SEEN + 1)
    except (csv.Error, ValueError):
        return False
    if len(head) < 2 or not all(_NAME.match(name) or _PROMPT.match(name) for name in head):
        return False
    if not file.whole and rows:
        rows = rows[:-1] or rows  # the last one may be cut
    return any(len(row) == len(head) and _holds_reply(_named(head, row)) for row in rows)


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of the rows; raise InvalidInput for what is no table."""
    first = file.text.lstrip("\n\r").partition("\n")[0]
    strange = StrangeRows()
    with file.stream() as stream:
        records = _records(
            io.TextIOWrapper(io.BufferedReader(_Plain(stream)), "utf-8-sig", "replace", newline=""), first
        )
        try:
            head = next(records, [])
            for number, cells in enumerate(records, 1):
                if not any(cells):
                    continue
                strange.seen += 1
                yield from _replies(_named(head, cells), f"row {number}", strange)
        except csv.Error as error:
            raise InvalidInput(f"{file.name} cannot be read as a table: {error}.") from error
    yield from strange.told()


def _replies(row: dict[str, Any], place: str, strange: StrangeRows) -> Iterator[FoundReply]:
    if "run_type" in row or isinstance(row.get("outputs"), dict):
        reply = run_reply(row) if row.get("run_type", "llm") == "llm" else None
    elif _is_observation(row):
        reply = observation_reply(row) if str(row["type"]).upper() == "GENERATION" else None
    else:
        asked = _by_provider(row)
        for one in asked or [_known(row)]:
            yield from strange.noted(one, place, 0)
        return
    if reply is not None:
        reply.place = place if reply.place.endswith(("None", "?")) else f"{place} ({reply.place})"
        yield reply


def _holds_reply(row: dict[str, Any]) -> bool:
    if "run_type" in row or isinstance(row.get("outputs"), dict) or _is_observation(row) or _by_provider(row):
        return True
    known = _known(row)
    return column_of(known) not in ("", "data") and next(row_replies(known, "", 0), None) is not None


def _is_observation(row: dict[str, Any]) -> bool:
    return "type" in row and ("traceId" in row or "trace_id" in row) and ("output" in row or "input" in row)


def _by_provider(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The replies of each of promptfoo's columns, as rows."""
    made = []
    for name, cell in row.items():
        found = _PROMPT.match(name)
        if found and cell:
            said = _GRADE.sub("", cell, count=1) if isinstance(cell, str) else cell
            made.append({"model": found[1].rpartition(":")[2], "output": _value(said)})
    return made


def _known(row: dict[str, Any]) -> dict[str, Any]:
    """The row under the names of JSON rows: small letters, no blanks."""
    small = {_SPACED.sub("_", name.strip().lower()): cell for name, cell in row.items()}
    return {
        _OTHER_NAMES.get(name, name) if _OTHER_NAMES.get(name) not in small else name: one
        for name, one in small.items()
    }


def _named(head: list[str], cells: list[str]) -> dict[str, Any]:
    """The cells by their columns, without empty ones; a cell of JSON or of Python is its value."""
    return {name.strip(): _value(cell) for name, cell in zip(head, cells, strict=False) if cell}


def _value(cell: Any) -> Any:
    if not isinstance(cell, str) or cell[:1] not in ("{", "[") or cell[-1:] not in ("}", "]"):
        return cell
    value = json_value(cell)
    if value is UNREADABLE:
        value = python_value(cell, 0)
    return (
        value
        if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(x, dict) for x in value))
        else cell
    )


def _records(text: io.TextIOBase, first: str) -> Iterator[list[str]]:
    csv.field_size_limit(_LONGEST_CELL)
    sign = max("\t;,", key=first.count)
    return csv.reader(text, delimiter=sign)


class _Plain(io.RawIOBase):
    """A stream that tells of itself what the text layer asks, and gives no more than asked for."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        data = self._rest or self._stream.read(len(room))
        data, self._rest = data[: len(room)], data[len(room) :]
        room[: len(data)] = data
        return len(data)
