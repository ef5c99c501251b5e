from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from tests.kit.comparing import cell, column, matrix
from workbench.grading.matrix import CaseFilter, Matrix
from workbench.ui.compare.matrix_model import MatrixModel


def test_it_is_a_proper_model(qtmodeltester) -> None:
    model = MatrixModel()
    qtmodeltester.check(model)
    model.show(matrix())
    qtmodeltester.check(model)
    model.set_filter(CaseFilter.FAILING)
    qtmodeltester.check(model)


def test_chips_and_words_keep_rows(qapp) -> None:
    model = MatrixModel()
    model.show(matrix())
    model.set_filter(CaseFilter.FAILING)
    assert model.rowCount() == 3
    model.set_filter(CaseFilter.ALL, "no CALL")
    assert [model.case(row).case.id for row in range(model.rowCount())] == ["refuse-delete-root", "tool-choice-none"]
    assert (model.row_of("tool-choice-none"), model.row_of("unicode-path")) == (1, -1)


def test_live_results_change_cells_and_never_the_order(qtbot) -> None:
    model, made = MatrixModel(), matrix()
    model.show(made)
    changed = [
        replace(row, cells=(replace(cell(1), target=0), *row.cells[1:])) if row.case.id == "unicode-path" else row
        for row in made.rows
    ]
    turned = replace(made, rows=tuple(reversed(changed)))
    with qtbot.waitSignal(model.dataChanged):
        model.show(turned, keep_order=True)
    assert [model.case(row).case.id for row in range(3)] == [row.case.id for row in made.rows[:3]]
    assert model.cell(model.index(model.row_of("unicode-path"), 1)).rate.passed == 1
    model.show(turned)
    assert model.case(0).case.id == made.rows[-1].case.id


def test_another_batch_is_shown_anew_even_while_live(qtbot) -> None:
    model, made = MatrixModel(), matrix()
    model.show(made)
    with qtbot.waitSignal(model.modelReset):
        model.show(replace(made, rows=made.rows[:4]), keep_order=True)
    assert model.rowCount() == 4


def test_cells_speak(qapp) -> None:
    model = MatrixModel()
    model.show(matrix())
    index = model.index(0, 1)
    assert index.data() == "5 / 10"
    assert "flaky" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "case nested-filter-object, schema, 3 levels"
    assert model.headerData(4, Qt.Orientation.Horizontal) == "qwen-hasty · qwen_xml · boost"
    assert model.headerData(0, Qt.Orientation.Horizontal) == "Case"
    assert model.headerData(99, Qt.Orientation.Horizontal) is None


@pytest.mark.parametrize(
    ("name", "count"), [("all", 14), ("failing", 3), ("error", 1), ("differing", 12), ("flipped", 0), ("flaky", 14)]
)
def test_filters_count_as_in_the_specification(name: str, count: int) -> None:
    assert matrix().counts[CaseFilter(name)] == count


def test_columns_of_one_model_stand_side_by_side_as_a_group(qapp) -> None:
    model = MatrixModel()
    model.show(matrix())
    assert [model.group(at) for at in (1, 4, 5, 8)] == [(1, 4), (1, 4), (5, 6), (7, 8)]
    made = [column(0, "hasty"), column(1, "steady"), column(2, "hasty", "react")]
    model.show(Matrix(tuple(made), ()))
    assert [one.target for one in model.columns] == [0, 2, 1]
