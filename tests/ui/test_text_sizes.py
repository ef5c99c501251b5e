"""Small and large text on every page of the real window: what has no room is wrapped and scrolled downwards alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QScrollArea

from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.app.forensics import Specimen
from workbench.ui.start.view import PersonaStrip

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.ui.main.session import Session

TEXT = 'I look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt",}}\n</tool_call>'


async def _fill(session: Session) -> None:
    """Have each page show what it is made for, as far as that takes no run."""
    window = session.window
    forensics: Any = window.page("forensics")
    forensics.show_specimen(Specimen(TEXT))
    gateway: Any = window.page("gateway")
    gateway.page.show_conversation("Read docs/plan.md.", "Simulator/qwen-hasty")
    for key in window._makers:
        window.go(key)
    cases: Any = window.page("cases")
    await until(cases.page.cases.rowCount)
    window.go("cases")
    cases.page.table.choose_row(3)
    await until(lambda: forensics.text.exam is not None)


def _sideways(session: Session) -> dict[str, int]:
    """Pixels by which the page in front is scrolled sideways, and each area of it that is no table, picture or code."""
    room = session.window._rooms[session.window.current]
    areas = [area for area in room.findChildren(QScrollArea) if area.isVisible() and type(area) is not PersonaStrip]
    found = {
        area.accessibleName() or type(area).__name__: area.horizontalScrollBar().maximum() for area in (room, *areas)
    }
    return {name: by for name, by in found.items() if by}


def test_no_page_is_scrolled_sideways(theme, run_async, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.resize(1280, 800)
            await _fill(session)
            for size in (80, 150, 200):
                theme.set_scale(size / 100)
                for key in window._makers:
                    window.go(key)
                    QCoreApplication.processEvents()
                    assert (key, size, window.width(), _sideways(session)) == (key, size, 1280, {})

    run_async(body())


def test_simulated_models_stand_in_rows_where_text_is_large(theme, run_async, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.resize(1280, 800)
            start: Any = session.window.page("start")
            strip = start.page.strip
            await until(lambda: strip.horizontalScrollBar().maximum() > 0)
            theme.set_scale(2.0)
            await until(lambda: strip.horizontalScrollBar().maximum() == 0)
            theme.set_scale(1.0)
            await until(lambda: strip.horizontalScrollBar().maximum() > 0)

    run_async(body())
