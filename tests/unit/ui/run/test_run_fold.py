"""Folding: the story of a boosted run, every state, and batches that say what grew."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit import events as kit
from tests.kit.engine_run import CALL, PLAN, QWEN, events_of
from tests.kit.fakes import FakeClient, Reply, plan
from workbench.core.calls import CallGrew, CallOpened, CallRead, Outcome, ParsedCall, Span
from workbench.core.events import (
    ChunkReceived,
    ExchangeStarted,
    GuidanceState,
    RunEvent,
    RunFinished,
    StepFinished,
    StepReply,
    StepRole,
    StepStarted,
)
from workbench.core.exchange import TextDelta
from workbench.core.messages import Message
from workbench.ui.run.run_fold import RunFold, fold
from workbench.ui.run.run_view import STALLED_AFTER_US, StepState
from workbench.ui.run.run_words import step_chips


def test_the_story() -> None:
    run = fold(kit.story())
    assert [loop.reason for loop in run.loops] == ["other", "no_call", "answer"]
    assert [len(loop.steps) for loop in run.loops] == [1, 2, 3]
    guided = run.loops[1].steps[0]
    assert [line.state for line in guided.guidance] == [GuidanceState.IGNORED]
    executor = run.loops[2].steps[1]
    assert (executor.role, executor.turn, executor.usage.input) == (StepRole.EXECUTOR, 1, 1311)
    assert [view.call.name for view in executor.calls] == ["list_directory", "read_file"]
    assert all(view.result and view.result.success for view in executor.calls)
    assert executor.calls[1].call.outcome is Outcome.RECOVERED
    assert run.loops[2].steps[2].turn == 2
    assert run.boosted
    assert not run.live
    assert run.verdict == kit.PASS


def test_keys_of_others_are_found_in_prompt_reply_and_result() -> None:
    key = "ghp_9fX2aQuLw7ZrTq0VbNkM4sD8gHjP3yCeR1tA"
    stars = f"ghp_{'*' * 36}"
    client = FakeClient([Reply(CALL), Reply(f"Yours is {stars}.")])
    run = fold(events_of(plan(client, QWEN, messages=[Message("user", f"Mine: {key}")])))
    first, second = run.steps[0], run.steps[1]
    assert [(one.kind, one.place, one.span) for one in first.keys] == [("GitHub token", "message 1 (user)", None)]
    assert [(one.place, one.span, one.masked) for one in second.keys] == [("the reply", Span(9, 49), True)]
    assert [chip.text for chip in step_chips(first)] == ["looks like a key: GitHub token"]
    assert [(chip.text, chip.span) for chip in step_chips(second)] == [
        ("looks like a key: GitHub token, masked", Span(9, 49))
    ]


def test_reply_after_failed_attempts_is_marked() -> None:
    """The best reply's card is known: the executor's latest with words, else the planner's."""
    planner = FakeClient([Reply(PLAN), Reply("Hello."), Reply("Hi.")])
    run = fold(events_of(plan(FakeClient([Reply("My best guess is sun.")]), QWEN, planner=planner)))
    assert [(loop.given, bool(loop.given_why)) for loop in run.loops] == [(1, True), (None, False), (None, False)]
    assert run.loops[0].given_why.startswith("3 failed attempts; showing what the executor said")
    run = fold(events_of(plan(FakeClient([]), QWEN, planner=FakeClient([Reply("Oh."), Reply("Oh."), Reply("")]))))
    assert [loop.given for loop in run.loops] == [None, 1, None]
    nothing = fold(events_of(plan(FakeClient([]), QWEN, planner=FakeClient([Reply(""), Reply(""), Reply("")]))))
    assert [loop.given for loop in nothing.loops] == [None, None, None]


@pytest.mark.parametrize("size", [1, 3, 50, 10_000])
def test_batches_do_not_matter(size: int) -> None:
    events, folder = kit.story(), RunFold()
    for at in range(0, len(events), size):
        folder.apply(events[at : at + size])
    whole = fold(events)
    assert [step.raw.shown_text() for step in folder.view.steps.values()] == [
        step.raw.shown_text() for step in whole.steps.values()
    ]
    assert [step.state for step in folder.view.steps.values()] == [step.state for step in whole.steps.values()]


def test_live_changes_append_text() -> None:
    events, folder, shown = kit.story(), RunFold(), {}
    for at in range(0, len(events), 7):
        changes = folder.apply(events[at : at + 7])
        for number, inserts in changes.grown.items():
            text = shown.get(number, "")
            for one in inserts:
                text = text[: one.at] + one.text + text[one.at :]
            shown[number] = text
        assert not changes.reset - {0, 1, 3}, "only planners' sanitized text differs from what was streamed"
    assert shown == {number: step.raw.shown_text() for number, step in folder.view.steps.items()}


def test_a_batch_of_deltas_is_one_insertion() -> None:
    events = kit.running()
    deltas = [event for event in events if isinstance(event, ChunkReceived)]
    folder = RunFold()
    folder.apply(events[: events.index(deltas[0])])
    changes = folder.apply(deltas)
    (insert,) = changes.grown[0]
    assert insert.text == "".join(one.text for event in deltas for one in event.deltas if isinstance(one, TextDelta))


@pytest.mark.parametrize(
    ("make", "state"),
    [
        (kit.unreadable, StepState.UNREADABLE),
        (kit.empty, StepState.EMPTY),
        (kit.failed, StepState.FAILED),
        (kit.cancelled, StepState.CANCELLED),
        (kit.native, StepState.FINISHED),
    ],
)
def test_states(make: object, state: StepState) -> None:
    assert callable(make)
    assert fold(make()).steps[0].state is state


def test_silence_is_called_stalled() -> None:
    folder = RunFold()
    folder.apply(kit.running())
    step = folder.view.steps[0]
    assert step.last_byte_us is not None
    assert step.state_at(step.last_byte_us + STALLED_AFTER_US - 1) is StepState.RUNNING
    assert step.state_at(step.last_byte_us + STALLED_AFTER_US) is StepState.STALLED


def test_a_killed_process_leaves_a_cut_step() -> None:
    run = fold(kit.running())
    assert run.interrupted
    assert not run.live
    assert run.steps[0].state is StepState.CANCELLED


def test_run_end_closes_an_open_step() -> None:
    end = next(event for event in kit.failed() if isinstance(event, RunFinished))
    run = fold([*kit.running(), end])
    assert run.steps[0].state is StepState.FAILED
    assert run.steps[0].error is kit.OVERLOADED


def test_a_retry_forgets_the_text_of_the_failed_try() -> None:
    events: list[RunEvent] = kit.running()
    again = next(event for event in events if isinstance(event, ExchangeStarted))
    folder = RunFold()
    folder.apply(events)
    changes = folder.apply([replace(again, exchange=1)])
    step = folder.view.steps[0]
    assert changes.reset == {0}
    assert step.raw.shown_text() == ""
    assert len(step.exchanges) == 2
    assert step.exchanges[0].chunks


def test_final_reply_replaces_streamed_text() -> None:
    reply = StepReply(text="cut here", sanitized="cut here")
    folder = RunFold()
    folder.apply(kit.running("cut here\nObservation: invented"))
    changes = folder.apply([StepFinished(0, reply, 500_000)])
    assert changes.reset == {0}
    assert folder.view.steps[0].raw.shown_text() == "cut here"


def test_calls_appear_while_they_are_written() -> None:
    call = ParsedCall("f", {}, "call_1", Outcome.STRICT, (), Span(0, 9), Span(1, 2), Span(2, 9), "qwen_xml")
    folder = RunFold()
    folder.apply(kit.running("<tool_call>"))
    folder.apply([ChunkReceived(0, 0, 9, b"", 1, (), (CallOpened(0, "f", Span(0, 3)), CallGrew(0, '{"a": ')))])
    (live,) = folder.view.steps[0].live_calls.values()
    assert (live.name, live.text, live.done) == ("f", '{"a": ', False)
    folder.apply([ChunkReceived(0, 0, 10, b"", 2, (), (CallGrew(0, "1}"), CallRead(0, call)))])
    assert (live.text, live.done) == ('{"a": 1}', True)
    assert folder.view.steps[0].calls[0].call is call


def test_native_calls_have_their_own_source() -> None:
    step = fold(kit.native()).steps[0]
    assert step.raw.source("call:0") == kit.DOUBLE_ENCODED
    assert step.calls[0].result is not None
    assert not step.calls[0].result.success


def test_events_of_unknown_steps_are_passed_over() -> None:
    orphan = next(event for event in kit.story() if isinstance(event, ChunkReceived))
    folder = RunFold()
    folder.apply([orphan])
    assert not folder.view.steps
    started = next(event for event in kit.story() if isinstance(event, StepStarted))
    folder.apply([started])
    assert [loop.number for loop in folder.view.loops] == [0]
