"""The editor of the raw text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QApplication

from tests.kit.timing import growth
from workbench.core.calls import Region, Span
from workbench.ui.run.raw_editor import PREVIEW, RawEditor
from workbench.ui.theme.theme import Theme, tokens


def make(qtbot, text: str) -> RawEditor:
    editor = RawEditor()
    qtbot.addWidget(editor)
    editor.resize(400, 300)
    editor.show_text(text)
    editor.show()
    return editor


def foregrounds(editor: RawEditor, line: int = 0) -> list[tuple[int, int, str]]:
    block = editor.document().findBlockByNumber(line)
    return [(one.start, one.length, one.format.foreground().color().name().upper()) for one in block.layout().formats()]


def test_roles_count_code_points(theme: Theme, qtbot) -> None:
    editor = make(qtbot, "\U0001f600ab <x> name\nnext")
    editor.set_regions([Region("marker", Span(4, 7)), Region("name", Span(8, 17))])
    t = tokens()
    assert foregrounds(editor) == [(5, 3, t.inks["marker"].colour), (9, 4, t.inks["name"].colour)]
    assert foregrounds(editor, 1) == [(0, 4, t.inks["name"].colour)]


def test_exact_texts_can_be_edited_and_undone(theme: Theme, qtbot) -> None:
    editor = make(qtbot, "abc")
    assert editor.is_exact
    with qtbot.waitSignal(editor.edited):
        qtbot.keyClicks(editor, "x")
    assert editor.text == "xabc"
    editor.undo()
    assert editor.text == "abc"


def test_setting_a_text_is_no_edit(theme: Theme, qtbot) -> None:
    editor = make(qtbot, "abc")
    told: list[int] = []
    editor.edited.connect(lambda: told.append(1))
    editor.show_text("other")
    editor.set_regions([Region("name", Span(0, 5))])
    editor.restyle()
    assert told == []


def test_a_pasted_long_line_is_broken_for_display_only(theme: Theme, qtbot) -> None:
    editor = make(qtbot, "")
    data = QMimeData()
    data.setText("y" * 5_000)
    editor.insertFromMimeData(data)
    assert editor.text == "y" * 5_000
    assert not editor.is_exact
    assert editor.isReadOnly()
    editor.selectAll()
    editor.copy()
    assert QApplication.clipboard().text() == "y" * 5_000


def test_only_the_beginning_is_laid_out(theme: Theme, qtbot) -> None:
    editor = make(qtbot, "line\n" * 20_000)
    assert editor.is_cut
    assert len(editor.toPlainText()) == PREVIEW
    editor.set_regions([Region("name", Span(0, 4)), Region("name", Span(99_990, 99_994))])
    editor.jump(Span(99_990, 99_994))
    editor.show_more()
    assert not editor.is_cut


def test_clicks_tell_the_place(theme: Theme, qtbot) -> None:
    editor = make(qtbot, "hello\nworld")
    cursor = editor.textCursor()
    cursor.setPosition(8)
    places: list[int] = []
    editor.place_chosen.connect(places.append)
    qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=editor.cursorRect(cursor).center())
    assert places == [8]


def test_linked_and_lit_characters(theme: Theme, qtbot) -> None:
    editor = make(qtbot, "hello world")
    editor.set_linked(Span(0, 5))
    editor.jump(Span(6, 11))
    assert editor.linked_text() == ["hello", "world"]
    qtbot.waitUntil(lambda: editor.linked_text() == ["hello"])


def test_long_line_numbers_have_room(theme: Theme, qtbot) -> None:
    editor = RawEditor()
    qtbot.addWidget(editor)
    usual = editor.gutter
    editor.set_first_number(41_206)
    editor.show_text("a\nb")
    assert editor.gutter > usual
    editor.set_first_number(1)
    assert editor.gutter == usual


@pytest.mark.parametrize("unit", ["x", "\u202e", "😀", "e\u0301", "\x00"])
def test_what_is_not_laid_out_costs_nothing(theme: Theme, qtbot, unit: str) -> None:
    """A line of 50 MB shows its beginning as soon as one of a megabyte does."""
    editor = make(qtbot, "")
    assert growth(lambda size: editor.show_text(unit * size), 400_000, 16) < 6
    assert editor.is_cut
    assert editor.text == unit * 400_000
