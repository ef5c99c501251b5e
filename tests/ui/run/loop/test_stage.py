"""The stage of the cards: cells near the viewport, the live end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from tests.kit import events as kit
from tests.kit.try_page import chunk, make_page, raw_cell, show, stream
from workbench.core.events import StepRole

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.run.loop.text import TextCell
    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    return make_page(qtbot)


def _wheel(cell: TextCell, by: int) -> None:
    from PySide6.QtCore import QPoint, QPointF

    middle = QPointF(cell.viewport().rect().center())
    event = QWheelEvent(
        middle, cell.viewport().mapToGlobal(middle), QPoint(), QPoint(0, by), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(cell.viewport(), event)


def test_scrolling_up_stops_following_and_a_chip_leads_back(qtbot: QtBot, page: TryPage) -> None:
    stream(page, kit.running("\n".join(f"line {number}" for number in range(60))))
    cell = raw_cell(page)
    cell.setFocus()
    _wheel(cell, 120)
    assert not page.area.is_following
    chip = page.area.live_chip
    assert chip.isVisible()
    at = cell.verticalScrollBar().value()
    page.apply([chunk("\nmore\nmore\nmore")])
    QApplication.processEvents()
    assert cell.verticalScrollBar().value() == at, "the place that is read stays"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert page.area.is_following
    assert not chip.isVisible()
    assert cell.verticalScrollBar().value() == cell.verticalScrollBar().maximum()


def test_rows_far_away_are_painted_summaries(page: TryPage) -> None:
    teller = kit.Teller().start().loop(0)
    for number in range(40):
        step = teller.open(StepRole.EXECUTOR, 0, f"turn {number}")
        teller.say(step, kit.TWO_CALLS)
        teller.finish(step, kit.reply_of(kit.TWO_CALLS), tokens=(1, 1))
    show(page, teller.events)
    QApplication.processEvents()
    made = sum(row.is_made for row in page.area.rows.values())
    assert 3 <= made < 30
    for number in range(40):
        page.area.show_span(number, None)
        QApplication.processEvents()
    assert page.area.rows[39].is_made
    assert not page.area.rows[0].is_made, "far rows are let go where there are many"
    assert sum(row.is_made for row in page.area.rows.values()) < 30
