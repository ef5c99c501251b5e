from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.kit.app import draft
from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.settings.config import save_settings
from workbench.settings.presets import get_preset
from workbench.ui.start.controller import StartController


def test_steps_are_ticked_while_the_page_stays_in_front(theme, run_async, home, leak_check, monkeypatch) -> None:
    monkeypatch.setattr("workbench.ui.start.steps_watch.LOOK_MS", 20)

    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("start")
            page = session.window.page("start")
            assert isinstance(page, StartController)
            assert session.wb is not None
            steps = page.page.steps
            await until(steps.isVisible)
            assert steps.buttons["simulated"].isEnabled()
            await (await session.wb.runs.start(draft("model=mistral-steady"))).wait()
            await until(lambda: not steps.buttons["simulated"].isEnabled())
            assert steps.buttons["provider"].isEnabled()
            wb = session.wb
            save_settings(replace(wb.saved_settings, providers=(get_preset("vllm").provider(),)), wb.home.settings)
            await until(lambda: not steps.buttons["provider"].isEnabled())
            session.window.go("try")
            await asyncio.sleep(0)
            assert not page.steps._timer.isActive()

    run_async(body())
