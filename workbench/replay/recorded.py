"""Recorded exchanges played back through the real engine: a model client that never touches the network.

The k-th recorded step answers the k-th request. Bytes come back with their recorded times on a clock of their own, so
a playback takes no time and gives the same events each time. If a request differs from the recorded one it is answered
all the same and the difference is noted.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import (
    NO_STEP,
    ChunkReceived,
    ExchangeEnded,
    ExchangeStarted,
    ResponseStarted,
    StepFinished,
    StepRole,
    StepStarted,
)
from workbench.core.exchange import FaultDelta, WireRequest
from workbench.core.json_text import json_or
from workbench.replay.difference import Difference, compare_json
from workbench.wires import get_wire

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence

    from workbench.core.events import ExchangeEvent, RunEvent
    from workbench.core.exchange import Delta, Endpoint, Headers
    from workbench.core.messages import ChatRequest


@dataclass(frozen=True, slots=True)
class RecordedTry:
    """One HTTP try: times are microseconds since the step's start."""

    status: int | None = None
    """None: no answer came."""
    headers: Headers = ()
    head_us: int = 0
    chunks: tuple[tuple[int, bytes], ...] = ()
    """`(at_us, data)` as they came from the socket."""
    done_us: int = 0
    error: ErrorInfo | None = None
    """As recorded; None: whatever the bytes say."""
    retry_in: float | None = None
    request: WireRequest | None = None
    """What was sent, if known: the playback's request is compared with it."""


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """One request and all its tries."""

    tries: tuple[RecordedTry, ...]
    stopped: bool = False
    """The run was cancelled before this step was over."""


@dataclass(frozen=True, slots=True)
class RequestChange:
    """The k-th request of a playback is not the one that was recorded."""

    step: int
    """Number of the request within its role, from 0."""
    difference: Difference


class RecordedClock:
    """A clock that stands still until the playback moves it."""

    def __init__(self, now_us: int = 0) -> None:
        self._start = now_us
        self._tick = 0

    def now_us(self) -> int:
        """UTC microseconds of the recording."""
        return self._start + self._tick

    def tick_us(self) -> int:
        """Microseconds since the recording's start."""
        return self._tick

    def advance_to(self, tick: int) -> int:
        """Move on to `tick` (never back) and return the time."""
        self._tick = max(self._tick, tick)
        return self._tick


@dataclass(slots=True)
class RecordedClient:
    """Implements `ModelClient` over the recorded steps of one role."""

    endpoint: Endpoint
    steps: Sequence[RecordedStep]
    clock: RecordedClock = field(default_factory=RecordedClock)
    """Shared by all clients of one playback, and handed to the engine."""
    changes: list[RequestChange] = field(default_factory=list)
    """Requests that differ from the recorded ones, so far."""
    asked: int = 0
    """Requests answered, or refused because nothing was left."""
    stopped: bool = False
    """The recorded cancel has been played."""

    @property
    def exhausted(self) -> bool:
        """More was asked than was recorded."""
        return self.asked > len(self.steps)

    def encode(self, request: ChatRequest) -> WireRequest:
        """Encode as the recorded wire would."""
        return get_wire(self.endpoint.wire).encode(request, self.endpoint)

    async def exchange(self, request: ChatRequest) -> AsyncGenerator[ExchangeEvent, None]:
        """Play the next recorded step."""
        number, self.asked = self.asked, self.asked + 1
        sent = self.encode(request)
        if number >= len(self.steps):
            now = self.clock.tick_us()
            yield ExchangeStarted(NO_STEP, 0, sent, now)
            yield ExchangeEnded(NO_STEP, 0, now, _nothing_left(number, len(self.steps)))
            return
        step, start = self.steps[number], self.clock.tick_us()
        self._compare(number, step, sent)
        for index, attempt in enumerate(step.tries):
            yield ExchangeStarted(NO_STEP, index, sent, self.clock.tick_us())
            playback = _Playback(index, attempt, start, self.clock, f"{sent.method} {sent.url}")
            for event in playback.events(self.endpoint.wire, stream=request.stream):
                yield event
                await asyncio.sleep(0)
            if step.stopped and index == len(step.tries) - 1:
                self.clock.advance_to(start + attempt.done_us)
                self.stopped = True
                raise asyncio.CancelledError
            for event in playback.end():
                yield event

    def _compare(self, number: int, step: RecordedStep, sent: WireRequest) -> None:
        recorded = step.tries[0].request if step.tries else None
        if recorded is None or recorded.body == sent.body:
            return
        difference = compare_json(*_common_fields(body_json(recorded.body), body_json(sent.body)))
        if difference:
            self.changes.append(RequestChange(number, difference))


class _Playback:
    """One try while it is played: what the bytes decode to, and the fault that they tell of."""

    def __init__(self, index: int, attempt: RecordedTry, start: int, clock: RecordedClock, where: str) -> None:
        self._index, self._attempt, self._start, self._clock = index, attempt, start, clock
        self._where = where
        self._last: tuple[Delta, ...] = ()
        self._fault: ErrorInfo | None = None

    def events(self, wire: str, *, stream: bool) -> Iterator[ExchangeEvent]:
        """Yield head and chunks, as a client does."""
        attempt = self._attempt
        if attempt.status is None:
            return
        yield ResponseStarted(NO_STEP, self._index, attempt.status, attempt.headers, self._at(attempt.head_us))
        decoder = get_wire(wire).decoder(status=attempt.status, headers=attempt.headers, stream=stream)
        for place, (at_us, data) in enumerate(attempt.chunks):
            deltas = self._noted(decoder.feed(data))
            yield ChunkReceived(NO_STEP, self._index, place, data, self._at(at_us), deltas)
        self._last = self._noted(decoder.close())

    def end(self) -> Iterator[ExchangeEvent]:
        """Yield what became certain at the end, and the try's end: the recorded error, or the one that the bytes told of."""
        now = self._at(self._attempt.done_us)
        error = self._attempt.error or self._fault
        if self._last:
            yield ChunkReceived(NO_STEP, self._index, -1, b"", now, self._last)
        yield ExchangeEnded(NO_STEP, self._index, now, error, self._attempt.retry_in)

    def _at(self, offset: int) -> int:
        return self._clock.advance_to(self._start + offset)

    def _noted(self, deltas: Sequence[Delta]) -> tuple[Delta, ...]:
        for delta in deltas:
            if isinstance(delta, FaultDelta) and self._fault is None:
                self._fault = replace(delta.error, where=self._where)
        return tuple(deltas)


def _nothing_left(number: int, recorded: int) -> ErrorInfo:
    return ErrorInfo(
        ErrorKind.PROTOCOL,
        f"Request {number + 1} was never recorded: the recording holds {recorded} of this role.",
        "offline replay",
        "The run goes another way today. Run it live to see how it ends.",
    )


def body_json(body: bytes) -> Any:
    """Return a request body as JSON, or as text where it is none."""
    return json_or(body, body.decode("utf-8", "replace"))


def _common_fields(recorded: Any, sent: Any) -> tuple[Any, Any]:
    """Leave out fields that only one side has: a provider's own settings are not part of a record."""
    if not (isinstance(recorded, dict) and isinstance(sent, dict)):
        return recorded, sent
    return {key: recorded[key] for key in recorded if key in sent}, {key: sent[key] for key in sent if key in recorded}


def recorded_steps(events: Iterable[RunEvent]) -> dict[StepRole, list[RecordedStep]]:
    """Collect the recorded exchanges of a run, by role and in order."""
    steps: dict[StepRole, list[RecordedStep]] = {role: [] for role in StepRole}
    collector: _Collector | None = None
    for event in events:
        if isinstance(event, StepStarted):
            collector = _Collector(event.at_us)
            role = event.role
        elif collector is None:
            continue
        elif isinstance(event, StepFinished):
            steps[role].append(collector.step(stopped=event.reply.cancelled))
            collector = None
        else:
            collector.take(event)
    if collector is not None:
        steps[role].append(collector.step(stopped=True))
    return steps


class _Collector:
    """Gathers the tries of one step."""

    def __init__(self, start: int) -> None:
        self._start = start
        self._done: list[RecordedTry] = []
        self._open: RecordedTry | None = None
        self._chunks: list[tuple[int, bytes]] = []

    def take(self, event: RunEvent) -> None:
        """Take one event of the step."""
        match event:
            case ExchangeStarted(request=request):
                self._close()
                self._open = RecordedTry(request=request)
            case ResponseStarted(status=status, headers=headers, at_us=at):
                self._change(status=status, headers=headers, head_us=at - self._start, done_us=at - self._start)
            case ChunkReceived(data=data, at_us=at) if data:
                self._chunks.append((at - self._start, data))
                self._change(done_us=at - self._start)
            case ExchangeEnded(at_us=at, error=error, retry_in=retry_in):
                self._change(done_us=at - self._start, error=error, retry_in=retry_in)
            case _:
                return

    def _change(self, **values: Any) -> None:
        if self._open is not None:
            self._open = replace(self._open, **values)

    def _close(self) -> None:
        if self._open is not None:
            self._done.append(replace(self._open, chunks=tuple(self._chunks)))
        self._open, self._chunks = None, []

    def step(self, *, stopped: bool) -> RecordedStep:
        """Return what was gathered."""
        self._close()
        return RecordedStep(tuple(self._done), stopped=stopped)
