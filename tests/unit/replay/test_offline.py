"""The engine over a record: the same where nothing changed, honest where it did."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.playback import BROKEN_CALL, CALL, WEATHER, play, reply
from workbench.core.approvals import ApprovalDecision, ApprovalRequest, DecidedBy
from workbench.core.calls import ParseResult
from workbench.core.errors import InvalidInput
from workbench.core.events import (
    ExchangeEnded,
    ExchangeStarted,
    RunEvent,
    RunFinished,
    RunStarted,
    StepFinished,
    StepRole,
    StepStarted,
    ToolFinished,
    ToolStarted,
    VerdictGiven,
)
from workbench.core.run_summary import summarize
from workbench.core.tools import CallPlace, MockRule, ToolResult, ToolSetup
from workbench.core.verdict import Verdict, VerdictState
from workbench.replay.offline import (
    OfflineReplay,
    RecordedApprovals,
    RecordedTools,
    _events_of,
    outcome_json,
    replay_offline,
)
from workbench.replay.result import ReplayVerdict
from workbench.schema import JsonSchemaChecker


def verdict(events: list[RunEvent]) -> Verdict:
    return next(event.verdict for event in events if isinstance(event, VerdictGiven))


def again(events: list[RunEvent], before: Verdict | None = None) -> OfflineReplay:
    return asyncio.run(replay_offline(events, before or verdict(events), JsonSchemaChecker()))


@pytest.mark.parametrize(
    "events",
    [
        play(reply("I look. ", CALL), reply("It is clear.")),
        play(reply(BROKEN_CALL, finish="length"), reply(BROKEN_CALL, finish="length")),
        play(reply(CALL), reply("Done."), planner=[reply("Hm."), reply("GUIDANCE:\n1. get_weather Rome")]),
        play(reply("half", finish=None, done=False)),
    ],
    ids=["two steps", "told once", "boost", "cut off"],
)
def test_the_same_program_gives_the_same_run(events: list[RunEvent]) -> None:
    found = again(events)
    assert found.verdict is ReplayVerdict.SAME
    assert not found.difference
    assert found.requests == ()
    assert outcome_json(summarize(found.events)) == outcome_json(summarize(events))


def test_tool_results_come_from_the_record_not_from_the_mocks() -> None:
    events = play(reply(CALL), reply("It is clear."))
    changed = [
        replace(event, tools=(replace(WEATHER, mock=MockRule("fixed", "another")),))
        if isinstance(event, RunStarted)
        else event
        for event in events
    ]
    found = again(changed)
    assert [event.result.result for event in found.events if isinstance(event, ToolFinished)] == [{"sky": "clear"}]
    assert found.verdict is ReplayVerdict.SAME


def test_another_prompt_is_noted_but_answered() -> None:
    events = play(reply("Hello."))
    changed = [
        replace(event, messages=(replace(event.messages[0], content="Other words"),))
        if isinstance(event, RunStarted)
        else event
        for event in events
    ]
    found = again(changed)
    assert found.verdict is ReplayVerdict.SAME
    (change,) = found.requests
    assert any(item.after == "Other words" for item in change.difference.changes)


def test_a_replay_is_asked_what_the_run_was_asked() -> None:
    """But for its id and where it comes from."""
    first, *others = play(reply(CALL), reply("Done."), planner=[reply("GUIDANCE:\n1. get_weather Rome")])
    assert isinstance(first, RunStarted)
    first = replace(first, tool_choice="required", title="Weather in Rome")
    found = again([first, *others]).events[0]
    assert isinstance(found, RunStarted)
    assert found.run_id != first.run_id
    assert replace(found, run_id=first.run_id, origin=first.origin) == first


def test_replayed_totals_equal_the_recorded_totals() -> None:
    """Steps, calls, tokens, tries and bytes: an offline replay neither skips nor repeats a recorded exchange."""
    events = play(
        reply(CALL),
        reply(CALL.replace("Rome", "Oslo")),
        reply("Done."),
        planner=[reply("Hm."), reply("GUIDANCE:\n1. get_weather Rome")],
    )
    then, today = summarize(events), summarize(again(events).events)
    assert then.finished is not None
    assert today.finished is not None
    assert today.finished.totals == then.finished.totals
    assert (today.finished.totals.steps, today.finished.totals.calls) == (5, 2)
    for kind in (StepStarted, ExchangeStarted, ExchangeEnded, ToolStarted, ToolFinished):
        recorded = [event for event in events if isinstance(event, kind)]
        assert len(recorded) == {ToolStarted: 2, ToolFinished: 2}.get(kind, 5)
        assert len([event for event in again(events).events if isinstance(event, kind)]) == len(recorded)


def test_run_beyond_its_record_is_changed() -> None:
    events = play(reply(CALL), reply("It is clear."))
    last = max(event.step for event in events if isinstance(event, StepFinished))
    shortened = [event for event in events if getattr(event, "step", 0) != last or isinstance(event, ToolFinished)]
    found = again(shortened)
    assert found.verdict is ReplayVerdict.CHANGED
    assert "beyond what was recorded" in found.note


def test_call_without_a_recorded_result_is_off_the_record() -> None:
    events = [event for event in play(reply(CALL), reply("Done.")) if not isinstance(event, ToolStarted | ToolFinished)]
    found = again(events)
    assert found.verdict is ReplayVerdict.CHANGED
    assert "beyond what was recorded" in found.note


def test_older_parser_reading_is_a_difference() -> None:
    events = play(reply("Hello."))
    older = [
        replace(event, reply=replace(event.reply, result=ParseResult(text="Hello"), sanitized="Hello"))
        if isinstance(event, StepFinished)
        else replace(event, answer="Hello")
        if isinstance(event, RunFinished)
        else event
        for event in events
    ]
    found = again(older)
    assert found.verdict is ReplayVerdict.CHANGED
    assert {change.path for change in found.difference.changes} == {"answer", "steps[0].shown"}


def test_another_outcome_that_passes_where_the_run_failed_is_fixed() -> None:
    events = [
        replace(event, answer="Hello") if isinstance(event, RunFinished) else event for event in play(reply("Hello."))
    ]
    judged = verdict(events)
    assert again(events).verdict is ReplayVerdict.CHANGED
    assert again(events, replace(judged, state=VerdictState.FAIL)).verdict is ReplayVerdict.FIXED


def test_a_record_without_a_beginning_cannot_be_run() -> None:
    with pytest.raises(InvalidInput, match="how the run began"):
        again([], verdict(play(reply("x"))))


def test_results_are_matched_by_arguments_then_by_order() -> None:
    events = play(reply(CALL), reply(CALL.replace("Rome", "Oslo")), reply("Done."))
    numbered = iter(range(9))
    events = [
        replace(event, result=ToolResult(True, next(numbered))) if isinstance(event, ToolFinished) else event
        for event in events
    ]
    calls = [
        event.reply.result.calls[0] for event in events if isinstance(event, StepFinished) and event.reply.result.calls
    ]
    tools = RecordedTools(summarize(events))

    def ask(call) -> object:
        return asyncio.run(tools.run(WEATHER, call, CallPlace())).result

    assert ask(calls[1]) == 1
    assert ask(calls[1]) == 0
    assert tools.missing == 0
    refused = asyncio.run(tools.run(WEATHER, calls[0], CallPlace()))
    assert not refused.success
    assert tools.missing == 1


def test_an_outcome_names_its_parts() -> None:
    outcome = outcome_json(summarize(play(reply("I look. ", CALL), reply("It is clear."))))
    assert outcome == {
        "stop": "answer", "answer": "It is clear.",
        "steps": [
            {"calls": [{"name": "get_weather", "arguments": {"city": "Rome"}, "outcome": "strict"}], "problems": [], "shown": "I look."},
            {"calls": [], "problems": [], "shown": "It is clear."},
        ],
        "results": [ended.result.to_json() for ended in summarize(play(reply(CALL), reply("It is clear."))).results],
    }  # fmt: skip
    assert len(outcome["results"]) == 1


def test_a_call_that_nobody_decided_about_is_refused_and_counted() -> None:
    approvals = RecordedApprovals(summarize(play(reply(CALL), reply("It is clear."))))
    asked = ApprovalRequest("r", 0, 0, ToolSetup(WEATHER), {"city": "Rome"}, 1.0)
    decision = asyncio.run(approvals.decide(asked))
    assert (decision.allowed, decision.by, approvals.missing) == (False, DecidedBy.NOBODY, 1)


def test_what_cannot_be_run_or_leaves_the_record_is_said_in_full() -> None:
    with pytest.raises(InvalidInput) as caught:
        again([], verdict(play(reply("x"))))
    assert caught.value.message == "The record does not say how the run began, so it cannot be run again."
    events = [event for event in play(reply(CALL), reply("Done.")) if not isinstance(event, ToolStarted | ToolFinished)]
    found = again(events)
    assert found.note == "The run goes another way today, beyond what was recorded."
    (ended,) = [event for event in found.events if isinstance(event, ToolFinished)]
    assert ended.result == ToolResult(
        False, None, "No result of 'get_weather' was recorded for this call.", WEATHER.mode
    )
    assert again(play(reply("Hello."))).note == ""


def test_a_decision_is_given_again_and_anything_else_is_missing() -> None:
    approvals = RecordedApprovals(summarize([]))
    approvals._decisions = {(0, 1): ApprovalDecision(True, DecidedBy.NOBODY, arguments={"city": "Oslo"})}
    for step, index, missing in ((0, 1, 0), (0, 0, 1), (1, 1, 2)):
        request = ApprovalRequest("r", step, index, ToolSetup(WEATHER), {}, 1.0)
        decision = asyncio.run(approvals.decide(request))
        assert (decision.allowed, approvals.missing) == (not missing, missing)


def test_a_run_that_did_not_end_has_neither_stop_nor_answer() -> None:
    events = [event for event in play(reply("Hello.")) if not isinstance(event, RunFinished)]
    outcome = outcome_json(summarize(events))
    assert (outcome["stop"], outcome["answer"]) == (None, None)


def test_a_replay_takes_the_wrapper_of_its_run() -> None:
    first, *others = play(reply(CALL), reply("Done."), planner=[reply("GUIDANCE:\n1. get_weather Rome")])
    assert isinstance(first, RunStarted)
    wrapper = "OWN {{ loop }} {{ previous_attempts }} {{ request }} {{ tools }}"
    found = again([replace(first, target=replace(first.target, wrapper=wrapper)), *others])
    asked = [event for event in found.events if isinstance(event, StepStarted)]
    assert asked[0].request.messages[0].text.startswith("OWN 0")
    begun = found.events[0]
    assert isinstance(begun, RunStarted)
    assert begun.origin == "replay"


@pytest.mark.parametrize("stopped", [False, True])
def test_a_cancel_that_nobody_recorded_is_one_of_ours(stopped: bool) -> None:
    events = play(reply(*"abcdefgh", finish=None if stopped else "stop", done=not stopped, stopped=stopped))

    async def main() -> None:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().call_soon(task.cancel)
        await replay_offline(events, verdict(events), JsonSchemaChecker())

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())


def test_a_cancel_from_outside_goes_on_also_where_one_was_recorded() -> None:
    class Played:
        stopped = True

    async def cut(outside: bool) -> AsyncGenerator[RunEvent, None]:
        if outside:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
        else:
            raise asyncio.CancelledError
        await asyncio.sleep(1)
        yield play(reply("x"))[0]

    clients: Any = {StepRole.EXECUTOR: Played()}
    assert asyncio.run(_events_of(cut(False), clients)) == []
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(_events_of(cut(True), clients))


def test_a_cancel_that_no_record_holds_goes_on() -> None:
    class Unplayed:
        stopped = False

    async def cut() -> AsyncGenerator[RunEvent, None]:
        raise asyncio.CancelledError
        yield

    clients: Any = {StepRole.EXECUTOR: Unplayed()}
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(_events_of(cut(), clients))
