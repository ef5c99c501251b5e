from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from tests.kit.comparing import cell, matrix
from workbench.ui.compare.matrix_model import MatrixModel


def test_it_is_a_proper_model(qtmodeltester) -> None:
    model = MatrixModel()
    qtmodeltester.check(model)
    model.show(matrix())
    qtmodeltester.check(model)
    model.set_filter("failing")
    qtmodeltester.check(model)


def test_chips_and_words_keep_rows(qapp) -> None:
    model = MatrixModel()
    model.show(matrix())
    model.set_filter("failing")
    assert model.rowCount() == 3
    model.set_filter("all", "no CALL")
    assert [model.case(row).id for row in range(model.rowCount())] == ["refuse-delete-root", "tool-choice-none"]
    assert (model.row_of("tool-choice-none"), model.row_of("unicode-path")) == (1, -1)


def test_live_results_change_cells_and_never_the_order(qtbot) -> None:
    model, made = MatrixModel(), matrix()
    model.show(made)
    turned = replace(made, cases=made.cases[::-1], cells={**made.cells, ("unicode-path", 0): cell(1)})
    with qtbot.waitSignal(model.dataChanged):
        model.show(turned, keep_order=True)
    assert [model.case(row).id for row in range(3)] == [case.id for case in made.cases[:3]]
    assert model.cell(model.index(model.row_of("unicode-path"), 1)).passed == 1
    model.show(turned)
    assert model.case(0).id == made.cases[-1].id


def test_another_batch_is_shown_anew_even_while_live(qtbot) -> None:
    model, made = MatrixModel(), matrix()
    model.show(made)
    with qtbot.waitSignal(model.modelReset):
        model.show(replace(made, cases=made.cases[:4]), keep_order=True)
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
