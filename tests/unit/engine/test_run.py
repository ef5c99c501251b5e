"""Runs as transcripts: scripted replies in, events out."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.kit.engine_run import CALL, QWEN, end, events_of, only
from tests.kit.fakes import REFUSED, FakeClient, FakeClock, FakeTools, Reply, RequiredOnly, plan
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import (
    CancelCause,
    ChunkReceived,
    ClientRequest,
    LoopFinished,
    LoopStarted,
    ParentRun,
    RunEvent,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    StopReason,
    Totals,
)
from workbench.core.target import ModelRef, RunLimits, Target
from workbench.core.versions import PARSER_VERSION
from workbench.engine import CancelNote, run


def test_events_stand_in_order_and_steps_are_numbered() -> None:
    events = events_of(plan(FakeClient([Reply(CALL), Reply("Done.")]), QWEN))
    kinds = [type(event).__name__ for event in events if not isinstance(event, ChunkReceived)]
    step = ["StepStarted", "ExchangeStarted", "ResponseStarted", "ExchangeEnded", "StepFinished"]
    tool = ["ToolStarted", "ToolFinished"]
    assert kinds == ["RunStarted", "LoopStarted", *step, *tool, *step, "LoopFinished", "RunFinished"]
    assert [event.step for event in only(events, StepStarted)] == [0, 1]


def test_the_beginning_of_a_run_says_all_of_its_plan() -> None:
    wanted = replace(
        plan(FakeClient([Reply("SUMMARY: x")]), QWEN, planner=FakeClient([Reply("SUMMARY: It is sunny.")]), tool_choice="none"),
        title="Weather", origin="gateway", client=ClientRequest("openai_chat", "m"), parent=ParentRun("r0", 2, ("prompt",)),
    )  # fmt: skip
    assert wanted.planner is not None
    began, *_ = events_of(wanted)
    assert isinstance(began, RunStarted)
    same = ("run_id", "title", "target", "messages", "tools", "tool_choice", "origin", "client", "parent")
    assert [getattr(began, name) for name in same] == [getattr(wanted, name) for name in same]
    assert (began.executor, began.planner) == (wanted.executor.info, wanted.planner.info)
    assert (began.target_id, began.parser_version) == (wanted.target.identity(), PARSER_VERSION)


def cancelled(text: str, cause: CancelCause | None = CancelCause.USER) -> list[RunEvent]:
    """The events of a run that is cancelled after a text."""
    note, seen = CancelNote(), []

    async def main() -> None:
        async def consume() -> None:
            hanging = FakeClient([Reply(text, hang=True)])
            async for event in run(plan(hanging, QWEN), FakeTools(), RequiredOnly(), clock=FakeClock(), cancel=note):
                seen.append(event)

        task = asyncio.get_running_loop().create_task(consume())
        while not any(isinstance(event, ChunkReceived) for event in seen):
            await asyncio.sleep(0.001)
        note.cause = cause
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    return seen


def test_cancelled_run_keeps_text_and_cause() -> None:
    events = cancelled("So far")
    assert end(events).stop is StopReason.CANCELLED
    assert end(events).cancel is CancelCause.USER
    assert end(events).answer == "So far"
    reply = only(events, StepFinished)[0].reply
    assert (reply.text, reply.cancelled) == ("So far", True)
    assert reply.error is not None
    assert reply.error.kind is ErrorKind.CANCELLED


def test_a_call_in_a_cancelled_reply_is_not_completed() -> None:
    events = cancelled('<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"')
    result = only(events, StepFinished)[0].reply.result
    assert result.calls == ()
    assert [problem.code for problem in result.lost] == ["truncated"]


def test_a_direct_run_is_loop_0_alone() -> None:
    events = events_of(plan(FakeClient([Reply("Sunny.")]), QWEN))
    ((began,), (ended,)) = only(events, LoopStarted), only(events, LoopFinished)
    assert (began.loop, ended.loop, ended.reason, ended.summary) == (0, 0, "answer", "answered")
    assert (began.at_us, ended.at_us) == (1000, 4000)


@pytest.mark.parametrize(
    ("replies", "limits", "finished"),
    [
        (
            [Reply("Sunny.")], RunLimits(),
            RunFinished(StopReason.ANSWER, "Sunny.", "answered", Totals(1, 0, 10, 5, 5000), 6000),
        ),
        (
            [Reply(CALL), Reply("result of get_weather")], RunLimits(),
            RunFinished(StopReason.ANSWER, "result of get_weather", "answered", Totals(2, 1, 20, 10, 9000), 10000),
        ),
        (
            [Reply(error=REFUSED)], RunLimits(),
            RunFinished(StopReason.ERROR, "", "the model could not be asked", Totals(1, 0, 0, 0, 5000), 6000, REFUSED),
        ),
        (
            [Reply(CALL)], RunLimits(iterations=1),
            RunFinished(StopReason.ITERATIONS, "", "iteration limit reached", Totals(1, 1, 10, 5, 7000), 8000),
        ),
        (
            [Reply(CALL)], RunLimits(calls=1),
            RunFinished(StopReason.LIMIT, "", "limit of 1 tool calls reached", Totals(1, 1, 10, 5, 7000), 8000),
        ),
    ],
)  # fmt: skip
def test_the_end_of_a_run_says_all_that_came_of_it(
    replies: list[Reply], limits: RunLimits, finished: RunFinished
) -> None:
    target = Target(ModelRef("fake", "m"), QWEN.id, limits=limits)
    assert end(events_of(plan(FakeClient([*replies]), QWEN, target=target))) == finished


def test_loops_of_a_direct_run_say_how_they_ended() -> None:
    events = events_of(plan(FakeClient([Reply(error=REFUSED)]), QWEN))
    assert only(events, LoopStarted) == [LoopStarted(0, 1000)]
    assert only(events, LoopFinished) == [LoopFinished(0, "error", "the model could not be asked", 4000)]


@pytest.mark.parametrize(
    ("cause", "words"),
    [(CancelCause.USER, "cancelled by user"), (CancelCause.BUDGET, "cancelled by budget"), (None, "cancelled by the program")],
)  # fmt: skip
def test_a_cancel_says_whose_it_was(cause: CancelCause | None, words: str) -> None:
    finished = end(cancelled("So far", cause))
    assert (finished.stop, finished.cancel, finished.reason) == (StopReason.CANCELLED, cause, words)
    assert (finished.answer, finished.error, finished.codes) == ("So far", None, ())


def test_an_error_of_an_earlier_step_is_not_the_runs() -> None:
    lost = ErrorInfo(ErrorKind.CUT_OFF, "It broke off.")
    planner = FakeClient([Reply(error=lost)])
    finished = end(events_of(plan(FakeClient([Reply("Sunny.")]), QWEN, planner=planner)))
    assert (finished.stop, finished.error, finished.answer) == (StopReason.ANSWER, None, "Sunny.")
    assert finished.codes == ("loop.planner_failed",)
    assert finished.reason == "planner failed, direct execution: answered"


def test_a_run_without_a_clock_is_timed_by_the_machine() -> None:
    async def main() -> list[RunEvent]:
        wanted = plan(FakeClient([Reply("Sunny.")]), QWEN)
        return [event async for event in run(wanted, FakeTools(), RequiredOnly())]

    events = asyncio.run(main())
    assert isinstance(events[0], RunStarted)
    assert end(events).reason == "answered"
