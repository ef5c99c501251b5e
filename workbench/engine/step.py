"""One step: a model is asked once, retries included, and its reply is read while it streams."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.calls import CallRead
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import (
    ChunkReceived,
    ExchangeEnded,
    ExchangeStarted,
    ResponseStarted,
    RunEvent,
    StepFinished,
    StepReply,
    StepRole,
    StepStarted,
    StepTiming,
)
from workbench.core.exchange import CallDelta, ReasoningDelta, TextDelta
from workbench.engine.assembly import Assembly, with_whole_names
from workbench.engine.reader import StepReader, StopCutter

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from workbench.core.messages import ChatRequest
    from workbench.core.target import Policy
    from workbench.core.tools import ToolSpec
    from workbench.engine.plan import Party


PIECE = 32_768
"""So many characters are read at once; between two pieces everything else has its turn, and a cancel takes effect."""
_SHOWN = 200
"""So many characters of a text behind a stop sequence are told."""


class Step:
    """Asks one model; `events()` is consumed once, then `reply` holds what came back."""

    def __init__(
        self,
        number: int,
        loop: int,
        role: StepRole,
        party: Party,
        request: ChatRequest,
        *,
        news: Sequence[str],
        tools: Sequence[ToolSpec],
        policy: Policy,
        since: Callable[[], int],
        offset: Callable[[int], int],
    ) -> None:
        self.number, self.loop, self.role = number, loop, role
        self.party, self.request = party, request
        self.reply = StepReply()
        self._news, self._tools, self._policy = tuple(news), tools, policy
        self._since, self._offset = since, offset
        self._begun = 0
        self._stopping = False
        self._begin_exchange()

    def _begin_exchange(self) -> None:
        self._assembly = Assembly()
        self._reader = StepReader(self.party, self._tools, self._policy)
        self._cutter = StopCutter(self.request.stop)
        self._error: ErrorInfo | None = None
        self._first_byte: int | None = None
        self._first_token: int | None = None
        self._first_call: int | None = None
        self._last_byte = 0
        self._silence = 0

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        """Ask, and yield what happens. A cancelled task still gets the step's end, then the cancel goes on."""
        self._begun = self._since()
        info = self.party.info
        yield StepStarted(
            self.number, self.loop, self.role, self.request, info.format, info.wire, self._news, self._begun
        )
        cancelled = False
        try:
            async with aclosing(self._exchanges()) as exchanges:
                async for event in exchanges:
                    yield event
        except asyncio.CancelledError:
            cancelled = True
        for event in self._finish(cancelled=cancelled):
            yield event
        if cancelled:
            raise asyncio.CancelledError

    async def _exchanges(self) -> AsyncGenerator[RunEvent, None]:
        async with aclosing(self.party.client.exchange(self.request)) as stream:
            async for event in stream:
                match event:
                    case ChunkReceived():
                        yield await self._chunk(event)
                        if self._stopping:
                            raise asyncio.CancelledError
                        if self._cutter.fired and event.index >= 0:
                            yield ExchangeEnded(self.number, event.exchange, self._since())
                            return
                    case ExchangeStarted():
                        self._begin_exchange()
                        yield replace(event, step=self.number, at_us=self._offset(event.at_us))
                    case ResponseStarted():
                        yield replace(event, step=self.number, at_us=self._offset(event.at_us))
                    case ExchangeEnded():
                        self._error = event.error or self._assembly.fault
                        at = self._offset(event.at_us)
                        yield replace(event, step=self.number, at_us=at, error=self._error)

    async def _chunk(self, chunk: ChunkReceived) -> ChunkReceived:
        """Read a chunk. A long one is read in pieces; a cancel between them takes it back, since nobody will record it.

        Where more stood before it than is left of it, it is read to its end instead, and recorded.
        """
        at = self._offset(chunk.at_us)
        size = sum(len(one.text) for one in chunk.deltas if type(one) is TextDelta)
        before = self._assembly.copy() if size > PIECE else None
        text = self._cutter.feed(self._assembly.fold(chunk.deltas))
        read, seen = self._reader.feed(text[:PIECE], ())
        readings, shown = [*read], [seen]
        for begin in range(PIECE, len(text), PIECE):
            if await self._cancelled_meanwhile() and before and len(text) - begin > len(before.text):
                await self._take_back(before)
                raise asyncio.CancelledError
            read, seen = self._reader.feed(text[begin : begin + PIECE], ())
            readings += read
            shown.append(seen)
        readings += self._reader.feed("", chunk.deltas)[0]
        self._note_times(at, chunk)
        if self._cutter.fired:
            self._assembly.cut(len(self._cutter.fired) + len(self._cutter.behind))
        if self._first_call is None and any(isinstance(item, CallRead) for item in readings):
            self._first_call = at - self._begun
        told = tuple(readings), "".join(shown)
        return ChunkReceived(self.number, chunk.exchange, chunk.index, chunk.data, at, chunk.deltas, *told)

    async def _cancelled_meanwhile(self) -> bool:
        """Let everything else have its turn; say whether a cancel has come, now or earlier in this chunk."""
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            self._stopping = True
        return self._stopping

    async def _take_back(self, before: Assembly) -> None:
        """Forget a chunk: what came before it was read already, and is read once more, in pieces as well."""
        self._assembly, self._cutter = before, StopCutter(self.request.stop)
        self._reader = self._reader.anew()
        text = self._cutter.feed(before.text)
        for begin in range(0, len(text), PIECE):
            self._reader.feed(text[begin : begin + PIECE], ())
            await self._cancelled_meanwhile()

    def _behind_stop(self) -> tuple[str, ...]:
        """Tell what stood behind a stop sequence that the provider wrote on past."""
        behind = self._cutter.behind.strip()
        return (f"behind the stop sequence: {behind[:_SHOWN]!r}",) if behind else ()

    def _note_times(self, at: int, chunk: ChunkReceived) -> None:
        if self._first_byte is None:
            self._first_byte = at - self._begun
        else:
            self._silence = max(self._silence, at - self._last_byte)
        self._last_byte = at
        if self._first_token is None and any(
            isinstance(delta, TextDelta | ReasoningDelta | CallDelta) for delta in chunk.deltas
        ):
            self._first_token = at - self._begun

    def _finish(self, *, cancelled: bool) -> list[RunEvent]:
        assembly, now = self._assembly, self._since()
        text = assembly.text
        native = with_whole_names(assembly.native_calls, {tool.name for tool in self.request.tools})
        held, held_shown = self._reader.feed(self._cutter.finish(), ())
        complete = not cancelled and self._error is None
        result, sanitized, readings, shown = self._reader.finish(
            text, native, assembly.finish_reason, complete=complete
        )
        if self._first_call is None and result.calls:
            self._first_call = (self._last_byte or now) - self._begun
        if cancelled and self._error is None:
            self._error = ErrorInfo(ErrorKind.CANCELLED, "Cancelled before the reply was complete.")
        self.reply = StepReply(
            text=text,
            reasoning=assembly.reasoning,
            native_calls=native,
            result=result,
            sanitized=sanitized,
            finish_reason=assembly.finish_reason,
            stop_fired=self._cutter.fired,
            usage=assembly.usage,
            served_model=assembly.served_model,
            timing=StepTiming(
                self._first_byte, self._first_token, self._first_call, now - self._begun, self._silence,
                self._reader.parser_us,
            ),
            error=self._error,
            cancelled=cancelled,
            notices=(*assembly.notices, *self._behind_stop()),
            send_back=assembly.send_back,
        )  # fmt: skip
        events: list[RunEvent] = []
        readings, shown = (*held, *readings), held_shown + shown
        if readings or shown:
            events.append(ChunkReceived(self.number, -1, -1, b"", now, (), readings, shown))
        return [*events, StepFinished(self.number, self.reply, now)]
