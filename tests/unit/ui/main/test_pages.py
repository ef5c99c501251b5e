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


def test_palette_finds_every_command_of_every_page(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.go("servers")
            made = len(window.pages())
            commands = [one for one in window.actions_elsewhere() if not one.hidden]
            assert len(commands) > 60
            window.open_palette()
            missing = []
            for one in commands:
                window.palette_box.field.setText(one.title)
                if (one.title, one.group) not in [(item.title, item.note) for item in window.palette_box.found]:
                    missing.append(one.id)
            assert missing == []
            assert len(window.pages()) == made  # looking makes no page
            window.palette_box.close_palette()
            ids = [one.id for one in window.actions_elsewhere()]
            assert len(ids) == len(set(ids))

    run_async(body())
