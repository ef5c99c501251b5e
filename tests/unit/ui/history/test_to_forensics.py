"""From a recorded run to the page Forensics, and back."""

from __future__ import annotations

from tests.kit.events import story
from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.core.events import RunStarted
from workbench.store import Store
from workbench.ui.forensics.controller import ForensicsController
from workbench.ui.history.controller import HistoryController


def test_the_telling_reply_of_the_chosen_run(theme, run_async, home, leak_check) -> None:
    home.mkdir(parents=True)
    store = Store.open(home / "workbench.db")
    events = story()
    assert isinstance(events[0], RunStarted)
    store.record(events[0].run_id, events)
    store.close()

    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            page = go_to(window, HistoryController)
            await until(lambda: page.page.chosen is not None)
            page.page.preview.forensics_button.click()
            await until(lambda: window.current == "forensics")
            view = window.page("forensics")
            assert isinstance(view, ForensicsController)
            await until(lambda: view.page.shows_result)
            assert view.text.specimen.recorded
            assert view.text.specimen.place.startswith("Run 1 · loop ")
            view.top_widgets()[0].click()  # type: ignore[attr-defined]
            await until(lambda: window.current == "try")

    run_async(body())
