from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.ui.start.controller import StartController


def test_lists_are_filled_and_pasting_goes_to_try(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page = session.window.page("start")
            assert isinstance(page, StartController)
            assert session.wb is not None
            assert page.page.model.rowCount() == len(session.wb.examples.list())
            keys = [key for action in session.window.actions_of("start") for key in action.keys]
            assert len(set(keys)) == len(keys)
            QGuiApplication.clipboard().setText("What is the weather in Rome?")
            page.paste()
            await until(page.page.told.as_prompt.isVisible)
            QTest.mouseClick(page.page.told.as_prompt, Qt.MouseButton.LeftButton)
            assert session.window.current == "try"
            draft = session.window.page("try").page.composer.draft  # type: ignore[attr-defined]
            assert draft.user == "What is the weather in Rome?"
            QGuiApplication.clipboard().clear()
            session.window.go("start")
            page.paste()
            assert "holds no text" in page.page.told.words.text()

    run_async(body())
