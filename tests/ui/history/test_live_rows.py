"""Runs that begin or end while the history is looked at: rows, pane and counts follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.app import draft
from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.core.verdict import VerdictState
from workbench.ui.history.controller import HistoryController

if TYPE_CHECKING:
    from pathlib import Path


def test_a_running_row_follows_its_run_to_the_end(run_async, theme, home: Path, monkeypatch, leak_check) -> None:
    monkeypatch.setattr("workbench.ui.history.live_rows._LOOK_MS", 20)

    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            await (await session.wb.runs.start(draft("model=mistral-steady"))).wait()
            run = await session.wb.runs.start(draft("model=mistral-steady", tokens_per_second=1, first_token_s=3600))
            store = session.wb.store
            await until(lambda: store.count("") == 2)
            session.window.go("history")
            page = session.window.page("history")
            assert isinstance(page, HistoryController)
            await until(lambda: len(page.page.model.running) == 1 and page.page.chosen is not None)
            assert page.page.chosen.id == run.run_id
            again: list[str] = []
            monkeypatch.setattr(page.page.preview, "show_run", lambda line: again.append(line.id))
            run.cancel()
            await until(lambda: not page.page.model.running)
            assert page.page.model.rowCount() == 2
            assert page.page.model.line(0).run.verdict.state is VerdictState.CANCELLED
            assert again == [run.run_id]
            await until(
                lambda: "cancelled" in [page.page.facets.line(row).mark for row in range(page.page.facets.rowCount())]
            )
            session.window.go("try")
            assert not page.live._timer.isActive()

    run_async(body())


def test_a_run_of_somebody_else_comes_on_top(run_async, theme, home: Path, monkeypatch, leak_check) -> None:
    monkeypatch.setattr("workbench.ui.history.live_rows._LOOK_MS", 20)

    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            window, runs = session.window, session.wb.runs
            window.go("history")
            page = window.page("history")
            assert isinstance(page, HistoryController)
            await until(lambda: page.page.tabs.tabText(0) and not page.page.chosen)
            first = await runs.start(draft("model=mistral-steady"))
            await first.wait()
            await until(lambda: page.page.chosen is not None)
            second = await runs.start(draft("model=mistral-steady"))
            await second.wait()
            await until(lambda: page._total == 2)
            assert [page.page.model.line(row).run.id for row in range(2)] == [second.run_id, first.run_id]
            assert page.page.chosen is not None
            assert page.page.chosen.id == first.run_id
            window.go("try")

    run_async(body())
