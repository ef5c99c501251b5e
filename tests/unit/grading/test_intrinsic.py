from __future__ import annotations

import pytest

from tests.kit import runs
from workbench.core.calls import Outcome, Span
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import (
    CancelCause,
    PlannerKind,
    PlannerRead,
    PlannerReply,
    RunEvent,
    Section,
    StepRole,
    StopReason,
    ToolFinished,
)
from workbench.core.run_summary import summarize
from workbench.core.tools import ToolMode, ToolResult
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.grading.intrinsic import judge
from workbench.schema import JsonSchemaChecker

PASS, FAIL = VerdictState.PASS, VerdictState.FAIL


def verdict(*events: RunEvent) -> Verdict:
    return judge(summarize(events), JsonSchemaChecker())


def answered(*steps: list[RunEvent], answer: str = "Done.", **end: object) -> Verdict:
    flat = [event for step in steps for event in step]
    return verdict(runs.started(), *flat, runs.finished(answer, **end))  # type: ignore[arg-type]


def test_a_call_and_an_answer_pass() -> None:
    found = judge(summarize(runs.make_run(verdict=None)), JsonSchemaChecker())

    assert found == Verdict(PASS, Basis.INTRINSIC, "Answered after 1 call.")


def test_an_answer_without_a_call_passes() -> None:
    assert answered(runs.step(0, "Done.", shown="Done.")).reason == "Answered without a call."


def test_repairs_are_named_and_do_not_fail() -> None:
    found = answered(runs.step(0, calls=[runs.call("get_weather", None, "trailing_comma", "args_key")]))

    assert found == Verdict(PASS, Basis.INTRINSIC, "Answered after 1 call, repaired: args_key, trailing_comma.")


def test_recorded_calls_pass_without_an_answer() -> None:
    found = answered(runs.step(0, calls=[runs.call()]), answer="", stop=StopReason.RECORDED)

    assert found == Verdict(PASS, Basis.INTRINSIC, "Recorded 1 call.")


@pytest.mark.parametrize("code", ["truncated", "unknown_tool", "bad_json", "ambiguous"])
def test_a_lost_attempt_fails(code: str) -> None:
    found = answered(runs.step(0, problems=[runs.problem(code)]), runs.step(1, calls=[runs.call()]))

    assert (found.state, found.codes, found.reason) == (FAIL, (f"parse.{code}",), f"Problem {code}.")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("hallucinated_result", "parse.hallucinated_result"),
        ("leaked_marker", "parse.leaked_marker"),
        ("tool_choice", "decision.tool_choice"),
    ],
)
def test_some_notices_fail_too(code: str, expected: str) -> None:
    assert answered(runs.step(0, problems=[runs.problem(code, None)])).codes == (expected,)


@pytest.mark.parametrize(
    ("code", "outcome"), [("extra_choices", None), ("both_forms", None), ("mentioned", Outcome.IGNORED)]
)
def test_others_do_not(code: str, outcome: Outcome | None) -> None:
    assert answered(runs.step(0, problems=[runs.problem(code, outcome)])).state is PASS


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"city": 3}, "schema.type"),
        ({}, "schema.required"),
        ({"city": "Rome", "days": 3}, "schema.additional"),
    ],
)
def test_schema_violations_fail(arguments: dict[str, object], code: str) -> None:
    found = answered(runs.step(0, calls=[runs.call("get_weather", arguments)]))

    assert (found.state, found.codes) == (FAIL, (code,))
    assert found.reason.startswith("get_weather")


def test_value_text_does_not_change_the_code() -> None:
    strange = {"city": ["is a required property"]}

    assert answered(runs.step(0, calls=[runs.call("get_weather", strange)])).codes == ("schema.type",)


def test_call_of_an_unknown_tool_fails() -> None:
    assert answered(runs.step(0, calls=[runs.call("fly")])).codes == ("parse.unknown_tool",)


def test_leaked_marker_fails() -> None:
    text = 'Done. <tool_call>\n{"name": "x"}'

    found = answered(runs.step(0, text, shown=text))

    assert found.state is FAIL
    assert found.codes == ("parse.leaked_marker",)


def test_mentioned_marker_does_not_fail() -> None:
    text = "Qwen writes `<tool_call>` before a call."
    mention = runs.problem("mentioned", Outcome.IGNORED, Span(12, 25))

    assert answered(runs.step(0, text, problems=[mention], shown=text)).state is PASS


def test_no_answer_fails() -> None:
    assert answered(runs.step(0, "", shown=""), answer=" ").codes == ("decision.no_answer",)


def test_the_worst_stands_first() -> None:
    step = runs.step(0, "x", [runs.call("get_weather", {})], [runs.problem("truncated")])

    assert answered(step, answer="").codes == ("parse.truncated", "schema.required", "decision.no_answer")


@pytest.mark.parametrize(
    ("stop", "codes", "expected"),
    [
        (StopReason.ITERATIONS, (), ("loop.iterations",)),
        (StopReason.BOOST_LOOPS, ("loop.guidance_ignored",), ("loop.guidance_ignored",)),
        (
            StopReason.BOOST_LOOPS,
            ("loop.no_planner_heading", "loop.guidance_ignored"),
            ("loop.no_planner_heading", "loop.guidance_ignored"),
        ),
        (StopReason.BOOST_LOOPS, (), ("loop.boost_loops",)),
        (StopReason.LOST_CALL, (), ("parse.lost_call",)),
        (StopReason.ANSWER, ("decision.tool_choice",), ("decision.tool_choice",)),
    ],
)
def test_ends_without_success_fail(stop: StopReason, codes: tuple[str, ...], expected: tuple[str, ...]) -> None:
    found = answered(runs.step(0, "Hm.", shown="Hm."), stop=stop, codes=codes)

    assert (found.state, found.codes) == (FAIL, expected)


def test_failed_rounds_before_an_answer_are_told_and_do_not_fail() -> None:
    found = answered(runs.step(0, calls=[runs.call()]), codes=["loop.guidance_ignored"])

    assert (found.state, found.codes) == (PASS, ("loop.guidance_ignored",))


def test_lost_call_read_by_todays_parser_passes() -> None:
    assert answered(runs.step(0, calls=[runs.call()]), stop=StopReason.LOST_CALL).state is PASS


@pytest.mark.parametrize(
    ("kind", "state", "code"),
    [
        (ErrorKind.CONNECT, VerdictState.ERROR, "transport.connect"),
        (ErrorKind.CUT_OFF, VerdictState.ERROR, "transport.cut_off"),
        (ErrorKind.RATE_LIMIT, VerdictState.ERROR, "provider.rate_limit"),
        (ErrorKind.AUTH, VerdictState.ERROR, "provider.auth"),
        (ErrorKind.MODEL_OUTPUT, FAIL, "format.model_output"),
    ],
)
def test_a_failed_exchange_says_nothing_about_the_model_but_for_one(
    kind: ErrorKind, state: VerdictState, code: str
) -> None:
    error = ErrorInfo(kind, "It failed.")

    found = answered(runs.step(0, error=error), stop=StopReason.ERROR, error=error)

    assert (found.state, found.codes[0], found.reason) == (state, code, "It failed.")


def test_a_run_that_ended_with_an_error_keeps_what_was_noticed_of_its_loop() -> None:
    error = ErrorInfo(ErrorKind.CONTEXT_LENGTH, "too long")
    found = answered(runs.step(0, error=error), stop=StopReason.ERROR, error=error, codes=("loop.repeated_call",))
    assert (found.state, found.codes) == (VerdictState.ERROR, ("provider.context_length", "loop.repeated_call"))


def test_an_error_without_details_is_still_one() -> None:
    assert answered(stop=StopReason.ERROR).state is VerdictState.ERROR


def test_a_cancelled_run_is_not_judged() -> None:
    step = runs.step(0, problems=[runs.problem("truncated")])

    found = answered(step, stop=StopReason.CANCELLED, cancel=CancelCause.USER)

    assert found == Verdict(VerdictState.CANCELLED, Basis.INTRINSIC, "Cancelled by user.")


def test_a_run_without_an_end_is_not_judged() -> None:
    assert verdict(runs.started()).state is VerdictState.CANCELLED
    assert verdict().state is VerdictState.CANCELLED


def test_without_tools_there_is_nothing_to_judge_but_leaks() -> None:
    clean = [runs.started(tools=()), *runs.step(0, "Hi.", shown="Hi."), runs.finished("Hi.")]
    leaky = [runs.started(tools=()), *runs.step(0, "<tool_call>", shown="<tool_call>"), runs.finished("Hi.")]

    assert verdict(*clean).state is VerdictState.NOT_GRADABLE
    assert verdict(*leaky).codes == ("parse.leaked_marker",)


def tool_failed(source: ToolMode) -> list[RunEvent]:
    return [ToolFinished(0, 0, "c", ToolResult(False, None, "No network.", source), 5)]


def test_tool_failure_without_answer_is_not_gradable() -> None:
    found = answered(runs.step(0, calls=[runs.call()]), tool_failed(ToolMode.RUN), answer="", stop=StopReason.LOST_CALL)

    assert (found.state, found.codes, found.reason) == (VerdictState.ERROR, ("execution.tool_failed",), "No network.")


def test_tool_failure_before_the_answer_is_noted() -> None:
    found = answered(runs.step(0, calls=[runs.call()]), tool_failed(ToolMode.RUN))

    assert (found.state, found.codes) == (PASS, ("execution.tool_failed",))


def test_a_mock_may_fail() -> None:
    assert answered(runs.step(0, calls=[runs.call()]), tool_failed(ToolMode.MOCK)).codes == ()


def test_planners_are_judged_by_their_shown_text() -> None:
    text = "SUMMARY:\n<tool_call>"
    sections = (Section("SUMMARY", "<tool_call>", Span(9, 20), Span(0, 8)),)
    planner = [*runs.step(0, text, shown=text, role=StepRole.PLANNER)]
    read = PlannerRead(0, PlannerReply(PlannerKind.SUMMARY, sections))

    assert answered(planner, stop=StopReason.ANSWER).state is PASS
    assert answered(planner, [read], stop=StopReason.SUMMARY).codes == ("parse.leaked_marker",)


def test_a_reason_is_one_line() -> None:
    long = runs.problem("truncated")._replace(message="first\nsecond " + "x" * 1000)

    reason = answered(runs.step(0, problems=[long])).reason

    assert reason.startswith("first second")
    assert len(reason) <= 240
