from __future__ import annotations

import pytest

from workbench.core.calls import (
    NOTICE_CODES,
    REFUSAL_CODES,
    REPAIR_CODES,
    Outcome,
    ParsedCall,
    ParseProblem,
    ParseResult,
    Span,
)

AT = Span(0, 1)


def call(outcome: Outcome) -> ParsedCall:
    return ParsedCall("f", {}, "call_1", outcome, (), AT, AT, AT, "x")


def problem(outcome: Outcome | None) -> ParseProblem:
    return ParseProblem("bad_json", AT, "m", outcome)


@pytest.mark.parametrize(
    ("calls", "problems", "worst"),
    [
        ((), (), Outcome.NONE),
        ((), (None,), Outcome.NONE),
        ((Outcome.STRICT,), (), Outcome.STRICT),
        ((Outcome.STRICT, Outcome.RECOVERED), (), Outcome.RECOVERED),
        ((Outcome.RECOVERED,), (Outcome.REPORTED,), Outcome.REPORTED),
        ((Outcome.STRICT,), (Outcome.IGNORED,), Outcome.IGNORED),
    ],
)
def test_a_replys_outcome_is_the_worst_of_its_attempts(calls: tuple, problems: tuple, worst: Outcome) -> None:
    result = ParseResult(tuple(map(call, calls)), problems=tuple(map(problem, problems)))
    assert result.outcome is worst
    assert len(result.lost) == problems.count(Outcome.REPORTED)


def test_codes_of_one_kind_are_not_codes_of_another() -> None:
    assert not REPAIR_CODES & REFUSAL_CODES
    assert not REPAIR_CODES & NOTICE_CODES
