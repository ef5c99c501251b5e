"""The smaller windows of Try."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from workbench.ui.try_.dialogs import MessagesEditor, WholeText

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
