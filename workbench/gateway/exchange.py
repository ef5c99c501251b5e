"""One exchange: a client's request becomes a run, and the run's deltas the reply, streamed or whole."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.runs import RunDraft
from workbench.core.errors import StoreError
from workbench.core.events import CancelCause, RunFinished
from workbench.core.exchange import FaultDelta, NoticeDelta
from workbench.core.target import Policy, RunLimits, Sampling
from workbench.core.tools import ToolMode, ToolSetup
from workbench.formats import get_format
from workbench.gateway.reply_deltas import ReplyDeltas
from workbench.gateway.routes import Way
from workbench.loopback import Reply, StreamReply
from workbench.wires import wire_row
from workbench.wires.kit.deltas import SEND_BACK
from workbench.wires.kit.server import ReplyHead, refusal_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from workbench.app import Workbench
    from workbench.app.runs import RunHandle
    from workbench.core.events import ClientRequest, RunEvent
    from workbench.core.exchange import Delta
    from workbench.core.target import Target
    from workbench.gateway.routes import Route
    from workbench.wires.kit.server import Served, WireServer

ORIGIN = "gateway"
PING_S = 5.0
"""Silence after which a waiting client is told that the reply is still coming."""
_FEEDBACK = 3
"""Turns of an emulated exchange: a call that cannot be read is told to the model, at most twice."""


def draft_of(wb: Workbench, served: Served, route: Route, client: ClientRequest) -> RunDraft:
    """Return the run that answers a request. Tools are recorded only: the client executes them itself."""
    request = served.request
    target = _target(wb, served, route)
    if route.way is Way.PASS_THROUGH:
        target = replace(target, format=wire_row(served.wire).native, planner=None, limits=RunLimits(1, 0, 0))
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
    chosen = target.format if target.format != "auto" else wb.detect(target.executor).format
    if target.planner is None:
        feedback = 0 if get_format(chosen).native else 1
        target = replace(target, limits=RunLimits(_FEEDBACK, target.limits.boost_loops, feedback))
    return target


class Exchange:
    """One request under way."""

    def __init__(self, server: WireServer, served: Served, route: Route, also: Callable[[RunEvent], None]) -> None:
        self._server, self._served, self._route, self._also = server, served, route, also
        self._deltas = ReplyDeltas(repair=route.way is Way.REPAIR)
        self._waiting: asyncio.Queue[list[Delta] | None] = asyncio.Queue()
        self._handle: RunHandle | None = None

    async def answer(self, wb: Workbench, draft: RunDraft) -> Reply | StreamReply:
        """Run and answer; raise WorkbenchError for what cannot be run. An early leave of the client cancels the run."""
        self._handle = await wb.runs.start(draft, tap=self._tap)
        headers = {"x-workbench-run": self._handle.run_id, "x-workbench-target": _header(self._route.target.label)}
        try:
            head = ReplyHead(self._served, self._handle.run_id.replace("-", ""), int(time.time()))
            if self._served.request.stream:
                return await self._streamed(head, headers)
            return await self._whole(head, headers)
        except asyncio.CancelledError:
            self._handle.cancel(CancelCause.CLIENT)
            raise

    def _tap(self, event: RunEvent) -> None:
        self._also(event)
        if deltas := self._deltas.feed(event):
            self._waiting.put_nowait(deltas)
        if isinstance(event, RunFinished):
            self._waiting.put_nowait(None)

    async def _whole(self, head: ReplyHead, headers: dict[str, str]) -> Reply:
        deltas: list[Delta] = []
        while (more := await self._next(None)) is not None:
            deltas += more
        assert self._handle is not None
        await self._handle.wait()  # whoever has a reply finds its record
        fault = next((delta for delta in deltas if isinstance(delta, FaultDelta)), None)
        if fault is not None:
            return self._refused(fault, headers)
        return Reply(200, self._server.whole(head, self._for_client(deltas)), headers=headers)

    async def _streamed(self, head: ReplyHead, headers: dict[str, str]) -> Reply | StreamReply:
        """Begin the stream with the first delta, so that a refusal of the provider still has a status of its own."""
        first: list[Delta] | None = []
        with suppress(TimeoutError):
            first = await self._next(PING_S)
        fault = next((delta for delta in first or () if isinstance(delta, FaultDelta)), None)
        if fault is not None:
            return self._refused(fault, headers)
        return StreamReply(self._pieces(head, first), content_type=self._server.streams_as, headers=headers)

    async def _pieces(self, head: ReplyHead, more: list[Delta] | None) -> AsyncGenerator[bytes, None]:
        writer, ended = self._server.stream(head), False
        try:
            yield writer.start()
            while more is not None:
                if data := b"".join(writer.feed(delta) for delta in self._for_client(more)):
                    yield data
                try:
                    more = await self._next(PING_S)
                except TimeoutError:
                    more = []
                    if ping := writer.ping():
                        yield ping
            if self._handle is not None:
                with suppress(StoreError):
                    await self._handle.wait()  # whoever has the end of a reply finds its record
            yield writer.finish()
            ended = True
        finally:
            if not ended and self._handle is not None:
                self._handle.cancel(CancelCause.CLIENT)

    async def _next(self, limit: float | None) -> list[Delta] | None:
        async with asyncio.timeout(limit):
            return await self._waiting.get()

    def _for_client(self, deltas: list[Delta]) -> list[Delta]:
        """What a maker wants back is of use only to a client that speaks the maker's own protocol."""
        return [
            delta
            for delta in deltas
            if not (isinstance(delta, NoticeDelta) and delta.code == SEND_BACK and self._served.wire not in delta.data)
        ]

    def _refused(self, fault: FaultDelta, headers: dict[str, str]) -> Reply:
        why = refusal_of(fault.error)
        if fault.error.retry_after:
            headers = {**headers, "Retry-After": f"{fault.error.retry_after:g}"}
        return Reply(why.status, self._server.refuse(why), headers=headers)


def _header(text: str) -> str:
    """A text that may stand in a header."""
    return text.encode("ascii", "replace").decode()[:200]
