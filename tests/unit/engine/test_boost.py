from __future__ import annotations

import pytest

from tests.kit.engine_run import CALL, PLAN, QWEN, end, events_of, only
from tests.kit.fakes import REFUSED, FakeClient, Reply, plan
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import (
    FellBack,
    GuidanceTraced,
    LoopFinished,
    LoopStarted,
    PlannerRead,
    StepRole,
    StepStarted,
    StopReason,
)


def test_boost_with_one_other_and_one_ignored_guidance_tells_the_story() -> None:
    planner = FakeClient([Reply("Sure, I can help!"), Reply(PLAN), Reply(PLAN)])
    executor = FakeClient([Reply("I cannot."), Reply(CALL), Reply("Sunny: result in Rome.")])
    events = events_of(plan(executor, QWEN, planner=planner))
    assert [event.reason for event in only(events, LoopFinished)] == ["other", "no_call", "answer"]
    assert [event.loop for event in only(events, LoopStarted)] == [0, 1, 2]
    assert end(events).answer == "Sunny: result in Rome."
    assert set(end(events).codes) == {"loop.no_planner_heading", "loop.guidance_ignored"}
    assert all(request.tools == () for request in planner.requests)
    assert all(len(request.messages) == 1 for request in planner.requests)
    wrappers = [request.messages[0].text for request in planner.requests]
    assert [f"Current ReAct Loop: {n}" in text for n, text in enumerate(wrappers)] == [True] * 3
    assert "Sure, I can help!" in wrappers[1]
    assert "I cannot." in wrappers[2]
    assert "GUIDANCE:\n1. get_weather for Rome" in executor.requests[0].messages[-1].text
    assert "Weather in Rome?" in executor.requests[0].messages[-1].text
    traced = only(events, GuidanceTraced)
    assert [line.state.value for event in traced for line in event.lines] == ["ignored", "followed"]
    assert only(events, StepStarted)[-1].news == ("+ 1 tool result",)


def test_a_summary_is_the_answer_and_asks_no_executor() -> None:
    executor = FakeClient([])
    events = events_of(plan(executor, QWEN, planner=FakeClient([Reply("SUMMARY:\nRome is a city.")])))
    assert (end(events).stop, end(events).answer) == (StopReason.SUMMARY, "Rome is a city.")
    assert executor.requests == []


def test_after_three_failed_attempts_the_best_reply_is_given_with_the_reason() -> None:
    planner = FakeClient([Reply(PLAN), Reply("Hello."), Reply("Hi.")])
    events = events_of(plan(FakeClient([Reply("My best guess is sun.")]), QWEN, planner=planner))
    assert end(events).stop is StopReason.BOOST_LOOPS
    assert [step.news for step in only(events, StepStarted) if step.role is StepRole.PLANNER] == [
        ("wrapper, loop 0",), ("wrapper, loop 1", "+ 1 failed attempt"), ("wrapper, loop 2", "+ 2 failed attempts"),
    ]  # fmt: skip
    assert end(events).answer == "My best guess is sun."
    assert end(events).reason == "3 failed attempts; showing what the executor said in loop 0, the latest with words"
    words = events_of(plan(FakeClient([]), QWEN, planner=FakeClient([Reply("Hm."), Reply("Oh."), Reply("")])))
    assert (end(words).answer, "the planner said in loop 1" in end(words).reason) == ("Oh.", True)
    nothing = events_of(plan(FakeClient([]), QWEN, planner=FakeClient([Reply(""), Reply(""), Reply("")])))
    assert end(nothing).answer == ""
    assert "no usable reply" in end(nothing).reason


def test_a_failing_planner_falls_back_to_direct_execution_visibly() -> None:
    executor = FakeClient([Reply("Sunny.")])
    events = events_of(plan(executor, QWEN, planner=FakeClient([Reply(error=REFUSED)])))
    assert only(events, FellBack)[0].error == REFUSED
    assert end(events).answer == "Sunny."
    assert "GUIDANCE" not in executor.requests[0].messages[-1].text
    assert "loop.planner_failed" in end(events).codes


def test_why_the_model_failed_the_executor_is_the_reason() -> None:
    for kind, words in ((ErrorKind.CUT_OFF, "the reply broke off"), (ErrorKind.AUTH, "the model could not be asked")):
        failing = FakeClient([Reply(error=ErrorInfo(kind, "No."))])
        assert end(events_of(plan(failing, QWEN))).reason == words


def test_turn_without_calls_after_results_is_the_answer() -> None:
    planner = FakeClient([Reply(PLAN)])
    events = events_of(plan(FakeClient([Reply(CALL), Reply("Sunny.")]), QWEN, planner=planner))
    assert [event.reason for event in only(events, LoopFinished)] == ["answer"]


def test_habits_of_a_guided_executor_are_codes_of_the_run() -> None:
    executor = FakeClient([Reply(CALL), Reply(CALL), Reply("Sunny: result in Rome.")])
    events = events_of(plan(executor, QWEN, planner=FakeClient([Reply(PLAN)])))
    assert "loop.repeated_call" in end(events).codes


def test_a_planner_that_fails_in_a_later_round_is_named_by_its_step() -> None:
    planner = FakeClient([Reply(PLAN), Reply(error=REFUSED)])
    events = events_of(plan(FakeClient([Reply("I cannot."), Reply("Sunny.")]), QWEN, planner=planner))
    (fallen,) = only(events, FellBack)
    assert fallen.step == 2, "after a step of each"
    assert [event.loop for event in only(events, LoopFinished)] == [0, 1]


def test_what_each_round_lacked_is_one_code_of_the_run() -> None:
    events = events_of(plan(FakeClient([]), QWEN, planner=FakeClient([Reply("Hm."), Reply("Oh."), Reply("")])))
    assert end(events).codes == ("loop.no_planner_heading",)


def test_both_forms_count_as_other() -> None:
    planner = FakeClient([Reply("SUMMARY: x\nGUIDANCE: get_weather"), Reply("SUMMARY: Rome.")])
    events = events_of(plan(FakeClient([]), QWEN, planner=planner))
    assert only(events, PlannerRead)[0].reply.problems[0].code == "both_forms"
    assert "loop.both_forms" in end(events).codes


def test_tool_choice_none_makes_words_the_answer() -> None:
    planner, executor = FakeClient([Reply(PLAN)]), FakeClient([Reply("Sunny, as far as I know.")])
    events = events_of(plan(executor, QWEN, planner=planner, tool_choice="none"))
    assert "Do not call any tool" in planner.requests[0].messages[0].text
    assert "answer it in words" in executor.requests[0].messages[-1].text
    assert (end(events).stop, end(events).answer) == (StopReason.ANSWER, "Sunny, as far as I know.")
    assert end(events).codes == ()


def test_retry_guidance_after_an_executor_without_calls() -> None:
    planner = FakeClient([Reply("Hm."), Reply(PLAN), Reply(PLAN)])
    executor = FakeClient([Reply("I cannot."), Reply(CALL), Reply("Sunny.")])
    events_of(plan(executor, QWEN, planner=planner))
    first, second = (request.messages[-1].text for request in executor.requests[:2])
    assert "An earlier attempt called no tool" not in first
    assert "An earlier attempt called no tool" in second


def test_an_empty_reply_does_not_replace_an_earlier_answer() -> None:
    planner = FakeClient([Reply(PLAN), Reply(PLAN), Reply(PLAN)])
    events = events_of(plan(FakeClient([Reply("My guess is sun."), Reply(""), Reply("")]), QWEN, planner=planner))
    assert end(events).answer == "My guess is sun."


def test_a_loop_without_a_call_says_whether_one_was_begun() -> None:
    planner = FakeClient([Reply(PLAN), Reply(PLAN), Reply("SUMMARY: Nothing came.")])
    unread = '<tool_call>\n{"name": "nothing", "arguments": {}}\n</tool_call>'
    events = events_of(plan(FakeClient([Reply("I cannot."), Reply(unread), Reply(unread)]), QWEN, planner=planner))
    said = [(event.reason, event.summary) for event in only(events, LoopFinished)]
    assert said[:2] == [
        ("no_call", "executor was guided and called no tool"),
        ("no_call", "executor was guided and its call could not be read"),
    ]
    third = planner.requests[2].messages[0].text
    assert "executor called no tool" in third
    assert "executor's call could not be read" in third


def test_a_planner_is_told_of_each_attempt_whether_a_call_was_begun() -> None:
    unread = '<tool_call>\n{"name": "nothing", "arguments": {}}\n</tool_call>'
    for said, other, reply in (
        ("called no tool", "could not be read", "No."),
        ("could not be read", "called no tool", unread),
    ):
        planner = FakeClient([Reply(PLAN), Reply("SUMMARY: Nothing came.")])
        events_of(plan(FakeClient([Reply(reply), Reply(reply)]), QWEN, planner=planner))
        told = planner.requests[1].messages[0].text
        assert (said in told, other in told) == (True, False)


def test_where_planner_and_executor_fail_the_executors_error_is_the_runs() -> None:
    lost = ErrorInfo(ErrorKind.CUT_OFF, "It broke off.")
    failing = FakeClient([Reply(error=lost)])
    finished = end(events_of(plan(failing, QWEN, planner=FakeClient([Reply(error=REFUSED)]))))
    assert (finished.stop, finished.error) == (StopReason.ERROR, lost)
    assert finished.reason == "planner failed, direct execution: the reply broke off"


BROKE = ErrorInfo(ErrorKind.CUT_OFF, "It broke off.")


@pytest.mark.parametrize(
    ("planned", "replies", "loops", "finished"),
    [
        (["SUMMARY: It is sunny."], [], [(0, "summary", "planner answered, no executor needed")], (StopReason.SUMMARY, "It is sunny.", "the planner answered by itself", ())),
        (["Sure!", "SUMMARY: Yes."], [], [(0, "other", "planner replied OTHER: neither SUMMARY nor GUIDANCE"), (1, "summary", "planner answered, no executor needed")], (StopReason.SUMMARY, "Yes.", "the planner answered by itself", ("loop.no_planner_heading",))),
        ([PLAN], [Reply(CALL), Reply("result of get_weather")], [(0, "answer", "guidance followed, answered")], (StopReason.ANSWER, "result of get_weather", "answered", ())),
        ([PLAN], [Reply("half", error=BROKE)], [(0, "error", "executor: the reply broke off")], (StopReason.ERROR, "", "the reply broke off", ())),
        ([PLAN], [Reply("", error=REFUSED)], [(0, "error", "executor: the model could not be asked")], (StopReason.ERROR, "", "the model could not be asked", ())),
        (["a", "b", "c"], [], [(at, "other", "planner replied OTHER: neither SUMMARY nor GUIDANCE") for at in range(3)], (StopReason.BOOST_LOOPS, "c", "3 failed attempts; showing what the planner said in loop 2, the latest with words", ("loop.no_planner_heading",))),
        (["", "", ""], [], [(at, "other", "planner replied OTHER: the reply is empty") for at in range(3)], (StopReason.BOOST_LOOPS, "", "3 failed attempts; no usable reply", ("loop.no_planner_heading",))),
        (["a", PLAN, "b"], [Reply("I cannot.")], [(0, "other", "planner replied OTHER: neither SUMMARY nor GUIDANCE"), (1, "no_call", "executor was guided and called no tool"), (2, "other", "planner replied OTHER: neither SUMMARY nor GUIDANCE")], (StopReason.BOOST_LOOPS, "I cannot.", "3 failed attempts; showing what the executor said in loop 1, the latest with words", ("loop.no_planner_heading", "loop.guidance_ignored"))),
        (["SUMMARY: a\nGUIDANCE: b"] * 3, [], [(at, "other", "planner replied OTHER: both SUMMARY and GUIDANCE") for at in range(3)], (StopReason.BOOST_LOOPS, "SUMMARY: a\nGUIDANCE: b", "3 failed attempts; showing what the planner said in loop 2, the latest with words", ("loop.both_forms",))),
    ],
)  # fmt: skip
def test_how_each_round_and_the_run_end(
    planned: list[str],
    replies: list[Reply],
    loops: list[tuple[int, str, str]],
    finished: tuple[StopReason, str, str, tuple[str, ...]],
) -> None:
    planner = FakeClient([Reply(text) for text in planned])
    events = events_of(plan(FakeClient([*replies]), QWEN, planner=planner))
    assert [(one.loop, one.reason, one.summary) for one in only(events, LoopFinished)] == loops
    last = end(events)
    assert (last.stop, last.answer, last.reason, last.codes) == finished


def test_what_is_new_for_a_planner_in_each_round() -> None:
    events = events_of(plan(FakeClient([]), QWEN, planner=FakeClient([Reply(text) for text in "abc"])))
    assert [event.news for event in only(events, StepStarted)] == [
        ("wrapper, loop 0",), ("wrapper, loop 1", "+ 1 failed attempt"), ("wrapper, loop 2", "+ 2 failed attempts"),
    ]  # fmt: skip


def test_why_an_attempt_failed_is_told_to_the_planner() -> None:
    planner = FakeClient([Reply(PLAN), Reply(PLAN), Reply("SUMMARY: Well.")])
    lost = '<tool_call>\n{"name": "nothing", "arguments": {}}\n</tool_call>'
    events_of(plan(FakeClient([Reply("I cannot."), Reply(lost), Reply(lost)]), QWEN, planner=planner))
    second, third = (request.messages[0].text for request in planner.requests[1:])
    assert "- Loop 0 (executor called no tool): " in second
    assert "- Loop 1 (executor's call could not be read): " in third
