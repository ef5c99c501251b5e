from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget

from workbench.ui.bridge.action import Action
from workbench.ui.main.sheet import ShortcutSheet
from workbench.ui.widgets.frames import KeyCap


def test_every_key_is_listed_under_its_heading(theme, qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    actions = [
        Action("a", "Find anything", list, ("Ctrl+K",), hidden=True),
        Action("b", "Next run", list, ("J", "Down"), group="History"),
        Action("c", "No key", list),
    ]
    sheet = ShortcutSheet(actions, parent)
    words = [label.text() for label in sheet.findChildren(QLabel)]
    assert {"Everywhere", "Find anything", "History", "Next run"} <= set(words)
    assert "No key" not in words
    assert len(sheet.findChildren(KeyCap)) == 3
    sheet.close()
