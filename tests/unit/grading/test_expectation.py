from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit import runs
from tests.kit.judged import FILE, PARIS, ROME, case, judged, turn, weather
from workbench.core.batch import CallState, CaseVerdict, FieldState, Mark
from workbench.core.calls import Outcome, ParseProblem, Span
from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import CancelCause, RunEvent, StepFinished, StopReason
from workbench.core.run_summary import RunSummary
from workbench.core.verdict import Basis, VerdictState
from workbench.grading.expectation import judge_case
from workbench.schema import JsonSchemaChecker

PASS, FAIL, ERROR = VerdictState.PASS, VerdictState.FAIL, VerdictState.ERROR
SAY = runs.step(1, "Fine.", shown="Fine.")


def codes(found: CaseVerdict) -> tuple[str, ...]:
    return found.verdict.codes


def test_the_expected_call_passes_strictly() -> None:
    found = judged(case(ROME), turn(0, weather()), SAY)

    assert (found.verdict.state, found.verdict.basis, codes(found)) == (PASS, Basis.EXPECTATION, ())
    assert (found.decision, found.tool, found.arguments, found.answer) == (Mark.RIGHT,) * 4
    assert (found.format, found.strict, found.needed, found.called) == (Outcome.STRICT, True, True, True)
    assert [row.state for row in found.calls] == [CallState.MATCHED]


def test_a_repaired_call_passes_but_not_strictly() -> None:
    found = judged(case(ROME), turn(0, weather("Rome", "trailing_comma")), SAY)

    assert (found.verdict.state, found.format, found.strict) == (PASS, Outcome.RECOVERED, False)


def test_missing_call_is_a_wrong_decision() -> None:
    found = judged(case(ROME), SAY)

    assert (found.verdict.state, codes(found)) == (FAIL, ("decision.no_call",))
    assert (found.decision, found.called, found.tool) == (Mark.WRONG, False, Mark.NOT_ASKED)
    assert "get_weather was expected" in found.verdict.reason


def test_a_lost_call_is_the_right_decision_badly_written() -> None:
    found = judged(case(ROME), runs.step(0, problems=[runs.problem("truncated")]), stop=StopReason.LOST_CALL)

    assert codes(found)[0] == "parse.truncated"
    assert "decision.no_call" not in codes(found)
    assert (found.decision, found.format, found.called) == (Mark.RIGHT, Outcome.REPORTED, True)


def test_corrected_lost_call_passes_and_keeps_its_code() -> None:
    found = judged(case(ROME), runs.step(0, problems=[runs.problem("bad_json")]), turn(1, weather()), SAY)

    assert (found.verdict.state, found.strict, found.format) == (PASS, False, Outcome.REPORTED)
    assert codes(found) == ("parse.bad_json",)


def test_corrected_refused_call_passes_and_keeps_its_code() -> None:
    wrong = runs.call("get_weather", {"town": "Rome"})
    found = judged(case(ROME), turn(0, wrong, refused=True), turn(1, weather()), SAY)

    assert (found.verdict.state, codes(found)) == (PASS, ("schema.required",))


def test_uncorrected_refused_call_is_compared() -> None:
    found = judged(case(ROME), turn(0, runs.call("get_weather", {"town": "Rome"}), refused=True), SAY)

    assert found.verdict.state is FAIL
    assert codes(found)[:2] == ("argument.missing", "argument.invented")
    assert (found.decision, found.tool, found.arguments) == (Mark.RIGHT, Mark.RIGHT, Mark.WRONG)


def test_rightly_no_call_passes() -> None:
    found = judged(case(), SAY)

    assert (found.verdict.state, found.decision, found.needed, found.called) == (PASS, Mark.RIGHT, False, False)
    assert found.strict


def test_an_unneeded_call_fails() -> None:
    found = judged(case(), turn(0, weather()), SAY)

    assert (found.verdict.state, codes(found), found.decision) == (FAIL, ("decision.unneeded_call",), Mark.WRONG)
    assert [row.state for row in found.calls] == [CallState.EXTRA]


def test_a_parse_failure_is_never_a_correct_refusal() -> None:
    found = judged(case(), runs.step(0, problems=[runs.problem("bad_json")]), answer="Fine.")

    assert (found.verdict.state, codes(found)) == (FAIL, ("parse.bad_json", "decision.unneeded_call"))
    assert (found.decision, found.called) == (Mark.WRONG, True)


def test_a_marker_of_a_call_makes_a_refusal_unknowable() -> None:
    found = judged(case(), runs.step(0, "x", shown="I will. <tool_call> get_weather Rome"), answer="I will.")

    assert (found.verdict.state, codes(found)) == (FAIL, ("parse.leaked_marker",))
    assert (found.decision, found.called, found.leaked) == (Mark.NOT_GRADABLE, None, True)


def test_a_marker_of_a_call_makes_a_missing_call_unknowable() -> None:
    found = judged(case(ROME), runs.step(0, "x", shown="<tool_call> get_weather Rome"), answer="I will.")

    assert found.verdict.state is FAIL
    assert codes(found)[0] == "parse.leaked_marker"
    assert "decision.no_call" not in codes(found)
    assert (found.decision, found.recognised) == (Mark.NOT_GRADABLE, False)


def test_the_end_of_a_turn_left_in_the_text_is_no_hidden_call() -> None:
    found = judged(case(), runs.step(0, "x", shown="You are welcome.<|im_end|>"), answer="You are welcome.")

    assert (found.verdict.state, found.decision, found.leaked) == (PASS, Mark.RIGHT, True)
    assert codes(found) == ("parse.leaked_marker",)


def test_call_of_an_unoffered_tool_counts_as_called() -> None:
    found = judged(case(), runs.step(0, calls=[runs.call("send_mail", {})]), answer="Sent.")

    assert codes(found)[:2] == ("parse.unknown_tool", "decision.unneeded_call")
    assert found.decision is Mark.WRONG


def thinking(answer: str) -> list[RunEvent]:
    """A reply whose reasoning holds a whole call."""
    raw = "<think>I call <tool_call>x</tool_call></think>"
    mention = ParseProblem("mentioned", Span(14, 38), "Inside reasoning.", Outcome.IGNORED, "", "get_weather")
    events = runs.step(0, raw + answer, problems=[mention], shown=answer)
    last = events[-1]
    assert isinstance(last, StepFinished)
    result = replace(last.reply.result, reasoning="I call <tool_call>x</tool_call>")
    return [*events[:-1], replace(last, reply=replace(last.reply, result=result))]


def test_call_in_reasoning_leaves_the_decision_open() -> None:
    found = judged(case(ROME), thinking(""), answer="")

    assert (found.verdict.state, codes(found)[0]) == (FAIL, "format.call_in_reasoning")
    assert "decision.no_call" not in codes(found)
    assert (found.decision, found.called, found.format) == (Mark.NOT_GRADABLE, None, Outcome.IGNORED)


def test_a_thought_and_then_an_answer_is_a_decision() -> None:
    assert judged(case(ROME), thinking("Sunny."), answer="Sunny.").decision is Mark.WRONG
    refused = judged(case(), thinking("Hello."), answer="Hello.")
    assert (refused.verdict.state, refused.decision, codes(refused)) == (
        PASS,
        Mark.RIGHT,
        ("format.call_in_reasoning",),
    )
    assert judged(case(), thinking(""), answer="").decision is Mark.NOT_GRADABLE


def test_another_tool_is_a_wrong_tool() -> None:
    found = judged(case(ROME), turn(0, runs.call("read_file", {"path": "Rome"})), SAY)

    assert codes(found) == ("decision.wrong_tool",)
    assert (found.decision, found.tool, found.arguments) == (Mark.RIGHT, Mark.WRONG, Mark.NOT_ASKED)


def test_arguments_are_told_apart() -> None:
    wanted = ExpectedCall("get_weather", {"city": ExpectedArgument(("Rome",)), "unit": ExpectedArgument(("C",))})
    found = judged(case(wanted), turn(0, weather("Paris", days="2")), SAY)

    assert codes(found)[:3] == ("argument.wrong_value", "argument.missing", "argument.invented")
    assert {(field.path, field.state) for field in found.calls[0].fields} == {
        (("city",), FieldState.WRONG_VALUE),
        (("unit",), FieldState.MISSING),
        (("days",), FieldState.EXTRA),
    }
    assert found.calls[0].compared == 3


def test_a_number_in_quotes_is_another_type() -> None:
    wanted = ExpectedCall("get_weather", {"city": ExpectedArgument(("Rome",)), "days": ExpectedArgument((3,))})

    assert codes(judged(case(wanted), turn(0, weather(days="3")), SAY))[0] == "argument.wrong_type"


def test_folded_differences_are_listed() -> None:
    wanted = ExpectedCall("get_weather", {"days": ExpectedArgument((3,)), "city": ExpectedArgument(("Rome",))})
    found = judged(case(wanted), turn(0, weather(days=3.0)), SAY)

    assert found.verdict.state is PASS
    assert {row.note for _, row in found.folded} == {"key order", "numeric spelling"}


def test_calls_out_of_order_fail_in_strict_order_only() -> None:
    made = turn(0, weather("Paris"), weather("Rome"))

    strict = judged(case(ROME, PARIS), made, SAY)
    assert codes(strict) == ("decision.order",)
    assert (strict.tool, strict.arguments) == (Mark.WRONG, Mark.RIGHT)
    assert judged(case(ROME, PARIS, order="any"), made, SAY).verdict.state is PASS


def test_one_call_too_many_fails_unless_it_is_allowed() -> None:
    made = turn(0, weather(), runs.call("read_file", {"path": "x"}))

    assert codes(judged(case(ROME), made, SAY)) == ("decision.extra_call",)
    allowed = judged(case(ROME, extra_calls=True), made, SAY)
    assert allowed.verdict.state is PASS
    assert [row.state for row in allowed.calls] == [CallState.MATCHED, CallState.ALLOWED]


def test_one_call_missing_of_two() -> None:
    assert codes(judged(case(ROME, FILE), turn(0, weather()), SAY)) == ("decision.missing_call",)


def test_answer_words_ignore_case() -> None:
    wanted = case(ROME, answer_contains=("21 DEGREES",))

    assert judged(wanted, turn(0, weather()), SAY).answer is Mark.RIGHT
    found = judged(wanted, turn(0, weather()), SAY, answer="Warm.")
    assert (found.verdict.state, codes(found), found.answer) == (FAIL, ("decision.wrong_answer",), Mark.WRONG)


def test_record_mode_has_no_answer_to_judge() -> None:
    found = judged(case(ROME, answer_contains=("21",)), turn(0, weather()), answer="", stop=StopReason.RECORDED)

    assert (found.verdict.state, found.answer) == (PASS, Mark.NOT_ASKED)


@pytest.mark.parametrize(
    ("stop", "code"), [(StopReason.ITERATIONS, "loop.iterations"), (StopReason.BOOST_LOOPS, "loop.boost_loops")]
)
def test_a_limit_fails_even_with_the_right_call(stop: StopReason, code: str) -> None:
    found = judged(case(ROME), turn(0, weather()), stop=stop)

    assert (found.verdict.state, codes(found)[0], found.tool) == (FAIL, code, Mark.RIGHT)


@pytest.mark.parametrize(
    ("kind", "state", "code"),
    [
        (ErrorKind.RATE_LIMIT, ERROR, "provider.rate_limit"),
        (ErrorKind.CONNECT, ERROR, "transport.connect"),
        (ErrorKind.MODEL_OUTPUT, FAIL, "format.model_output"),
    ],
)
def test_errors_say_nothing_about_the_model_unless_it_wrote_them(
    kind: ErrorKind, state: VerdictState, code: str
) -> None:
    found = judged(case(ROME), runs.step(0), stop=StopReason.ERROR, error=ErrorInfo(kind, "No."), answer="")

    assert (found.verdict.state, codes(found)[0], found.verdict.basis) == (state, code, Basis.EXPECTATION)
    assert found.decision is Mark.NOT_ASKED


def test_a_cancelled_run_is_cancelled() -> None:
    found = judged(case(ROME), turn(0, weather()), stop=StopReason.CANCELLED, cancel=CancelCause.BATCH)

    assert found.verdict.state is VerdictState.CANCELLED
    assert not found.strict


def test_a_run_without_an_end_is_cancelled() -> None:
    assert judge_case(RunSummary(), case(ROME), JsonSchemaChecker()).verdict.state is VerdictState.CANCELLED


def test_without_expectation_the_run_is_judged_by_itself() -> None:
    found = judged(replace(case(ROME), expectation=None), turn(0, weather()), SAY)

    assert (found.verdict.state, found.verdict.basis, found.strict) == (PASS, Basis.INTRINSIC, True)
    assert found.needed is None


def test_an_empty_expectation_expects_nothing_to_be_called() -> None:
    """The reader of case files refuses it; a made-up one must not raise."""
    odd = replace(case(ROME), expectation=Expectation())

    assert judged(odd, SAY).verdict.state is PASS
    assert codes(judged(odd, turn(0, weather()), SAY)) == ("decision.extra_call",)


@pytest.mark.parametrize("code", ["unread_call", "unknown_format", "wrong_family"])
def test_unread_attempt_is_neither_refusal_nor_missing_call(code: str) -> None:
    step = runs.step(0, "x", problems=[runs.problem(code)], shown="x")
    found = judged(case(), step, answer="x")
    assert (found.verdict.state, codes(found)[0]) == (FAIL, f"parse.{code}")
    assert (found.decision, found.called) == (Mark.WRONG, True)
    found = judged(case(ROME), step, answer="x")
    assert (found.verdict.state, codes(found)[0]) == (FAIL, f"parse.{code}")
    assert "decision.no_call" not in codes(found)
    assert (found.decision, found.called) == (Mark.RIGHT, True)


def test_a_refusal_in_the_formats_own_way_is_an_answer() -> None:
    told = ParseProblem("declined", Span(0, 23), "The model says by 'no_function' that it calls no tool.")
    step = runs.step(0, '{"name": "no_function"}', problems=[told], shown="")
    found = judged(case(), step, answer="")
    assert (found.verdict.state, codes(found)) == (PASS, ())
    assert found.decision is Mark.RIGHT
    found = judged(case(ROME), step, answer="")
    assert codes(found) == ("decision.no_call",)


def test_the_answer_alone_may_be_asked_for() -> None:
    wanted = replace(case(), expectation=Expectation(answer_contains=("degrees",)))

    for turns in ([SAY], [turn(0, weather()), SAY]):
        found = judged(wanted, *turns)
        assert (found.verdict.state, found.decision, found.needed) == (PASS, Mark.NOT_ASKED, None)
    assert codes(judged(wanted, SAY, answer="Fine.")) == ("decision.wrong_answer",)
