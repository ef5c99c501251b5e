from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from workbench.ui.compare.answer_strip import AnswerStrip
from workbench.ui.compare.results_page import ResultsPage
from workbench.ui.widgets.frames import row
from workbench.ui.widgets.states import Emptiness


class Page(ResultsPage):
    stopped = "It stopped"

    def __init__(self) -> None:
        self.setup, self.panel, self.table = QPushButton("Run"), QLabel("panel"), QPushButton("table")
        super().__init__(self.setup, self.panel, AnswerStrip("Why", "2", "tip"), Emptiness("funnel", "None", ""))
        self.lay_out(row(self.fold), self.table)

    @property
    def cells(self) -> QPushButton:
        return self.table


@pytest.fixture
def page(theme, qtbot) -> Page:
    made = Page()
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    return made


def test_results_take_the_keyboard_from_the_set_up_alone(page: Page, qtbot) -> None:
    page.show_setup()
    page.setup.setFocus()
    qtbot.waitUntil(page.setup.hasFocus)
    page.show_results()
    assert not page.shows_setup
    qtbot.waitUntil(page.table.hasFocus)
    page.fold.setFocus()
    page.show_results()
    assert not page.table.hasFocus()


def test_the_panel_is_a_drawer_where_it_is_narrow(page: Page) -> None:
    page.show_results()
    page.fit_panel(True)
    assert page.panel.isHidden()
    page.open_panel()
    page.fit_panel(True)
    assert page.panel.isVisible(), "wanted in this room"
    page.toggle_panel()
    assert page.panel.isHidden()
    page.fit_panel(False)
    assert page.panel.isVisible(), "another room, another choice"


def test_a_trouble_is_told_until_it_is_over(page: Page) -> None:
    page.show_results()
    assert not page.trouble.isVisible()
    page.show_trouble("no answer", "Try again.")
    assert page.trouble.isVisible()
    page.show_trouble("")
    assert not page.trouble.isVisible()
