from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.ui.tools.rows import MODE_ICONS, ToolDelegate, ToolLine, ToolList, ToolModel
from workbench.ui.widgets.rows import RowList

LINES = [
    ToolLine(ToolSetup(ToolSpec("read_file"), ToolMode.ASK), "built-in"),
    ToolLine(ToolSetup(ToolSpec("run"), ToolMode.RUN), "built-in", "switched off"),
]


def test_the_list_of_tools(theme, qtbot, qtmodeltester) -> None:
    model = ToolModel()
    model.show_lines(LINES)
    qtmodeltester.check(model)
    assert (model.row_of("run"), model.row_of("none")) == (1, -1)
    assert model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "read_file, ask, built-in"
    view = RowList("Tools")
    qtbot.addWidget(view)
    view.setItemDelegate(ToolDelegate(44, view))
    view.setModel(model)
    view.resize(256, 200)
    assert not view.grab().isNull()


def test_every_mode_has_an_icon() -> None:
    assert set(MODE_ICONS) == set(ToolMode)


def test_keys_change_the_mode_and_remove_a_tool(theme, qtbot) -> None:
    view, told = ToolList("Tools"), []
    qtbot.addWidget(view)
    view.mode_asked.connect(lambda: told.append("mode"))
    view.remove_asked.connect(lambda: told.append("remove"))
    view.undo_asked.connect(lambda: told.append("undo"))
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert told == []
    model = ToolModel(view)
    model.show_lines(LINES)
    view.setModel(model)
    view.choose_row(0)
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Delete):
        QTest.keyClick(view, key)
    QTest.keyClick(view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert told == ["mode", "remove", "undo"]
    assert view.currentIndex().row() == 1
