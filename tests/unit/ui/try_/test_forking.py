"""From the shown step to a run of its own, in the window."""

from __future__ import annotations

from tests.kit.app import draft
from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.ui.history.controller import HistoryController
from workbench.ui.run.fork_dialog import ForkDialog


def test_a_run_from_the_history_goes_another_way(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            wb = session.wb
            assert wb is not None
            await (await wb.runs.start(draft("model=mistral-steady,seed=1"))).wait()
            page = go_to(session.window, HistoryController)
            await until(lambda: page.page.model.rowCount() == 1)
            page.page.table.choose_row(0)
            page.chosen_run.fork()
            await until(lambda: session.window.findChild(ForkDialog) is not None)
            assert session.window.current == "try"
            dialog = session.window.findChild(ForkDialog)
            dialog.prompt.setPlainText("What is in config/other.toml?")
            dialog.fork.click()
            await until(lambda: wb.store.count("origin:fork -is:running") == 1)
            parent = wb.store.load(2).summary().started.parent
            assert parent is not None
            assert parent.run_id == wb.store.find(1).id
            await until(lambda: not session.window.page("try").is_running)

    run_async(body())
