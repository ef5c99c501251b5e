"""Small and large text on every page of the real window: what has no room is wrapped and scrolled downwards alone."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.app.forensics import Specimen
from workbench.ui.start.view import PersonaStrip
from workbench.ui.widgets.buttons import Button

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
            await _fill(session)
            for size, width, height in ((80, 1280, 800), (150, 1280, 800), (200, 1280, 800), (200, 1024, 700)):
                theme.set_scale(size / 100)
                window.resize(width, height)
                for key in window._makers:
                    window.go(key)
                    with suppress(TimeoutError):
                        await until(lambda: not _sideways(session))
                    assert (key, size, window.width(), _sideways(session)) == (key, size, width, {})

    run_async(body())


def test_words_of_buttons_give_way_to_their_icons_where_the_bar_is_short(
    theme, run_async, home: Path, leak_check
) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.resize(1024, 700)
            window.go("cases")
            cases: Any = window.page("cases")
            button = next(one for one in cases.top_widgets() if isinstance(one, Button) and one.text())
            assert button.width() == button.whole_size().width()
            theme.set_scale(2.0)
            await until(lambda: button.width() == button.least_size().width())
            assert button.accessibleName() == button.text()
            assert button.toolTip()
            theme.set_scale(1.0)
            await until(lambda: button.width() == button.whole_size().width())

    run_async(body())


def test_a_run_with_large_text_is_brought_into_sight_and_the_prompt_again(
    theme, run_async, home: Path, leak_check
) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.resize(1280, 800)
            theme.set_scale(2.0)
            window.go("try")
            controller: Any = window.page("try")
            page, room = controller.page, window._rooms["try"]
            controller.new()
            controller.run()
            await until(lambda: page.run.finished is not None)
            await until(lambda: _is_seen(room, page.verdict))
            assert _is_seen(room, page.bar)
            assert page.area.height() > room.viewport().height() // 2
            page.composer.run.setFocus(Qt.FocusReason.TabFocusReason)
            await until(lambda: _is_seen(room, page.composer.run))
            page.composer.user.setFocus(Qt.FocusReason.ShortcutFocusReason)
            await until(lambda: _is_seen(room, page.composer.user))
            assert not _is_seen(room, page.verdict)

    run_async(body())


def _is_seen(room: QScrollArea, part: QWidget) -> bool:
    top = part.mapTo(room.viewport(), part.rect().topLeft()).y()
    return part.isVisible() and top >= 0 and top + part.height() <= room.viewport().height()


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
