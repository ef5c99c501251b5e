from __future__ import annotations

from tests.kit.gui import open_window
from tests.kit.waiting import until


def test_keys_walk_the_recorded_failures(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            table, page = session.window.actions_table, session.window.page("start")
            await until(lambda: page.view.table.model().rowCount() > 2)
            before = page.view.table.currentIndex().row()
            assert table.run("start.next")
            assert page.view.table.currentIndex().row() == before + 1
            assert table.run("start.previous")
            assert page.view.table.currentIndex().row() == before
            assert table.run("start.new")
            assert session.window.current == "try"

    run_async(body())
