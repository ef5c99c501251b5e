from __future__ import annotations

import asyncio

from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.ui.main.session import Session
from workbench.ui.main.window import MainWindow


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
