from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.forensics.work_line import WorkLine


def test_a_sentence_with_its_button_comes_and_goes(theme, qtbot) -> None:
    line = WorkLine()
    qtbot.addWidget(line)
    clicked: list[str] = []
    line.say("Made small: 12 of 480 characters.", "Undo", lambda: clicked.append("undo"), keys="Ctrl+B")
    assert line.isVisible()
    assert line.button.toolTip() == "Undo (Ctrl+B)"
    QTest.mouseClick(line.button, Qt.MouseButton.LeftButton)
    assert clicked == ["undo"]
    line.say("Searching", busy=True)
    assert not line.button.isVisible()
    line.say("")
    assert not line.isVisible()
