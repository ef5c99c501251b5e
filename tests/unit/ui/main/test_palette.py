from __future__ import annotations

import asyncio
from dataclasses import replace
from importlib import import_module

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.kit.waiting import until
from workbench.ui.bridge.action import Action
from workbench.ui.bridge.tasks import Tasks
from workbench.ui.main.palette import CommandPalette, PaletteItem


def _palette(qtbot, done: list[str]) -> CommandPalette:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1200, 800)
    actions = (
        Action("go.history", "Go to History", lambda: done.append("history"), ("Ctrl+4",)),
        Action("run", "Run", lambda: done.append("run"), group="Try"),
        Action("secret", "Go nowhere", list, hidden=True),
        Action("off", "Go elsewhere", list, enabled=lambda: False),
    )
    palette = CommandPalette(window, lambda: actions)
    window.show()
    palette.open_palette()
    return palette


def test_words_find_actions_and_enter_does_them(theme, qtbot) -> None:
    done: list[str] = []
    palette = _palette(qtbot, done)
    assert [item.title for item in palette.found] == ["Go to History", "Run"]
    QTest.keyClicks(palette.field, "try")
    assert [item.title for item in palette.found] == ["Run"]
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert done == ["run"]
    assert palette.isHidden()


def test_what_cannot_be_done_now_is_found_and_says_so(theme, qtbot) -> None:
    palette = _palette(qtbot, [])
    QTest.keyClicks(palette.field, "go")
    assert [(item.title, item.off) for item in palette.found] == [("Go to History", False), ("Go elsewhere", True)]
    assert palette.list.model().index(1, 0).data() == "Go elsewhere, not now"
    palette.field.setText("elsewhere")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("temperature", "try.parameters"), ("choose model", "try.model"), ("system prompt", "try.system"),
        ("cancel", "try.stop"), ("undo", "try.undo"), ("capabilities", "providers.abilities"), ("add endpoint", "providers.add"),
        ("delete", "history.bin"), ("diff", "history.diff"), ("revert", "cases.revert"), ("duplicate to edit", "cases.duplicate"),
        ("breakpoint", "gateway.breakpoint"), ("claude code", "gateway.copy"), ("token", "gateway.token"),
        ("mock", "tools.mode"), ("limits", "tools.limits"), ("dark mode", "settings.dark"), ("motion", "settings.to.motion"),
        ("colour blind", "settings.to.verdicts"), ("run a simulated model", "start.simulated"), ("paste", "start.paste"),
        ("ask your first model", "start.first"), ("retry", "history.failed"),
    ],
)  # fmt: skip
def test_actions_are_found_by_the_words_of_their_buttons(theme, qtbot, words: str, wanted: str) -> None:
    pages = ("start", "try_", "cases", "history", "providers", "gateway", "tools", "settings")
    tables = [import_module(f"workbench.ui.{page}.actions").COMMANDS for page in pages]
    actions = [replace(command.on(None), enabled=lambda: True) for table in tables for command in table]
    window = QWidget()
    qtbot.addWidget(window)
    palette = CommandPalette(window, list, lambda: actions)
    palette.open_palette()
    palette.field.setText(words)
    titles = {action.id: action.title for action in actions}
    assert titles[wanted] in [item.title for item in palette.found]


def test_arrows_choose_and_escape_goes_back(theme, qtbot) -> None:
    done: list[str] = []
    palette = _palette(qtbot, done)
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    assert palette.list.currentIndex().row() == 1
    QTest.keyClick(palette.field, Qt.Key.Key_Up)
    assert palette.list.currentIndex().row() == 0
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert palette.isHidden()
    assert done == []


@pytest.mark.parametrize(
    ("reason", "stays"),
    [
        (Qt.FocusReason.ActiveWindowFocusReason, True), (Qt.FocusReason.PopupFocusReason, True),
        (Qt.FocusReason.MouseFocusReason, False), (Qt.FocusReason.TabFocusReason, False),
    ],
)  # fmt: skip
def test_a_look_at_another_window_leaves_it_open(theme, qtbot, reason: Qt.FocusReason, stays: bool) -> None:
    palette = _palette(qtbot, [])
    QApplication.sendEvent(palette.field, QFocusEvent(QEvent.Type.FocusOut, reason))
    assert palette.isVisible() == stays


def test_escape_is_not_taken_by_a_shortcut_of_the_page(theme, qtbot) -> None:
    done: list[str] = []
    palette = _palette(qtbot, done)
    window = palette.parentWidget()
    assert window is not None
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QShortcut(QKeySequence("Esc"), window).activated.connect(lambda: done.append("stop"))
    palette.open_palette()
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert palette.isHidden()
    assert done == []
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert done == ["stop"]


def test_commands_of_other_pages_are_found_by_words(theme, qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    here = [Action("try.run", "Run", list, group="Try")]
    there = [Action("forensics.paste", "Paste a reply", list, ("Ctrl+V",), "Forensics")]
    palette = CommandPalette(window, lambda: here, lambda: there)
    window.show()
    palette.open_palette()
    assert [item.title for item in palette.found] == ["Run"]
    QTest.keyClicks(palette.field, "paste")
    assert [(item.title, item.note, item.keys) for item in palette.found] == [("Paste a reply", "Forensics", "")]


async def _no_runs(_words: str) -> list[PaletteItem]:
    return []


def test_palette_without_matches(theme, qtbot) -> None:
    palette = _palette(qtbot, [])
    palette.set_search(Tasks(), _no_runs)
    assert palette.nothing.isHidden()
    QTest.keyClicks(palette.field, "z")
    assert palette.list.isHidden()
    assert palette.nothing.text().startswith("Nothing matches \u201cz\u201d")
    assert not palette.nothing.isHidden()


def test_words_typed_during_the_start_are_looked_for_later(theme, qtbot, run_async) -> None:
    async def search(words: str) -> list[PaletteItem]:
        return [PaletteItem(f"a run with {words}", "run 7", "clock-counter-clockwise", list)]

    async def body() -> list[str]:
        window, tasks, actions = QWidget(), Tasks(), []
        qtbot.addWidget(window)
        window.resize(1200, 800)
        window.show()
        palette = CommandPalette(window, lambda: actions)
        palette.open_palette()
        QTest.keyClicks(palette.field, "history")
        assert palette.nothing.text() == "The records are being opened. Commands and pages come with them."
        actions.append(Action("go.history", "Go to History", list, ("Ctrl+4",)))
        palette.set_search(tasks, search)
        await until(lambda: len(palette.found) == 2)
        titles = [item.title for item in palette.found]
        palette.close_palette()
        await tasks.aclose()
        return titles

    assert run_async(body()) == ["Go to History", "a run with history"]


def test_runs_follow_the_actions(theme, qtbot, run_async) -> None:
    async def search(words: str) -> list[PaletteItem]:
        return [PaletteItem(f"a run with {words}", "run 7", "clock-counter-clockwise", list)]

    async def body() -> list[str]:
        palette = _palette(qtbot, [])
        tasks = Tasks()
        palette.set_search(tasks, search)
        QTest.keyClicks(palette.field, "history")
        await until(lambda: len(palette.found) == 2)
        titles = [item.title for item in palette.found]
        palette.close_palette()
        await asyncio.sleep(0)
        await tasks.aclose()
        return titles

    assert run_async(body()) == ["Go to History", "a run with history"]
