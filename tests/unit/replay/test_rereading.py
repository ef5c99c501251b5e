"""Events with other readings: the calls that follow from them, judged as if they had been made."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit import batches
from tests.kit.playback import CALL, play, reply
from workbench.core.calls import Outcome, ParsedCall, ParseResult, Span
from workbench.core.events import RunEvent, RunStarted, StepFinished, StepStarted, ToolFinished, ToolStarted
from workbench.core.run_summary import summarize
from workbench.core.verdict import VerdictState
from workbench.formats import get_format
from workbench.grading.expectation import judge_case
from workbench.replay.rereading import read_today, stored_replies, with_readings
from workbench.schema import JsonSchemaChecker

CHECK = JsonSchemaChecker()
GOOD = play(reply(CALL), reply("It is clear."))


def call(name: str = "get_weather", *repairs: str, **arguments: object) -> ParsedCall:
    span = Span(0, 9)
    return ParsedCall(name, arguments, "call_1", Outcome.STRICT, repairs, span, span, span, "qwen_xml")


def read_as(*calls: ParsedCall) -> list[RunEvent]:
    return with_readings(GOOD, {0: ParseResult(calls, "Look: <tool_call>", "", (), "qwen_xml")}, CHECK)


def made(events: list[RunEvent]) -> list[tuple[str, dict[str, object]]]:
    return [(event.name, event.arguments) for event in events if isinstance(event, ToolStarted)]


def test_without_another_reading_nothing_changes() -> None:
    assert with_readings(GOOD, {}, CHECK) == GOOD


def test_reread_calls_replace_recorded_calls() -> None:
    events = read_as(call(city="Oslo"), call(city="Rome"))
    assert made(events) == [("get_weather", {"city": "Oslo"}), ("get_weather", {"city": "Rome"})]
    unknown, recorded = [event.result for event in events if isinstance(event, ToolFinished)]
    assert "never run" in str(unknown.result)
    assert recorded.result == {"sky": "clear"}
    steps = [event for event in events if isinstance(event, StepFinished)]
    assert "<tool_call>" not in steps[0].reply.sanitized
    assert steps[1] == next(event for event in GOOD if isinstance(event, StepFinished) and event.step == 1)


@pytest.mark.parametrize(
    ("calls", "state"),
    [
        ((call(city="Rome"),), VerdictState.PASS),
        ((call(city="Oslo"),), VerdictState.FAIL),
        ((), VerdictState.FAIL),
        ((call(),), VerdictState.FAIL),
        ((call(city="Rome"), call(city="Rome")), VerdictState.FAIL),
    ],
)
def test_case_judges_the_reread_run(calls: tuple[ParsedCall, ...], state: VerdictState) -> None:
    assert judge_case(summarize(read_as(*calls)), batches.case("rome"), CHECK).verdict.state is state


def test_schema_violations_are_not_executed() -> None:
    (finished,) = [event for event in read_as(call(town="Rome")) if isinstance(event, ToolFinished)]
    assert [problem.name for problem in finished.problems] == ["get_weather"]


def test_reread_run_has_only_executable_calls() -> None:
    assert made(read_as(call("delete_all"), call(city="Rome"))) == [("get_weather", {"city": "Rome"})]
    several = (call("get_weather", "extra_calls", city="Rome"), call(city="Oslo"))
    assert made(read_as(*several)) == [("get_weather", {"city": "Rome"})]


def test_a_record_without_a_beginning_keeps_its_readings_alone() -> None:
    headless = [event for event in GOOD if not isinstance(event, RunStarted)]
    found = with_readings(headless, {0: ParseResult((call(city="Oslo"),))}, CHECK)
    assert made(found) == []


def test_a_run_is_read_today_as_the_store_would_give_it_out() -> None:
    assert read_today(GOOD, CHECK) == (GOOD, 0)
    forgotten = [
        replace(event, reply=replace(event.reply, result=ParseResult(text="", format="qwen_xml")))
        if isinstance(event, StepFinished) and event.step == 0
        else event
        for event in GOOD
    ]
    found, moved = read_today(forgotten, CHECK)
    assert moved == 1
    assert made(found) == [("get_weather", {"city": "Rome"})]
    assert [reply.step for reply in stored_replies(GOOD)] == [0, 1]
    assert list(stored_replies(GOOD[1:])) == []


def test_a_call_that_todays_reading_loses_is_not_shown() -> None:
    raw = "It may rain.\n\n<<get_weather city='Rome'>>"
    started = GOOD[0]
    assert isinstance(started, RunStarted)
    lost = get_format("qwen_xml").parse(raw, [setup.spec for setup in started.tools])
    replied = [
        replace(event, reply=replace(event.reply, text=raw)) if isinstance(event, StepFinished) else event
        for event in GOOD
    ]
    shown = [
        event.reply.sanitized for event in with_readings(replied, {0: lost}, CHECK) if isinstance(event, StepFinished)
    ]
    assert shown[0].strip() == "It may rain."
    headless = with_readings(replied[1:], {0: lost}, CHECK)
    assert next(event for event in headless if isinstance(event, StepFinished)).reply.sanitized == raw


def test_missing_format_keeps_its_reading() -> None:
    first = GOOD[0]
    assert isinstance(first, RunStarted)
    gone = [replace(first, executor=replace(first.executor, format="of-yesterday")), *GOOD[1:]]
    assert read_today(gone, CHECK) == (gone, 0)


def test_native_rereading_keeps_calls_beyond_the_first() -> None:
    """Only a text format for one call stops after the first."""
    native = play(reply("Hm."), format_id="native_openai")
    calls = (call("get_weather", "extra_calls", city="Rome"), call("get_weather", "extra_calls", city="Oslo"))
    readings = {0: ParseResult(calls, "", "", (), "react")}
    assert len(made(with_readings(native, readings, CHECK))) == 2
    assert len(made(with_readings(GOOD, readings, CHECK))) == 1


def test_a_step_read_again_holds_the_reading_and_a_call_that_was_never_run() -> None:
    reading = ParseResult((call(city="Oslo"),), "Look: <tool_call>", "", (), "qwen_xml")
    events = with_readings(GOOD, {0: reading}, CHECK)
    step = next(event for event in events if isinstance(event, StepFinished))
    assert step.reply.result == reading
    begun = next(event for event in events if isinstance(event, ToolStarted))
    (ended,) = [event for event in events if isinstance(event, ToolFinished)]
    assert (begun.step, begun.index, begun.call_id, begun.at_us) == (0, 0, "call_1", step.at_us)
    assert (ended.step, ended.index, ended.call_id, ended.at_us) == (0, 0, "call_1", step.at_us)
    assert (ended.result.success, ended.result.result) == (
        True,
        "It was never run: the record knows no result of this call.",
    )


def test_replies_are_given_out_with_all_that_a_reading_needs() -> None:
    first = GOOD[0]
    assert isinstance(first, RunStarted)
    (one, two) = stored_replies(GOOD)
    assert (one.number, one.run_id, one.step, one.format) == (0, first.run_id, 0, "qwen_xml")
    assert (one.policy, one.parser_version, one.flags) == ("tolerant", first.parser_version, first.executor.family)
    assert (one.text, one.finish_reason, one.tools) == (CALL, "stop", tuple(setup.spec for setup in first.tools))
    assert (two.step, two.text) == (1, "It is clear.")
    unasked = [event for event in GOOD if not isinstance(event, StepStarted)]
    assert list(stored_replies(unasked)) == []
    boosted = play(reply(CALL), reply("Done."), planner=[reply("GUIDANCE:\n1. get_weather Rome")])
    assert [reply.text for reply in stored_replies(boosted)] == [CALL, "Done."]


def test_a_result_is_that_of_the_same_tool_with_the_same_arguments() -> None:
    first = GOOD[0]
    assert isinstance(first, RunStarted)
    more = [
        replace(
            first, tools=(*first.tools, replace(first.tools[0], spec=replace(first.tools[0].spec, name="get_rain")))
        ),
        *GOOD[1:],
    ]
    found = with_readings(
        more, {0: ParseResult((call("get_rain", city="Rome"), call(city="Rome")), "", "", (), "qwen_xml")}, CHECK
    )
    unknown, known = [event.result.result for event in found if isinstance(event, ToolFinished)]
    assert str(unknown).startswith("It was never run")
    assert known == {"sky": "clear"}
