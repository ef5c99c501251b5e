"""The smaller windows of Try."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from workbench.ui.try_.dialogs import MessagesEditor, WholeText
from workbench.ui.widgets.shown_text import LONGEST_LINE

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme

pytestmark = pytest.mark.usefixtures("leak_check")


def test_earlier_messages_are_edited_as_json(qtbot: QtBot, theme: Theme) -> None:
    from workbench.core.messages import Message

    editor = MessagesEditor((Message("user", "a"), Message("assistant", "b")))
    qtbot.addWidget(editor)
    editor.show()
    assert editor.use.isEnabled()
    editor.text.set_text('[{"role": "user", "content": "a"},\n {"role": "robot", "content": "b"}]')
    assert not editor.use.isEnabled()
    assert editor.status.text().startswith("messages.json line 2: messages[1] has the role 'robot'")
    editor.text.set_text('[{"role": "user", "content": "new"}]')
    chosen: list[object] = []
    editor.chosen.connect(chosen.append)
    qtbot.mouseClick(editor.use, Qt.MouseButton.LeftButton)
    assert chosen == [(Message("user", "new"),)]


def test_a_whole_text_is_shown_in_its_own_window(qtbot: QtBot, theme: Theme) -> None:
    window = WholeText("Loop 0 · executor 1: raw output", "x\x00" * 50_000)
    window.show()
    assert window.text.toPlainText().startswith("x\u2400x")
    window.close()


def test_a_huge_line_is_broken_to_be_shown_and_copied_whole(theme: Theme, qtbot: QtBot) -> None:
    line = "w\u202eord " * 2_000
    dialog = WholeText("Raw output", line)
    qtbot.addWidget(dialog)
    blocks = dialog.text.toPlainText().split("\n")
    assert len(blocks) > 5
    assert max(map(len, blocks)) <= LONGEST_LINE
    assert "\u202e" not in dialog.text.toPlainText()
    dialog.text.selectAll()
    assert dialog.text.createMimeDataFromSelection().text() == line
