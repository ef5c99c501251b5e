from __future__ import annotations

import pytest

from tests.kit.comparing import TARGETS, cell, matrix
from workbench.ui.compare.matrix_values import MatrixCase, MatrixCell, MatrixTotal
from workbench.ui.compare.matrix_words import (
    cell_markdown,
    headline,
    markdown,
    rate_words,
    tip,
    total_words,
    underline,
    word_of,
)

CASE = MatrixCase("weather", "Weather | of Rome")


@pytest.mark.parametrize(
    ("one", "upper", "lower"),
    [
        (cell(7), "7 / 10", ""),
        (MatrixCell("too_few", 2, 2), "2 / 2", "too few"),
        (MatrixCell("too_few", 1, 2, left=8), "1 / 2", "8 to come"),
        (MatrixCell("error", errors=10, codes=(("provider.429", 10),)), "error", "429, 10 of 10"),
        (MatrixCell("error", errors=2), "error", "no answer, 2 of 2"),
        (MatrixCell("cancelled", 3, 4, left=6), "stopped", "4 of 10 ran"),
        (MatrixCell("not_gradable", ungraded=5, clean=4), "4 / 5", "clean, ungraded"),
        (MatrixCell("running", left=10), "running", "0 of 10 ran"),
        (MatrixCell(), "not asked", ""),
    ],
)
def test_both_lines_of_a_cell(one: MatrixCell, upper: str, lower: str) -> None:
    assert (headline(one), underline(one)) == (upper, lower)


def test_no_rate_without_n_and_none_with_too_few_runs() -> None:
    assert rate_words(cell(7)) == "7 of 10 passed, 95 %: 40–89 %"
    assert "95 %" not in rate_words(MatrixCell("too_few", 2, 2))
    assert rate_words(MatrixCell("error", errors=3)) == ""


def test_errors_are_told_with_their_bounds() -> None:
    words = rate_words(MatrixCell("pass", 4, 4, 0.5, 1.0, worst=4 / 6, best=1.0, errors=2))
    assert words.endswith("with 2 left-out errors between 67 % and 100 %")


def test_a_tip_holds_the_word_for_people_who_see_no_shape() -> None:
    told = tip(CASE, TARGETS[0], MatrixCell("flaky", 3, 5, errors=1, left=2, flipped=True, codes=(("decision.x", 2),)))
    assert told.startswith("Weather | of Rome: flaky\nqwen-hasty · qwen_xml · direct")
    assert all(part in told for part in ("1 errors", "2 to come", "2 × decision.x", "flipped"))
    assert word_of("too_few") == "too few"


def test_the_table_as_markdown() -> None:
    text = markdown("demo", matrix(), ["B is better."])
    lines = text.splitlines()
    assert lines[2].startswith("| Case | qwen-hasty · qwen_xml · direct |")
    assert "| nested-filter-object | ◐ 5/10 (24–76 %) |" in text
    assert "▲ error" in text
    assert "2/2 (too few)" in text
    assert "| – |" in text
    assert "**Suite mean** | 75 % (63–86)" in text
    assert text.rstrip().endswith("B is better.")


def test_markdown_keeps_its_columns() -> None:
    assert cell_markdown(MatrixCell("pass", 4, 4, 0.5, 1.0, errors=2)) == "● 4/4 (50–100 %), 2 errors"
    rows = [line for line in markdown("x", matrix()).splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in rows}) == 1


def test_a_total_without_graded_runs_says_so() -> None:
    assert total_words(MatrixTotal()) == ("–", "none graded")
