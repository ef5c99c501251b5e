"""Keys of the cases page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.ui.cases.controller import CasesController

if TYPE_CHECKING:
    from pathlib import Path


def test_a_key_deletes_only_in_the_table(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.activateWindow()
            page = go_to(session.window, CasesController)
            table = session.window.actions_table
            await until(lambda: page.page.cases.rowCount() > 0)
            assert not table.run("cases.undo")
            assert table.run("cases.new")
            await until(lambda: not page.page.editor.text.isReadOnly())
            page.page.editor.text.setFocus()
            assert not table.run("cases.delete")
            page.page.table.setFocus()
            assert table.run("cases.delete")
            await until(lambda: page.can_undo)
            assert table.run("cases.undo")
            await until(lambda: not page.can_undo)

    run_async(body())
