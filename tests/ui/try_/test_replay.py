"""Replay in Try: offline, over recorded examples, with a sentence and every difference."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.kit.try_app import trying
from tests.kit.waiting import until
from workbench.core.events import RunFinished
from workbench.ui.try_.dialogs import WholeText
from workbench.ui.try_.replay import replay_report

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_a_run_is_replayed_offline(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            assert not page.replay.possible
            page.replay.start()
            page.run()
            await until(lambda: not page.is_running)
            await page.shell.wb.simulator.aclose()
            QTest.mouseClick(page.page.verdict.replay, Qt.MouseButton.LeftButton)
            await until(lambda: page.replay.found is not None)
            assert page.page.verdict.outcome.text() == "replay: same"
            assert page.status[0].startswith("Replay: same")
            page.run()
            assert not page.page.verdict.outcome.isVisible()
            page.stop()
            await until(lambda: not page.is_running)

    run_async(scenario())


def test_a_difference_is_named_in_full(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            stored = await page.shell.wb.examples.open("06-boost-guidance-ignored")
            events = tuple(
                replace(event, answer="another answer") if isinstance(event, RunFinished) else event
                for event in stored.events
            )
            page.show_stored(replace(stored, events=events))
            page.replay.start()
            await until(lambda: page.replay.found is not None)
            assert page.replay.found is not None
            assert page.page.verdict.outcome.text() == "replay: changed"
            assert "then:  another answer" in replay_report(page.replay.found)
            QTest.mouseClick(page.page.verdict.outcome, Qt.MouseButton.LeftButton)
            (window,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, WholeText)]
            assert "another answer" in window.text.toPlainText()
            window.close()

    run_async(scenario())
