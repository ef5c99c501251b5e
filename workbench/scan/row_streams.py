"""Streamed replies that were logged a chunk a row: chunks of one reply are put together, however many run at once.

{"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [{"delta": {…}}]}      OpenAI Chat Completions, by id
{"type": "content_block_delta", …}            {"type": "response.output_text.delta", …}     Anthropic, Responses: one after the other

A row may hold its chunk below `chunk`, `event` or `data`.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.scan.bodies import Asked, read_reply
from workbench.scan.json_values import json_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.reply import FoundReply

_OPEN = 256
"""Replies under way at once; of more the one that waits longest is told as it is."""
_INSIDE = ("chunk", "event", "data")
_ANTHROPIC = frozenset(
    "message_start content_block_start content_block_delta content_block_stop message_delta message_stop".split()
)
_ENDS = frozenset({"message_stop", "response.completed", "response.incomplete", "response.failed"})


class _Stream(NamedTuple):
    wire: str
    place: str
    line: int
    body: list[bytes]


def chunk_in(row: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Return the wire of a row that is a chunk of a streamed reply, and the chunk; None for any other."""
    for value in (row, *(inner for key in _INSIDE if isinstance(inner := row.get(key), dict))):
        if wire := _wire(value):
            return wire, value
    return None


def _wire(value: dict[str, Any]) -> str:
    choices = value.get("choices")
    if isinstance(choices, list):
        first = choices[0] if choices and isinstance(choices[0], dict) else {}
        chunk = value.get("object") == "chat.completion.chunk" or ("delta" in first and "message" not in first)
        return "openai_chat" if chunk else ""
    kind = value.get("type")
    if not isinstance(kind, str):
        return ""
    if kind in _ANTHROPIC and (
        kind == "message_stop" or kind.partition("_")[0] in value or "index" in value or "delta" in value
    ):
        return "anthropic_messages"
    if kind.startswith("response.") and ("response" in value or "item_id" in value or "output_index" in value):
        return "openai_responses"
    return ""


class RowStreams:
    """Puts chunks together."""

    def __init__(self, asked: Asked | None = None) -> None:
        """`asked`: the request, where it is known."""
        self._asked = asked or Asked()
        self._open: OrderedDict[str, _Stream] = OrderedDict()

    def take(self, row: dict[str, Any], place: str, line: int = 0) -> list[FoundReply] | None:
        """Take a chunk; return the replies that are complete now, None for what is no chunk."""
        found = chunk_in(row)
        if found is None:
            return None
        wire, chunk = found
        key = f"{wire} {chunk.get('id') or ''}" if wire == "openai_chat" else wire
        kind = str(chunk.get("type") or "")
        done: list[FoundReply] = []
        if kind in ("message_start", "response.created"):
            done += self._close(key)
        stream = self._open.setdefault(key, _Stream(wire, place, line, []))
        stream.body.append(
            (f"event: {kind}\n" if kind else "").encode("utf-8", "replace") + b"data: " + json_bytes(chunk) + b"\n\n"
        )
        self._open.move_to_end(key)
        if kind in _ENDS:
            done += self._close(key)
        elif len(self._open) > _OPEN:
            done += self._close(next(iter(self._open)))
        return done

    def finish(self) -> Iterator[FoundReply]:
        """Yield the replies that are still under way."""
        for key in list(self._open):
            yield from self._close(key)

    def _close(self, key: str) -> list[FoundReply]:
        stream = self._open.pop(key, None)
        if stream is None:
            return []
        asked = self._asked._replace(wire=stream.wire)
        reply = read_reply(b"".join(stream.body), asked, place=stream.place)
        if reply is None:
            return []
        reply.line = stream.line
        return [reply]
