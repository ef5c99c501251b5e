from __future__ import annotations

from typing import Any

import pytest

from tests.kit import runs
from workbench.core.tools import ArgumentRule, MockRule, ToolResult
from workbench.tools.mocks import chosen_rule, fits, mock_result, recorded_rules

FIRST, SECOND = MockRule("fixed", 1), MockRule("failing", error="busy")


@pytest.mark.parametrize(("earlier", "expected"), [(0, FIRST), (1, SECOND), (7, SECOND)])
def test_a_sequence_goes_on_and_stays_at_its_last(earlier: int, expected: MockRule) -> None:
    assert chosen_rule(MockRule("sequence", steps=(FIRST, SECOND)), runs.call(), earlier) == expected


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ({}, True),
        ({"city": "Rome"}, True),
        ({"city": "rome"}, False),
        ({"city": {"pattern": "^R"}}, True),
        ({"city": {"pattern": "^L"}}, False),
        ({"days": {"minimum": 2, "maximum": 3}}, True),
        ({"days": {"minimum": 4}}, False),
        ({"days": {"maximum": 2}}, False),
        ({"days": 3.0}, False),
        ({"flag": 1}, False),
        ({"country": {"present": False}}, True),
        ({"city": {"present": False}}, False),
        ({"country": "IT"}, False),
        ({"where": {"lat": 1}}, True),
    ],
)
def test_rules_look_at_arguments(when: dict[str, Any], expected: bool) -> None:
    arguments = {"city": "Rome", "days": 3, "flag": True, "where": {"lat": 1}}
    assert fits(ArgumentRule(when, FIRST), arguments) is expected


def test_first_matching_mock_rule_or_echo() -> None:
    rule = MockRule("rules", rules=(ArgumentRule({"city": "Oslo"}, FIRST), ArgumentRule({"city": "Rome"}, SECOND)))
    assert chosen_rule(rule, runs.call(arguments={"city": "Rome"})) == SECOND
    assert chosen_rule(rule, runs.call(arguments={"city": "Lima"})) == MockRule()
    nested = MockRule("rules", rules=(ArgumentRule({}, MockRule("sequence", steps=(FIRST, SECOND))),))
    assert chosen_rule(nested, runs.call(), 1) == SECOND


def test_a_real_result_becomes_the_answer_for_the_same_arguments() -> None:
    real = ToolResult(True, {"t": 21})
    rule = recorded_rules(MockRule("fixed", "old"), {"city": "Rome"}, real)
    rule = recorded_rules(rule, {"city": "Rome"}, ToolResult(False, None, "gone"))

    said = {
        city: mock_result(chosen_rule(rule, runs.call(arguments={"city": city})), runs.call())
        for city in ("Rome", "Oslo")
    }

    assert said["Rome"].error == "gone"
    assert said["Oslo"].result == "old"
    assert len(rule.rules) == 2
