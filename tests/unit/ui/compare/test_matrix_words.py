from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.kit.batches import batch, case
from tests.kit.comparing import COLUMNS, cell, column, made_cell, row
from workbench.core.target import Policy, Sampling
from workbench.grading.comparison import compare
from workbench.grading.honesty import CellState
from workbench.ui.compare.matrix_words import (
    cell_tip,
    column_label,
    column_note,
    headline,
    pair_note,
    planned,
    rate_words,
    row_note,
    split_sentence,
    total_words,
    underline,
    word_of,
)

if TYPE_CHECKING:
    from workbench.grading.matrix import Cell


@pytest.mark.parametrize(
    ("one", "upper", "lower"),
    [
        (cell(7), "7 / 10", ""),
        (made_cell("too_few", 2, 2), "2 / 2", "too few"),
        (made_cell("too_few", 1, 2, left=8), "1 / 2", "8 to come"),
        (made_cell("error", errors=10, codes=(("provider.429", 10),)), "error", "429, 10 of 10"),
        (made_cell("error", errors=2), "error", "no answer, 2 of 2"),
        (made_cell("cancelled", 3, 4, left=6), "stopped", "4 of 10 ran"),
        (made_cell("not_gradable", ungraded=5, clean=4), "4 / 5", "clean, ungraded"),
        (made_cell("running", left=10), "running", "0 of 10 ran"),
        (made_cell(), "not asked", ""),
    ],
)
def test_both_lines_of_a_cell(one: Cell, upper: str, lower: str) -> None:
    assert (headline(one), underline(one)) == (upper, lower)


def test_no_rate_without_n_and_none_with_too_few_runs() -> None:
    assert rate_words(cell(7)) == "7 of 10 passed, 95 %: 40–89 %"
    assert "95 %" not in rate_words(made_cell("too_few", 2, 2))
    assert rate_words(made_cell("error", errors=3)) == ""


def test_errors_are_told_with_their_bounds() -> None:
    words = rate_words(made_cell("pass", 4, 4, (0.5, 1.0), bounds=(4 / 6, 1.0), errors=2))
    assert words.endswith("with 2 left-out errors between 67 % and 100 %")


def test_tool_tip_names_the_verdict() -> None:
    told = cell_tip(
        row("weather", "two"),
        COLUMNS[0],
        made_cell("flaky", 3, 5, errors=1, left=2, flipped=True, codes=(("decision.x", 2),)),
    )
    assert told.startswith("weather: flaky\nqwen-hasty · qwen_xml · direct")
    assert all(part in told for part in ("1 errors", "2 to come", "2 × decision.x", "flipped"))
    assert word_of(CellState.TOO_FEW) == "too few"


def test_a_total_without_graded_runs_says_so() -> None:
    assert total_words(column()) == ("–", "none graded")
    assert total_words(COLUMNS[0]) == ("75 %", "63–86")


def test_cell_has_its_planned_repeats() -> None:
    assert planned(made_cell("flaky", 2, 4, errors=3, cancelled=1, ungraded=1, left=1)) == 10


def test_target_has_name_and_distinguishing_details() -> None:
    assert column_label(COLUMNS[3]) == "qwen-hasty · qwen_xml · boost"
    assert column_note(COLUMNS[3]) == "planner Simulator/plain"
    hot = replace(COLUMNS[0].value, sampling=Sampling(temperature=0.5), policy=Policy.STRICT)
    assert column_note(replace(COLUMNS[0], value=hot)) == "policy strict, temperature 0.5"


def test_the_second_line_of_a_case() -> None:
    one = row("a", "")
    notes = [
        row_note(replace(one, case=made))
        for made in (
            case("a"),
            case("a", no_call=True),
            replace(case("a"), tags=("one", "two")),
            replace(case("a"), expectation=None),
        )
    ]
    assert notes == ["get_weather", "no call expected", "one, two", "no expectation"]


def test_a_sentence_is_cut_before_its_bracket() -> None:
    assert split_sentence("B better (paired): x (y)") == ("B better", "(paired): x (y)")
    assert split_sentence("Nothing in common.") == ("Nothing in common.", "")


def test_pair_names_the_number_of_comparisons() -> None:
    made = batch({"a": ["sss", "fff"]})
    assert pair_note(compare(made, 0, 1)) == ""
    assert pair_note(compare(made, 0, 1).among(3)) == "Holm over 3 pairs"
    assert pair_note(compare(made, 0, 1).among(210)) == "Bonferroni over 210 pairs"
