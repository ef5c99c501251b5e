from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.ui.scan.places_pane import PlacesPane
from workbench.ui.widgets.frames import column


def test_tab_leads_from_the_places_to_what_is_done_with_them(theme, qtbot) -> None:
    pane = PlacesPane()
    qtbot.addWidget(pane)
    pane.show_places([("Claude Code sessions", "~/.claude/projects"), ("Codex sessions", "~/.codex/sessions")])
    order, now = [], pane.boxes[0]
    for _ in range(4):
        order.append(now)
        now = now.nextInFocusChain()
        while not now.focusPolicy() & Qt.FocusPolicy.TabFocus:
            now = now.nextInFocusChain()
    assert order == [*pane.boxes, pane.start, pane.files]


def test_the_places_that_are_ticked_are_told(theme, qtbot) -> None:
    pane = PlacesPane()
    qtbot.addWidget(pane)
    pane.resize(900, 600)
    pane.show()
    assert not pane.start.isVisible()
    pane.show_places([("Claude Code sessions", "/a"), ("Codex sessions", "/b")])
    told: list[list[str]] = []
    pane.places_chosen.connect(told.append)
    pane.boxes[0].click()
    QTest.mouseClick(pane.start, Qt.MouseButton.LeftButton)
    assert told == [["/b"]]
    pane.boxes[1].setChecked(False)
    assert not pane.start.isEnabled()
    assert not pane.grab().isNull()


def test_who_types_meanwhile_keeps_the_keyboard(theme, qtbot) -> None:
    window, field, pane = QWidget(), QLineEdit(), PlacesPane()
    qtbot.addWidget(window)
    window.setLayout(column(field, pane))
    window.show()
    field.setFocus()
    pane.take_focus()
    assert window.focusWidget() is field
    field.clearFocus()
    pane.take_focus()
    assert window.focusWidget() is pane.files
