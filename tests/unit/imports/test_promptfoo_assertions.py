from __future__ import annotations

import re
from typing import Any

import pytest

from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall, PathChecks
from workbench.imports.promptfoo_assertions import expectation_of


@pytest.mark.parametrize(
    ("assertion", "expected"),
    [
        ({"type": "is-valid-openai-tools-call"}, Expectation(any_call=True)),
        ({"type": "tool-call-f1", "value": "a, b"}, Expectation((ExpectedCall("a"), ExpectedCall("b")), "any", names_only=True)),
        ({"type": "trajectory:tool-used", "value": {"name": "a"}},
         Expectation((ExpectedCall("a"),), "any", names_only=True, extra_calls=True)),
        ({"type": "not-trajectory:tool-used", "value": "a"}, Expectation(must_not_call=("a",))),
        ({"type": "trajectory:tool-sequence", "value": {"steps": ["a", {"name": "b"}]}}, Expectation(path=PathChecks(tools=("a", "b")))),
        ({"type": "trajectory:tool-args-match", "value": {"name": "a", "args": {"x": 1}}},
         Expectation((ExpectedCall("a", {"x": ExpectedArgument((1,))}, extra_arguments=True),), "any", extra_calls=True)),
        ({"type": "icontains-all", "value": ["a", "b"]}, Expectation(answer_contains=("a", "b"))),
        ({"type": "not-contains", "value": "a"}, Expectation(answer_lacks=("a",))),
        ({"type": "regex", "value": r"\d"}, Expectation(answer_regex=r"\d")),
        ({"type": "assert-set", "assert": [{"type": "contains", "value": "a"}]}, Expectation(answer_contains=("a",))),
    ],
)  # fmt: skip
def test_assertions_that_can_be_carried(assertion: dict[str, Any], expected: Expectation) -> None:
    assert expectation_of([assertion]) == (expected, [])


@pytest.mark.parametrize(
    "assertion",
    [{"type": "javascript", "value": "true"}, {"type": "llm-rubric", "value": "kind"}, {"type": "cost", "threshold": 1},
     {"type": "regex", "value": "("}, {"type": "contains"}, {"type": "tool-call-f1", "value": ["a"], "threshold": 0.5},
     {"type": "equals", "value": {"a": 1}}, {"value": 1}, "x"],
)  # fmt: skip
def test_the_rest_is_named(assertion: Any) -> None:
    found, left_out = expectation_of([assertion])
    assert found is None
    assert len(left_out) == 1


def test_several_demands_on_the_answer_hold_together() -> None:
    found, _ = expectation_of(
        [{"type": "starts-with", "value": "It"}, {"type": "icontains-any", "value": ["sun", "rain."]}]
    )
    assert found is not None
    assert re.search(found.answer_regex, "It will be\nSUN")
    assert not re.search(found.answer_regex, "It will be rainy")
    assert not re.search(found.answer_regex, "sun, It is")
    equals, _ = expectation_of([{"type": "equals", "value": "a.b"}])
    assert equals is not None
    assert re.search(equals.answer_regex, " a.b\n")
    assert not re.search(equals.answer_regex, "a.bc")


def test_certain_calls_are_more_than_some_call() -> None:
    found, _ = expectation_of([{"type": "is-valid-openai-tools-call"}, {"type": "tool-call-f1", "value": ["a"]}])
    assert found is not None
    assert (found.any_call, len(found.calls)) == (False, 1)
