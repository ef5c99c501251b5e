from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.scan.tally import TallyCell, TallyColumn
from workbench.ui.scan.matrix import KindMatrix, KindModel

KINDS = ["tool_markup_in_content", "invented_tool"]
COLUMNS = [
    TallyColumn("coder-7b", "gpu1"),
    TallyColumn("main-70b", "work"),
    TallyColumn("c"),
    TallyColumn("d"),
    TallyColumn("e"),
]
CELLS = {(KINDS[0], COLUMNS[0]): TallyCell(388, 5_204, 0.07), (KINDS[1], COLUMNS[1]): TallyCell(2, 2_000, 0.0002)}


@pytest.fixture
def matrix(theme, qtbot) -> KindMatrix:
    made = KindMatrix()
    qtbot.addWidget(made)
    made.model.show(KINDS, COLUMNS, CELLS)
    made.resize(640, 200)
    made.show()
    return made


def test_the_model(qtmodeltester) -> None:
    model = KindModel()
    model.show(KINDS, COLUMNS, CELLS)
    qtmodeltester.check(model)
    assert model.index(0, 1).data() == "388"
    assert model.index(1, 1).data() == "–"
    assert "7.5%" in model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert model.headerData(1, Qt.Orientation.Horizontal) == "coder-7b · gpu1"


def test_a_click_on_a_cell_chooses_kind_and_column(matrix: KindMatrix) -> None:
    told: list[object] = []
    matrix.cell_chosen.connect(lambda kind, column: told.append((kind, column)))
    place = matrix.cells.visualRect(matrix.model.index(1, 2)).center()
    QTest.mouseClick(matrix.cells.viewport(), Qt.MouseButton.LeftButton, pos=place)
    matrix.kinds.setCurrentIndex(matrix.model.index(0, 0))
    assert told == [(KINDS[1], COLUMNS[1]), (KINDS[0], None)]
    assert not matrix.grab().isNull()


def test_a_choice_is_shown_without_being_told(matrix: KindMatrix) -> None:
    told: list[object] = []
    matrix.cell_chosen.connect(lambda kind, column: told.append(kind))
    matrix.choose(KINDS[0], COLUMNS[0])
    assert matrix.cells.currentIndex().row() == 0
    matrix.choose("gone", None)
    assert not matrix.cells.currentIndex().isValid()
    assert not told


def test_same_rows_and_columns_keep_the_choice(matrix: KindMatrix) -> None:
    matrix.choose(KINDS[0], COLUMNS[0])
    matrix.model.show(KINDS, COLUMNS, {})
    assert matrix.cells.currentIndex().isValid()
    assert matrix.model.index(0, 1).data() == "–"
    assert matrix.sizeHint().height() <= matrix.maximumHeight()


def test_few_columns_share_the_room(matrix: KindMatrix) -> None:
    assert matrix.cells.columnWidth(1) == matrix.cells.columnWidth(5)
    narrow = matrix.cells.columnWidth(1)
    matrix.model.show(KINDS, COLUMNS[:2], CELLS)
    assert matrix.cells.columnWidth(1) > narrow


def test_arrows_lead_over_the_first_column_to_the_kinds_and_back(matrix: KindMatrix) -> None:
    told: list[object] = []
    matrix.cell_chosen.connect(lambda kind, column: told.append((kind, column)))
    matrix.cells.setFocus()
    assert not told, "taking the keyboard chooses nothing"
    matrix.cells.setCurrentIndex(matrix.model.index(0, 1))
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right):
        QTest.keyClick(matrix.cells, key)
    first, second = KINDS
    assert told == [(first, COLUMNS[0]), (first, None), (second, None), (second, COLUMNS[0])]
    assert matrix.kinds.focusPolicy() is Qt.FocusPolicy.NoFocus
