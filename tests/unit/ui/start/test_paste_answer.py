from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.start.paste_answer import PasteAnswer


def test_it_is_there_only_while_it_has_something_to_say(theme, qtbot) -> None:
    made = PasteAnswer()
    qtbot.addWidget(made)
    assert made.isHidden()
    made.show_reading("a\nb")
    assert made.words.text() == "Reading 2 lines, 3 characters"
    assert not made.spinner.isHidden()
    assert made.all_the_same.isHidden()
    QTest.mouseClick(made.close_button, Qt.MouseButton.LeftButton)
    assert made.isHidden()


def test_what_nobody_knows_can_be_read_as_a_reply(theme, qtbot) -> None:
    made, done = PasteAnswer(), []
    qtbot.addWidget(made)
    made.show_answer("What this is is not known.", lambda: done.append("read"))
    QTest.mouseClick(made.all_the_same, Qt.MouseButton.LeftButton)
    assert (done, made.isHidden()) == (["read"], True)
