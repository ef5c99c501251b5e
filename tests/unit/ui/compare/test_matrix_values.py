from __future__ import annotations

import pytest

from tests.kit.comparing import TARGETS, matrix
from workbench.ui.compare.matrix_values import FILTERS, Matrix, MatrixCase, MatrixCell


@pytest.mark.parametrize(
    ("name", "count"), [("all", 14), ("failing", 3), ("error", 1), ("differing", 12), ("flipped", 0), ("flaky", 14)]
)
def test_filters_count_as_in_the_specification(name: str, count: int) -> None:
    assert matrix().count(name) == count
    assert name in FILTERS


def test_a_case_that_was_not_asked_has_empty_cells() -> None:
    made = matrix()
    case = next(one for one in made.cases if one.id == "guidance-then-read")
    assert [cell.state for cell in made.row(case)].count("not_asked") == 7
    assert made.cell(MatrixCase("unknown", "unknown"), TARGETS[0]) == MatrixCell()


def test_columns_of_one_model_are_a_group() -> None:
    made = matrix()
    assert [made.group(at) for at in (0, 3, 4, 7)] == [(0, 3), (0, 3), (4, 5), (6, 7)]


def test_flipped_cells_make_a_flipped_row() -> None:
    case = MatrixCase("one", "one")
    made = Matrix(TARGETS[:1], (case,), {("one", 0): MatrixCell("pass", 3, 3, flipped=True)})
    assert made.kept("flipped") == (case,)


def test_a_cell_knows_what_was_planned_for_it() -> None:
    assert MatrixCell("flaky", 2, 4, errors=3, cancelled=1, ungraded=1, left=1).planned == 10
    assert TARGETS[3].label == "qwen-hasty · qwen_xml · boost"
