"""Stopped and resumed in the real window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.gui import open_window
from tests.kit.verify_tab import verify_tab
from tests.kit.waiting import until
from workbench.core.batch import BatchState
from workbench.ui.compare.controller import CompareController

if TYPE_CHECKING:
    from pathlib import Path


def test_stopped_and_resumed(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            verify = await verify_tab(session, 12)
            verify.page.setup.parallel.set_value(1)
            verify.run()
            await until(lambda: verify.found is not None and bool(verify.found.pairs))
            assert session.window.actions_table.run("compare.cancel")
            await until(lambda: not verify.running.active)
            await until(lambda: verify.found is not None and verify.found.state is not BatchState.RUNNING)
            assert verify.found is not None
            done = verify.found.complete
            assert done < 12
            verify.page.setup.parallel.set_value(8)
            verify.running.go_on()
            await until(lambda: verify.found is not None and verify.found.complete == 12)
            await until(lambda: not verify.running.active)
            page = session.window.page("compare")
            assert isinstance(page, CompareController)
            page.tabs_view.tabs.choose("earlier")
            await until(lambda: page.tabs_view.earlier.list.model().rowCount() == 1)

    run_async(body())
