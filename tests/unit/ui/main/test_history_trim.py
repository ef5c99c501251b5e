from __future__ import annotations

from dataclasses import replace

from tests.kit import runs
from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.store import Store
from workbench.ui.main.history_trim import HistoryTrim


def test_old_runs_go_while_the_window_is_open(theme, run_async, home, leak_check) -> None:
    home.mkdir(parents=True)
    store = Store.open(home / "workbench.db")
    store.record("old", [runs.started("old", at_us=1_500_000_000_000_000), *runs.make_run()[1:]])
    store.close()

    async def body() -> None:
        async with open_window(theme, home) as session:
            wb = session.wb
            assert wb is not None
            assert wb.store.count() == 1, "without a limit everything is kept"
            trimming = session.window.findChild(HistoryTrim)
            assert trimming is not None
            saved = wb.saved_settings
            wb.save(replace(saved, history=replace(saved.history, keep_days=30)))
            trimming.look()
            await until(lambda: not wb.store.count())

    run_async(body())
