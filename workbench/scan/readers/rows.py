"""Tables of replies: JSON lines and Parquet with a column of texts, messages, or whole replies.

A column called `raw…` holds what the model wrote before any parser, and so does a text whose row names a text format.
Any other text is what a client was given.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput, MissingLibrary, UnknownName
from workbench.core.json_text import UNREADABLE
from workbench.formats import get_format
from workbench.scan.bodies import Asked, offered, read_reply, short, wire_of_reply
from workbench.scan.chat_messages import add_message, asked_of, plain_message, replies_of, role_of
from workbench.scan.exchanges import as_bytes, pair_in, pair_reply
from workbench.scan.json_values import json_bytes, json_value
from workbench.scan.readers.session import microseconds
from workbench.scan.readers.traces import run_reply
from workbench.scan.reply import Channel, FoundReply, Trouble
from workbench.scan.row_layout import rows_in, rows_known
from workbench.scan.row_streams import RowStreams, chunk_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.tools import ToolSpec
    from workbench.scan.opened import Opened

_RAW = ("raw", "raw_output", "raw_text", "raw_response", "raw_completion")
_TEXTS = ("output", "response", "completion", "generated_text", "generation", "reply", "answer", "prediction", "text", "content", "model_output", "assistant")  # fmt: skip
_ASKED = ("messages", "prompt", "question", "input", "inputs", "instruction")
_TURNS = ("messages", "conversations", "conversation", "trajectory", "history")
_PARQUET = b"PAR1"
_BATCH = 256


def is_rows(file: Opened) -> bool:
    """JSON objects, whichever way they lie, of which one of the first has a column that is known."""
    return rows_known(file, _known)


def _known(row: dict[str, Any]) -> bool:
    return bool(column_of(row)) or chunk_in(row) is not None


def is_parquet(file: Opened) -> bool:
    """Their magic bytes."""
    return file.head.startswith(_PARQUET)


def _prediction(row: dict[str, Any]) -> dict[str, Any] | None:
    """What LM Studio streams of its log (`lms log stream --json`): the model's text before any parser."""
    data = row.get("data")
    if not isinstance(data, dict) or not str(data.get("type")).startswith("llm.prediction."):
        return None
    stamp = {"timestamp": row.get("timestamp"), "model": data.get("modelIdentifier"), "server": "LM Studio"}
    return {**stamp, "raw_output": data["output"]} if isinstance(data.get("output"), str) else stamp


def column_of(row: dict[str, Any]) -> str:
    """Return the column that holds the reply; empty without one."""
    if (told := _prediction(row)) is not None:
        return "raw_output" if "raw_output" in told else "data"
    found = next((key for key in _RAW if isinstance(row.get(key), str)), "")
    if found:
        return found
    turns = next((key for key in _TURNS if isinstance(row.get(key), list) and row[key]), "")
    if turns and role_of(plain_message(row[turns][0])) and not _is_asked(row, turns):
        return turns
    for key in _TEXTS:
        if isinstance(row.get(key), str | dict):
            return key
    return next((key for key in ("choices", "candidates", "tool_calls") if key in row), "")


def _is_asked(row: dict[str, Any], turns: str) -> bool:
    """Whether the turns of a row are what was asked: the reply stands beside them."""
    last = row[turns][-1]
    beside = any(isinstance(row.get(key), str | dict) and row[key] for key in ("response", "output", "completion"))
    return beside and role_of(plain_message(last)) != "assistant"


def read_lines(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of JSON rows; at the end how many rows were not understood."""
    streams, strange = RowStreams(), StrangeRows()
    for row in rows_in(file, _known):
        strange.seen += 1
        if row.value is UNREADABLE:
            yield Trouble(row.place, f"This item is broken: {row.message}." if row.message else "This line is no JSON.")
            continue
        chunks = streams.take(row.value, row.place, row.line) if isinstance(row.value, dict) else None
        if chunks is not None:
            yield from chunks
        else:
            yield from strange.noted(row.value, row.place, row.line)
    yield from streams.finish()
    yield from strange.told()


class StrangeRows:
    """Rows that hold nothing that is known: counted, and the first of them shown."""

    def __init__(self) -> None:
        self.seen = self.count = 0
        self._first = ""
        self._keys = ""

    def noted(self, value: Any, place: str, line: int) -> Iterator[FoundReply]:
        """Yield a row's replies; count it where it is not understood."""
        found = False
        for reply in row_replies(value, place, line) if isinstance(value, dict) else ():
            found = True
            yield reply
        if found or (isinstance(value, dict) and _is_silent(value)):
            return
        self.count += 1
        if not self._first:
            self._first = place
            keys = ", ".join(map(str, list(value)[:6])) if isinstance(value, dict) else ""
            self._keys = f"its keys are {short(keys)}" if keys else "it is no object with keys"

    def told(self) -> Iterator[Trouble]:
        """What there is to say at the end."""
        if self.count:
            rows = f"{self.count:,} of {self.seen:,} rows {'was' if self.count == 1 else 'were'} not understood"
            yield Trouble(self._first, f"{rows}; this is the first, {self._keys}.")


def _is_silent(row: dict[str, Any]) -> bool:
    """Whether a row is understood, and holds no reply: only what was asked, or an error."""
    told = row.get("response")
    return column_of(row) in (*_TURNS, "data") or bool(row.get("error")) or (isinstance(told, dict) and "error" in told)


def read_parquet(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of Parquet rows; raise InvalidInput where no column is known."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        hint = "Install it: pip install 'tool-calling-workbench[parquet]'."
        raise MissingLibrary("Reading Parquet needs pyarrow.", hint=hint) from error
    try:
        table = parquet.ParquetFile(file.seekable())
        names = set(table.schema_arrow.names)
        if {"run_type", "outputs"} <= names:
            yield from _langsmith(table, file)
            return
        known = {
            *_RAW,
            *_TEXTS,
            *_ASKED,
            *_TURNS,
            "tools",
            "functions",
            "model",
            "id",
            "format",
            "finish_reason",
            "timestamp",
        }
        if not names & {*_RAW, *_TEXTS, *_TURNS}:
            raise InvalidInput(
                f"{file.name} has no column of texts.",
                hint=f"It has {', '.join(sorted(names)[:12])}; known are text, output, messages, raw …",
            )
        number, strange, groups = 0, StrangeRows(), max(table.metadata.num_row_groups, 1)
        for group in range(table.metadata.num_row_groups):
            for batch in table.iter_batches(_BATCH, row_groups=[group], columns=sorted(names & known)):
                for row in batch.to_pylist():
                    number += 1
                    yield from strange.noted(row, f"row {number}", 0)
            file.told(file.size // groups)
        strange.seen = number
        yield from strange.told()
    except (pyarrow.ArrowException, OSError) as error:
        raise InvalidInput(f"{file.name} cannot be read: {str(error).splitlines()[0]}.") from error


def _langsmith(table: Any, file: Opened) -> Iterator[FoundReply]:
    """Runs as LangSmith exports them in bulk; inputs and outputs are JSON as text."""
    for batch in table.iter_batches(_BATCH):
        for run in batch.to_pylist():
            begun = run.get("start_time")
            run["start_time"] = begun.isoformat() if isinstance(begun, datetime) else begun
            reply = run_reply(run) if run.get("run_type") == "llm" else None
            if reply is not None:
                yield reply
    file.told(file.size)


def row_replies(row: dict[str, Any], place: str, line: int) -> Iterator[FoundReply]:
    """Yield the replies of one row."""
    found = pair_in(row)
    if (
        found is not None
        and isinstance(found[0], dict)
        and wire_of_reply(as_bytes(found[1])[:4000].decode("utf-8", "replace"))
    ):
        reply = pair_reply(*found, place, str(row.get("model") or ""))
        if reply is not None:
            reply.line = line
            yield reply
        return
    if (told := _prediction(row)) is not None:
        if "raw_output" not in told:
            return  # what was asked
        row = told
    column = column_of(row)
    if not column:
        return
    base = _base(row, place, line)
    value = row[column]
    if column in _TURNS and isinstance(value, list):
        shared = "conversations" in column or "from" in (value[0] if isinstance(value[0], dict) else {})
        base.channel = Channel.RAW if shared else base.channel
        yield from replies_of(value, base)
        return
    if column in ("choices", "candidates") or (column == "tool_calls" and "role" not in row):
        value = row
    context, before = asked_of(next((row[key] for key in _ASKED if row.get(key)), None))
    base.context, base.before = context, before
    base.channel = Channel.RAW if column in _RAW or _in_text(row.get("format")) else Channel.CONTENT
    reply = _add(base, value, row)
    if reply is not None:
        reply.line = line
        yield reply


def _base(row: dict[str, Any], place: str, line: int) -> FoundReply:
    tools = row.get("tools", row.get("functions"))
    if isinstance(tools, str):
        tools = json_value(tools)
    ident = row.get("id") or row.get("custom_id")
    usage = row.get("usage")
    tokens = (
        usage.get("completion_tokens", usage.get("output_tokens"))
        if isinstance(usage, dict)
        else row.get("output_tokens")
    )
    return FoundReply(
        f"{place} ({ident})" if ident and line else place, model=str(row.get("model") or ""),
        server=str(row.get("server") or row.get("provider") or ""), tools=_specs(tools),
        at_us=microseconds(row.get("timestamp") or row.get("created_at") or row.get("created") or row.get("time")),
        finish=str(row.get("finish_reason") or row.get("stop_reason") or ""), line=line,
        output_tokens=tokens if isinstance(tokens, int) else None,
    )  # fmt: skip


def _specs(tools: Any) -> tuple[ToolSpec, ...] | None:
    return offered({"tools": tools}) if isinstance(tools, list) else None


def _in_text(name: Any) -> bool:
    """Whether a row's format is one that writes calls in the text."""
    if not isinstance(name, str) or not name:
        return False
    try:
        return not get_format(name).native
    except UnknownName:
        return False


def _add(base: FoundReply, value: Any, row: dict[str, Any]) -> FoundReply | None:
    if isinstance(value, str):
        base.text = value
        if isinstance(thought := row.get("reasoning_content") or row.get("reasoning"), str):
            base.reasoning = thought
        if isinstance(row.get("tool_calls"), list):
            add_message(base, {"content": "", "tool_calls": row["tool_calls"]})
        return base
    body = json_bytes(value)
    wire = wire_of_reply(body[:4000].decode("utf-8", "replace"))
    if wire:
        reply = read_reply(body, Asked(wire, base.tools, base.model, base.context, base.before), place=base.place)
        if reply is not None:
            reply.server, reply.at_us = base.server, base.at_us
            return reply
    message = plain_message(value)
    return add_message(base, message) if message else None
