"""One request from its arrival to its reply: read, held where a breakpoint says so, routed, run, held again, given.

A client that wants its reply streamed is kept in patience while a person decides: comments go down its stream, and what
comes of it then, an error too, is told inside the stream. Before the first comment an error still has a status of its own.
"""

from __future__ import annotations

import json
import time
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.targets import title_of
from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.core.events import RunStarted
from workbench.core.exchange import CallDelta, FaultDelta
from workbench.core.json_text import parse_json
from workbench.core.run_summary import RunSummary
from workbench.gateway.breakpoints import Part, Ruling, contents_of
from workbench.gateway.client_exchange import ClientExchange, draft_of
from workbench.gateway.client_identity import client_request
from workbench.gateway.conversations import ExchangeState
from workbench.gateway.error_reply import ErrorReply, refused
from workbench.gateway.on_the_way import notes_of
from workbench.gateway.pass_through import PassThrough
from workbench.gateway.reply_document import blank_reply, read_reply, reply_document, reply_of
from workbench.gateway.routes import Way
from workbench.gateway.streamed import Streamed
from workbench.gateway.written_reply import ANSWERED, EDITED_REPLY, EDITED_REQUEST, record_by_hand
from workbench.loopback import StreamReply
from workbench.wires.kit.server import Refusal, ReplyHead

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from workbench.app.runs import RunDraft, RunHandle
    from workbench.core.events import RunEvent
    from workbench.gateway.breakpoints import Breakpoint, Decision, Held
    from workbench.gateway.client_exchange import Gathered
    from workbench.gateway.first_token import FirstToken
    from workbench.gateway.under_way import UnderWay
    from workbench.loopback import LoopbackRequest, Reply
    from workbench.providers.relay import Carried
    from workbench.wires.kit.server import WireServer

PING_S = 10.0
"""How often a client hears something while its exchange is held."""
REFUSED = "Refused at a breakpoint of the gateway."


class Answering:
    """One request under way."""

    def __init__(
        self, gateway: UnderWay, server: WireServer, request: LoopbackRequest, first_token: FirstToken
    ) -> None:
        """Read the request; raise WorkbenchError where it cannot be met."""
        self._gateway, self._server, self._request = gateway, server, request
        self._by_hand: tuple[str, ...] = ()
        self._handed_on = False
        self._read(request.body)
        self._seen = gateway.conversations.begin(
            self._client, self._route.target.label, title_of(self._draft.messages), first_token, gateway.recording
        )

    def _read(self, body: bytes) -> None:
        """Take the request in the body, and where it leads."""
        gateway = self._gateway
        served = self._server.read(body, self._request.path)
        if not served.request.model:
            known = ", ".join(gateway.routes.models()[:8])
            raise InvalidInput("The request names no model.", hint=f"Known: {known}.")
        route = gateway.routes.choose(served.request.model)
        if route.way is Way.PASS_THROUGH and (why := gateway.not_passed_through(served, route)):
            route, served = replace(route, way=Way.ROUTE), replace(served, left_out=(why, *served.left_out))
        client = client_request(self._request, served, route.way)
        self._client = replace(client, by_hand=self._by_hand)
        self._draft = draft_of(gateway.wb, served, route, self._client)
        self._served, self._route = served, route

    async def answer(self) -> Reply | StreamReply:
        """Return the reply; raise WorkbenchError for what cannot be run."""
        steps, late = self._steps(), False
        try:
            async for step in steps:
                if step is not None:
                    return step
                if late := self._served.request.stream:
                    pieces = Streamed(self._late(steps), self._end_early)
                    return StreamReply(pieces, content_type=self._server.streams_as)
        finally:
            if not late:
                await steps.aclose()
        raise AssertionError("an exchange ended without a reply")

    async def _late(self, steps: AsyncGenerator[Reply | StreamReply | None, None]) -> AsyncGenerator[bytes, None]:
        """A stream that begins with patience and goes on with the reply."""
        patience = b": held\n\n" if self._server.streams_as == "text/event-stream" else b""
        async with aclosing(steps):
            yield patience
            async for step in steps:
                match step:
                    case None:
                        yield patience
                    case StreamReply(chunks=chunks):
                        async with aclosing(chunks):
                            async for chunk in chunks:
                                yield chunk
                    case ErrorReply():
                        writer = self._server.stream(self._head())
                        yield writer.start() + writer.feed(FaultDelta(step.error)) + writer.finish()
                    case _:
                        yield step.body

    # -- the way -------------------------------------------------------------------------------------------------------

    async def _steps(self) -> AsyncGenerator[Reply | StreamReply | None, None]:
        """None each time that the client has waited for a while, and at the end the reply."""
        desk, conversation = self._gateway.desk, self._client.conversation
        decision: Decision | None = None
        try:
            if point := desk.wanted(Part.REQUEST, conversation, contents_of(self._served.request.messages)):
                held = self._hold_request(point)
                while (decision := await held.decision(PING_S)) is None:
                    yield None
                desk.let_go(held)
            if decision is not None and decision.ruling is Ruling.REFUSE:
                yield self._refuse()
                return
            if decision is not None and decision.ruling is Ruling.ANSWER:
                yield await self._by_person(decision.document or "", ANSWERED)
                return
            if decision is not None:
                self._release(decision)
            if desk.wanted(Part.REPLY, conversation) is not None:
                async with aclosing(self._looked_at()) as looked:
                    async for step in looked:
                        yield step
                return
            reply = await self._carrier().answer(self._start)
            self._handed_on = True
            yield reply
        except WorkbenchError as error:
            self._end(ExchangeState.REFUSED, error.message)
            raise
        finally:
            self._end_early()

    async def _looked_at(self) -> AsyncGenerator[Reply | StreamReply | None, None]:
        """The reply, gathered first, then held if what is in it meets the breakpoint."""
        desk, seen = self._gateway.desk, self._seen
        seen.kept_back = True
        gathered: Gathered | None = None
        async with aclosing(self._carrier().gathered(self._start, PING_S)) as waiting:
            async for gathered in waiting:
                if gathered is None:
                    yield None
        assert gathered is not None
        contents = contents_of(self._served.request.messages)
        contents = contents._replace(call=any(isinstance(delta, CallDelta) for delta in gathered.deltas))
        point = desk.wanted(Part.REPLY, self._client.conversation, contents)
        if point is None or gathered.failed:
            self._end(ExchangeState.DONE)
            yield gathered.given
            return
        held, decision = self._hold_reply(point, gathered), None
        while (decision := await held.decision(PING_S)) is None:
            yield None
        desk.let_go(held)
        if decision.ruling is Ruling.REFUSE:
            yield self._refuse()
        elif decision.document is not None:
            yield await self._by_person(decision.document, EDITED_REPLY)
        else:
            self._end(ExchangeState.DONE, _released(decision))
            yield gathered.given

    def _carrier(self) -> ClientExchange | PassThrough:
        seen = self._seen
        if self._route.way is Way.PASS_THROUGH:
            return PassThrough(self._server, self._request, self._served, self._draft, self._follow, seen.first_token)
        return ClientExchange(self._server, self._served, self._draft, self._follow, seen.first_token)

    async def _start(self, draft: RunDraft, tap: Callable[[RunEvent], None], carried: Carried | None) -> RunHandle:
        return await self._gateway.start(self._seen, draft, tap, carried)

    def _follow(self, event: RunEvent) -> None:
        if isinstance(event, RunStarted):
            self._seen.run_id, self._seen.summary = event.run_id, RunSummary()
        self._gateway.conversations.follow(self._seen, event)

    def _end(self, state: ExchangeState, said: str = "") -> None:
        self._handed_on = True
        self._gateway.conversations.end(self._seen, state, said)

    def _end_early(self) -> None:
        """Nobody waits any more: what is held for the client is let go. A run that goes on tells its own end."""
        for held in self._gateway.desk.waiting:
            if held.seen is self._seen:
                self._gateway.desk.let_go(held)
        if not self._handed_on and (self._seen.kept_back or not self._seen.run_id):
            self._end(ExchangeState.GONE)

    # -- breakpoints ---------------------------------------------------------------------------------------------------

    def _head(self) -> ReplyHead:
        """What identifies a reply that no run stands behind yet."""
        return ReplyHead(self._served, self._seen.run_id.replace("-", "") or f"{time.time_ns():x}", int(time.time()))

    def _hold_request(self, point: Breakpoint) -> Held:
        seen, gateway = self._seen, self._gateway
        seen.first_token.hold()
        gateway.conversations.set_state(seen, ExchangeState.HELD_REQUEST)
        return gateway.desk.hold(
            Part.REQUEST, seen, point, _indented(self._request.body), self._check,
            blank_reply=blank_reply(self._server, self._head()), streams=self._served.request.stream,
            notes=notes_of(gateway.wb, self._served, self._route, self._draft),
        )  # fmt: skip

    def _hold_reply(self, point: Breakpoint, gathered: Gathered) -> Held:
        self._gateway.conversations.set_state(self._seen, ExchangeState.HELD_REPLY)
        document = reply_document(self._server, self._head(), gathered.deltas)
        return self._gateway.desk.hold(
            Part.REPLY, self._seen, point, document, self._check, streams=self._served.request.stream
        )

    def _check(self, ruling: Ruling, document: str) -> None:
        """Raise InvalidInput where an edited document cannot be used."""
        if ruling is Ruling.ANSWER or self._seen.state is ExchangeState.HELD_REPLY:
            read_reply(document, self._served)
        else:
            served = self._server.read(document.encode(), self._request.path)
            self._gateway.routes.choose(served.request.model)

    def _release(self, decision: Decision) -> None:
        """Let a held request go on, with what was edited in it."""
        if decision.document is not None:
            self._by_hand = (EDITED_REQUEST,)
            self._request = replace(self._request, body=decision.document.encode())
            self._read(self._request.body)
            self._seen.client, self._seen.target = self._client, self._route.target.label
        self._gateway.conversations.set_state(self._seen, ExchangeState.READ, _released(decision))

    def _refuse(self) -> ErrorReply:
        self._end(ExchangeState.REFUSED, "refused by you")
        return refused(self._server, Refusal(503, REFUSED))

    async def _by_person(self, document: str, did: str) -> Reply | StreamReply:
        """Give what a person wrote, once it is recorded."""
        deltas, head, gateway = read_reply(document, self._served), self._head(), self._gateway
        recorder = gateway.recorder(self._seen)
        model = self._seen.run_id if did is EDITED_REPLY else ""
        run_id = await record_by_hand(gateway.wb, self._draft, head, deltas, did, recorder, model)
        self._seen.given_run_id = run_id
        self._end(ExchangeState.DONE, "edited by you" if did is EDITED_REPLY else did)
        return reply_of(self._server, head, deltas, {"x-workbench-run": run_id})


def _released(decision: Decision) -> str:
    if decision.document is not None:
        return "edited by you"
    return "went on when the time was over" if decision.by_clock else "released"


def _indented(body: bytes) -> str:
    return json.dumps(parse_json(body), ensure_ascii=False, indent=1)
