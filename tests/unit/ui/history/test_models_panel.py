"""The tab Models: reading, rows, nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.gui import colours
from tests.unit.ui.history.test_model_rows import NOTHING, line
from workbench.ui.history.models_panel import ModelsPanel
from workbench.ui.theme.tokens import LIGHT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


def test_rows_come_while_they_are_read(qtbot: QtBot, theme: Theme) -> None:
    panel = ModelsPanel()
    qtbot.addWidget(panel)
    panel.resize(900, 200)
    panel.begin()
    assert panel.currentWidget() is panel.empty
    panel.add(line(1, 4))
    panel.add(line(4, 4, runs=100))
    panel.add(NOTHING)
    panel.end()
    panel.show()
    assert panel.currentWidget() is panel.table
    assert panel.table.currentIndex().row() == 0
    assert {LIGHT.failed.lower(), LIGHT.passed.lower(), LIGHT.accent.lower()} <= colours(panel.table)
    with qtbot.waitSignal(panel.table.row_opened):
        QTest.keyClick(panel.table, Qt.Key.Key_Return)


def test_nothing_is_said(qtbot: QtBot, theme: Theme) -> None:
    panel = ModelsPanel()
    qtbot.addWidget(panel)
    panel.begin()
    panel.end()
    assert panel.currentWidget() is panel.empty
