from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit import runs
from workbench.core.calls import Outcome, Span
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
    assert one.kind == "all_output_lost"


def test_without_tools_there_is_nothing_to_lose() -> None:
    assert found(*runs.step(0, problems=[runs.problem("bad_json")]), tools=False) == []
