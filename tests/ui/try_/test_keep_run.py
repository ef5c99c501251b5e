"""Keep as case from Try's verdict bar, for a live run and for a recorded example."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.gui import go_to, open_window, settle
from tests.kit.waiting import until
from workbench.ui.run.case.keep_dialog import KeepCaseDialog
from workbench.ui.try_.controller import TryController

if TYPE_CHECKING:
    from pathlib import Path


def test_a_run_and_an_example_are_kept(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            page = go_to(session.window, TryController)
            assert session.window.focusWidget() is page.page.composer.user  # where the next words go
            assert not session.window.actions_table.run("try.keep")
            page.run()
            await until(lambda: page.page.run.finished is not None and not page.is_running)
            await until(page.page.verdict.keep.isVisible)
            for kept in (1, 2):
                QTest.mouseClick(page.page.verdict.keep, Qt.MouseButton.LeftButton)
                await until(lambda: session.window.findChild(KeepCaseDialog) is not None)
                dialog = session.window.findChild(KeepCaseDialog)
                assert dialog is not None
                QTest.mouseClick(dialog.keep, Qt.MouseButton.LeftButton)
                await until(lambda kept=kept: len(list((home / "suites").rglob("*.yaml"))) == kept)
                settle()
                session.window.go("start")
                start = session.window.page("start").page
                start.table.choose_row(0)
                start.open_chosen()
                await until(lambda: session.window.current == "try")

    run_async(body())
