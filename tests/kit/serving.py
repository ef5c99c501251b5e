"""Server sides of the wires, asked and answered without a network."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.core.exchange import CallDelta, FinishDelta, ReasoningDelta, TextDelta, UsageDelta
from workbench.core.messages import ChatRequest, Message
from workbench.wires import get_server
from workbench.wires.kit.server import ReplyHead, Served

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.exchange import Delta, Usage


def request_body(**fields: Any) -> bytes:
    """A body as JSON."""
    return json.dumps(fields).encode()


def head(wire: str, *, path: str = "", tools: dict[str, Any] | None = None, **unknown: Any) -> ReplyHead:
    """A reply's head: model `m`, id `0a`, second 1; `unknown` are body fields that only the wire knows."""
    request = ChatRequest("m", (Message("user", "hi"),), by_wire={wire: unknown})
    return ReplyHead(Served(request, wire, path, tools=tools or {}), "0a", 1)


def streamed(at: ReplyHead, deltas: Sequence[Delta]) -> bytes:
    """The whole stream of a reply."""
    writer = get_server(at.served.wire).stream(at)
    return writer.start() + b"".join(writer.feed(delta) for delta in deltas) + writer.finish()


def whole(at: ReplyHead, deltas: Sequence[Delta]) -> Any:
    """A reply's body, read."""
    return json.loads(get_server(at.served.wire).whole(at, deltas))


def read(wire: str, body: bytes, path: str = "") -> ChatRequest:
    """The request alone; what only the wire knows is put into `extra` for shorter assertions."""
    served = get_server(wire).read(body, path)
    return replace(served.request, extra=served.unknown, by_wire={})


def turn(usage: Usage, ids: tuple[str, str] = ("call_a", "call_b"), *, empty: str = "") -> list[Delta]:
    """A reply with a thought, text in two pieces and two calls: `f` in pieces, and `g` with `empty` arguments."""
    return [
        ReasoningDelta("hm"), TextDelta("Let me "), TextDelta("see."),
        CallDelta(0, ids[0], "f", ""), CallDelta(0, "", "", '{"x": 1}'), CallDelta(1, ids[1], "g", empty),
        FinishDelta("tool_calls"), UsageDelta(usage),
    ]  # fmt: skip
