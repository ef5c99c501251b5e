from __future__ import annotations

from PySide6.QtCore import Qt

from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.ui.tools.rows import MODE_ICONS, ToolDelegate, ToolLine, ToolModel
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
