"""A run's events folded into facts: whole runs, unfinished ones, events with parts missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit import runs
from workbench.core.calls import Outcome
from workbench.core.events import (
    LoopStarted,
    PlannerKind,
    PlannerRead,
    PlannerReply,
    RunEvent,
    StepFinished,
    StepRole,
    ToolFinished,
    VerdictGiven,
)
from workbench.core.exchange import Usage
from workbench.core.run_summary import RunSummary, ToolRate, summarize, token_speed
from workbench.core.tools import ToolMode, ToolResult


def timed(number: int, first_token: int | None, first_call: int | None, total: int, output: int | None) -> RunEvent:
    finished = runs.step(number)[-1]
    assert isinstance(finished, StepFinished)
    timing = replace_timing(finished, first_token, first_call, total)
    return replace(finished, reply=replace(finished.reply, timing=timing, usage=Usage(100, output)))


def replace_timing(event: StepFinished, first_token: int | None, first_call: int | None, total: int):  # type: ignore[no-untyped-def]
    return event.reply.timing._replace(first_token=first_token, first_call=first_call, total=total)


def test_a_whole_run() -> None:
    events = runs.make_run(planner="plain")
    run = summarize(events)

    assert run.started is events[0]
    assert run.verdict == runs.PASSED
    assert (run.step_count, run.call_count, run.input_tokens, run.output_tokens) == (2, 1, 200, 20)
    assert (run.duration_us, run.loops) == (2_500_000, 1)
    assert run.prompt == "Weather in Rome?"
    assert run.answer == "It is 21 degrees in Rome."
    assert run.served_model == "m-1"
    assert list(run.tools) == ["get_weather"]
    assert run.called_tools == ("get_weather",)
    assert [step.number for step, _ in run.replies] == [0, 1]
    assert [len(step.exchanges) for step in run.steps.values()] == [1, 1]
    assert [exchange.step for exchange in run.exchanges] == [0, 1]


def test_event_by_event_gives_the_same_as_all_at_once() -> None:
    events = [*runs.make_run(), *runs.boosted()]
    one = RunSummary()
    for event in events:
        one.add(event)
    assert one == summarize(events)


def test_no_event_at_all() -> None:
    run = summarize([])

    assert (run.run_id, run.prompt, run.answer, run.served_model) == ("", "", "", "")
    assert (run.step_count, run.call_count, run.duration_us) == (0, 0, 0)
    assert run.first_us("first_token") is None
    assert run.tokens_per_second is None
    assert run.tool_rate == ToolRate(0, 0)
    assert run.party(StepRole.EXECUTOR) is None
    assert run.last_plan is None
    assert run.tools == {}


def test_unfinished_run_counts_present_events() -> None:
    run = summarize(runs.make_run()[:12])

    assert run.finished is None
    assert (run.step_count, run.call_count, run.input_tokens, run.output_tokens) == (1, 1, 100, 10)
    assert run.duration_us == 51


def test_unfinished_run_answer_is_the_last_shown_text() -> None:
    events = [*runs.step(0, shown="Looking."), *runs.step(1, shown="")]
    assert summarize(events).answer == "Looking."


def test_the_end_of_a_step_alone_is_an_executor_reply() -> None:
    run = summarize([runs.step(3)[-1]])

    assert run.steps[3].asked is None
    assert [step.number for step, _ in run.executor_replies] == [3]
    assert run.first_us("first_token") is None


def test_planner_and_cancelled_replies_are_no_executor_replies() -> None:
    cancelled = runs.step(1)
    end = cancelled[-1]
    assert isinstance(end, StepFinished)
    cancelled[-1] = replace(end, reply=replace(end.reply, cancelled=True))
    run = summarize([*runs.step(0, role=StepRole.PLANNER), *cancelled, *runs.step(2)])

    assert [step.number for step, _ in run.executor_replies] == [2]
    assert [step.number for step, _ in run.replies] == [0, 1, 2]


def test_the_last_plan_and_the_last_verdict_count() -> None:
    first, last = PlannerReply(PlannerKind.GUIDANCE), PlannerReply(PlannerKind.SUMMARY)
    failed = runs.failed("parse.bad_json")
    run = summarize([PlannerRead(0, first), PlannerRead(2, last), VerdictGiven(runs.PASSED), VerdictGiven(failed)])

    assert run.last_plan is last
    assert run.verdict == failed


def test_the_date_of_a_correction_is_no_duration() -> None:
    run = summarize([LoopStarted(0, 7), VerdictGiven(runs.PASSED, "user", runs.STARTED_US)])
    assert run.duration_us == 7


def test_refused_calls_stand_apart() -> None:
    started, finished = runs.tool_events()
    assert isinstance(finished, ToolFinished)
    refused = [replace(started, index=1), replace(finished, index=1, problems=(runs.problem("schema"),))]
    run = summarize([started, finished, *refused])

    made, not_made = run.split_calls()
    assert [call.index for call in made] == [0]
    assert [call.index for call in not_made] == [1]
    assert [(call.index, ended.index) for call, ended in run.paired_results] == [(0, 0), (1, 1)]
    assert run.tool_rate == ToolRate(1, 2)


@pytest.mark.parametrize(
    ("result", "executed"),
    [
        (ToolResult(True, 1), 1),
        (ToolResult(False, None, "as set up"), 1),
        (ToolResult(False, None, "no such file", ToolMode.RUN), 0),
        (ToolResult(True, None, None, ToolMode.RECORD), 1),
    ],
)
def test_executed_call_rules(result: ToolResult, executed: int) -> None:
    assert summarize(runs.tool_events(result=result)).tool_rate == ToolRate(executed, 1)


def test_a_lost_call_was_tried_and_a_mentioned_one_was_not() -> None:
    problems = [runs.problem("bad_json"), runs.problem("mentioned", Outcome.IGNORED)]
    run = summarize(runs.step(0, problems=problems))

    assert run.tool_rate == ToolRate(0, 1)
    assert [problem.code for _, problem in run.problems] == ["bad_json", "mentioned"]


def test_first_moments_are_counted_from_the_start_of_the_run() -> None:
    begun = [runs.step(number)[0] for number in (0, 1)]
    begun[1] = replace(begun[1], at_us=1_000)  # type: ignore[arg-type]
    run = summarize([begun[0], timed(0, 5, None, 30, 10), begun[1], timed(1, 3, 7, 40, 10)])

    assert run.first_us("first_token") == 15
    assert run.first_us("first_call") == 1_007


def test_tokens_a_second_leave_out_uncounted_replies() -> None:
    run = summarize([timed(0, 5, None, 2_000_000, 30), timed(1, 5, None, 9_000_000, None)])

    assert run.tokens_per_second == 15.0
    assert token_speed([(10, 1_000_000), (30, 1_000_000)]) == 20.0
    assert token_speed([]) is None
