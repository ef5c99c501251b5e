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
    from workbench.ui.views.try_page import TryPage

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


def test_the_inspector_follows_until_a_step_is_chosen(page: TryPage) -> None:
    events = kit.story()
    half = next(n for n, event in enumerate(events) if isinstance(event, ChunkReceived) and event.step == 2)
    stream(page, events[:half])
    assert page.inspector.step is page.run.steps[2]
    page.links.choose_step(0)
    page.apply(events[half:])
    assert page.inspector.step is page.run.steps[0]
