"""The page Try on the screen, filled with hand-written runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit import events as kit
from workbench.core.events import RunStarted
from workbench.core.target import ModelRef
from workbench.schema import check_schema
from workbench.tools.toolset import setups_from_json
from workbench.ui.models.prompt_draft import PromptDraft
from workbench.ui.models.tool_text import ToolBook
from workbench.ui.views.try_page import TryPage

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.core.events import RunEvent

MODELS = [(ModelRef("Simulator", "qwen-hasty"), ""), (ModelRef("Simulator", "plain"), "")]


def make_page(qtbot: QtBot, width: int = 1368, height: int = 830) -> TryPage:
    """A visible page with simulated models and real reading of tools."""
    page = TryPage()
    qtbot.addWidget(page)
    page.composer.book = ToolBook(lambda value: setups_from_json(value, "tools"), check_schema)
    page.composer.target.set_models(MODELS, frozenset({"Simulator"}))
    page.composer.refresh()
    page.step_finished.connect(lambda number: read(page, number))
    page.resize(width, height)
    page.show()
    return page


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
