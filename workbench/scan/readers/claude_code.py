"""Sessions of Claude Code: `~/.claude/projects/<folder>/<session>.jsonl`, one JSON a line (seen of version 2.1), also indented or in a list.

    {"type": "user", "message": {"role": "user", "content": "…" | [{"type": "tool_result", "tool_use_id", "content", "is_error"}]}, "timestamp", …}
    {"type": "assistant", "message": {"id", "model", "content": [{"type": "text" | "thinking" | "tool_use", …}], "stop_reason", "usage"}, …}

A reply is spread over several lines with one `message.id`, a content block each. Other types of lines are left alone.
What `claude -p --output-format stream-json` prints, or `json` as a list, are the same lines with `session_id`.
Arguments that are no JSON stand in `input.__unparsedToolInput.raw`; a reply of which nothing came leaves no line, but a
note to the model that it had no visible output.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from workbench.core.json_text import UNREADABLE
from workbench.decoding import decoder_of
from workbench.scan.json_values import json_value
from workbench.scan.readers.session import TurnSequence, microseconds, text_of
from workbench.scan.reply import FoundReply, SeenCall, Trouble
from workbench.scan.row_layout import first_rows, no_json, session_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.opened import Opened

SERVER = "Claude Code"
_TYPES = frozenset(
    "user assistant attachment system summary queue-operation last-prompt file-history-snapshot progress".split()
)


class _SessionLine(msgspec.Struct):
    type: Any = None
    message: Any = None
    timestamp: Any = None
    isSidechain: Any = None  # noqa: N815 - their name
    parent_tool_use_id: Any = None
    agentId: Any = None  # noqa: N815
    isMeta: Any = None  # noqa: N815


_SAID_NOTHING = "[Your previous response had no visible output"
_decode = decoder_of(_SessionLine).decode


def recognise(file: Opened) -> bool:
    """Lines with a type of theirs and what goes with it."""
    return first_rows(file, _known) is not None


def _known(row: dict[str, Any]) -> bool:
    if row.get("type") not in _TYPES:
        return False
    message = row.get("message")
    turn = isinstance(message, dict) and message.get("role") == row["type"] and "content" in message
    return turn or "sessionId" in row or "parentUuid" in row or "leafUuid" in row


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of the main line and of sidechains, each when it is complete."""
    lines: dict[Any, TurnSequence] = {}
    answered: dict[Any, bool] = {}
    """Whether the last line of a line of turns was the model's."""
    for number, data, broken in session_lines(file, _known):
        line = _line(data)
        if line is None:
            yield Trouble(str(number), no_json(broken))
            continue
        message = line.message
        if line.type not in ("user", "assistant") or not isinstance(message, dict):
            continue
        turns = line.agentId or line.parent_tool_use_id or bool(line.isSidechain)
        told = lines.setdefault(turns, TurnSequence())
        was_answered, answered[turns] = answered.get(turns, True), line.type == "assistant"
        if line.type == "user" and line.isMeta and _said_nothing(message):
            if not was_answered and (done := told.begin(_nothing(told, number, line.timestamp))) is not None:
                yield _complete(done)
        elif line.type == "user":
            _user(told, message.get("content"), meta=bool(line.isMeta))
        elif message.get("model") != "<synthetic>":
            begun = told.open
            if begun is None or begun.source_text != message.get("id"):
                begun = _reply(message, number, line.timestamp)
                done = told.begin(begun)
                if done is not None:
                    yield _complete(done)
            _add(begun, message)
    for told in lines.values():
        yield from map(_complete, told.finish())


def _complete(reply: FoundReply) -> FoundReply:
    reply.source_text = ""
    return reply


def _line(data: bytes) -> _SessionLine | None:
    try:
        return _decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        value = json_value(data)
        if value is UNREADABLE or not isinstance(value, dict):
            return None
        return _SessionLine(**{name: value.get(name) for name in _SessionLine.__struct_fields__})


def _reply(message: dict[str, Any], number: int, stamp: Any) -> FoundReply:
    """Begin a reply; until it is complete its message's id stands where its source text will."""
    return FoundReply(
        str(number), model=str(message.get("model") or ""), server=SERVER, at_us=microseconds(stamp), line=number,
        source_text=str(message.get("id") or f"line {number}"),
    )  # fmt: skip


def _said_nothing(message: dict[str, Any]) -> bool:
    return text_of(message.get("content")).startswith(_SAID_NOTHING)


def _nothing(told: TurnSequence, number: int, stamp: Any) -> FoundReply:
    """The reply of which nothing came; nobody says which model was asked, so it is the one before."""
    model = told.open.model if told.open is not None else ""
    why = "Claude Code says that the reply had no visible output, and its session has none either."
    return FoundReply(str(number), model=model, server=SERVER, at_us=microseconds(stamp), line=number, error=why)


def _add(reply: FoundReply, message: dict[str, Any]) -> None:
    """Add a line's blocks."""
    usage = message.get("usage")
    if isinstance(usage, dict) and isinstance(usage.get("output_tokens"), int):
        reply.output_tokens = usage["output_tokens"]
    if isinstance(message.get("stop_reason"), str):
        reply.finish = message["stop_reason"]
    content = message.get("content")
    if isinstance(content, str):
        reply.text += content
    for block in content if isinstance(content, list) else ():
        match block:
            case {"type": "text", "text": str(text)}:
                reply.text += text
            case {"type": "thinking", "thinking": str(text)}:
                reply.reasoning += text
                reply.hidden = reply.hidden or not text
            case {"type": "tool_use", "name": str(name)}:
                reply.calls.append(SeenCall(name, _arguments(block.get("input")), str(block.get("id") or "")))
            case _:
                reply.hidden = True


def _arguments(given: Any) -> str | dict[str, Any]:
    match given:
        case {"__unparsedToolInput": {"raw": str(text)}}:
            return text
        case dict():
            return given
        case _:
            return ""


def _user(told: TurnSequence, content: Any, *, meta: bool) -> None:
    if isinstance(content, str):
        if not meta:
            told.user(content)
        return
    for block in content if isinstance(content, list) else ():
        match block:
            case {"type": "tool_result", "tool_use_id": str(call_id)}:
                told.result(call_id, text_of(block.get("content")), failed=bool(block.get("is_error")))
            case {"type": "text", "text": str(text)} if not meta:
                told.user(text)
            case _:
                pass
