"""The boost wrapper's editor: a missing field is refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from workbench.ui.try_.wrapper_editor import WrapperEditor

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme

pytestmark = pytest.mark.usefixtures("leak_check")


def test_a_wrapper_without_a_field_is_refused_by_name(qtbot: QtBot, theme: Theme) -> None:
    from workbench.engine.wrapper import default_wrapper, render_wrapper

    def render(template: str) -> str:
        return render_wrapper(template, loop=1, attempts=(), messages=(), tools=())

    editor = WrapperEditor(None, default_wrapper(), render)
    qtbot.addWidget(editor)
    editor.show()
    assert "Current ReAct Loop: 1" in editor.preview.toPlainText()
    editor.text.set_text(default_wrapper().replace("{{ tools }}", ""))
    assert not editor.use.isEnabled()
    assert "{{ tools }}" in editor.status.text()
    chosen: list[object] = []
    editor.chosen.connect(chosen.append)
    editor.text.undo()
    qtbot.keyClicks(editor.text, "! ")
    qtbot.mouseClick(editor.use, Qt.MouseButton.LeftButton)
    assert isinstance(chosen[0], str)
    assert "! " in chosen[0]
