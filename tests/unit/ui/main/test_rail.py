from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.gui import colours
from workbench.ui.main.rail import ENTRIES, Rail
from workbench.ui.theme.tokens import LIGHT


def _rail(qtbot, *keys: str) -> Rail:
    rail = Rail()
    qtbot.addWidget(rail)
    rail.resize(72, 900)
    rail.show_entries(keys)
    rail.show()
    return rail


def test_rail_lists_existing_pages(theme, qtbot) -> None:
    rail = _rail(qtbot, "settings", "history", "try")
    assert rail.button("compare") is None
    tops = {key: rail.button(key).mapTo(rail, rail.rect().topLeft()).y() for key in ("try", "history", "settings")}
    assert tops["try"] < tops["history"] < tops["settings"]


def test_a_click_asks_and_the_frame_marks(theme, qtbot) -> None:
    rail = _rail(qtbot, "try", "history")
    with qtbot.waitSignal(rail.chosen) as seen:
        QTest.mouseClick(rail.button("history"), Qt.MouseButton.LeftButton)
    assert seen.args == ["history"]
    rail.set_current("history")
    assert rail.button("history").isChecked()
    assert LIGHT.sel.lower() in colours(rail.button("history"))
    rail.set_current("start")
    assert not rail.button("history").isChecked()


def test_the_mark_leads_to_the_first_page(theme, qtbot) -> None:
    rail = _rail(qtbot, "try")
    with qtbot.waitSignal(rail.chosen) as seen:
        QTest.mouseClick(rail.mark, Qt.MouseButton.LeftButton)
    assert seen.args == ["start"]


def test_one_stop_for_tab_and_arrows_inside(theme, qtbot) -> None:
    rail = _rail(qtbot, "try", "history", "settings")
    rail.activateWindow()
    qtbot.waitUntil(rail.isActiveWindow)
    rail.set_current("history")
    stops = [key for key in ("try", "history", "settings") if rail.button(key).focusPolicy() != Qt.FocusPolicy.NoFocus]
    assert stops == ["history"]
    rail.button("history").setFocus()
    QTest.keyClick(rail.button("history"), Qt.Key.Key_Down)
    assert rail.button("settings").hasFocus()
    with qtbot.waitSignal(rail.chosen) as seen:
        QTest.keyClick(rail.button("settings"), Qt.Key.Key_Return)
    assert seen.args == ["settings"]


def test_the_focus_goes_with_the_page(theme, qtbot) -> None:
    rail = _rail(qtbot, "try", "history")
    rail.activateWindow()
    rail.set_current("history")
    rail.button("history").setFocus()
    qtbot.waitUntil(rail.button("history").hasFocus)
    rail.set_current("try")
    assert rail.button("try").hasFocus()


def test_keys_and_names_are_distinct() -> None:
    assert len({entry.key for entry in ENTRIES}) == len({entry.keys for entry in ENTRIES}) == len(ENTRIES)
