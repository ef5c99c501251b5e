from __future__ import annotations

from datetime import date

from tests.kit.events import story
from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.core.events import RunStarted
from workbench.store import Store
from workbench.ui.history.controller import HistoryController


def _record(home) -> None:
    home.mkdir(parents=True)
    store = Store.open(home / "workbench.db")
    events = story()
    started = events[0]
    assert isinstance(started, RunStarted)
    store.record(started.run_id, events)
    store.close()


def test_facets_days_and_views_write_the_filter(theme, run_async, home, leak_check) -> None:
    _record(home)

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, HistoryController)
            view = page.page
            await until(lambda: view.model.rowCount() == 1 and view.facets.rowCount() > 3)
            model = next(
                view.facets.line(row) for row in range(view.facets.rowCount()) if view.facets.line(row).field == "model"
            )
            view.facet_list.toggled.emit("model", model.value, True)
            assert view.filter.text() == f"model:{model.value}"
            view.days.day_chosen.emit(date(2026, 1, 1))
            view.days.day_chosen.emit(date(2026, 1, 2))
            assert view.filter.text() == f"model:{model.value} since:2026-01-02"
            page.views.keep({"Mine": view.filter.text()})
            await until(lambda: view.facets.line(0).title == "Saved views")
            view.facet_list.view_removal_asked.emit("Mine")
            assert session.wb is not None
            assert session.wb.saved_settings.ui.views == {}
            view.filter.set_filter("model:nobody")
            await until(lambda: view.rows.currentIndex() == 1)
            assert page.query == "model:nobody"

    run_async(body())


def test_completion_asks_the_store(theme, run_async, home, leak_check) -> None:
    _record(home)

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, HistoryController)
            field = page.page.filter
            field.setText("model:")
            field.setCursorPosition(6)
            field.textEdited.emit("model:")
            await until(lambda: field.offered)
            assert field.offered == ["plain", "qwen-hasty"]
            field._hide()

    run_async(body())
