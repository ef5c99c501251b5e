from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from workbench.ui.try_.parameters import ParametersPanel
from workbench.ui.widgets.menus import Menu, open_at, open_below
from workbench.ui.widgets.picker_field import Choice, PickerPopup


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


def _open_menu(button: QPushButton) -> QWidget:
    menu = Menu(button)
    menu.addAction("one")
    open_below(menu, button)
    return menu


def _open_picker(button: QPushButton) -> QWidget:
    popup = PickerPopup("models", button, mono=False)
    popup.open_at(button, [Choice("one", 1)], 1, None)
    return popup


def _open_parameters(button: QPushButton) -> QWidget:
    panel = ParametersPanel(button)
    panel.show()
    return panel


@pytest.mark.parametrize("open_popup", [_open_menu, _open_picker, _open_parameters])
def test_what_opened_from_a_button_closes_when_the_button_goes_off(theme, qtbot, open_popup) -> None:
    """It would take no key and no click, and as long as it is open nothing else gets any."""
    button = QPushButton("Report")
    qtbot.addWidget(button)
    button.show()
    popup = open_popup(button)
    assert QApplication.activePopupWidget() is popup
    button.setEnabled(False)
    assert QApplication.activePopupWidget() is None
