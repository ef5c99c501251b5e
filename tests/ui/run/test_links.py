"""Links with real clicks: parsed call, raw text and wire mark each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor

from tests.kit import events as kit
from tests.kit.try_page import make_page, show
from workbench.ui.run.links import call_python, copies
from workbench.ui.run.loop.content import CallLink, FieldLink, ResultLink

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.run.loop.step import LoopStepRow
    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")
EXECUTOR = 4


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    made = make_page(qtbot)
    show(made, kit.story())
    made.area.show_span(EXECUTOR, None)
    return made


def _row(page: TryPage) -> LoopStepRow:
    return page.area.rows[EXECUTOR]


def _click_link(qtbot: QtBot, row: LoopStepRow, link: object) -> None:
    assert row.cells is not None
    cell = row.cells.parsed.blocks
    assert cell is not None
    place = cell.link_rect_center(link)
    assert place is not None
    qtbot.mouseClick(cell, Qt.MouseButton.LeftButton, pos=place)


def test_an_argument_marks_its_characters_and_its_deltas(qtbot: QtBot, page: TryPage) -> None:
    row = _row(page)
    _click_link(qtbot, row, FieldLink(1, ("path",)))
    assert row.cells is not None
    assert row.cells.raw.text is not None
    assert row.cells.raw.text.linked_text() == ['"config/app.toml"']
    rows = page.inspector.wire.rows
    marked = [rows.rows[n].text[slice(*spot)] for n in range(rows.rowCount()) if (spot := rows.linked(n))]
    assert "".join(marked) == '"config/app.toml"'
    assert "confi" in page.inspector.wire.record.toPlainText()
    foot = page.inspector.foot
    assert foot.isVisible()
    assert foot.selection is not None
    assert foot.selection.title == "arguments.path"
    assert foot.raw.text() == "characters 184–201"
    assert foot.wire.text().startswith("chunks ")


def test_a_click_into_the_raw_text_marks_the_argument(qtbot: QtBot, page: TryPage) -> None:
    row = _row(page)
    assert row.cells is not None
    cell = row.cells.raw.text
    assert cell is not None
    cursor = QTextCursor(cell.document())
    cursor.setPosition(row.step.text.index("max_lines"))
    spot = cell.cursorRect(cursor).center() + QPoint(4, 0)
    qtbot.mouseClick(cell.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert page.inspector.foot.selection is not None
    assert page.inspector.foot.selection.title == "arguments.max_lines"
    assert cell.linked_text() == ["40"]
    assert row.cells is not None
    assert row.cells.parsed.blocks is not None
    assert row.cells.parsed.blocks.linked == {FieldLink(1, ("max_lines",))}


def test_a_click_beside_all_arguments_marks_the_delta(qtbot: QtBot, page: TryPage) -> None:
    page.links.choose_place(EXECUTOR, "text", 2)
    row = _row(page)
    assert row.cells is not None
    assert row.cells.raw.text is not None
    assert row.cells.raw.text.linked_text() == ["<think>Two"]
    assert not page.inspector.foot.isVisible()


def test_a_row_of_the_wire_marks_its_characters(qtbot: QtBot, page: TryPage) -> None:
    page.links.choose_step(EXECUTOR)
    table, rows = page.inspector.wire.table, page.inspector.wire.rows
    wanted = next(n for n, one in enumerate(rows.rows) if "g/app.toml" in one.text)
    table.scrollTo(rows.index(wanted, 0))
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(rows.index(wanted, 2)).center())
    row = _row(page)
    assert row.cells is not None
    assert row.cells.raw.text is not None
    assert row.cells.raw.text.linked_text() == ["g/app.toml"]
    assert row.cells is not None
    assert row.cells.parsed.blocks is not None
    assert row.cells.parsed.blocks.linked == {FieldLink(1, ("path",))}


def test_native_arguments_mark_their_own_source(qtbot: QtBot, theme: Theme) -> None:
    page = make_page(qtbot)
    show(page, kit.native())
    row = page.area.rows[0]
    _click_link(qtbot, row, FieldLink(0, ("path",)))
    assert row.cells is not None
    assert row.cells.raw.text is not None
    assert row.cells.raw.text.linked_text() == ['"config/app.toml"']
    assert page.inspector.foot.raw.text() == "characters 9–26 of call:0"


def test_the_whole_call_and_its_result_can_be_chosen(qtbot: QtBot, page: TryPage) -> None:
    row = _row(page)
    _click_link(qtbot, row, CallLink(0))
    foot = page.inspector.foot
    assert foot.selection is not None
    assert foot.selection.python == "list_directory(path='config')"
    _click_link(qtbot, row, ResultLink(0))
    assert foot.selection.title == "result of list_directory"
    assert foot.raw.text() == "not in the text"


def test_copying(qtbot: QtBot, page: TryPage) -> None:
    _click_link(qtbot, _row(page), FieldLink(1, ("path",)))
    clipboard = QGuiApplication.clipboard()
    for button, text in (
        (page.inspector.foot.copy_path, "arguments.path"),
        (page.inspector.foot.copy_python, 'arguments["path"]'),
        (page.inspector.foot.copy_value, '"config/app.toml"'),
    ):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert clipboard.text() == text
    step = _row(page).step
    offered = dict(copies(step, FieldLink(1, ("path",))))
    assert offered["Copy value"] == "config/app.toml"
    assert offered["Copy call as Python"] == "read_file(path='config/app.toml', max_lines=40)"
    assert copies(step, ResultLink(0))[0][0] == "Copy result as JSON"
    odd = step.calls[0].call._replace(arguments={"two words": 1})
    assert call_python(odd) == "list_directory(**{'two words': 1})"


def test_the_keyboard_walks_the_arguments(qtbot: QtBot, page: TryPage) -> None:
    page.links.choose_step(EXECUTOR)
    page.focus_column(2)
    row = _row(page)
    assert row.cells is not None
    cell = row.cells.parsed.blocks
    assert cell is not None
    for _ in range(2):
        qtbot.keyClick(cell, Qt.Key.Key_Right)
    qtbot.keyClick(cell, Qt.Key.Key_Return)
    assert page.inspector.foot.selection is not None
    assert page.inspector.foot.selection.title == "arguments.path"
