"""Try with the real application: simulated models over loopback, recorded before shown, opened again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.gui import open_window
from tests.kit.try_app import trying
from tests.kit.waiting import until
from workbench.core.events import ExchangeStarted
from workbench.core.target import ModelRef
from workbench.ui.start.controller import StartController
from workbench.ui.try_.controller import TryController
from workbench.ui.try_.drafts import EXAMPLE_PROMPT

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_run_is_shown_as_it_happens_and_is_in_the_history(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            QTest.mouseClick(page.page.composer.run, Qt.MouseButton.LeftButton)
            assert page.is_running
            assert page.page.composer.stop.isVisible()
            await until(lambda: any(step.state.live and step.deltas for step in page.page.run.steps.values()))
            await until(lambda: not page.is_running)
            assert page.page.run.finished is not None
            assert page.status[0] == "Saved to history as run 1 · recorded before shown"
            assert page.page.verdict.verdict.state is page.page.run.verdict.state  # type: ignore[union-attr]
            stored = await page.shell.wb.load(1)
            assert stored.verdict == page.page.run.verdict
            live = [step.raw.shown_text() for step in page.page.run.steps.values()]
            page.show_stored(stored)
            assert [step.raw.shown_text() for step in page.page.run.steps.values()] == live
            assert page.page.composer.user.text() == EXAMPLE_PROMPT

    run_async(scenario())


@pytest.mark.parametrize("planner", [None, ModelRef("Simulator", "plain")])
def test_preview_equals_the_sent_request(
    run_async: RunAsync, home: Path, theme: Theme, planner: ModelRef | None
) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.show_draft(replace(page.page.composer.draft, planner=planner))
            page.toggle_preview()
            await until(lambda: page.page.preview.wire is not None)
            wire = page.page.preview.wire
            page.page.preview.segments.button("bytes").click()
            assert page.page.preview.text.raw == wire.body.decode()  # type: ignore[union-attr]
            page.run()
            await until(lambda: not page.is_running)
            stored = await page.shell.wb.load(1)
            sent = next(event for event in stored.events if isinstance(event, ExchangeStarted))
            assert sent.request == wire
            assert not page.page.shows_preview

    run_async(scenario())


def test_preview_updates_and_names_missing_fields(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.toggle_preview()
            page.page.composer.user.set_text("Only this.")
            await until(lambda: "Only this." in page.page.preview.text.raw)
            page.page.composer.user.set_text("")
            await until(lambda: page.page.preview.facts.text() == "Run is off: the prompt is empty")
            page.escape()
            assert not page.page.shows_preview

    run_async(scenario())


def test_a_recorded_example_is_explored_with_real_spans(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            stored = await page.shell.wb.examples.open("10-double-encoded")
            page.show_stored(stored)
            assert page.status[0].startswith("A recorded example · Run is off: ")
            assert page.page.composer.why_off.startswith("Run is off: there is no provider 'Recorded'")
            step = next(step for step in page.page.run.steps.values() if step.calls)
            index = page.page.links.index(step.number)
            hit = index.field(0, ("city",))
            assert hit is not None
            assert hit.span.source == "call:0"
            assert "Rome" in step.raw.source("call:0")[hit.span.start : hit.span.end]

    run_async(scenario())


def test_status_says_that_run_is_off_only_as_long_as_it_is(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            example = await page.shell.wb.examples.open("10-double-encoded")
            for leave in (page.new, lambda: page.show_model(ModelRef("Simulator", "qwen-hasty"))):
                page.show_stored(example)
                assert "Run is off" in page.status[0]
                leave()
                assert page.status[0] == "Ready to run"
            page.page.composer.user.set_text("")
            assert page.status[0] == "Run is off: the prompt is empty"

    run_async(scenario())


def test_a_run_of_an_example_s_prompt_does_not_take_its_title(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.show_stored(await page.shell.wb.examples.open("02-cut-json"))
            assert page.title == ("Try", "Cut JSON: the reply stopped at the token limit")
            page.show_model(ModelRef("Simulator", "mistral-steady"))
            page.run()
            await until(lambda: not page.is_running and page.shell.wb.store.count("") == 1)
            assert page.title == ("Try", "Summarise our discussion and save it as notes.md.")
            assert page.shell.wb.store.list_runs()[0].title == page.title[1]

    run_async(scenario())


def test_keys_of_an_opened_run_are_not_typed_into_its_prompt(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.go("start")
            start = window.page("start")
            assert isinstance(start, StartController)
            await until(start.page.table.hasFocus)
            QTest.keyClick(start.page.table, Qt.Key.Key_Return)
            await until(lambda: window.current == "try")
            page = window.page("try")
            assert isinstance(page, TryController)
            await until(lambda: page.page.area.isAncestorOf(window.focusWidget()))
            asked = page.page.composer.draft.user
            QTest.keyClick(window.focusWidget(), Qt.Key.Key_F)
            await until(lambda: window.current == "forensics")
            assert page.page.composer.draft.user == asked

    run_async(scenario())


def test_a_new_prompt_can_be_run_after_a_recorded_failure(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            page = window.page("try")
            assert isinstance(page, TryController)
            window.go("try")
            page.show_stored(await page.shell.wb.examples.open("02-cut-json"))
            assert page.page.composer.why_off
            window.go("start")
            QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
            await until(page.page.composer.user.hasFocus)
            assert (page.page.composer.why_off, page.page.run.started) == ("", None)
            assert page.title == ("Try", "")
            QTest.keyClicks(page.page.composer.user, "Say hello.")
            assert page.page.composer.draft.user == "Say hello."
            page.run()
            await until(lambda: not page.is_running and page.shell.wb.store.count("") == 1)
            QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
            assert page.page.run.started is None
            assert page.page.composer.draft.user == EXAMPLE_PROMPT
            page.drafts.undo()
            assert page.page.composer.draft.user == "Say hello."

    run_async(scenario())


def test_invalid_draft_is_marked_in_place(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.show_draft(replace(page.page.composer.draft, format="no_such_format"))
            page.run()
            await until(lambda: not page.is_running)
            assert page.page.composer.reason.isVisible()
            assert "no_such_format" in page.page.composer.reason.text()
            assert page.page.composer.run.isEnabled()
            page.show_draft(replace(page.page.composer.draft, tools="[,"))
            page.run()
            assert not page.is_running
            assert page.status[0].startswith("Run is off: tools.json line 1, column 2")

    run_async(scenario())
