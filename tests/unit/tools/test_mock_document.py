from __future__ import annotations

from typing import Any

import pytest

from workbench.core.tools import ArgumentRule, MockRule
from workbench.tools.mock_document import ToolsetError, mock_rule, mock_to_json

RULES = MockRule(
    "rules",
    rules=(
        ArgumentRule(
            {"city": "Rome"}, MockRule("sequence", steps=(MockRule("failing", error="busy"), MockRule("fixed", 1)))
        ),
        ArgumentRule({"city": {"pattern": "^O"}}, MockRule("template", "{{ arguments.city }}", delay_ms=5)),
        ArgumentRule({}, MockRule()),
    ),
)


@pytest.mark.parametrize(
    "rule",
    [
        MockRule(),
        MockRule("fixed", {"a": None}, delay_ms=7),
        MockRule("fixed", [1], recorded=True),
        MockRule("failing", error="no", recorded=True),
        MockRule("sequence", steps=(MockRule("fixed", None), MockRule())),
        RULES,
    ],
)
def test_a_mock_is_read_back_as_it_was(rule: MockRule) -> None:
    assert mock_rule(mock_to_json(rule)) == rule


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"sequence": []}, "'sequence' is not a list"),
        ({"sequence": "x"}, "'sequence' is not a list"),
        ({"rules": [{}]}, r"rules\[0\] is not a rule"),
        ({"rules": [{"when": [], "then": 1}]}, "is not a rule"),
        ({"rules": [{"when": {"a": {"pattern": "("}}, "then": 1}]}, "'a' is no regular expression"),
        ({"sequence": [{"result": 1, "delay_ms": -1}]}, r"sequence\[0\]: 'delay_ms'"),
        ({"kind": "magic"}, "no mock kind 'magic'"),
    ],
)
def test_a_mock_that_cannot_be_used_is_named(value: Any, said: str) -> None:
    with pytest.raises(ToolsetError, match=said):
        mock_rule(value)


def test_mocks_inside_of_mocks_have_an_end() -> None:
    value: Any = 1
    for _ in range(20):
        value = {"sequence": [value]}
    with pytest.raises(ToolsetError, match="deep"):
        mock_rule(value)
