"""The run under way: stopped in the middle, stopped before the first byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.try_app import trying
from tests.kit.waiting import until
from workbench.core.events import CancelCause, RunFinished, StopReason
from workbench.core.target import ModelRef
from workbench.core.verdict import VerdictState

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_stopped_run_keeps_received_text(run_async: RunAsync, home: Path, theme: Theme) -> None:
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
            assert page.page.verdict.verdict.state is VerdictState.CANCELLED
            assert page.page.composer.run.isEnabled()
            (row,) = page.shell.wb.store.list_runs()
            assert row.verdict.state is VerdictState.CANCELLED, "it is recorded like any other"

    run_async(scenario())
