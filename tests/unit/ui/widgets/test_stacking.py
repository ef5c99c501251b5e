from __future__ import annotations

from PySide6.QtWidgets import QScrollArea, QWidget

from workbench.ui.theme.theme import bound_width
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.roomy import RoomyPage
from workbench.ui.widgets.stacking import StackRow


def _panes(below: int) -> tuple[StackRow, list[QWidget]]:
    parts = [QWidget(), QWidget()]
    bound_width(parts[1], least=240)
    return StackRow(*parts, below=below, widths=(200, 0), heights=(150, 300), ruled=True), parts


def test_panes_stand_side_by_side_where_there_is_room(theme, qtbot) -> None:
    row, (left, right) = _panes(700)
    qtbot.addWidget(row)
    row.resize(900, 400)
    row.show()
    assert not row.is_stacked
    assert (left.width(), right.width()) == (200, 699)
    assert left.height() == right.height() == 400


def test_panes_stand_one_under_the_other_where_it_is_narrow(theme, qtbot) -> None:
    row, (left, right) = _panes(700)
    turns: list[bool] = []
    row.turned.connect(turns.append)
    room = RoomyPage(row)
    qtbot.addWidget(room)
    room.resize(500, 300)
    room.show()
    qtbot.waitUntil(lambda: room.verticalScrollBar().maximum() > 0)
    assert turns == [True]
    assert left.width() == right.width() == room.viewport().width()
    assert left.height() >= 150
    assert right.height() >= 300
    assert room.horizontalScrollBar().maximum() == 0
    room.resize(900, 300)
    assert turns == [True, False]
    assert left.width() == 200
    assert room.verticalScrollBar().maximum() == 0


def test_large_text_turns_a_row_that_keeps_its_width(theme, qtbot) -> None:
    row, _ = _panes(700)
    qtbot.addWidget(row)
    row.resize(900, 400)
    row.show()
    theme.set_scale(1.5)
    assert row.is_stacked
    theme.set_scale(1.0)
    assert not row.is_stacked


def test_without_a_width_it_turns_when_its_widgets_have_no_room(theme, qtbot) -> None:
    first, second = Button("A button"), Button("Another button")
    row = StackRow(first, second, gap=8, margins=(4, 4, 4, 4))
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    area.setWidget(row)
    needed = first.minimumSizeHint().width() + second.minimumSizeHint().width() + 16
    area.resize(needed + 2, 200)
    area.show()
    assert not row.is_stacked
    area.resize(needed - 20, 200)
    assert row.is_stacked
    second.hide()
    qtbot.waitUntil(lambda: not row.is_stacked)


def test_a_hairline_goes_with_the_pane_below_it(theme, qtbot) -> None:
    row, (_, right) = _panes(0)
    qtbot.addWidget(row)
    row.resize(900, 400)
    row.show()
    (rule,) = row._rules
    assert rule.isVisible()
    right.hide()
    qtbot.waitUntil(rule.isHidden)


def test_a_part_may_need_another_height_in_the_column(theme, qtbot) -> None:
    row, (left, _) = _panes(700)
    qtbot.addWidget(row)
    row.resize(500, 600)
    row.show()
    assert left.minimumHeight() == 150
    row.set_height(0, 0)
    assert left.minimumHeight() == 0
    row.set_height(0, 120)
    assert left.minimumHeight() == 120
