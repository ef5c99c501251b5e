"""Keys of the comparison's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.ui.compare.controller import CompareController

if TYPE_CHECKING:
    from pathlib import Path


def test_actions_are_enabled_by_state(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, CompareController)
            await until(lambda: page.page.setup.suite_chosen is not None)
            table = session.window.actions_table
            assert not table.run("compare.cancel")
            assert not table.run("compare.copy")
            ids = [action.id for action in page.shell.window.actions_of(page.key)]
            assert len(ids) == len(set(ids))
            assert table.run("compare.cell")
            assert page.page.panel.tabs.current == "cell"
            assert table.run("compare.new")
            assert page.page.shows_setup

            tabs = page.tabs_view.tabs
            tabs.choose("earlier")
            assert not table.run("compare.run")
            assert page.top_widgets() == (page.new_button,)
            assert page.new_button.isEnabled()
            assert table.run("compare.new")
            assert tabs.current == "matrix"

    run_async(body())
