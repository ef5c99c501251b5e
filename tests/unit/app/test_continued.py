from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.kit.engine_run import CALL, QWEN
from tests.kit.fakes import FakeClient, FakeTools, Reply, RequiredOnly, plan
from tests.kit.wire_server import sse
from workbench.app.continued import EarlierAttempts, continued, past_of
from workbench.core.clock import Clock
from workbench.core.errors import InvalidInput
from workbench.core.events import (
    CancelCause,
    ChunkReceived,
    ExchangeEvent,
    RunEvent,
    RunFinished,
    StepFinished,
    StepStarted,
    StopReason,
)
from workbench.core.exchange import Delta, FinishDelta, TextDelta, UsageDelta
from workbench.core.messages import ChatRequest, Message
from workbench.core.run_summary import summarize
from workbench.engine import RunPlan, run

FIRST = "01900000-0000-7000-8000-000000000001"
SECOND = "01900000-0000-7000-8000-000000000002"


class Wired(FakeClient):
    """Its replies have the bytes that a wire reads again, and real times."""

    async def exchange(self, request: ChatRequest) -> AsyncGenerator[ExchangeEvent, None]:
        async for event in super().exchange(request):
            event = replace(event, at_us=Clock().tick_us())
            yield replace(event, data=_bytes(event.deltas)) if isinstance(event, ChunkReceived) else event


def _bytes(deltas: Sequence[Delta]) -> bytes:
    lines = []
    for delta in deltas:
        match delta:
            case TextDelta(text=text):
                lines.append({"choices": [{"index": 0, "delta": {"content": text}}]})
            case FinishDelta(reason=reason):
                lines.append({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
            case UsageDelta():
                lines.append({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5}})
    return sse(*(json.dumps(line) for line in lines))


def events_of(run_plan: RunPlan) -> list[RunEvent]:
    """As the application runs it: with a clock of its own, or the plan's."""

    async def main() -> list[RunEvent]:
        return [event async for event in run(run_plan, FakeTools(), RequiredOnly())]

    return asyncio.run(main())


def whole_run() -> list[RunEvent]:
    return events_of(plan(Wired([Reply(CALL), Reply("It is warm.")]), QWEN))


def cut_after_first_reply() -> list[RunEvent]:
    """The record of a process that was killed while it asked for the second reply."""
    events = whole_run()
    second = [at for at, event in enumerate(events) if isinstance(event, StepStarted)][1]
    return events[: second + 2]


def past(events: list[RunEvent]) -> EarlierAttempts:
    return EarlierAttempts(SECOND, events, summarize(events))


def test_recorded_reply_is_played_and_only_the_rest_is_sent() -> None:
    live = Wired([Reply("It is warm.")])
    made = continued(plan(live, QWEN), past(cut_after_first_reply()))
    events = events_of(made)

    assert made.run_id == SECOND
    assert len(live.requests) == 1
    assert [event.reply.text for event in events if isinstance(event, StepFinished)] == [CALL, "It is warm."]
    before, now = summarize(whole_run()), summarize(events)
    assert [step.reply.result.calls for step in now.steps.values() if step.reply] == [
        step.reply.result.calls for step in before.steps.values() if step.reply
    ]
    assert (now.input_tokens, now.output_tokens) == (before.input_tokens, before.output_tokens)
    times = [event.at_us for event in events if hasattr(event, "at_us")]
    assert times == sorted(times)
    assert times[0] >= 0


def test_request_that_differs_today_is_sent_and_all_that_follow() -> None:
    live = FakeClient([Reply(CALL), Reply("It is warm.")])
    other = plan(live, QWEN, messages=[Message("user", "And in Oslo?")])
    events_of(continued(other, past(cut_after_first_reply())))
    assert len(live.requests) == 2


def test_nothing_recorded_changes_nothing_but_the_id() -> None:
    made = plan(FakeClient([]), QWEN)
    assert continued(made, EarlierAttempts(FIRST)) == made


def known(**runs: list[RunEvent]) -> Any:
    def load(run_id: str) -> Any:
        if run_id not in stored:
            raise InvalidInput("There is no such run.")
        return SimpleNamespace(events=stored[run_id])

    stored = {FIRST: runs.get("first"), SECOND: runs.get("second")}
    stored = {name: events for name, events in stored.items() if events is not None}
    return load


def test_attempts_are_followed_from_the_first() -> None:
    cut = cut_after_first_reply()
    assert past_of(known(), FIRST) == EarlierAttempts(FIRST)
    assert past_of(known(first=cut), FIRST).run_id == SECOND
    third = past_of(known(first=cut, second=cut), FIRST)
    assert (third.run_id[-1], third.has_ended, third.events) == ("3", False, cut)
    ended = past_of(known(first=cut, second=whole_run()), FIRST)
    assert (ended.run_id, ended.has_ended) == (SECOND, True)


@pytest.mark.parametrize("stop", [StopReason.ANSWER, StopReason.CANCELLED])
def test_run_that_somebody_stopped_has_not_ended(stop: StopReason) -> None:
    *events, last = whole_run()
    assert isinstance(last, RunFinished)
    cause = CancelCause.BATCH if stop is StopReason.CANCELLED else None
    found = past_of(known(first=[*events, replace(last, stop=stop, cancel=cause)]), FIRST)
    assert found.has_ended is (stop is StopReason.ANSWER)
