from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.kit import runs
from workbench.core.tools import MockRule, ToolMode, ToolResult, ToolSetup
from workbench.tools.runner import Tools, mock_result


def run(rule: MockRule, arguments: dict[str, Any] | None = None, mode: ToolMode = ToolMode.MOCK) -> ToolResult:
    return asyncio.run(Tools().run(ToolSetup(runs.WEATHER, mode, rule), runs.call(arguments=arguments)))


def test_without_a_rule_the_answer_is_a_labelled_echo() -> None:
    result = run(MockRule())

    assert result.to_json() == {
        "success": True,
        "result": {"mock": "echo", "tool": "get_weather", "arguments": {"city": "Lima"}},
        "error": None,
    }
    assert result.source is ToolMode.MOCK


@pytest.mark.parametrize("value", [{"t": 21}, [1], "text", 0, None])
def test_a_fixed_result_is_given_as_it_is(value: Any) -> None:
    assert run(MockRule("fixed", value)) == ToolResult(True, value)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("It is warm in {{ arguments.city }}.", "It is warm in Rome."),
        ('{"city": {{ arguments.city | tojson }}, "id": "{{ call.id }}"}', {"city": "Rome", "id": "call_1"}),
        ("{{ call.name }}", "get_weather"),
        ("[1, 2", "[1, 2"),
        ("", ""),
    ],
)
def test_a_template_is_filled(template: str, expected: Any) -> None:
    assert run(MockRule("template", template), {"city": "Rome"}) == ToolResult(True, expected)


@pytest.mark.parametrize(
    "template",
    [
        "{{ arguments.nothing.more }}",
        "{{ unknown }}",
        "{% for %}",
        "{{ 1 / 0 }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ arguments.city.x() }}",
        "{{ arguments['city'] + 1 }}",
        "{% for i in range(10000000) %}x{% endfor %}",
    ],
)
def test_a_template_that_cannot_be_filled_is_a_failed_result(template: str) -> None:
    result = run(MockRule("template", template), {"city": "Rome"})

    assert not result.success
    assert result.error is not None
    assert "cannot be filled" in result.error


def test_a_failing_mock_fails_with_its_words() -> None:
    assert run(MockRule("failing", error="No network.")) == ToolResult(False, None, "No network.")
    assert run(MockRule("failing")).error == "The tool 'get_weather' failed, as it was set up to."


def test_a_delay_is_kept_with_any_kind() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    tools = Tools(sleep)
    for rule in (MockRule(delay_ms=1500), MockRule("failing", delay_ms=20), MockRule("fixed", 1)):
        asyncio.run(tools.run(ToolSetup(runs.WEATHER, ToolMode.MOCK, rule), runs.call()))

    assert slept == [1.5, 0.02]


def test_recorded_calls_have_no_result() -> None:
    assert run(MockRule("fixed", 3), mode=ToolMode.RECORD) == ToolResult(True, None, None, ToolMode.RECORD)


@pytest.mark.parametrize("mode", [ToolMode.ASK, ToolMode.RUN])
def test_what_is_not_available_yet_says_so(mode: ToolMode) -> None:
    result = run(MockRule("fixed", 3), mode=mode)

    assert not result.success
    assert result.source is mode
    assert result.error is not None
    assert "not available yet" in result.error


def test_a_result_does_not_change_with_its_rule() -> None:
    assert mock_result(MockRule("fixed", {"a": 1}), runs.call()).result == {"a": 1}
