from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton, QStackedWidget, QWidget

from workbench.ui.widgets.frames import column
from workbench.ui.widgets.keyboard import keyboard_is_here, keyboard_kept, row_in_use
from workbench.ui.widgets.roomy import RoomyPage


def test_keyboard_is_moved_on_its_own_page_alone(theme, qtbot) -> None:
    window, page, other = QWidget(), QWidget(), QLineEdit()
    qtbot.addWidget(window)
    button, field, leaving = QPushButton(), QLineEdit(), QStackedWidget()
    inside = QLineEdit()
    leaving.addWidget(inside)
    page.setLayout(column(button, field, leaving))
    room = RoomyPage(page)
    elsewhere = QPushButton()
    window.setLayout(column(room, other, elsewhere))
    with qtbot.waitExposed(window):
        window.show()
    seen = {}
    for name, widget in {
        "button": button,
        "field": field,
        "leaving": inside,
        "rail": elsewhere,
        "palette": other,
    }.items():
        widget.setFocus()
        seen[name] = keyboard_is_here(button, leaving)
    assert seen == {"button": True, "field": False, "leaving": True, "rail": False, "palette": False}
    other.clearFocus()
    assert keyboard_is_here(button)
    room.hide()
    assert not keyboard_is_here(button)


def test_a_command_meets_the_row_that_has_the_keyboard(theme, qtbot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    rows = [QWidget(page), QWidget(page)]
    fields = [QLineEdit(one) for one in rows]
    page.show()
    qtbot.waitActive(page)
    assert row_in_use([], page) is None
    assert row_in_use(rows, page) is rows[0]
    fields[1].setFocus()
    assert row_in_use(rows, page) is rows[1]


def test_the_keyboard_of_a_row_that_goes_is_kept_on_the_page(theme, qtbot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    search, area = QLineEdit(page), QWidget(page)
    area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    rows = [QWidget(page), QWidget(page)]
    fields = [QLineEdit(one) for one in rows]
    page.show()
    fields[1].setFocus()
    assert page.focusWidget() is fields[1]
    left = list(rows)
    with keyboard_kept(lambda: left, area):
        left.remove(rows[0])
        rows[0].hide()
    assert page.focusWidget() is fields[1]
    with keyboard_kept(lambda: left, area):
        left.clear()
        rows[1].hide()
    assert page.focusWidget() is area
    search.setFocus()
    with keyboard_kept(lambda: left, area):
        left.clear()
    assert page.focusWidget() is search
