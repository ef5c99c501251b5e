"""The tab Models is filled, and a row leads to its runs."""

from __future__ import annotations

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from tests.unit.ui.history.test_controller import _record
from workbench.ui.history.controller import HistoryController


def test_a_row_leads_to_its_runs(theme, run_async, home, leak_check) -> None:
    _record(home)

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, HistoryController)
            view = page.page
            await until(lambda: view.model.rowCount() == 1)
            assert view.chosen is not None
            view.tabs.choose("models")
            await until(lambda: view.models.model.rowCount() == 1 and "last 200 runs" in page.status[0])
            assert view.chosen is None
            line = view.models.model.line(0)
            assert (line.model, line.performance.runs) == ("qwen-hasty", 1)
            assert line.performance.calls is not None
            view.models.table.row_opened.emit(0)
            assert view.tabs.current == "runs"
            assert view.filter.text() == "model:qwen-hasty format:qwen_xml"
            await until(lambda: view.chosen is not None)
            view.filter.set_filter("model:nobody")
            view.tabs.choose("models")
            await until(
                lambda: view.rows.currentWidget() is view.models and view.models.currentWidget() is view.models.empty
            )

    run_async(body())
