from __future__ import annotations

from dataclasses import replace

from tests.kit.exports import CALL, exported, weather_case
from tests.kit.fakes import Reply
from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall, PathChecks
from workbench.core.tools import MockRule
from workbench.core.versions import PARSER_VERSION
from workbench.export.sample_cases import checkable, not_in_one_reply, sample_cases, unchecked, ways
from workbench.grading.modes import MODES


def test_runs_of_one_case_are_one_sample() -> None:
    runs = [exported(Reply(CALL), Reply("Sunny."), case=weather_case()) for _ in range(2)]
    other = exported(Reply("Hi."), case=replace(weather_case(no_call=True), id="Weather"))
    first, second = sample_cases([*runs, other])
    assert (first.id, len(first.runs), first.confirmed) == ("weather", 2, True)
    assert (second.id, second.expectation) == ("weather-2", Expectation(no_call=True))
    assert first.messages == [{"role": "user", "content": "Weather in Rome?"}]
    assert [tool["function"]["name"] for tool in first.tools] == ["get_weather", "read_file"]


def test_without_a_case_the_reading_stands_there_unconfirmed() -> None:
    (read,) = sample_cases([exported(Reply(CALL), Reply("Sunny."))])
    rome = ExpectedCall("get_weather", {"city": ExpectedArgument(("Rome",))})
    assert read.expectation == Expectation((rome,))
    assert (read.confirmed, read.basis) == (False, f"as read by parser {PARSER_VERSION}, not confirmed")
    (lost,) = sample_cases([exported(Reply("<tool_call>\nthe weather\n</tool_call>"), Reply("?"))])
    assert lost.expectation is None
    assert lost.basis.endswith("a call was lost, so nothing is expected")


def test_what_one_reply_cannot_show_is_named() -> None:
    case = weather_case()
    assert case.expectation is not None
    demanding = replace(case.expectation, answer_contains=("sunny",), path=PathChecks(max_steps=2))
    mocked = replace(case.tools[0], mock=MockRule({"sky": "clear"}))
    (sample,) = sample_cases(
        [exported(Reply(CALL), Reply("ok"), case=replace(case, expectation=demanding, tools=(mocked,)))]
    )
    assert [one.field for one in not_in_one_reply(sample)] == ["expect.path", "expect.answer_contains", "mocks"]
    (plain,) = sample_cases([exported(Reply(CALL), Reply("ok"), case=case)])
    assert list(not_in_one_reply(plain)) == []


def test_ways_are_the_alternatives_of_an_expectation() -> None:
    one, other = Expectation(no_call=True), Expectation(any_call=True)
    assert ways(None) == ()
    assert ways(one) == (one,)
    assert ways(Expectation(one_of=(one, Expectation(one_of=(other,))))) == (one, other)


def test_rules_are_written_out_for_the_checks() -> None:
    assert checkable(Expectation(no_call=True)) == {"no_call": True}
    bfcl = Expectation((ExpectedCall("f"),), matching=MODES["bfcl"])
    (way,) = checkable(Expectation(one_of=(bfcl,)))["one_of"]
    assert "grading" not in way
    assert (way["matching"]["text"], way["matching"]["numbers"], way["matching"]["defaults"]) == (
        "letters",
        "widening",
        False,
    )


def test_rules_that_no_check_knows_are_named() -> None:
    nested = ExpectedArgument(items=(ExpectedArgument(("5L",), literal="java long"),))
    odd = Expectation((ExpectedCall("get_weather", {"city": nested}),), no_markers=True, matching=MODES["bfcl"])
    (sample,) = sample_cases([exported(Reply(CALL), Reply("ok"), case=replace(weather_case(), expectation=odd))])
    assert [one.field for one in unchecked(sample)] == ["expect.no_markers", "matching.as_written", "literal"]
