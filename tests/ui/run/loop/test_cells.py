"""The four cells of a row through the states of its step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from tests.kit import events as kit
from tests.kit.try_page import chunk, make_page, stream

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    return make_page(qtbot)


def test_a_stalled_step_offers_cancel(qtbot: QtBot, page: TryPage) -> None:
    stream(page, kit.running())
    row = page.area.rows[0]
    row.refresh_status(page.run.last_at_us + 6_000_000)
    assert row.cells is not None
    (button,) = row.cells.raw.buttons
    assert button.text() == "Cancel"
    with qtbot.waitSignal(page.acted) as acted:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert acted.args == [0, "cancel"]
    page.apply([chunk("on it goes")])
    row.refresh_status(page.run.last_at_us)
    assert row.cells.raw.buttons == []
