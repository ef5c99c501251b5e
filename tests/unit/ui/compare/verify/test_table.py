from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.verifying import virtual_verification
from workbench.ui.compare.verify.table import VerifyTable
from workbench.ui.compare.verify.table_model import FIRST, VerifyModel


def _table(qtbot) -> VerifyTable:
    found, model = virtual_verification(count=40), VerifyModel()
    table = VerifyTable(model)
    model.setParent(table)
    qtbot.addWidget(table)
    table.resize(900, 400)
    table.show()
    model.show(found, found.judged(), running=False)
    return table


def test_a_click_and_the_keyboard_choose_cells(theme, qtbot) -> None:
    table, chosen = _table(qtbot), []
    model = table.cells.model()
    table.cell_chosen.connect(chosen.append)
    place = table.cells.visualRect(model.index(1, FIRST)).center()
    QTest.mouseClick(table.cells.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.keyClick(table.cells, Qt.Key.Key_Down)
    QTest.keyClick(table.cells, Qt.Key.Key_Right)
    assert [(at.row(), at.column()) for at in chosen] == [(1, FIRST), (2, FIRST), (2, FIRST + 1)]
    opened = []
    table.cell_opened.connect(opened.append)
    QTest.keyClick(table.cells, Qt.Key.Key_Return)
    assert len(opened) == 1


def test_frozen_columns_scroll_with_the_cells(theme, qtbot) -> None:
    table = _table(qtbot)
    end = table.cells.verticalScrollBar().maximum()
    assert end > 0
    table.cells.verticalScrollBar().setValue(end)
    table.choose(table.cells.model().index(0, FIRST))
    assert table.cells.currentIndex().row() == 0
    assert not table.grab().isNull()
