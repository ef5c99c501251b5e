from __future__ import annotations

from dataclasses import replace

from tests.kit.events import story
from tests.kit.gui import open_window, until
from workbench.core.calls import ParseResult
from workbench.core.events import RunStarted, StepFinished
from workbench.store import Store
from workbench.ui.controllers.history import HistoryController


def _record(home, *, forgetful: bool) -> None:
    """One run as an older parser may have left it: its calls were not seen."""
    home.mkdir(parents=True)
    store = Store.open(home / "workbench.db")
    events = [
        replace(event, reply=replace(event.reply, result=replace(event.reply.result, calls=())))
        if forgetful and isinstance(event, StepFinished) and isinstance(event.reply.result, ParseResult)
        else event
        for event in story()
    ]
    started = events[0]
    assert isinstance(started, RunStarted)
    store.record(started.run_id, events)
    store.close()


def test_what_is_read_differently_is_listed(theme, run_async, home, leak_check) -> None:
    _record(home, forgetful=True)

    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("history")
            page = session.window.page("history")
            assert isinstance(page, HistoryController)
            page.again.button.click()
            flips = page.page.flips
            await until(lambda: flips.model.rowCount() and not flips.stop.isVisible(), 20)
            line = flips.model.line(0)
            assert line.number == 1
            assert line.replay != "same"
            assert line.what
            flips.table.choose_row(0)
            await until(lambda: page.page.preview.glance.step is not None)
            await until(page.again.button.isEnabled)

    run_async(body())


def test_a_pass_ends_with_the_window(theme, run_async, home, leak_check) -> None:
    _record(home, forgetful=False)

    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("history")
            page = session.window.page("history")
            assert isinstance(page, HistoryController)
            page.again.start()
            page.again.stop()
            page.again.start()

    run_async(body())
