from __future__ import annotations

import pytest

from workbench.core.case import Expectation, ExpectedCall, Matching, PathChecks
from workbench.grading.modes import MODES
from workbench.grading.rules import rule_of

CALLS = (ExpectedCall("f"),)


@pytest.mark.parametrize(
    ("expectation", "rule"),
    [
        (None, "intrinsic"),
        (Expectation(no_call=True), "no call"),
        (Expectation(CALLS), "strict order"),
        (Expectation(CALLS, order="any", extra_calls=True), "any order, further calls allowed"),
        (Expectation(CALLS, names_only=True, missing_calls=True), "strict order, names only, not all needed"),
        (Expectation(CALLS, matching=Matching("folded", "widening", 0.5, coerced=True, defaults=False)),
         "strict order; text folded, numbers by widening, numbers within 0.5, text forms allowed, no schema defaults"),
        (Expectation(no_call=True, matching=MODES["bfcl"]),
         "no call; bfcl (text letters, numbers by widening, no schema defaults, values as written)"),
        (Expectation(any_call=True, must_not_call=("rm",)), "any call, never rm"),
        (Expectation(must_ask=True, answer_regex="a", path=PathChecks(max_steps=2)), "asks back; answer checked, path checked"),
        (Expectation(one_of=(Expectation(CALLS), Expectation(no_call=True))), "strict order or no call"),
    ],
)  # fmt: skip
def test_rule_in_words(expectation, rule: str) -> None:
    assert rule_of(expectation) == rule
