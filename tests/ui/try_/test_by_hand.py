"""The verdict bar of Try offers a verdict by hand for what is recorded, and not for an example."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.core.verdict import VerdictState
from workbench.store.opinions import HAND, Opinion
from workbench.ui.try_.controller import TryController

if TYPE_CHECKING:
    from pathlib import Path


def test_runs_have_it_and_examples_do_not(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            page = go_to(session.window, TryController)
            bar = page.page.verdict
            page.run()
            await until(lambda: page.page.run.verdict is not None and not page.is_running)
            await until(bar.hand.isVisible)
            run_id = page.page.run.started.run_id
            session.wb.store.opinions.add(Opinion(run_id, 1, HAND, "me", VerdictState.FAIL, "made up"))
            page.by_hand.show()
            await until(bar.by_hand.isVisible)
            assert "made up" in bar.by_hand.accessibleName()
            session.window.go("start")
            start = session.window.page("start").page
            start.table.choose_row(0)
            start.open_chosen()
            await until(lambda: session.window.current == "try" and bar.isVisible())
            assert bar.hand.isHidden()
            assert bar.by_hand.isHidden()
            assert not session.window.actions_table.run("try.verdict")

    run_async(body())
