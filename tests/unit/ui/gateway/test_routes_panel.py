from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from workbench.ui.gateway.routes_panel import RouteModel, RoutesPanel
from workbench.ui.gateway.values import RouteLine

LINES = [
    RouteLine("*-large*", "BIG", "Work / big", "cloud", "boost, 60 s budget"),
    RouteLine("local", "explicit", "nowhere", "x", "", "No model stands behind it."),
    RouteLine("any other", "by name", "Simulator / m", "flask", "native", fixed=True),
]


@pytest.fixture
def panel(theme, qtbot) -> RoutesPanel:
    made = RoutesPanel()
    qtbot.addWidget(made)
    made.resize(600, 236)
    made.show()
    made.show_lines(LINES)
    return made


def test_the_table(qtmodeltester) -> None:
    model = RouteModel()
    model.show_lines(LINES)
    qtmodeltester.check(model)
    assert model.spoken(LINES[0]) == "*-large*, BIG, leads to Work / big, boost, 60 s budget"
    assert model.index(1, 2).data(Qt.ItemDataRole.ToolTipRole) == "No model stands behind it."


def test_keys_move_edit_and_remove_own_routes_only(panel: RoutesPanel, qtbot) -> None:
    told: list[tuple] = []
    panel.move_asked.connect(lambda at, by: told.append(("move", at, by)))
    panel.edit_asked.connect(lambda at: told.append(("edit", at)))
    panel.remove_asked.connect(lambda at: told.append(("remove", at)))
    panel.table.choose_row(0)
    qtbot.keyClick(panel.table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
    assert told == [("move", 0, 1), ("edit", 0), ("remove", 0)]
    panel.table.choose_row(2)
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
    assert len(told) == 3
    assert not panel.up.isEnabled()


def test_arrows_stand_where_a_route_can_go(panel: RoutesPanel, qtbot) -> None:
    panel.table.choose_row(0)
    assert (panel.up.isEnabled(), panel.down.isEnabled()) == (False, True)
    panel.table.choose_row(1)
    assert (panel.up.isEnabled(), panel.down.isEnabled()) == (True, False)
    panel.show_editor(True)
    assert panel.edits
    assert not panel.add.isEnabled()
    panel.show_editor(False)
    assert panel.table.isVisible()
    assert not panel.grab().isNull()
