from __future__ import annotations

from PySide6.QtCore import QEvent, QStringListModel, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest

from tests.kit.gui import colours
from workbench.ui.theme.tokens import LIGHT
from workbench.ui.widgets.rows import RowDelegate, RowList, RowTable


def test_list_tells_the_chosen_row(theme, qtbot) -> None:
    rows = RowList("Things")
    qtbot.addWidget(rows)
    rows.setItemDelegate(RowDelegate(40, rows))
    rows.setModel(QStringListModel(["one", "two", "three"], rows))
    rows.resize(200, 200)
    rows.show()
    with qtbot.waitSignal(rows.row_chosen) as seen:
        QTest.mouseClick(
            rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualRect(rows.model().index(1)).center()
        )
    assert seen.args == [1]
    assert LIGHT.sel.lower() in colours(rows)
    rows.choose_row(99)
    assert rows.currentIndex().row() == 1


def _table(qtbot, first: int = 60) -> RowTable:
    table = RowTable("Runs", 28, (first, 0, 80))
    qtbot.addWidget(table)
    model = QStandardItemModel(50, 3, table)
    for row in range(50):
        model.setItem(row, 1, QStandardItem(f"row {row}"))
    table.setItemDelegate(RowDelegate(28, table))
    table.setModel(model)
    table.resize(400, 200)
    table.show()
    return table


def test_table_keeps_its_widths_and_heights(theme, qtbot) -> None:
    table = _table(qtbot)
    assert [table.columnWidth(at) for at in (0, 2)] == [60, 80]
    assert table.rowHeight(0) == 28
    assert sum(table.columnWidth(at) for at in range(3)) == table.viewport().width()
    theme.set_scale(2.0)
    assert table.rowHeight(0) == 56
    assert table.columnWidth(0) == 84  # shrunk together, so that the middle column keeps its room
    assert table.columnWidth(1) == 280
    assert table.horizontalScrollBar().maximum() > 0  # and no further: words are not cut to nothing
    table.resize(1000, 200)
    assert (table.columnWidth(0), table.horizontalScrollBar().maximum()) == (120, 0)


def test_a_hidden_column_leaves_its_room_to_the_others(theme, qtbot) -> None:
    table = _table(qtbot, first=200)
    table.resize(360, 200)
    assert table.columnWidth(0) < 200
    table.setColumnHidden(2, True)
    assert table.columnWidth(0) == 200
    table.setColumnHidden(2, False)
    assert table.columnWidth(0) < 200


def test_the_whole_row_under_the_pointer_is_tinted(theme, qtbot) -> None:
    table = _table(qtbot)
    view = table.viewport()
    place = table.visualRect(table.model().index(2, 1)).center()
    QTest.mouseMove(view, place)
    qtbot.waitUntil(lambda: table.row_under_pointer == 2)
    picture = view.grab().toImage()
    spots = [(at, row) for row in (2, 3) for at in (4, 200, table.columnViewportPosition(2) + 4)]
    tints = [picture.pixelColor(x, table.rowViewportPosition(row) + 4).name() for x, row in spots]
    assert tints == [LIGHT.hover.lower()] * 3 + [LIGHT.surface.lower()] * 3
    table.leaveEvent(QEvent(QEvent.Type.Leave))
    assert table.row_under_pointer == -1


def test_table_scrolls_to_the_chosen_row_and_opens_it(theme, qtbot) -> None:
    table = _table(qtbot)
    table.choose_row(40)
    assert table.viewport().rect().intersects(table.visualRect(table.model().index(40, 1)))
    with qtbot.waitSignal(table.row_opened) as seen:
        table.doubleClicked.emit(table.model().index(40, 1))
    assert seen.args == [40]


def test_keyboard_focus_is_visible(theme, qtbot) -> None:
    table = _table(qtbot)
    table.activateWindow()
    qtbot.waitUntil(table.isActiveWindow)
    table.choose_row(1)
    table.clearFocus()
    table.setFocus(Qt.FocusReason.TabFocusReason)
    ringed = table.grab().toImage()
    QTest.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(table.model().index(1, 1)).center()
    )
    assert table.grab().toImage() != ringed


def test_columns_of_a_wide_table_take_their_share(theme, qtbot) -> None:
    table = _table(qtbot)
    table.resize(1_000 + table.verticalScrollBar().width(), 200)
    assert [table.columnWidth(at) for at in (0, 2)] == [78, 104]
    assert sum(table.columnWidth(at) for at in range(3)) == table.viewport().width()


def test_a_time_is_never_cut(theme, qtbot) -> None:
    table = _table(qtbot, first=56)
    theme.set_scale(2.0)
    assert [table.columnWidth(at) for at in (0, 2)] == [112, 112]


def test_the_chosen_row_stays_in_sight_where_the_table_shrinks(theme, qtbot) -> None:
    table = _table(qtbot)
    table.choose_row(5)
    row = table.visualRect(table.model().index(5, 1))
    assert table.viewport().rect().contains(row)
    table.resize(400, 120)
    assert table.viewport().rect().contains(table.visualRect(table.model().index(5, 1)))
    table.choose_row(0)
    table.verticalScrollBar().setValue(30)
    table.resize(400, 100)
    assert table.verticalScrollBar().value() == 30, "what was scrolled away stays away"
