from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.kit.gui import colours
from workbench.ui.theme.tokens import LIGHT
from workbench.ui.widgets.buttons import Button, shortcut_text
from workbench.ui.widgets.painting import shows_focus


def test_click_and_key_call_once(theme, qtbot) -> None:
    calls: list[int] = []
    button = Button("Run", icon="play", kind="primary", keys="Ctrl+Return", on_click=lambda: calls.append(1))
    qtbot.addWidget(button)
    button.show()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    button.setFocus()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
        QTest.keyClick(button, key)
    assert calls == [1] * 4
    QTest.simulateEvent(button, True, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "", True)
    assert calls == [1] * 4  # a key that is held presses once
    button.setEnabled(False)
    QTest.keyClick(button, Qt.Key.Key_Return)
    assert calls == [1] * 4


def test_the_shortcut_is_written_and_in_the_tip(theme, qtbot) -> None:
    with_keys, without = Button("Run", keys="Ctrl+Return"), Button("Run")
    qtbot.addWidget(with_keys)
    qtbot.addWidget(without)
    assert with_keys.sizeHint().width() > without.sizeHint().width()
    assert with_keys.toolTip() == "Run (Ctrl+↵)"
    assert shortcut_text("") == ""


@pytest.mark.parametrize("moved", [False, True])
def test_a_button_that_was_disabled_takes_the_focus_back_unless_it_was_moved(theme, qtbot, moved: bool) -> None:
    page = QWidget()
    first, job, other = (Button(text, parent=page) for text in ("First", "Job", "Other"))
    qtbot.addWidget(page)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    job.setFocus(Qt.FocusReason.TabFocusReason)
    job.setEnabled(False)
    assert page.focusWidget() is other
    if moved:
        first.setFocus()
    job.setEnabled(True)
    assert page.focusWidget() is (first if moved else job)
    assert shows_focus(job) is not moved
    job.setEnabled(True)
    other.setFocus()
    job.setEnabled(True)
    assert page.focusWidget() is other


def test_icon_only_buttons_have_a_name(theme, qtbot) -> None:
    button = Button(icon="trash", tip="To the bin")
    qtbot.addWidget(button)
    assert button.accessibleName() == "To the bin"
    assert button.sizeHint().width() == button.sizeHint().height() == 28


@pytest.mark.parametrize(
    ("kind", "ground"), [("primary", LIGHT.accent), ("normal", LIGHT.surface), ("chosen", LIGHT.sel)]
)
def test_each_kind_has_its_ground(theme, qtbot, kind, ground) -> None:
    button = Button("Text", kind=kind)
    qtbot.addWidget(button)
    button.resize(button.sizeHint())
    assert ground.lower() in colours(button)


def test_it_grows_with_the_text(theme, qtbot) -> None:
    button = Button("Keep as case", icon="check")
    qtbot.addWidget(button)
    before = button.sizeHint()
    theme.set_scale(2.0)
    assert button.sizeHint().width() > 1.8 * before.width()
    assert button.sizeHint().height() == 56
