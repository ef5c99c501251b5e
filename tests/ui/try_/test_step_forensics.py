"""The inspector's tabs Forensics and Chunks over the real application, with real clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.ui.run.run_view import StepState

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.ui.main.session import Session
    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.controller import TryController

pytestmark = pytest.mark.usefixtures("leak_check")


async def open_example(session: Session, name: str) -> TryController:
    shell = session.window.page("start").shell
    shell.open_run(await shell.wb.examples.open(name))
    page = session.window.page("try")
    page.page.set_inspector(True)  # type: ignore[attr-defined]
    return page  # type: ignore[return-value]


def choose_tab(page: TryController, name: str) -> None:
    tabs = page.page.inspector.tabs
    index = ["wire", "timing", "forensics", "chunks"].index(name)
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(index).center())


def test_all_formats_over_the_step(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with open_window(theme, tmp_path) as session:
            page = await open_example(session, "07-two-formats")
            choose_tab(page, "forensics")
            tab = page.page.inspector.forensics
            await until(lambda: tab.is_filled)
            assert "mixed formats" in tab.sentence.text
            QTest.mouseClick(tab.open, Qt.MouseButton.LeftButton)
            assert session.window.current == "forensics"
            view = session.window.page("forensics")
            await until(lambda: view.page.shows_result)  # type: ignore[attr-defined]
            view.top_widgets()[0].click()  # type: ignore[attr-defined]
            assert session.window.current == "try"

    run_async(story())


def test_chunks_are_played_again(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with open_window(theme, tmp_path) as session:
            page = await open_example(session, "02-cut-json")
            choose_tab(page, "chunks")
            tab = page.page.inspector.chunks
            await until(lambda: tab.is_filled)
            await until(lambda: len(tab._parity_labels) == 8)
            assert [tab._parity_labels[at].text() for at in (1, 3, 5, 7)] == ["equal"] * 4  # type: ignore[attr-defined]
            assert tab.values["Problems"].text() == "1"
            QTest.mouseClick(tab.bars, Qt.MouseButton.LeftButton, pos=QPoint(tab.bars.width() // 2, 20))
            assert tab.values["Problems"].text() == "none"
            assert tab.text.raw
            before = len(tab.text.raw)
            QTest.mouseClick(tab.forward, Qt.MouseButton.LeftButton)
            assert len(tab.text.raw) > before
            tab.cuts.setCurrentIndex(1)
            tab.cuts.activated.emit(1)
            await until(lambda: "of 101" in tab.title.text() or tab.bars.last == 102)

    run_async(story())


def test_native_replies_and_planners_say_why_there_is_nothing(
    tmp_path: Path, theme: Theme, run_async: Callable[..., None]
) -> None:
    async def story() -> None:
        async with open_window(theme, tmp_path) as session:
            page = await open_example(session, "10-double-encoded")
            choose_tab(page, "chunks")
            tab = page.page.inspector.chunks
            await until(lambda: tab._waiting._word.text() == "Native calls")
            assert not tab.is_filled

    run_async(story())


def test_from_history_and_start(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        from PySide6.QtGui import QGuiApplication

        async with open_window(theme, tmp_path) as session:
            window = session.window
            QGuiApplication.clipboard().setText("Hello there.")
            start = window.page("start")
            window.go("start")
            QTest.mouseClick(start.page.paste_button, Qt.MouseButton.LeftButton)  # type: ignore[attr-defined]
            told = start.page.told  # type: ignore[attr-defined]
            await until(told.all_the_same.isVisible)
            QTest.mouseClick(told.all_the_same, Qt.MouseButton.LeftButton)
            assert window.current == "forensics"
            view = window.page("forensics")
            await until(lambda: view.page.shows_result)  # type: ignore[attr-defined]
            assert view.page.editor.text == "Hello there."  # type: ignore[attr-defined]
            assert window.actions_table.run("go.forensics")

    run_async(story())


def test_a_lost_call_leads_to_all_formats(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with open_window(theme, tmp_path) as session:
            page = await open_example(session, "02-cut-json")
            row = next(row for row in page.page.area.rows.values() if row.step.state is StepState.UNREADABLE)
            assert row.cells is not None
            (button,) = row.cells.parsed.buttons
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            assert session.window.current == "forensics"
            view = session.window.page("forensics")
            await until(lambda: view.page.shows_result)  # type: ignore[attr-defined]
            assert view.page.editor.text == row.step.text  # type: ignore[attr-defined]

    run_async(story())
