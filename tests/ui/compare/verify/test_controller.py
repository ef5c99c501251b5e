"""Verify in the real window: set up, run, look into a fail, its runs and its report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.kit.gui import open_window
from tests.kit.verify_tab import verify_tab
from tests.kit.waiting import until
from workbench.core.batch import BatchState

if TYPE_CHECKING:
    from pathlib import Path


def test_from_set_up_to_the_runs_of_a_fail(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            verify = await verify_tab(session)
            setup, view = verify.page.setup, verify.page
            assert "20 pairs × 5 = 100 requests" in setup.sum.text()
            QTest.mouseClick(setup.run, Qt.MouseButton.LeftButton)
            await until(lambda: verify.running.active)
            await until(lambda: verify.found is not None and not verify.running.active)
            await until(lambda: not view.model.running)
            assert verify.found is not None
            assert verify.found.state is BatchState.DONE
            view.table.choose(view.model.place_of("prompt_tokens", 2))
            await until(lambda: view.panel.cell.title.text() == "Prompt tokens")
            assert view.panel.evidence.model.rowCount() > 0
            await until(lambda: "Pair" in view.panel.evidence.title.text())
            verify.report()
            assert "main-70b" in QGuiApplication.clipboard().text()
            view.panel.tabs.choose("evidence")
            assert session.window.actions_table.run("verify.both")
            await until(lambda: verify.pair.dialog is not None)
            assert session.window.current == "compare"
            assert verify.pair.dialog is not None
            verify.pair.dialog.reject()
            await until(lambda: verify.pair.dialog is None)
            tabs, told = session.window.page("compare").tabs_view.tabs, session.window.status.left
            for tab, words in (
                ("matrix", "No comparison is shown"),
                ("earlier", "opens a line"),
                ("verify", "100 requests done"),
            ):
                tabs.choose(tab)
                assert words in told.text()

    run_async(body())
