"""A reply as a document in the client's own protocol, to be looked at, edited and written by hand; and back to deltas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput
from workbench.core.exchange import CallDelta, FinishDelta, NoticeDelta, TextDelta, UsageDelta
from workbench.core.json_text import parse_json
from workbench.loopback import Reply, StreamReply
from workbench.wires import get_wire
from workbench.wires.kit.deltas import SEND_BACK
from workbench.wires.kit.server import fold
from workbench.wires.kit.server_tools import INPUT, namespaced

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from workbench.core.exchange import Delta
    from workbench.wires.kit.server import ReplyHead, Served, WireServer

_JSON = (("content-type", "application/json"),)
BLANK = "Write the answer here."


def reply_document(server: WireServer, head: ReplyHead, deltas: Sequence[Delta]) -> str:
    """Return a reply as indented JSON, as a client of the protocol gets it unstreamed."""
    return json.dumps(parse_json(server.whole(head, deltas)), ensure_ascii=False, indent=1)


def blank_reply(server: WireServer, head: ReplyHead) -> str:
    """Return a reply of one sentence, to be written over."""
    return reply_document(server, head, [TextDelta(BLANK), FinishDelta("stop")])


def read_reply(document: str, served: Served) -> list[Delta]:
    """Read a reply's document; raise InvalidInput where the protocol's client could make nothing of it."""
    try:
        value = parse_json(document)
    except ValueError as error:
        raise InvalidInput("The reply is not valid JSON.", hint=str(error)) from error
    if not isinstance(value, dict):
        raise InvalidInput("The reply is not a JSON object.")
    decoder = get_wire(served.wire).decoder(status=200, headers=_JSON, stream=False)
    reply = fold([*decoder.feed(json.dumps(value).encode()), *decoder.close()])
    if reply.error is not None:
        raise InvalidInput(f"A client could not read this reply: {reply.error.message}", hint=reply.error.hint)
    if not any(isinstance(part, TextDelta | CallDelta) for part in reply.parts):
        raise InvalidInput("The reply says nothing and calls nothing.", hint="Write a text or a call.")
    parts = [_neutral(part, served) if isinstance(part, CallDelta) else part for part in reply.parts]
    kept = [NoticeDelta(SEND_BACK, "", data=dict(reply.send_back))] if reply.send_back else []
    return [*parts, *kept, UsageDelta(reply.usage), FinishDelta(reply.reason)]


def _neutral(call: CallDelta, served: Served) -> CallDelta:
    """A call under the name by which the request's tools are known here."""
    for name, tool in served.tools.items():
        if call.name in (tool.name, namespaced(tool.namespace, tool.name)):
            if tool.kind == "custom":
                call = call._replace(arguments=json.dumps({INPUT: call.arguments}, ensure_ascii=False))
            return call._replace(name=name)
    return call


def for_client(deltas: Sequence[Delta], served: Served) -> list[Delta]:
    """What a maker wants back is of use only to a client that speaks the maker's own protocol."""
    return [
        delta
        for delta in deltas
        if not (isinstance(delta, NoticeDelta) and delta.code == SEND_BACK and served.wire not in delta.data)
    ]


def reply_of(
    server: WireServer, head: ReplyHead, deltas: Sequence[Delta], headers: Mapping[str, str]
) -> Reply | StreamReply:
    """Return a reply that is known to its end, streamed where the client wants it so."""
    given = for_client(deltas, head.served)
    if head.served.request.stream:
        return StreamReply(_at_once(server, head, given), content_type=server.streams_as, headers=headers)
    return Reply(200, server.whole(head, given), headers=headers)


async def _at_once(server: WireServer, head: ReplyHead, deltas: Sequence[Delta]) -> AsyncGenerator[bytes, None]:
    writer = server.stream(head)
    yield writer.start()
    yield b"".join(writer.feed(delta) for delta in deltas)
    yield writer.finish()
