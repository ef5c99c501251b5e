from __future__ import annotations

from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QTableView

from workbench.ui.theme.fonts import px
from workbench.ui.widgets.frozen_columns import FrozenColumns, set_up_table


def shown(qtbot, columns: int, most: int = 90) -> FrozenColumns:
    left, cells = QTableView(), QTableView()
    made = FrozenColumns(left, cells, frozen=(60, 40), row_height=30, widths=(50, most))
    qtbot.addWidget(made)
    model = QStandardItemModel(40, columns, made)
    for table in (left, cells):
        set_up_table(table, "Numbers")
        table.setModel(model)
    made.setLayout(made.join())
    made.apply_sizes()
    made.resize(400, 300)
    made.show()
    qtbot.waitExposed(made)
    return made


def left_of(made: FrozenColumns) -> QTableView:
    return next(table for table in made.findChildren(QTableView) if table is not made.cells)


def test_columns_stand_in_one_view_each(theme, qtbot) -> None:
    made = shown(qtbot, 5)
    left = left_of(made)
    assert [left.isColumnHidden(at) for at in range(5)] == [False, False, True, True, True]
    assert [made.cells.isColumnHidden(at) for at in range(5)] == [True, True, False, False, False]
    assert left.width() == px(100)
    assert (left.columnWidth(0), left.columnWidth(1)) == (px(60), px(40))


def test_few_columns_share_the_room_and_many_keep_their_least_width(theme, qtbot) -> None:
    few, many = shown(qtbot, 5), shown(qtbot, 30)
    assert few.cells.columnWidth(2) == px(90)
    assert many.cells.columnWidth(2) == px(50)


def test_without_a_most_no_room_stays_empty(theme, qtbot) -> None:
    made = shown(qtbot, 5, most=0)
    widths = [made.cells.columnWidth(at) for at in (2, 3, 4)]
    assert sum(widths) == made.cells.viewport().width()
    assert max(widths) - min(widths) < 3
    assert not made.cells.horizontalScrollBar().isVisible()
    assert shown(qtbot, 30, most=0).cells.columnWidth(2) == px(50)


def test_rows_stay_in_sight_at_every_text_size(theme, qtbot) -> None:
    made = shown(qtbot, 5)
    for size in (1.0, 2.0):
        theme.set_scale(size)
        made.resize(400, made.minimumSizeHint().height())
        assert made.cells.viewport().height() >= 3 * px(30)


def test_both_views_scroll_together(theme, qtbot) -> None:
    made = shown(qtbot, 5)
    made.cells.verticalScrollBar().setValue(120)
    assert left_of(made).verticalScrollBar().value() == 120
    left_of(made).verticalScrollBar().setValue(60)
    assert made.cells.verticalScrollBar().value() == 60


def test_a_scroll_bar_below_takes_as_much_from_both(theme, qtbot) -> None:
    made = shown(qtbot, 30)
    assert made.cells.horizontalScrollBar().isVisible()
    qtbot.waitUntil(lambda: left_of(made).viewport().height() == made.cells.viewport().height())


def test_smaller_text_leaves_no_gap_beside_the_columns_that_stay(theme, qtbot) -> None:
    theme.set_scale(2.0)
    made = shown(qtbot, 5)
    theme.set_scale(1.0)
    qtbot.waitUntil(lambda: made.cells.x() == left_of(made).width() == 100)
