"""The page Try on the screen, filled with hand-written runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication

from tests.kit import events as kit
from workbench.core.events import ChunkReceived, RunStarted
from workbench.core.exchange import TextDelta
from workbench.core.target import ModelRef
from workbench.ui.try_.prompt_draft import PromptDraft
from workbench.ui.try_.view import TryPage

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.core.events import RunEvent
    from workbench.ui.run.loop.text import TextCell
    from workbench.ui.theme.theme import Theme

MODELS = [(ModelRef("Simulator", "qwen-hasty"), ""), (ModelRef("Simulator", "plain"), "")]


def make_page(qtbot: QtBot, width: int = 1368, height: int = 830) -> TryPage:
    """A visible page with simulated models and real reading of tools."""
    page = TryPage()
    qtbot.addWidget(page)
    page.composer.target.set_models(MODELS, frozenset({"Simulator"}))
    page.composer.refresh()
    page.step_finished.connect(lambda number: read(page, number))
    page.resize(width, height)
    page.show()
    return page


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    """The page with a recorded run of two loops."""
    made = make_page(qtbot)
    show(made, kit.story())
    return made


def read(page: TryPage, number: int) -> None:
    """Do what the controller does when a step has its reply."""
    reply = page.run.steps[number].reply
    assert reply is not None
    page.set_reading(number, kit.read_regions(reply), kit.read_fields(reply))


def show(page: TryPage, events: list[RunEvent]) -> None:
    """Open a recorded run with its prompt."""
    started = events[0]
    assert isinstance(started, RunStarted)
    page.composer.show_draft(
        PromptDraft.of(started.messages, started.target, started.tools, started.tool_choice, started.title)
    )
    page.show_events(events)


def stream(page: TryPage, events: list[RunEvent], size: int = 5) -> None:
    """Let a run happen: events in batches of `size`, painted in between."""
    page.begin()
    for at in range(0, len(events), size):
        page.apply(events[at : at + size])
        QApplication.processEvents()


def raw_cell(page: TryPage, number: int = 0) -> TextCell:
    """The raw text of a step that is on the screen."""
    cells = page.area.rows[number].cells
    assert cells is not None
    assert cells.raw.text is not None
    return cells.raw.text


def chunk(text: str) -> ChunkReceived:
    """More text of step 0."""
    return ChunkReceived(0, 0, 999, b"", 900_000, (TextDelta(text),))
