from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.core.batch import RunSample
from workbench.core.verdict import VerdictState
from workbench.grading.honesty import CellState, Heat, heat, not_comparable, several
from workbench.grading.rates import Rate

STATES = {
    "p": VerdictState.PASS,
    "f": VerdictState.FAIL,
    "e": VerdictState.ERROR,
    "c": VerdictState.CANCELLED,
    "n": VerdictState.NOT_GRADABLE,
}


@pytest.mark.parametrize(
    ("word", "state"),
    [
        ("ppp", CellState.PASS),
        ("fff", CellState.FAIL),
        ("ppf", CellState.FLAKY),
        ("pp", CellState.TOO_FEW),
        ("ff", CellState.TOO_FEW),
        ("ppeee", CellState.TOO_FEW),
        ("pppe", CellState.PASS),
        ("eec", CellState.ERROR),
        ("c", CellState.CANCELLED),
        ("n", CellState.NOT_GRADABLE),
        ("", CellState.NOT_ASKED),
    ],
)
def test_several_runs_together(word: str, state: CellState) -> None:
    assert several([STATES[letter] for letter in word]) is state


@pytest.mark.parametrize(
    ("rate", "colour"),
    [
        (Rate(10, 10), Heat.HIGH),
        (Rate(3, 3), Heat.MID),
        (Rate(5, 10), Heat.NONE),
        (Rate(0, 10), Heat.LOW),
        (Rate(2, 2), Heat.NONE),
        (Rate(0, 2), Heat.NONE),
    ],
)
def test_colour_shows_the_lower_bound(rate: Rate, colour: Heat) -> None:
    assert heat(rate) is colour


def test_other_versions_are_not_comparable() -> None:
    one = RunSample(parser="1", grader="1", tools="t", case="c", model="m", match="strict order")

    assert not_comparable([one], [one]) == ()
    assert not_comparable([one], [replace(one, parser="2")]) == ("the parser's version",)
    assert not_comparable([one], [replace(one, model="other")]) == ()
    assert not_comparable([one], [replace(one, model="other")], compared=()) == ("the served model",)
    assert not_comparable([one], []) == ()
    assert not_comparable([one], [replace(one, tools="")]) == ()
