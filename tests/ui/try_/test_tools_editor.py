"""The tools editor: a fault blocks Run and is shown in its place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from workbench.ui.try_.tools_editor import ToolsEditor

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


def test_wrong_tools_block_run_and_name_the_place(qtbot: QtBot, page: TryPage) -> None:
    editor = ToolsEditor(page.composer.draft.tools)
    qtbot.addWidget(editor)
    editor.changed.connect(lambda text: page.composer.edit(replace(page.composer.draft, tools=text)))
    editor.show()
    editor.text.setFocus()
    editor.text.go_to(editor.text.toPlainText().index('"function",') + len('"function"'))
    qtbot.keyClick(editor.text, Qt.Key.Key_Delete)
    words = "Run is off: tools.json line 4, column 25: comma expected"
    assert editor.status.text() == words
    assert not editor.skeleton.isEnabled()
    assert len(editor.text.extraSelections()) == 1
    assert page.composer.why_off == words
    assert not page.composer.run.isEnabled()
    assert words in page.composer.run.toolTip()
    assert page.composer.reason.isVisible()
    with qtbot.assertNotEmitted(page.composer.run_asked):
        qtbot.mouseClick(page.composer.run, Qt.MouseButton.LeftButton)
    editor.text.undo()
    assert page.composer.run.isEnabled()
    assert not page.composer.reason.isVisible()
