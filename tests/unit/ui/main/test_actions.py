from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from workbench.ui.bridge.action import Action
from workbench.ui.main.actions import ActionTable


def test_a_pages_shortcut_wins_and_goes_with_the_page(theme, qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    done: list[str] = []
    table = ActionTable(window)
    table.set_frame([Action("frame", "Frame", lambda: done.append("frame"), ("F5",))])
    table.set_page([Action("page", "Page", lambda: done.append("page"), ("F5",))])
    QTest.keyClick(window, Qt.Key.Key_F5)
    table.set_page([])
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert done == ["page", "frame"]
    assert [action.id for action in table.current] == ["frame"]


def test_letters_are_typed_into_fields(theme, qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    field = QLineEdit()
    box = QVBoxLayout(window)
    box.addWidget(field)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    done: list[int] = []
    ActionTable(window).set_frame([Action("next", "Next", lambda: done.append(1), ("J",))])
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_J)
    assert (field.text(), done) == ("j", [])
    field.clearFocus()
    QTest.keyClick(window, Qt.Key.Key_J)
    assert done == [1]


def test_impossible_action_does_nothing(theme, qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    done: list[int] = []
    table = ActionTable(window)
    table.set_frame([
        Action("off", "Off", lambda: done.append(1), enabled=lambda: False),
        Action("enter", "Enter", lambda: done.append(2), ("Return",), bound=False),
    ])  # fmt: skip
    assert not table.run("off")
    assert not table.run("unknown")
    assert table.run("enter")
    window.show()
    QTest.keyClick(window, Qt.Key.Key_Return)
    assert done == [2]
