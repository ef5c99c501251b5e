"""Runs as transcripts: scripted replies in, events out."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.kit.engine_run import CALL, QWEN, end, events_of, only
from tests.kit.fakes import FakeClient, FakeClock, FakeTools, Reply, RequiredOnly, plan
from workbench.core.errors import ErrorKind
from workbench.core.events import (
    CancelCause,
    ChunkReceived,
    ClientRequest,
    LoopFinished,
    LoopStarted,
    ParentRun,
    RunEvent,
    RunStarted,
    StepFinished,
    StepStarted,
    StopReason,
)
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


def cancelled(text: str) -> list[RunEvent]:
    """The events of a run that its user cancels after a text."""
    note, seen = CancelNote(), []

    async def main() -> None:
        async def consume() -> None:
            hanging = FakeClient([Reply(text, hang=True)])
            async for event in run(plan(hanging, QWEN), FakeTools(), RequiredOnly(), clock=FakeClock(), cancel=note):
                seen.append(event)

        task = asyncio.get_running_loop().create_task(consume())
        while not any(isinstance(event, ChunkReceived) for event in seen):
            await asyncio.sleep(0.001)
        note.cause = CancelCause.USER
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
