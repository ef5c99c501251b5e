"""Bad habits of the tool loop, each by its code, and none where the loop is well behaved."""

from __future__ import annotations

import pytest

from tests.kit import runs
from tests.kit.engine_run import QWEN, end, events_of, only
from tests.kit.fakes import WEATHER, FakeClient, Reply, plan
from workbench.core.calls import ParsedCall
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import ToolFinished
from workbench.core.target import ModelRef, RunLimits, Target
from workbench.core.tools import MockRule, ToolMode, ToolResult, ToolSetup
from workbench.engine.habits import Habits, bounded
from workbench.tools.mocks import mock_result

ROME, OSLO = {"city": "Rome"}, {"city": "Oslo"}
SUNNY, RAINY = ToolResult(True, {"sky": "sunny"}, by="built-in"), ToolResult(True, {"sky": "rainy"}, by="built-in")


def call(arguments: dict[str, str]) -> ParsedCall:
    return runs.call(arguments=arguments)


def codes(*made: tuple[dict[str, str], ToolResult], answer: str = "It is sunny or rainy.") -> list[str]:
    habits = Habits()
    found = [code for arguments, result in made for code in habits.of_call(call(arguments), result)]
    return [*found, *habits.of_answer(answer)]


def test_the_same_call_with_the_same_result_is_a_repeat() -> None:
    assert codes((ROME, SUNNY), (ROME, SUNNY), (ROME, SUNNY)) == ["loop.repeated_call"]


def test_asking_again_is_fine_where_something_changed() -> None:
    assert codes((ROME, SUNNY), (ROME, RAINY), (OSLO, SUNNY)) == []
    assert codes((ROME, SUNNY), (ROME, RAINY), (ROME, SUNNY)) == []
    assert codes((ROME, SUNNY), (ROME, RAINY), (ROME, RAINY)) == ["loop.repeated_call"]


def test_two_calls_that_take_turns_oscillate() -> None:
    found = codes((ROME, SUNNY), (OSLO, RAINY), (ROME, SUNNY), (OSLO, RAINY))
    assert found == ["loop.repeated_call", "loop.oscillation"]


def test_of_thousands_of_calls_only_the_last_four_are_looked_at() -> None:
    habits = Habits()
    for number in range(100):
        habits.of_call(call({"city": str(number)}), ToolResult(True, "sunny"))
    assert len(habits._last) == 4


def test_an_answer_that_holds_nothing_of_a_result_ignores_it() -> None:
    assert codes((ROME, SUNNY), answer="I do not know.") == ["loop.ignored_result"]
    assert codes((ROME, SUNNY), answer="The sky is SUNNY today.") == []


def test_a_mocked_result_can_be_ignored_and_the_echo_of_a_call_cannot() -> None:
    mocked = mock_result(MockRule("fixed", {"sky": "sunny"}), call(ROME))
    assert codes((ROME, mocked), answer="I do not know.") == ["loop.ignored_result"]
    assert codes((ROME, mocked), answer="It is sunny.") == []
    for nothing in (mock_result(MockRule(), call(ROME)), ToolResult(True, None, None, ToolMode.RECORD)):
        assert codes((ROME, nothing), answer="I do not know.") == []


@pytest.mark.parametrize(
    ("answer", "early"),
    [
        ("Done. Next I'm going to delete the file.", True),
        ("Let me look that up…", True),
        ("I will now call the tool.", True),
        ("I looked it up: it is sunny.", False),
        ("I will be brief. It is sunny.", False),
        ("", False),
    ],
)
def test_a_call_that_is_announced_and_not_made_is_a_premature_stop(answer: str, early: bool) -> None:
    assert ("loop.premature_stop" in Habits().of_answer(answer)) is early


def test_a_huge_result_is_cut_for_the_model_and_named() -> None:
    cut = bounded(ToolResult(True, "x" * 1000, by="built-in"), 100)
    assert str(cut.result).startswith("x" * 100 + "\n[The result was too large")
    assert "loop.result_too_large" in Habits().of_call(call(ROME), cut)
    assert bounded(ToolResult(True, {"a": "x" * 1000}), 50).result.startswith('{"a": "xxx')
    assert bounded(SUNNY, 100) is SUNNY
    assert len(bounded(ToolResult(False, None, "e" * 1000), 100).error or "") == 100


def test_a_context_that_is_too_small_after_results_is_named() -> None:
    habits = Habits()
    error = ErrorInfo(ErrorKind.CONTEXT_LENGTH, "too long")
    assert habits.of_error(error) == []
    habits.of_call(call(ROME), SUNNY)
    assert habits.of_error(error) == ["loop.result_too_large"]


# limits of the loop


def ask(city: str = "Rome") -> Reply:
    return Reply(f'<tool_call>\n{{"name": "get_weather", "arguments": {{"city": "{city}"}}}}\n</tool_call>')


@pytest.mark.parametrize(
    ("limits", "calls", "reason"),
    [
        (RunLimits(calls=2), 2, "limit of 2 tool calls reached"),
        (RunLimits(tokens=30), 1, "limit of 30 tokens reached"),
        (RunLimits(seconds=0.02), 3, "limit of 0.02 seconds reached"),
        (RunLimits(iterations=3), 3, "iteration limit reached"),
        (RunLimits(cost=1.0), 5, "answered"),
    ],
)
def test_a_run_stops_at_its_limit_and_says_which(limits: RunLimits, calls: int, reason: str) -> None:
    client = FakeClient([*(ask(f"City {number}") for number in range(5)), Reply("Done.")])
    target = Target(ModelRef("fake", "fake-model"), QWEN.id, limits=limits)
    events = events_of(plan(client, QWEN, target=target, tools=(ToolSetup(WEATHER, ToolMode.MOCK),)))
    assert len(only(events, ToolFinished)) == calls
    assert end(events).reason == reason


def test_the_limit_of_calls_holds_within_one_reply() -> None:
    client = FakeClient([Reply(ask("A").text + "\n" + ask("B").text), Reply("Done.")])  # type: ignore[operator]
    target = Target(ModelRef("fake", "fake-model"), QWEN.id, limits=RunLimits(calls=1))
    events = events_of(plan(client, QWEN, target=target))
    assert len(only(events, ToolFinished)) == 1
    assert end(events).stop.value == "limit"


def test_limits_that_are_not_set_leave_a_target_its_identity() -> None:
    plain = Target(ModelRef("a", "b"))
    assert plain.identity() != Target(ModelRef("a", "b"), limits=RunLimits(calls=3)).identity()
    assert "calls" not in plain.identity()


def test_a_cut_result_of_a_tool_that_worked_has_no_error() -> None:
    assert bounded(ToolResult(True, "x" * 1000), 100).error is None


@pytest.mark.parametrize("value", [21, 3.5, [7, 21], {"low": {"degrees": 21}}])
def test_numbers_of_a_result_are_words_that_an_answer_may_hold(value: object) -> None:
    result = ToolResult(True, value, by="built-in")
    assert codes((ROME, result), answer="It has 21 degrees, or 3.5.") == []
    assert codes((ROME, result), answer="I do not know.") == ["loop.ignored_result"]


@pytest.mark.parametrize("value", [True, {"open": False}, [], None, "ok"])
def test_a_result_without_words_or_numbers_cannot_be_ignored(value: object) -> None:
    assert codes((ROME, ToolResult(True, value, by="built-in")), answer="I do not know.") == []


@pytest.mark.parametrize(
    ("result", "limit", "cut"),
    [
        (ToolResult(True, "abcde"), 5, ToolResult(True, "abcde")),
        (ToolResult(True, "abcde"), 4, ToolResult(True, "abcd\n[The result was too large and is cut: 5 characters, 4 are kept.]", notes=("The result was too large and is cut: 5 characters, 4 are kept.",))),
        (ToolResult(True, "a" * 2000), 0, ToolResult(True, "a" * 2000)),
        (ToolResult(True, "a" * 2000), -1, ToolResult(True, "a" * 2000)),
        (ToolResult(True, {"b": "ä", "a": 1}), 8, ToolResult(True, '{"a": 1,\n[The result was too large and is cut: 18 characters, 8 are kept.]', notes=("The result was too large and is cut: 18 characters, 8 are kept.",))),
        (ToolResult(False, None, "e" * 2000, notes=("n",)), 3, ToolResult(False, None, "eee", notes=("n", "The result was too large and is cut: 2,004 characters, 3 are kept."))),
        (ToolResult(True, "ab", "cd"), 4, ToolResult(True, "ab", "cd")),
    ],
)  # fmt: skip
def test_what_is_kept_of_a_result(result: ToolResult, limit: int, cut: ToolResult) -> None:
    assert bounded(result, limit) == cut


@pytest.mark.parametrize(
    ("calls", "found"),
    [
        ("ab", []), ("aa", ["loop.repeated_call"]), ("aaaa", ["loop.repeated_call"]), ("aba", ["loop.repeated_call"]),
        ("abab", ["loop.repeated_call", "loop.oscillation"]), ("abcab", ["loop.repeated_call"]), ("aabab", ["loop.repeated_call", "loop.oscillation"]),
    ],
)  # fmt: skip
def test_which_rows_of_calls_are_habits(calls: str, found: list[str]) -> None:
    assert (
        codes(*(({"city": one}, ToolResult(True, f"sunny in {one}", by="built-in")) for one in calls), answer="sunny")
        == found
    )


def test_the_same_call_is_the_same_in_whatever_order_its_arguments_stand() -> None:
    assert codes(({"a": "1", "b": "2"}, SUNNY), ({"b": "2", "a": "1"}, SUNNY)) == ["loop.repeated_call"]


@pytest.mark.parametrize("answer", ["", " \n"])
def test_an_empty_answer_ignores_nothing(answer: str) -> None:
    assert codes((ROME, SUNNY), answer=answer) == []


def test_values_far_inside_a_result_count_up_to_a_measure() -> None:
    deep: object = "needle"
    for _ in range(400):
        deep = [deep]
    assert codes((ROME, ToolResult(True, deep, by="built-in")), answer="I do not know.") == ["loop.ignored_result"]
    for _ in range(200):
        deep = [deep]
    assert codes((ROME, ToolResult(True, deep, by="built-in")), answer="I do not know.") == []


def test_of_a_failed_call_nothing_needs_to_be_used() -> None:
    failed = ToolResult(False, {"sky": "sunny"}, "It broke.", by="built-in")
    assert codes((ROME, failed), answer="I do not know.") == []


@pytest.mark.parametrize("answer", ["It is SUNNY.", "It is sunny."])
def test_letters_of_either_case_are_one_word(answer: str) -> None:
    assert codes((ROME, ToolResult(True, {"sky": "Sunny"}, by="built-in")), answer=answer) == []


def test_only_a_context_that_is_too_small_is_a_habit() -> None:
    habits = Habits()
    habits.of_call(call(ROME), SUNNY)
    assert habits.of_error(ErrorInfo(ErrorKind.RATE_LIMIT, "slow")) == []
