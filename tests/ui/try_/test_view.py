"""The page Try: inspector and narrow windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication

from tests.kit import events as kit
from tests.kit.try_page import make_page, show, stream
from workbench.core.events import ChunkReceived

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    return make_page(qtbot)


def test_a_narrow_window_shortens_sent_first(page: TryPage) -> None:
    show(page, kit.story())
    page.resize(930, 600)
    QApplication.processEvents()
    assert not page.inspector_open
    assert page.area.ruler.narrow
    assert min(page.area.ruler.widths[1:3]) >= 280


def test_the_layout_is_kept(page: TryPage, qtbot: QtBot, theme: Theme) -> None:
    show(page, kit.story())
    page.area.header.resizeSection(1, page.area.ruler.widths[1] + 60)
    page.toggle_inspector()
    state = page.layout_state()
    other = make_page(qtbot)
    other.restore_layout(state)
    assert not other.inspector_open
    kept = other.layout_state()
    assert kept["columns"] == pytest.approx(state["columns"], abs=0.001)
    other.restore_layout({"columns": [0.5, "x", None], "inspector": "yes"})
    assert other.layout_state() == kept


def test_inspector_follows_the_latest_step(page: TryPage) -> None:
    events = kit.story()
    half = next(n for n, event in enumerate(events) if isinstance(event, ChunkReceived) and event.step == 2)
    stream(page, events[:half])
    assert page.inspector.step is page.run.steps[2]
    page.links.choose_step(0)
    page.apply(events[half:])
    assert page.inspector.step is page.run.steps[0]
