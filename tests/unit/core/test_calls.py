from __future__ import annotations

import pytest

from workbench.core.calls import (
    DANGERS,
    NOTICE_CODES,
    REFUSAL_CODES,
    REPAIR_CODES,
    Danger,
    Outcome,
    ParsedCall,
    ParseProblem,
    ParseResult,
    Span,
    danger_of,
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


def test_every_repair_has_a_grade_and_a_reason() -> None:
    assert set(DANGERS) == REPAIR_CODES
    assert all(reason for _, reason in DANGERS.values())


def test_the_least_certain_repair_decides() -> None:
    assert danger_of(()) is Danger.SAFE
    assert danger_of(("trailing_comma",)) is Danger.SAFE
    assert danger_of(("trailing_comma", "wrong_family")) is Danger.LIKELY
    assert danger_of(("text_as_argument", "wrong_family")) is Danger.GUESS
    assert danger_of(("a_code_of_an_older_version",)) is Danger.LIKELY


def test_spans_meet_where_they_share_a_character_of_one_source() -> None:
    span = Span(3, 5)
    assert [span.meets(other) for other in (Span(0, 3), Span(0, 4), Span(4, 9), Span(5, 9), Span(3, 5, "reasoning"))] == [
        False, True, True, False, False,
    ]  # fmt: skip
