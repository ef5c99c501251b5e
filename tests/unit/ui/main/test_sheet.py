from __future__ import annotations

from PySide6.QtWidgets import QLabel, QScrollArea, QWidget

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


def test_long_titles_make_it_wider(theme, qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(1_280, 800)
    groups = [
        Action(f"{at}", "A title that is longer than half of the usual sheet " * 2, list, ("J",), group=f"{at}")
        for at in range(2)
    ]
    sheet = ShortcutSheet(groups, parent)
    sheet.show()
    area = sheet.findChild(QScrollArea)
    assert area is not None
    assert 720 < sheet.width() <= 1_280
    assert area.horizontalScrollBar().maximum() == 0
    sheet.close()
