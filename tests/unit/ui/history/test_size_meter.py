"""The tab Size in the window: measured, limited after a question, checked."""

from __future__ import annotations

from tests.kit import runs
from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.store import Store
from workbench.ui.history.controller import HistoryController
from workbench.ui.widgets.dialogs import QuestionDialog


def test_the_history_is_measured_checked_and_limited(theme, run_async, home, leak_check) -> None:
    home.mkdir(parents=True)
    store = Store.open(home / "workbench.db")
    for name, at in (("old", 1_500_000_000_000_000), ("new", runs.STARTED_US)):
        store.record(name, [runs.started(name, at_us=at), *runs.make_run()[1:]])
    store.close()

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, HistoryController)
            wb, panel = session.wb, page.page.size_meter
            assert wb is not None
            page.page.tabs.choose("size")
            await until(lambda: "stand empty" in panel.head.note.text())
            panel.check.click()
            await until(lambda: "2 runs sound" in panel.found.text())
            panel.days.set_value(3_000)
            panel.apply.click()
            await until(lambda: session.window.findChild(QuestionDialog) is not None)
            session.window.findChild(QuestionDialog).accept()
            await until(lambda: "1 run removed" in panel.found.text())
            assert wb.saved_settings.history.keep_days == 3_000
            assert [row.id for row in wb.store.list_runs()] == ["new"]
            panel.shrink.click()
            await until(lambda: "given back" in panel.found.text())
            page.page.tabs.choose("runs")
            await until(lambda: page.page.model.rowCount() == 1)

    run_async(body())
