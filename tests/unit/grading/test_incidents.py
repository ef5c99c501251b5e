from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit import runs
from workbench.core.calls import Outcome, ParseResult, Span
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import StepFinished, StopReason
from workbench.core.exchange import Usage
from workbench.core.messages import Message, NativeCall
from workbench.core.run_summary import summarize
from workbench.grading.incidents import KINDS, Incident, incidents_of
from workbench.schema import JsonSchemaChecker

TEXT, REASONING, CALL0 = Span(0, 9), Span(0, 9, "reasoning"), Span(0, 9, "call:0")


def found(
    *step, native: bool = True, messages: tuple[Message, ...] | None = None, tools: bool = True
) -> list[Incident]:
    begun = runs.started() if tools else runs.started(tools=())
    begun = replace(begun, executor=replace(begun.executor, native=native))
    if messages is not None:
        begun = replace(begun, messages=messages)
    return list(incidents_of(summarize([begun, *step, runs.finished(stop=StopReason.RECORDED)]), JsonSchemaChecker()))


@pytest.mark.parametrize(
    ("code", "span", "native", "kind"),
    [
        ("bad_json", TEXT, False, "tool_call_dropped"),
        ("wrong_family", TEXT, True, "tool_markup_in_content"),
        ("truncated", REASONING, True, "tool_markup_in_reasoning"),
        ("bad_json", CALL0, True, "malformed_arguments"),
        ("unknown_tool", TEXT, False, "invented_tool"),
    ],
)
def test_lost_calls_by_position(code: str, span: Span, native: bool, kind: str) -> None:
    (one,) = found(*runs.step(0, problems=[runs.problem(code, span=span)]), native=native)
    assert (one.kind, one.mended, one.kind in KINDS) == (kind, False, True)


def test_ignored_attempts_are_no_incidents() -> None:
    assert found(*runs.step(0, problems=[runs.problem("mentioned", Outcome.IGNORED)])) == []


def test_a_call_lifted_out_of_the_text_is_mended() -> None:
    lifted = runs.call()._replace(span=TEXT, format="mistral_json")
    (one,) = found(*runs.step(0, calls=[lifted]))
    assert (one.kind, one.mended) == ("tool_markup_in_content", True)
    assert "mistral_json" in one.message


def test_a_mended_native_call() -> None:
    (one,) = found(
        *runs.step(0, calls=[runs.call("get_weather", {"city": "Rome"}, "trailing_comma")._replace(span=CALL0)])
    )
    assert (one.kind, one.mended) == ("malformed_arguments", True)


def test_a_text_format_may_be_repaired_without_an_incident() -> None:
    assert (
        found(*runs.step(0, calls=[runs.call("get_weather", {"city": "Rome"}, "trailing_comma")]), native=False) == []
    )


def test_arguments_against_the_schema() -> None:
    (one,) = found(*runs.step(0, calls=[runs.call("get_weather", {"city": 5})]), native=False)
    assert (one.kind, one.tool) == ("schema_violation", "get_weather")


def test_the_same_call_as_in_the_turn_before() -> None:
    before = (
        Message("user", "x"),
        Message("assistant", None, (NativeCall(0, "c", "get_weather", '{ "city":"Rome" }'),)),
    )
    (one,) = found(*runs.step(0, calls=[runs.call("get_weather", {"city": "Rome"})]), native=False, messages=before)
    assert one.kind == "repeated_call"


def test_tokens_without_any_output() -> None:
    *rest, last = runs.step(0)
    assert isinstance(last, StepFinished)
    empty = replace(last.reply, text="", native_calls=(), usage=Usage(5, 40))
    (one,) = found(*rest, replace(last, reply=empty))
    assert (one.kind, one.span) == ("all_output_lost", Span(0, 0))
    (one,) = found(*rest, replace(last, reply=replace(empty, finish_reason="tool_calls")))
    assert (one.kind, "40 tokens" in one.message) == ("tool_call_dropped", True)


def test_without_tools_there_is_nothing_to_lose() -> None:
    assert found(*runs.step(0, problems=[runs.problem("bad_json")]), tools=False) == []


WROTE = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'


def replied(**fields) -> list[Incident]:
    *rest, last = runs.step(0)
    assert isinstance(last, StepFinished)
    plain = replace(
        last.reply,
        text="",
        reasoning="",
        native_calls=(),
        result=ParseResult(),
        finish_reason="stop",
        usage=Usage(5, 40),
    )
    return found(*rest, replace(last, reply=replace(plain, **fields)))


def test_a_call_in_the_reasoning_of_a_reply_that_calls_nothing() -> None:
    (one,) = replied(reasoning=f"I call it. {WROTE}")
    assert (one.kind, one.tool, one.span) == (
        "tool_markup_in_reasoning",
        "get_weather",
        Span(11, 11 + len(WROTE), "reasoning"),
    )
    assert replied(reasoning='I think {"name": "get_weather", "arguments": {"city": "Rome"}} is the call.') == []
    assert (
        replied(
            reasoning=WROTE,
            result=ParseResult(calls=(runs.call("get_weather", {"city": "Rome"})._replace(span=CALL0),)),
        )
        == []
    )


def test_a_marker_that_was_left_behind_on_a_line_of_its_own() -> None:
    text = "Done.\n</tool_call>\nThat is all."
    (one,) = replied(text=text, result=ParseResult(text=text))
    assert (one.kind, one.span, one.mended) == ("tool_markup_in_content", Span(6, 18), False)
    for harmless in ("The tag </tool_call> ends it.", "```\n</tool_call>\n```\nThat is all.", "Done.\n</think>\nYes."):
        assert replied(text=harmless, result=ParseResult(text=harmless)) == []


def test_a_call_that_was_announced_and_did_not_come() -> None:
    assert [one.kind for one in replied(text="I look.", finish_reason="tool_calls")] == ["tool_call_dropped"]
    error = ErrorInfo(ErrorKind.MODEL_OUTPUT, "The call could not be read.")
    assert [one.kind for one in replied(error=error)] == ["tool_call_dropped"]


def test_a_turn_that_just_ends_lost_nothing() -> None:
    assert replied(usage=Usage(5, 3)) == []


def test_a_value_of_another_type_breaks_the_schema() -> None:
    call = runs.call("get_weather", {"city": "5"}, "schema_coerced")._replace(span=CALL0)
    assert [one.kind for one in replied(text="I look.", result=ParseResult(calls=(call,)))] == ["schema_violation"]
