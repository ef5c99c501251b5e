from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton

from workbench.ui.widgets.menus import open_at, open_below


def test_enter_takes_the_first_entry_of_a_menu_below_a_button(theme, qtbot) -> None:
    button, taken = QPushButton("Report"), []
    qtbot.addWidget(button)
    button.show()
    menu = QMenu(button)
    for title in ("one", "two"):
        menu.addAction(title, lambda one=title: taken.append(one))
    open_below(menu, button)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert taken == ["one"]


def test_what_cannot_be_taken_is_passed_over(theme, qtbot) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addAction("off").setEnabled(False)
    menu.addSeparator()
    on = menu.addAction("on")
    open_at(menu, QPoint(5, 5))
    assert menu.activeAction() is on


def test_an_entry_that_leads_on_is_not_opened_by_itself(theme, qtbot) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    more = menu.addMenu("more")
    more.addAction("inside")
    open_at(menu, QPoint(5, 5))
    assert menu.activeAction() is None
    assert not more.isVisible()


def test_a_menu_with_nothing_in_it_opens_without_a_complaint(theme, qtbot) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    open_at(menu, QPoint(5, 5))
    assert menu.activeAction() is None
