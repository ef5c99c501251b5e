"""A reply that was edited at a breakpoint of the gateway: one row, and both versions behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit import runs
from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.ui.history.controller import HistoryController

if TYPE_CHECKING:
    from pathlib import Path


def test_a_row_says_that_it_was_edited_and_shows_both_versions(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            store = session.wb.store
            store.record("plain", runs.make_run("plain"))
            store.record("model", runs.make_run("model"))
            store.record("given", runs.edit_of("given", "model"))
            page = go_to(session.window, HistoryController)
            preview = page.page.preview
            await until(lambda: page.page.model.rowCount() == 2 and preview.glance.step is not None)
            prompt = next(at for at, column in enumerate(page.page.model.columns) if column.title == "Prompt")
            texts = [page.page.model.columns[prompt].text(page.page.model.line(row)) for row in (0, 1)]
            assert [text.startswith("edited, ") for text in texts] == [True, False]
            assert page.page.preview.version.isVisible()
            assert "get_rain" not in str(preview.glance.step)
            QTest.mouseClick(preview.version.button("given"), Qt.MouseButton.LeftButton)
            await until(lambda: "get_rain" in str(preview.glance.step))
            page.page.table.choose_row(1)
            await until(lambda: not preview.version.isVisible())

    run_async(body())
