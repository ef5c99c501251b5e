"""The JSON editor: colours, line numbers, the fault in its place, undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from tests.kit.gui import colours
from workbench.ui.widgets.code_edit import CodeEdit, FieldColours, JsonColours
from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.frames import column
from workbench.ui.widgets.json_check import read_json
from workbench.ui.widgets.yaml_colours import YamlColours

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


def _editor(qtbot: QtBot) -> CodeEdit:
    editor = CodeEdit("tools.json")
    qtbot.addWidget(editor)
    editor.resize(400, 200)
    editor.show()
    return editor


def test_colours_by_role(qtbot: QtBot, theme: Theme) -> None:
    editor = _editor(qtbot)
    JsonColours(editor.document())
    editor.set_text('{"😀 key": "value",\n "n": -1.5e3, "t": true}')
    for role in ("key", "string", "number"):
        assert theme.tokens.inks[role].colour.lower() in colours(editor)


@pytest.mark.parametrize(("made", "text"), [(JsonColours, '{"key": "value"}'), (YamlColours, "key: 'value'")])
def test_another_theme_changes_the_colours(qtbot: QtBot, theme: Theme, made, text: str) -> None:
    editor = _editor(qtbot)
    made(editor.document())
    editor.set_text(text)
    edits: list[str] = []
    editor.textChanged.connect(lambda: edits.append(editor.toPlainText()))

    def looks() -> list[str]:
        return [span.format.foreground().color().name() for span in editor.document().firstBlock().layout().formats()]

    before = looks()
    theme.choose("dark")
    assert looks() == before  # Qt walks through its widgets: what follows from an edit now could delete some of them
    qtbot.waitUntil(lambda: looks() == [theme.tokens.inks[role].colour.lower() for role in ("key", "string")])
    assert edits == []


def test_linked_characters_are_marked_and_shown(qtbot: QtBot, theme: Theme) -> None:
    editor = _editor(qtbot)
    text = "\n".join(f"line {number}" for number in range(200))
    editor.set_text(text)
    start = text.index("line 150")
    editor.show_link(start, start + 8)
    assert editor.firstVisibleBlock().blockNumber() in range(100, 151)
    assert editor.extraSelections()[0].cursor.selectedText() == "line 150"
    editor.show_link(0, 0)
    assert editor.extraSelections() == []


def test_template_fields_are_marked(qtbot: QtBot, theme: Theme) -> None:
    editor = _editor(qtbot)
    FieldColours(editor.document())
    editor.set_text("loop {{ loop }} {% if tools %}")
    assert theme.tokens.inks["marker"].colour.lower() in colours(editor)


def test_fault_mark_position(qtbot: QtBot, theme: Theme) -> None:
    editor = _editor(qtbot)
    for text, marked in (('{"😀": 1\n "b": 2}', "1"), ("[1, x]", "x"), ("[1", "1"), ("", "")):
        editor.set_text(text)
        _, fault = read_json(text)
        editor.show_fault(fault)
        assert [one.cursor.selectedText() for one in editor.extraSelections()] == [marked]
    editor.show_fault(None)
    assert editor.extraSelections() == []


def test_undo_goes_back_in_one_step(qtbot: QtBot, theme: Theme) -> None:
    editor = _editor(qtbot)
    editor.set_text("[1]")
    editor.set_text("[2]")
    editor.undo()
    assert editor.toPlainText() == "[1]"


def test_numbers_make_room_for_themselves(qtbot: QtBot, theme: Theme) -> None:
    editor = _editor(qtbot)
    narrow = editor.numbers_width()
    editor.set_text("\n" * 1_200)
    assert editor.numbers_width() > narrow
    editor.go_to(600)
    assert editor.textCursor().blockNumber() == 600
    assert not editor.grab().isNull()


def test_the_tab_key_leads_out_of_it_and_back(qtbot: QtBot, theme: Theme) -> None:
    editor, field, window = CodeEdit("tools.json"), LineField(name="Name"), QWidget()
    window.setLayout(column(editor, field))
    qtbot.addWidget(window)
    editor.set_text("title: x")
    window.show()
    window.activateWindow()
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert field.hasFocus()
    qtbot.keyClick(field, Qt.Key.Key_Backtab)
    assert editor.hasFocus()
    assert editor.toPlainText() == "title: x"
