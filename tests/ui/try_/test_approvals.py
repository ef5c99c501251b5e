"""A call in mode ask waits in the loop card of a real run: allowed, edited, refused, or stopped."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.fakes import READ_FILE
from tests.kit.try_app import trying
from tests.kit.waiting import until
from workbench.core.approvals import DecidedBy
from workbench.core.events import ApprovalDecided, StopReason, ToolFinished
from workbench.core.target import ModelRef
from workbench.tools.preview import Effect
from workbench.ui.try_.approvals import consequences
from workbench.ui.try_.prompt_draft import PromptDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.controller import TryController

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def prepared(home: Path) -> None:
    """A data folder whose workspace holds two files."""
    folder = home.parent / "work"
    folder.mkdir()
    (folder / "app.toml").write_text("port = 5432\n", encoding="utf-8")
    (folder / "other.toml").write_text("port = 1\n", encoding="utf-8")
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text(f"[run]\nworkspace = {json.dumps(str(folder))}\n", encoding="utf-8")


async def waiting(page: TryController) -> None:
    """Run until a call of read_file waits."""
    tools = {"tools": [READ_FILE.to_openai()], "modes": {"read_file": "ask"}}
    page.show_draft(
        PromptDraft(user='Read the file "app.toml" and tell me the port.', tools=json.dumps(tools),
                    model=ModelRef("Simulator", "mistral-steady"))
    )  # fmt: skip
    page.run()
    await until(lambda: page.page.area.approvals)


async def events_of(page: TryController) -> list:
    await until(lambda: not page.is_running)
    return list((await page.shell.wb.load(1)).events)


def test_allow_runs_the_tool(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        prepared(home)
        async with trying(home, theme) as page:
            await waiting(page)
            (row,) = page.page.area.approvals
            assert "Reads app.toml" in row.view.consequences[0].text
            assert page.page.verdict.jump.isVisible()
            assert "1 waits for you" in page.page.area.cards[0].header.accessibleName()
            row.allow_button.click()
            events = await events_of(page)
            (done,) = [event for event in events if isinstance(event, ToolFinished)]
            assert "5432" in str(done.result.result)
            assert not page.page.area.approvals
            assert not page.page.verdict.jump.isVisible()

    run_async(scenario())


def test_edited_arguments_are_used_and_shown(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        prepared(home)
        async with trying(home, theme) as page:
            await waiting(page)
            page.approvals.edit()
            (row,) = page.page.area.approvals
            QTest.keyClicks(row.fields[0], "other.toml")
            page.run_or_allow()
            events = await events_of(page)
            (decided,) = [event for event in events if isinstance(event, ApprovalDecided)]
            assert (decided.decision.by, decided.decision.arguments) == (DecidedBy.USER, {"path": "other.toml"})
            (call,) = page.page.run.steps[0].calls
            assert call.decision == decided.decision

    run_async(scenario())


def test_a_given_result_goes_back_and_nothing_is_called(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        prepared(home)
        async with trying(home, theme) as page:
            await waiting(page)
            (row,) = page.page.area.approvals
            page.approvals.edit()
            QTest.keyClicks(row.fields[0], "none.toml")
            await until(lambda: "none.toml" in str(row._consequences))
            page.approvals.answer()
            QTest.keyClicks(row.result, "port = 9999")
            page.run_or_allow()
            events = await events_of(page)
            (decided,) = [event for event in events if isinstance(event, ApprovalDecided)]
            assert (decided.decision.answered, decided.decision.result) == (True, "port = 9999")
            (done,) = [event for event in events if isinstance(event, ToolFinished)]
            assert (done.result.result, done.result.by) == ("port = 9999", "the user")

    run_async(scenario())


def test_what_a_call_would_do_line_by_line() -> None:
    effect = Effect(("Replaces a.",), tuple(f"+{at}" for at in range(6)), undo=True)
    assert [(one.kind, one.text) for one in consequences(effect)] == [
        ("does", "Replaces a."), *(("added", str(at)) for at in range(4)), ("does", "… 2 more changed lines"),
        ("undo", "It can be taken back on the page Tools"), ("undo", "Your decision is recorded and replayed offline"),
    ]  # fmt: skip
    assert consequences(Effect((), refused="No."))[0] == ("warn", "The tool will refuse: No.")


def test_refused_the_model_is_told(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        prepared(home)
        async with trying(home, theme) as page:
            await waiting(page)
            page.approvals.refuse()
            events = await events_of(page)
            (done,) = [event for event in events if isinstance(event, ToolFinished)]
            assert (done.result.success, done.result.refused) == (False, True)

    run_async(scenario())


def test_stop_while_a_call_waits(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        prepared(home)
        async with trying(home, theme) as page:
            await waiting(page)
            page.escape()
            await events_of(page)
            assert page.page.run.finished is not None
            assert page.page.run.finished.stop is StopReason.CANCELLED
            assert not page.page.area.approvals
            assert not page.approvals.waiting

    run_async(scenario())


def test_jump_gives_the_keyboard_to_the_waiting_call(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        prepared(home)
        async with trying(home, theme) as page:
            await waiting(page)
            page.view.activateWindow()
            (row,) = page.page.area.approvals
            assert page.view.focusWidget() is not row.allow_button
            page.approvals.jump()
            assert page.view.focusWidget() is row.allow_button
            QTest.keyClick(row.allow_button, Qt.Key.Key_Space)
            await events_of(page)

    run_async(scenario())
