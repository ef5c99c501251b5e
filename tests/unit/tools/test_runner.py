from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.kit import runs
from workbench.core.errors import ToolError
from workbench.core.tools import CallPlace, MockRule, ToolMode, ToolResult, ToolSetup, ToolSource
from workbench.tools.mocks import mock_result
from workbench.tools.runner import Tools


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
def test_broken_template_is_a_failed_result(template: str) -> None:
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

    tools = Tools(sleep=sleep)
    for rule in (MockRule(delay_ms=1500), MockRule("failing", delay_ms=20), MockRule("fixed", 1)):
        asyncio.run(tools.run(ToolSetup(runs.WEATHER, ToolMode.MOCK, rule), runs.call()))

    assert slept == [1.5, 0.02]


def test_recorded_calls_have_no_result() -> None:
    assert run(MockRule("fixed", 3), mode=ToolMode.RECORD) == ToolResult(True, None, None, ToolMode.RECORD)


class Executes:
    """Executes by calling a function with the arguments."""

    def __init__(self, work: Callable[[dict[str, Any]], ToolResult]) -> None:
        self._work = work

    async def execute(self, setup: ToolSetup, arguments: dict[str, Any], place: CallPlace) -> ToolResult:
        return self._work(arguments)


def execute(work: Callable[[dict[str, Any]], ToolResult], mode: ToolMode = ToolMode.RUN) -> ToolResult:
    setup = ToolSetup(runs.WEATHER, mode, source=ToolSource("python", "/x/repo_tools.py"))
    return asyncio.run(Tools({"python": Executes(work)}).run(setup, runs.call()))


def test_result_names_mode_and_executor() -> None:
    result = execute(lambda arguments: ToolResult(True, arguments), ToolMode.ASK)
    assert (result.result, result.source, result.by) == ({"city": "Lima"}, ToolMode.ASK, "repo_tools.py")


def test_a_refusal_is_a_failed_result() -> None:
    def refuse(arguments: dict[str, Any]) -> ToolResult:
        raise ToolError("The server is gone.", hint="Start it.")

    result = execute(refuse)
    assert (result.success, result.error, result.trace) == (False, "The server is gone. Start it.", "")


def test_a_fault_is_short_for_the_model_and_whole_for_the_author() -> None:
    def fail(arguments: dict[str, Any]) -> ToolResult:
        raise ZeroDivisionError("secret detail")

    result = execute(fail)
    assert result.error == "The tool failed: ZeroDivisionError."
    assert "secret detail" in result.trace


def test_without_an_executor_run_fails_and_ask_is_answered_by_the_mock() -> None:
    assert "Nothing executes" in str(run(MockRule("fixed", 3), mode=ToolMode.RUN).error)
    asked = run(MockRule("fixed", 3), mode=ToolMode.ASK)
    assert (asked.result, asked.source) == (3, ToolMode.MOCK)


def test_a_result_does_not_change_with_its_rule() -> None:
    assert mock_result(MockRule("fixed", {"a": 1}), runs.call()).result == {"a": 1}
