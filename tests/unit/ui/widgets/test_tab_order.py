from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from workbench.ui.widgets.tab_order import tab_through


def window_of(count: int) -> tuple[QWidget, list[QLineEdit]]:
    window = QWidget()
    rows = QVBoxLayout(window)
    fields = [QLineEdit() for _ in range(count)]
    for field in fields:
        rows.addWidget(field)
    return window, fields


def way_from(field: QWidget, count: int) -> list[QWidget]:
    """Fields in the order in which Tab finds them; the window itself stands between the last one and the first."""
    way, at = [field], field
    while len(way) < count:
        at = at.nextInFocusChain()
        if isinstance(at, QLineEdit):
            way.append(at)
    return way


def test_tab_follows_the_stops_and_not_the_order_in_which_they_were_made(qtbot) -> None:
    window, (first, second, third) = window_of(3)
    qtbot.addWidget(window)
    tab_through(stop for stop in (third, first, second))
    assert way_from(third, 3) == [third, first, second]


def test_what_is_made_later_comes_where_it_stands(qtbot) -> None:
    window, (first, second) = window_of(2)
    qtbot.addWidget(window)
    late = QLineEdit(window)
    tab_through((first, late, second))
    assert way_from(first, 3) == [first, late, second]


def test_one_stop_and_none_change_nothing(qtbot) -> None:
    window, (first, second) = window_of(2)
    qtbot.addWidget(window)
    tab_through(())
    tab_through((second,))
    assert way_from(first, 2) == [first, second]
