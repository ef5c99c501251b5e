from __future__ import annotations

import asyncio

from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.core.target import ModelRef
from workbench.ui.main.pages import Pages


def test_ways_between_pages(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            pages = Pages(session.window, session.wb, session.tasks, theme)
            pages.try_model(ModelRef("Simulator", "mistral-flash"))
            assert session.window.current == "try"
            pages.trying().run()
            await until(lambda: not pages.trying().is_running and session.wb and session.wb.store.count())
            found = await pages.search("model:mistral*")
            assert len(found) == 1
            assert "mistral-flash" in found[0].note
            assert await pages.search("verdict:nonsense") == ()
            session.window.go("history")
            found[0].call()
            await until(lambda: session.window.current == "try")
            pages.paste_request("")
            assert "clipboard" in session.window.status.left.text() or session.window.status.left.text()
            await asyncio.sleep(0)

    run_async(body())
