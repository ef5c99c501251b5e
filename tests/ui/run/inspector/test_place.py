"""The inspector beside the loop or over it, by key and button; kept as it was left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.kit import events as kit
from tests.kit.gui import open_window, settle
from tests.kit.try_page import make_page, show

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")
NARROW, WIDE = 1208, 1368


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    made = make_page(qtbot, NARROW, 730)
    show(made, kit.story())
    return made


def test_a_narrow_page_has_a_drawer_over_the_loop_alone(page: TryPage) -> None:
    widths = page.area.ruler.widths
    assert page.place.is_drawer
    assert not page.inspector_open
    page.toggle_inspector()
    settle()
    drawer = page.place.drawer
    assert page.inspector.isVisible()
    assert drawer.geometry().right() == page.width() - 1
    assert drawer.y() >= page.composer.mapTo(page, QPoint(0, page.composer.height())).y()
    assert drawer.geometry().bottom() < page.verdict.mapTo(page, QPoint(0, 0)).y()
    assert page.area.ruler.widths == widths
    page.resize(NARROW, 690)
    settle()
    assert drawer.geometry().bottom() < page.verdict.mapTo(page, QPoint(0, 0)).y()


def test_wide_page_moves_the_inspector_beside_the_loop(page: TryPage) -> None:
    page.toggle_inspector()
    page.resize(WIDE, 830)
    settle()
    assert not page.place.is_drawer
    assert page.inspector_open
    assert page.place.drawer.isHidden()
    page.toggle_inspector()
    page.resize(NARROW, 730)
    page.resize(WIDE, 830)
    settle()
    assert not page.inspector_open


def test_the_drawer_is_of_the_moment_and_the_rest_is_kept(page: TryPage, qtbot: QtBot) -> None:
    page.toggle_inspector()
    page.inspector.tabs.choose("timing")
    state = page.layout_state()
    assert state["inspector"] is True
    page.resize(WIDE, 830)
    settle()
    page._split.moveSplitter(WIDE - 400, 1)
    state = page.layout_state()
    assert 390 <= int(str(state["inspector_width"])) <= 400
    other = make_page(qtbot, WIDE, 830)
    other.restore_layout(state)
    settle()
    assert other.inspector.tabs.current == "timing"
    assert abs(other.inspector.width() - page.inspector.width()) <= 1
    other.restore_layout({"tab": 7, "inspector_width": "wide", "inspector": None})
    assert other.layout_state() == state


def test_keys_open_it_walk_into_it_and_close_it(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.resize(1280, 800)
            window.activateWindow()
            window.go("try")
            view = window.page("try").page  # type: ignore[attr-defined]
            view.show_events(kit.story())
            settle()
            QTest.keyClick(window, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
            assert view.shows_drawer
            assert view.inspector.isAncestorOf(QApplication.focusWidget())
            QTest.keyClick(window, Qt.Key.Key_Escape)
            assert not view.shows_drawer
            assert view.area.isAncestorOf(QApplication.focusWidget())
            window.resize(1440, 900)
            settle()
            seen = []
            for _ in range(4):
                QTest.keyClick(window, Qt.Key.Key_F6)
                now = QApplication.focusWidget()
                seen += [name for name in ("composer", "area", "inspector") if getattr(view, name).isAncestorOf(now)]
            assert sorted(seen) == ["area", "composer", "inspector"]

    run_async(scenario())
