"""One ruler for all cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication

from tests.kit import events as kit
from tests.kit.try_page import make_page, show

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    return make_page(qtbot)


def test_cells_of_a_row_stand_on_the_ruler(page: TryPage) -> None:
    show(page, kit.story())
    edges = set()
    for row in page.area.rows.values():
        if row.panes:
            edges.add(tuple(pane.geometry().left() for pane in row.panes))
    assert len(edges) == 1
    assert sum(page.area.ruler.widths) == page.area.cards[0].width() - 2


def test_dragging_the_header_moves_every_card(page: TryPage) -> None:
    show(page, kit.story())
    page.area.header.resizeSection(1, page.area.ruler.widths[1] + 60)
    assert page.area.header.sectionSize(1) == page.area.ruler.widths[1]
    QApplication.processEvents()
    for row in page.area.rows.values():
        if row.panes:
            assert row.panes[2].x() == page.area.ruler.widths[0] + page.area.ruler.widths[1] + 12
