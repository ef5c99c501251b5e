"""A run that was cut short goes on where its record ends: replies that were recorded whole are played, not asked for again.

The second attempt is a run of its own, whose id follows that of the first. What was recorded of the first is in both, with
its times; the first request that was not answered whole, or that differs today, is sent.
"""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from workbench.core.clock import Clock
from workbench.core.errors import InvalidInput
from workbench.core.events import ExchangeStarted, StepRole, StopReason
from workbench.core.run_summary import RunSummary, summarize
from workbench.replay.recorded import RecordedClient, RecordedClock, recorded_steps

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from workbench.core.events import ExchangeEvent, RunEvent
    from workbench.core.exchange import Endpoint, WireRequest
    from workbench.core.messages import ChatRequest
    from workbench.core.protocols import ModelClient
    from workbench.engine import Party, RunPlan
    from workbench.replay.recorded import RecordedStep
    from workbench.store import StoredRun


class EarlierAttempts(NamedTuple):
    """What is recorded of the attempts at one run."""

    run_id: str
    """Of the last attempt if it has ended, else of the next."""
    events: Sequence[RunEvent] = ()
    """Of the last attempt; none where nothing is recorded."""
    run: RunSummary = RunSummary()

    @property
    def has_ended(self) -> bool:
        """It came to its own end; a run that somebody stopped did not."""
        return self.run.finished is not None and self.run.finished.stop is not StopReason.CANCELLED


def past_of(load: Callable[[str], StoredRun], run_id: str) -> EarlierAttempts:
    """Look for the attempts at a run, from the first one's id on."""
    events: Sequence[RunEvent] = ()
    run = RunSummary()
    while True:
        try:
            events = load(run_id).events
        except InvalidInput:
            return EarlierAttempts(run_id, events, run)
        run = summarize(events)
        if (past := EarlierAttempts(run_id, events, run)).has_ended:
            return past
        run_id = str(UUID(int=UUID(run_id).int + 1))


def continued(plan: RunPlan, past: EarlierAttempts) -> RunPlan:
    """The plan under the id of its next attempt, its parties answering from the record as far as that reaches."""
    steps = {role: _whole(found) for role, found in recorded_steps(past.events).items()}
    behind = sum(step.tries[-1].done_us for found in steps.values() for step in found)
    plan = replace(plan, run_id=past.run_id)
    if not any(steps.values()):
        return plan
    clock = _ClockOfBoth(behind)

    def from_record(party: Party, role: StepRole) -> Party:
        recorded = RecordedClient(party.client.endpoint, steps[role], clock)
        return replace(party, client=_Continued(party.client, recorded, clock))

    planner = plan.planner and from_record(plan.planner, StepRole.PLANNER)
    return replace(plan, executor=from_record(plan.executor, StepRole.EXECUTOR), planner=planner, clock=clock)


def _whole(steps: Sequence[RecordedStep]) -> list[RecordedStep]:
    """Steps up to the first that was not answered."""
    found: list[RecordedStep] = []
    for step in steps:
        last = step.tries[-1] if step.tries else None
        if step.stopped or last is None or last.error is not None or last.status is None:
            break
        found.append(step)
    return found


class _ClockOfBoth(RecordedClock):
    """Stands as far behind the real clock as there is left to play, so that times go on without a step back."""

    def __init__(self, behind_us: int) -> None:
        super().__init__()
        self._real, self._behind = Clock(), behind_us

    def now_us(self) -> int:
        return self._real.now_us() - self._behind

    def tick_us(self) -> int:
        return self._real.tick_us() - self._behind

    def advance_to(self, tick: int) -> int:
        self._behind -= max(0, min(self._behind, tick - self.tick_us()))
        return max(tick, self.tick_us())

    def catch_up(self) -> None:
        """Nothing is left to play."""
        self._behind = 0


@dataclass(slots=True)
class _Continued:
    """Implements `ModelClient`: the record first, then the provider."""

    live: ModelClient
    recorded: RecordedClient
    clock: _ClockOfBoth

    @property
    def endpoint(self) -> Endpoint:
        return self.live.endpoint

    def encode(self, request: ChatRequest) -> WireRequest:
        return self.live.encode(request)

    async def exchange(self, request: ChatRequest) -> AsyncGenerator[ExchangeEvent, None]:
        sent, played = self.live.encode(request), self._next()
        if played is None or played.body != sent.body:
            self.recorded.steps = ()
            self.clock.catch_up()
        source = self.recorded if self.recorded.steps else self.live
        async with aclosing(source.exchange(request)) as events:
            async for event in events:
                yield replace(event, request=sent) if isinstance(event, ExchangeStarted) and played else event

    def _next(self) -> WireRequest | None:
        """The request that the next recorded reply answers."""
        at, steps = self.recorded.asked, self.recorded.steps
        return steps[at].tries[-1].request if at < len(steps) else None
