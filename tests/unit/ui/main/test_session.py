from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.ui.main import pages
from workbench.ui.main.pages import load_page
from workbench.ui.main.session import Session
from workbench.ui.main.window import MainWindow

if TYPE_CHECKING:
    from workbench.ui.bridge.page import Page


def test_pages_are_there_and_a_bug_is_caught(theme, run_async, home, leak_check, capsys) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None

            async def bug() -> None:
                raise ZeroDivisionError("a bug")

            session.tasks.start(bug(), "bug")
            await until(lambda: list((home / "logs").glob("crash-*.txt")))
            session.crashes._open.close()

    run_async(body())
    assert "a bug" in capsys.readouterr().err


def test_classes_of_qt_are_made_by_the_windows_own_thread(theme, run_async, home, leak_check, monkeypatch) -> None:
    seen: dict[str, threading.Thread] = {}

    def noting(key: str) -> type[Page]:
        seen[key] = threading.current_thread()
        return load_page(key)

    monkeypatch.setattr(pages, "load_page", noting)

    async def body() -> None:
        async with open_window(theme, home):
            await until(lambda: len(seen) == len(pages.PAGES))

    run_async(body())
    assert set(seen.values()) == {threading.main_thread()}


def test_closing_while_opening_is_fine(theme, run_async, home, leak_check) -> None:
    async def body() -> int:
        window = MainWindow()
        window.show()
        session = Session(window, theme, home)
        life = asyncio.get_running_loop().create_task(session.run())
        await asyncio.sleep(0)
        window.close()
        code: int = await life
        window.deleteLater()
        return code

    assert run_async(body()) == 0
