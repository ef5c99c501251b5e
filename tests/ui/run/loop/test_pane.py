"""A cell of a row: twelve lines, then a cut line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.kit import events as kit
from tests.kit.try_page import make_page, raw_cell, show, stream
from workbench.ui.run.loop.pane import MOST_LINES

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    return make_page(qtbot)


def test_long_reply_scrolls_and_counts_hidden_lines(qtbot: QtBot, page: TryPage) -> None:
    stream(page, kit.running("\n".join(f"line {number}" for number in range(60))))
    QApplication.processEvents()
    row, cell = page.area.rows[0], raw_cell(page)
    assert row.cells is not None
    assert cell.height() == MOST_LINES * 16
    assert cell.verticalScrollBar().value() == cell.verticalScrollBar().maximum(), "the newest line is seen"
    more = row.cells.raw.more
    assert more.text() == "+ 48 lines"
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert cell.height() == 60 * 16
    assert more.text() == "Show fewer lines"


def test_larger_text_grows_cells_and_clips_nothing(page: TryPage, theme: Theme) -> None:
    show(page, kit.story())
    theme.set_scale(1.5)
    QApplication.processEvents()
    page.area.place()
    for row in page.area.rows.values():
        if row.panes:
            for pane in row.panes:
                assert pane.height() >= pane.height_for(pane.width())
