from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.app import draft
from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.ui.history.controller import HistoryController


def test_a_run_is_marked_and_another_compared_with_it(theme, run_async, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            for name in ("mistral-steady", "qwen-hasty"):
                await (await session.wb.runs.start(draft(f"model={name},seed=3"))).wait()
            page = go_to(session.window, HistoryController)
            await until(lambda: page.page.model.rowCount() == 2 and page.page.chosen is not None)
            table = page.page.table
            QTest.keyClick(table, Qt.Key.Key_D)
            assert page.diff.dialog is None
            QTest.keyClick(table, Qt.Key.Key_M)
            assert page.page.model.line(0).marked
            QTest.keyClick(table, Qt.Key.Key_D)
            assert page.diff.dialog is None
            QTest.keyClick(table, Qt.Key.Key_J)
            QTest.keyClick(table, Qt.Key.Key_D)
            await until(lambda: page.diff.dialog is not None)
            dialog = page.diff.dialog
            assert dialog is not None
            assert "configuration differed" in dialog.sentence.text
            assert dialog.model.line(0).asked
            dialog.reject()
            await until(lambda: page.diff.dialog is None)
            page.refresh()
            await until(lambda: page.page.model.line(0).marked)
            page.page.table.choose_row(1)
            QTest.mouseClick(page.page.preview.mark_button, Qt.MouseButton.LeftButton)
            assert [page.page.model.line(at).marked for at in (0, 1)] == [False, True]
            page.diff.mark()
            assert not page.diff.marked

    run_async(body())
