from __future__ import annotations

from dataclasses import replace

from tests.kit.exports import CALL, ROME, weather_case
from workbench.core.case import Expectation
from workbench.pytest_plugin.checking import wrong_calls

PARIS = {"name": "get_weather", "arguments": {"city": "Paris"}}


def test_expected_calls_are_no_problem() -> None:
    assert wrong_calls([ROME], weather_case()) == []
    assert wrong_calls(CALL, weather_case()) == []
    assert wrong_calls([ROME], [ROME]) == []
    assert wrong_calls("Hello!", weather_case(no_call=True)) == []
    assert wrong_calls([], []) == []
    assert wrong_calls([PARIS], Expectation(any_call=True)) == []


def test_wrong_argument_is_told_beside_what_was_made() -> None:
    assert wrong_calls([PARIS], weather_case()) == [
        "Weather: not the expected calls.",
        "  get_weather.city is 'Paris' instead of 'Rome'.",
        "  expected: get_weather",
        "  made: get_weather(city='Paris')",
    ]


def test_lost_call_is_told() -> None:
    lines = wrong_calls("<tool_call>{broken</tool_call>", weather_case(), format="qwen_xml")
    assert any("was expected" in line for line in lines)
    assert len(lines) > 4
    assert wrong_calls("<tool_call>{broken</tool_call>", weather_case(no_call=True), format="qwen_xml")


def test_words_of_the_answer_and_forbidden_tools_are_checked() -> None:
    asks = Expectation(must_ask=True, answer_contains=("which",))
    assert wrong_calls("Which city?", asks) == []
    assert "The right decision was to ask back" in " ".join(wrong_calls("which city.", asks))
    lines = wrong_calls([ROME], Expectation(must_not_call=("get_weather",)))
    assert "  get_weather was called, and must not be here." in lines
    assert wrong_calls("x", Expectation(any_call=True))[1] == "  No call was made; some call was expected."


def test_any_of_several_ways_is_right() -> None:
    case = weather_case()
    assert case.expectation is not None
    either = replace(case, expectation=Expectation(one_of=(case.expectation, Expectation(no_call=True))))
    assert wrong_calls([ROME], either) == wrong_calls("Hi", either) == []
    assert wrong_calls([PARIS], either)


def test_case_without_expectation_checks_nothing_and_says_so() -> None:
    assert wrong_calls([ROME], replace(weather_case(), expectation=None)) == [
        "The case 'weather' expects nothing, so nothing can be checked."
    ]


def test_defaults_of_the_given_tools_count() -> None:
    tools = [{"name": "get_weather", "parameters": {"type": "object", "properties": {"days": {"default": 1}}}}]
    with_days = {"name": "get_weather", "arguments": {"city": "Rome", "days": 1}}
    assert wrong_calls([with_days], [ROME], tools=tools) == []
    assert wrong_calls([with_days], [ROME])
