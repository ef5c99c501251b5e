from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from workbench.ui.widgets.tab_order import tab_as_read, tab_through


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


def test_what_stands_inside_is_walked_line_by_line_in_its_place(qtbot) -> None:
    window, (first,) = window_of(1)
    qtbot.addWidget(window)
    inside, last = QWidget(), QLineEdit()
    for part in (inside, last):
        window.layout().addWidget(part)
    right, left, above = (QLineEdit(inside) for _ in range(3))
    for field, place in ((right, (80, 20)), (left, (0, 20)), (above, (40, 0))):
        field.move(*place)
    tab_as_read(inside)
    assert way_from(first, 5) == [first, above, left, right, last]
