"""The text cell: long texts, true copies, colours of the theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.kit import events as kit
from tests.kit.gui import colours
from tests.kit.try_page import make_page, raw_cell, show, stream
from workbench.core.events import StepRole
from workbench.ui.run.loop.text import PREVIEW

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    return make_page(qtbot)


def test_a_huge_reply_is_a_beginning_and_a_button(qtbot: QtBot, page: TryPage) -> None:
    text = "\n".join("x" * 99 for _ in range(2_000))
    teller = kit.Teller().start().loop(0)
    step = teller.open(StepRole.EXECUTOR, 0, "request")
    teller.say(step, text, width=4_000)
    teller.finish(step, kit.reply_of(text), tokens=(1, 1))
    show(page, teller.events)
    row, cell = page.area.rows[0], raw_cell(page)
    assert row.cells is not None
    assert cell.document().characterCount() - 1 == PREVIEW
    assert row.cells.raw.more.text() == "Show all, 200.0 kB"
    with qtbot.waitSignal(page.acted) as acted:
        qtbot.mouseClick(row.cells.raw.more, Qt.MouseButton.LeftButton)
    assert acted.args == [0, "whole"]


def test_copying_from_the_raw_cell_gives_the_true_characters(page: TryPage) -> None:
    text = "a" * 2_500 + "\r\n😀 end"
    stream(page, kit.running(text))
    cell = raw_cell(page)
    cell.selectAll()
    assert cell.createMimeDataFromSelection().text() == text


def test_theme_change_recolours_existing_cards(page: TryPage, theme: Theme) -> None:
    show(page, kit.story())
    theme.choose("dark")
    QApplication.processEvents()
    seen = colours(page.area.cards[0])
    assert theme.tokens.surface.lower() in seen
    assert theme.tokens.failed_tint.lower() in seen
    assert "#ffffff" not in seen
