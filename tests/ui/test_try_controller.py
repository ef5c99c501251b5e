"""Try with the real application: simulated models over loopback, recorded before shown, stopped, opened again."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from workbench.app import Workbench
from workbench.core.events import CancelCause, ExchangeStarted, RunFinished, StopReason
from workbench.core.target import ModelRef
from workbench.core.verdict import VerdictState
from workbench.ui.bridge.tasks import Tasks
from workbench.ui.controllers.page import Shell
from workbench.ui.controllers.try_controller import EXAMPLE_PROMPT, TryController

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


@asynccontextmanager
async def trying(home: Path, theme: Theme) -> AsyncIterator[TryController]:
    """The page Try, shown, over an empty data folder."""
    async with Workbench.open(home) as wb:
        window, tasks, said = QWidget(), Tasks(), []
        troubles: list[object] = []
        tasks.crashed.connect(troubles.append)
        shell = Shell(wb, tasks, theme, window, said.append, said.append, said.append, said.append, said.append)
        controller = TryController(shell)
        controller.view.resize(1368, 830)
        controller.view.show()
        controller.shown()
        try:
            yield controller
        finally:
            await controller.aclose()
            await tasks.aclose()
            controller.view.hide()
            controller.view.deleteLater()
            window.deleteLater()
        assert troubles == []


async def until(condition: Callable[[], bool], limit_s: float = 20.0) -> None:
    """Wait for something to become true."""
    async with asyncio.timeout(limit_s):
        while not condition():
            await asyncio.sleep(0.02)


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


def test_stop_keeps_what_came(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.show_model(ModelRef("Simulator", "mistral-slow"))
            page.run()
            await until(lambda: any(step.deltas > 2 for step in page.page.run.steps.values()))
            page.escape()
            await until(lambda: not page.is_running)
            finished = page.page.run.finished
            assert finished is not None
            assert (finished.stop, finished.cancel) == (StopReason.CANCELLED, CancelCause.USER)
            assert page.page.verdict.verdict.state is VerdictState.CANCELLED
            assert any(step.raw.length for step in page.page.run.steps.values())
            stored = await page.shell.wb.load(1)
            assert any(isinstance(event, RunFinished) for event in stored.events)

    run_async(scenario())


def test_stop_before_the_first_byte_counts_too(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.run()
            page.stop()
            await until(lambda: not page.is_running)
            assert page.page.run.started is None
            assert page.status[0] == "Nothing was sent"
            assert page.page.composer.run.isEnabled()

    run_async(scenario())


@pytest.mark.parametrize("planner", [None, ModelRef("Simulator", "plain")])
def test_the_preview_is_what_is_sent(run_async: RunAsync, home: Path, theme: Theme, planner: ModelRef | None) -> None:
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


def test_the_preview_follows_the_prompt_and_says_what_is_missing(run_async: RunAsync, home: Path, theme: Theme) -> None:
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


def test_models_are_listed_and_a_guess_is_marked(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            target = page.page.composer.target
            await until(lambda: len(target.model.choices) > 5)
            assert all(choice.icon == "flask" for choice in target.model.choices)
            assert "detected: qwen_xml" in target.format.accessibleDescription()
            page.show_model(ModelRef("Simulator", "nobody-knows-me"))
            assert "guess" in target.format.accessibleDescription()

    run_async(scenario())


def test_what_cannot_be_sent_is_said_in_place(run_async: RunAsync, home: Path, theme: Theme) -> None:
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


def test_a_recorded_example_is_explored_with_real_spans(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            stored = await page.shell.wb.examples.open("10-double-encoded")
            page.show_stored(stored)
            assert page.status[0] == "A recorded example"
            assert page.page.composer.why_off.startswith("Run is off: there is no provider 'Recorded'")
            step = next(step for step in page.page.run.steps.values() if step.calls)
            index = page.page.links.index(step.number)
            hit = index.field(0, ("city",))
            assert hit is not None
            assert hit.span.source == "call:0"
            assert "Rome" in step.raw.source("call:0")[hit.span.start : hit.span.end]

    run_async(scenario())


def test_problems_are_walked_by_key_and_named(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.show_stored(await page.shell.wb.examples.open("06-boost-guidance-ignored"))
            actions = {action.id: action for action in page.actions()}
            actions["try.next_problem"].call()
            assert page.status[0].startswith("guidance ignored")
            actions["try.previous_problem"].call()
            actions["try.wire"].call()
            assert page.page.inspector_open
            actions["try.inspector"].call()
            assert not page.page.inspector_open
            assert not actions["try.stop"].enabled()

    run_async(scenario())


def test_requests_are_pasted(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            composer = page.page.composer
            page.paste("just a prompt")
            assert composer.user.text() == "just a prompt"
            page.paste(
                '{"model": "m", "temperature": 0.5, "messages": [{"role": "system", "content": "s"},'
                ' {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"},'
                ' {"role": "user", "content": "c"}], "tools": [{"name": "f"}]}'
            )
            assert (composer.system.text(), composer.user.text()) == ("s", "c")
            assert composer.earlier.isVisible()
            assert composer.earlier.text() == "2 earlier messages"
            assert composer.draft.parameters.temperature == "0.5"
            assert [one.spec.name for one in composer.checked.tools] == ["f"]
            page.paste('{"model": ')
            assert "begins like JSON" in page.status[0]
            assert composer.user.text() == "c"
            page.paste("  ")
            assert page.status[0].startswith("The clipboard holds no text")

    run_async(scenario())


def test_a_failed_step_is_retried_and_reported(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.show_stored(await page.shell.wb.examples.open("09-rate-limit"))
            cells = page.page.area.rows[0].cells
            assert cells is not None
            retry, wire, report = cells.raw.buttons
            QTest.mouseClick(report, Qt.MouseButton.LeftButton)
            text = QGuiApplication.clipboard().text()
            assert "What: Rate limit reached" in text
            assert "429" in text
            QTest.mouseClick(wire, Qt.MouseButton.LeftButton)
            assert page.page.inspector.tabs.current == "wire"
            QTest.mouseClick(retry, Qt.MouseButton.LeftButton)
            assert not page.is_running
            assert "no provider 'Recorded'" in page.status[0]

    run_async(scenario())


def test_editors_write_into_the_draft(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            composer = page.page.composer
            tools = page.editors.open_tools("list_directory")
            assert tools.list.editor.title.text() == "list_directory"
            tools.text.set_text('[{"name": "only_one"}]')
            assert [one.spec.name for one in composer.checked.tools] == ["only_one"]
            tools.reject()
            wrapper = page.editors.open_wrapper()
            wrapper.text.set_text(wrapper.text.toPlainText() + "\nBe short.")
            assert "Be short." in wrapper.preview.raw
            QTest.mouseClick(wrapper.use, Qt.MouseButton.LeftButton)
            assert composer.draft.wrapper is not None
            messages = page.editors.open_messages()
            messages.text.set_text('[{"role": "user", "content": "first"}]')
            QTest.mouseClick(messages.use, Qt.MouseButton.LeftButton)
            assert len(composer.draft.earlier) == 1
            await asyncio.sleep(0)

    run_async(scenario())
