from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from workbench.replay.passes import PASSES
from workbench.ui.run.replay_ways import WORDS, way_menu


def test_every_way_is_offered_and_begun(theme, qtbot) -> None:
    button = QPushButton()
    qtbot.addWidget(button)
    button.show()
    begun: list[str] = []
    menu = way_menu(button, begun.append)
    for action in menu.actions():
        action.trigger()
    menu.close()
    assert set(begun) == set(WORDS) == {*PASSES, "live"}
