"""One exchange: a client's request becomes a run, and the run's deltas the reply, streamed or whole."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.app.runs import RunDraft, RunHandle
from workbench.core.errors import StoreError
from workbench.core.events import CancelCause, FellBack, RunEvent, RunFinished, StopReason
from workbench.core.exchange import Delta, FaultDelta
from workbench.core.target import Policy, RunLimits, Sampling
from workbench.core.tools import ToolMode, ToolSetup
from workbench.formats import get_format
from workbench.gateway.error_reply import refused
from workbench.gateway.reply_deltas import ReplyDeltas
from workbench.gateway.reply_document import for_client, reply_of
from workbench.gateway.routes import Way
from workbench.gateway.streamed import Streamed
from workbench.loopback import Reply, StreamReply
from workbench.providers.relay import Carried
from workbench.providers.watch import WaitLimit
from workbench.wires import wire_row
from workbench.wires.kit.server import ReplyHead, refusal_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from workbench.app import Workbench
    from workbench.core.events import ClientRequest
    from workbench.core.target import Target
    from workbench.gateway.error_reply import ErrorReply
    from workbench.gateway.first_token import FirstToken
    from workbench.gateway.routes import Route
    from workbench.wires.kit.server import Served, WireServer

ORIGIN = "gateway"
PING_S = 5.0
"""Silence after which a waiting client is told that the reply is still coming."""
FALLBACK = "x-workbench-fallback"
"""Header of a boosted reply that did not come as planned: why."""
_FEEDBACK = 3
"""Turns of an emulated exchange: a call that cannot be read is told to the model, at most twice."""

Start = Callable[[RunDraft, Callable[[RunEvent], None], Carried | None], Awaitable[RunHandle]]
"""Starts a run of an exchange; it is handed the tap that gets each event at once."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A reply that came to its end before anything of it went to the client."""

    deltas: tuple[Delta, ...]
    """What a client reads in it."""
    given: Reply | StreamReply
    """The reply as the client gets it if nobody changes it."""
    failed: bool = False
    """It is an error."""


def draft_of(wb: Workbench, served: Served, route: Route, client: ClientRequest) -> RunDraft:
    """Return the run that answers a request. Tools are recorded only: the client executes them itself."""
    request = served.request
    target = _target(wb, served, route)
    return RunDraft(
        request.messages,
        target,
        tuple(ToolSetup(tool, ToolMode.RECORD) for tool in request.tools),
        request.tool_choice,
        title=client.name,
        origin=ORIGIN,
        stop=request.stop,
        by_wire=request.by_wire,
        client=client,
    )


def _target(wb: Workbench, served: Served, route: Route) -> Target:
    """The route's target with the client's parameters, where the route has none of its own."""
    request, own = served.request, route.target.sampling
    sampling = Sampling(
        temperature=request.temperature if own.temperature is None else own.temperature,
        top_p=request.top_p if own.top_p is None else own.top_p,
        max_tokens=request.max_tokens if own.max_tokens is None else own.max_tokens,
        seed=request.seed if own.seed is None else own.seed,
        parallel_tool_calls=request.parallel_tool_calls if own.parallel_tool_calls is None else own.parallel_tool_calls,
        extra=own.extra,
    )
    target = replace(route.target, sampling=sampling, stream=True)
    if route.way is Way.REPAIR:
        target = replace(target, policy=Policy.CROSS_FORMAT)
    if route.way is Way.PASS_THROUGH:
        return replace(target, format=wire_row(served.wire).native, planner=None, limits=RunLimits(1, 0, 0))
    chosen = target.format if target.format != "auto" else wb.detect(target.executor).format
    if target.planner is None:
        feedback = 0 if get_format(chosen).native else 1
        limits = replace(target.limits, iterations=_FEEDBACK, feedback_per_iteration=feedback)
        target = replace(target, limits=limits)
    return target


def without_budget(draft: RunDraft) -> RunDraft:
    """The draft without a limit in time: of a boosted exchange it is kept here, so that it can be answered all the same."""
    return replace(draft, target=replace(draft.target, limits=replace(draft.target.limits, seconds=0.0)))


def without_planner(draft: RunDraft, why: str) -> RunDraft:
    """The draft, answered directly; the record says why."""
    limits = replace(draft.target.limits, iterations=_FEEDBACK)
    client = draft.client and replace(draft.client, left_out=(f"boost: {why}", *draft.client.left_out))
    return replace(draft, target=replace(draft.target, planner=None, limits=limits), client=client)


class ClientExchange:
    """One request under way."""

    def __init__(
        self,
        server: WireServer,
        served: Served,
        draft: RunDraft,
        also: Callable[[RunEvent], None],
        first_token: FirstToken,
    ) -> None:
        self._server, self._served, self._also = server, served, also
        self._first_token = first_token
        self._repair = draft.client is not None and draft.client.way == Way.REPAIR
        self._budget_s = draft.target.limits.seconds if draft.target.planner else 0.0
        self._draft = without_budget(draft) if self._budget_s else draft
        self._deltas = ReplyDeltas(repair=self._repair)
        self._waiting: list[Delta] = []
        self._news = asyncio.Event()
        """Something waits, or the run has ended; set for good then."""
        self._ended = self._planning_over = False
        self._watch = WaitLimit()
        self._handle: RunHandle | None = None
        self._start: Start | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._over_budget = False
        self._fallback = ""

    async def answer(self, start: Start) -> Reply | StreamReply:
        """Run and answer; raise WorkbenchError for what cannot be run. An early leave of the client cancels the run."""
        head = await self._begin(start)
        try:
            if self._served.request.stream:
                return await self._streamed(head)
            return await self._whole(head)
        except asyncio.CancelledError:
            self._leave()
            raise

    async def gathered(self, start: Start, ping_s: float) -> AsyncGenerator[Gathered | None, None]:
        """Run to the end: None each time that nothing came for so long, then the whole reply."""
        head, deltas, ended = await self._begin(start), list[Delta](), False
        try:
            more: list[Delta] | None = []
            while more is not None:
                deltas += more
                try:
                    more = await self._next(ping_s)
                except TimeoutError:
                    more = []
                    yield None
            await self._recorded()
            ended = True
        finally:
            if not ended:
                self._leave()
        if refusal := self._refusal(deltas):
            yield Gathered(tuple(deltas), refusal, failed=True)
        else:
            yield Gathered(tuple(deltas), reply_of(self._server, head, deltas, self._headers()))

    async def _begin(self, start: Start) -> ReplyHead:
        self._start = start
        self._handle = await start(self._draft, self._tap, None)
        if self._budget_s:
            self._clock = asyncio.get_running_loop().call_later(self._budget_s, self._end_budget)
        return ReplyHead(self._served, self._handle.run_id.replace("-", ""), int(time.time()))

    def _end_budget(self) -> None:
        """The time for planning is over: what is under way is stopped, and the client's request is answered directly."""
        if self._handle is not None and not self._handle.done:
            self._over_budget = True
            self._fallback = f"the time budget of {self._budget_s:g} s was over: answered without the planner"
            self._handle.cancel(CancelCause.BUDGET)

    async def _go_directly(self) -> None:
        assert self._start is not None
        self._over_budget, self._deltas = False, ReplyDeltas(repair=self._repair)
        self._draft = without_planner(self._draft, self._fallback)
        self._handle = await self._start(self._draft, self._tap, None)

    def _headers(self) -> dict[str, str]:
        assert self._handle is not None
        told = {"x-workbench-run": self._handle.run_id, "x-workbench-target": header_text(self._draft.target.label)}
        return told | ({FALLBACK: header_text(self._fallback)} if self._fallback else {})

    def _tap(self, event: RunEvent) -> None:
        if self._over_budget:  # the end of the boosted run is not the end of the exchange
            if isinstance(event, RunFinished):
                self._planning_over = True
                self._news.set()
            return
        self._also(event)
        match event:
            case FellBack(error=error):
                self._fallback = f"the planner could not be asked: {error.message}"
            case RunFinished(stop=StopReason.LIMIT | StopReason.BOOST_LOOPS, reason=reason):
                self._fallback = self._fallback or reason
        if deltas := self._deltas.feed(event):
            self._waiting += deltas
            self._news.set()
        if isinstance(event, RunFinished):
            if self._clock is not None:
                self._clock.cancel()
            self._ended = True
            self._news.set()

    async def _whole(self, head: ReplyHead) -> Reply:
        deltas: list[Delta] = []
        while (more := await self._next(None)) is not None:
            deltas += more
        assert self._handle is not None
        await self._handle.wait()  # whoever has a reply finds its record
        return self._refusal(deltas) or Reply(
            200, self._server.whole(head, for_client(deltas, self._served)), headers=self._headers()
        )

    async def _streamed(self, head: ReplyHead) -> Reply | StreamReply:
        """Begin the stream with the first delta, so that a refusal of the provider still has a status of its own."""
        first: list[Delta] | None = []
        with suppress(TimeoutError):
            first = await self._next(PING_S)
        if refusal := self._refusal(first or ()):
            await self._recorded()
            return refusal
        pieces = Streamed(self._pieces(head, first), self._leave)
        return StreamReply(pieces, content_type=self._server.streams_as, headers=self._headers())

    async def _pieces(self, head: ReplyHead, more: list[Delta] | None) -> AsyncGenerator[bytes, None]:
        writer = self._server.stream(head)
        yield writer.start()
        with self._watch:
            while more is not None:
                if data := b"".join(writer.feed(delta) for delta in for_client(more, self._served)):
                    self._first_token.out()
                    yield data
                try:
                    more = await self._next(PING_S)
                except TimeoutError:
                    more = []
                    if ping := writer.ping():
                        yield ping
        await self._recorded()
        yield writer.finish()

    async def _recorded(self) -> None:
        """Wait for the record: whoever has the end of a reply finds it. That it failed is told where it is kept."""
        if self._handle is not None:
            with suppress(StoreError):
                await self._handle.wait()

    def _leave(self) -> None:
        self._over_budget = False
        if self._clock is not None:
            self._clock.cancel()
        if self._handle is not None:
            self._handle.cancel(CancelCause.CLIENT)

    async def _next(self, limit: float | None) -> list[Delta] | None:
        """All that came meanwhile, to go out in one piece; None at the end of the run. Raise TimeoutError."""
        if limit is None:
            await self._news.wait()
        elif not self._news.is_set():
            await self._watch.wait(self._news.wait(), limit)
        found, self._waiting = self._waiting, []
        if self._ended:
            return found or None
        if found and self._planning_over:
            return found
        self._news.clear()
        if self._planning_over:
            self._planning_over = False
            await self._go_directly()
        return found

    def _refusal(self, deltas: list[Delta] | tuple[()]) -> ErrorReply | None:
        """An error of the run as the client's own protocol tells it; None where there is none."""
        fault = next((delta for delta in deltas if isinstance(delta, FaultDelta)), None)
        if fault is None:
            return None
        headers = self._headers()
        if fault.error.retry_after:
            headers["Retry-After"] = f"{fault.error.retry_after:g}"
        return refused(self._server, refusal_of(fault.error), headers)


def header_text(text: str) -> str:
    """A text that may stand in a header."""
    line = " ".join(text.split())
    return line.encode("ascii", "replace").decode()[:200]
