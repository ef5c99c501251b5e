"""Modes and mocks: written into the document, never half."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from workbench.ui.try_.tools_editor import ToolsEditor

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


def test_modes_and_mocks_are_written_into_the_text(qtbot: QtBot, page: TryPage) -> None:
    editor = ToolsEditor(page.composer.draft.tools)
    qtbot.addWidget(editor)
    editor.show()
    editor.show_tool("write_file")
    how = editor.list.editor
    assert how.title.text() == "write_file"
    how.kind.choose("failing")
    how.kind.value_chosen.emit("failing")
    qtbot.keyClicks(how.result, "disk full")
    qtbot.keyClicks(how.delay, "250")
    assert '"error": "disk full"' in editor.text.toPlainText()
    assert '"delay_ms": 250' in editor.text.toPlainText()
    how.delay.selectAll()
    qtbot.keyClicks(how.delay, "x")
    assert how.fault.isVisible()
    assert '"delay_ms": 250' in editor.text.toPlainText(), "what cannot be read is not taken"
    qtbot.mouseClick(editor.skeleton, Qt.MouseButton.LeftButton)
    assert how.title.text() == "my_tool"
    assert "5 tools, all well" in editor.status.text()
