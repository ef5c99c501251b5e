"""A card's header: chips that jump, folding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.kit import events as kit
from tests.kit.try_page import make_page, raw_cell, show
from tests.kit.waiting import LIMIT_S

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    return make_page(qtbot)


def test_a_chip_jumps_to_its_characters_and_blinks_once(qtbot: QtBot, page: TryPage) -> None:
    show(page, kit.story())
    qtbot.mouseClick(page.area.cards[0].header.chips[0], Qt.MouseButton.LeftButton)
    cell = raw_cell(page)
    assert cell.blinking
    assert cell.linked_text() == ["Sure, I can help with that!"]
    qtbot.waitUntil(lambda: not cell.blinking, timeout=1000 * LIMIT_S)
    assert cell.linked_text() == []


def test_folding(qtbot: QtBot, page: TryPage) -> None:
    show(page, kit.story())
    tall = page.area.cards[2].height()
    qtbot.mouseClick(page.bar.fold, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert page.area.all_folded
    assert page.area.cards[2].height() < tall
    assert page.bar.fold.text() == "Expand all"
    qtbot.mouseClick(page.area.cards[0].header.chips[0], Qt.MouseButton.LeftButton)
    assert not page.area.cards[0].is_folded, "a jump opens the card"
