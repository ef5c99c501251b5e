"""The page Forensics with real clicks, over the real application."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest

from tests.kit.forensics import COMMA, MISTRAL, TOOLS, TWO, examining, settled
from tests.kit.waiting import until
from workbench.app.forensics import Specimen

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.ui.forensics.controller import ForensicsController
    from workbench.ui.theme.theme import Theme

pytestmark = pytest.mark.usefixtures("leak_check")


def click(widget: object, at: QPoint | None = None) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at) if at else QTest.mouseClick(
        widget, Qt.MouseButton.LeftButton
    )


def row(controller: ForensicsController, name: str) -> QPoint:
    """The middle of a format's row."""
    table = controller.page.matrix.table
    return table.visualRect(table.model().index(controller.page.matrix.model.row_of(name), 0)).center()


def place(controller: ForensicsController, text: str) -> QPoint:
    """Where a piece of the raw text is on the screen."""
    editor = controller.page.editor
    cursor = QTextCursor(editor.document())
    cursor.setPosition(editor.text.index(text) + 1)
    return editor.cursorRect(cursor).center()


def test_an_empty_page_says_so(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            assert not page.page.shows_result
            assert not page.page.is_waiting
            assert not page.page.copy.isEnabled()
            assert page.page.findings.empty.text() == "Nothing is read yet."

    run_async(story())


def test_paste_reads_with_all_formats(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            QGuiApplication.clipboard().setText(TWO)
            click(page.page.paste)
            assert page.page.is_waiting
            await settled(page)
            assert page.page.shows_result
            assert page.page.verdict.title.text() == "First fault: format"
            assert "A trailing comma in call 2" in page.page.verdict.sentence.text
            assert page.page.count.text() == f"{len(TWO)} characters"
            assert page.text.chosen == "qwen_xml"
            assert page.page.matrix.model.row_of("qwen_xml") >= 0
            titles = [page.page.findings.model.line(at).outcome for at in range(2)]
            assert titles == ["strict", "recovered"]

    run_async(story())


def test_asked_for_another_format(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            page.show_specimen(Specimen(MISTRAL, tools=TOOLS))
            await settled(page)
            asked = page.page.given.asked
            asked.setCurrentIndex(asked.findData("qwen_xml"))
            asked.activated.emit(asked.currentIndex())
            await settled(page)
            assert "the call was lost by the parser" in page.page.verdict.sentence.text
            assert page.page.matrix.model.line(0).format == "qwen_xml"
            assert page.page.matrix.model.line(0).note == "asked"
            assert page.text.chosen == "mistral_args"

    run_async(story())


def test_a_row_colours_the_text(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            page.show_specimen(Specimen(TWO, "qwen_xml", TOOLS))
            await settled(page)
            table = page.page.matrix.table
            table.scrollTo(table.model().index(page.page.matrix.model.row_of("generic_xml"), 0))
            click(table.viewport(), row(page, "generic_xml"))
            await settled(page)
            assert page.text.chosen == "generic_xml"
            assert page.page.colours.value == "generic_xml"
            assert page.page.findings.title.text() == "Calls and problems of generic_xml"

    run_async(story())


def test_a_character_leads_to_its_argument(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            page.show_specimen(Specimen(TWO, "qwen_xml", TOOLS))
            await settled(page)
            click(page.page.editor.viewport(), place(page, "Rome"))
            words = page.page.field.words
            assert words is not None
            assert (words.path, words.value) == ("arguments.city", '"Rome"')
            assert words.where.endswith("type from schema: string")
            assert page.page.field.isVisible()
            click(page.page.editor.viewport(), place(page, "check"))
            assert not page.page.field.isVisible()

    run_async(story())


def test_problems_jump(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            page.show_specimen(Specimen("intro line\n" * 200 + TWO, "qwen_xml", TOOLS))
            await settled(page)
            editor = page.page.editor
            assert editor.verticalScrollBar().value() == 0
            click(page.page.next)
            assert editor.verticalScrollBar().value() > 0
            assert editor.linked_text() == [COMMA, COMMA]
            await until(lambda: editor.linked_text() == [COMMA])

    run_async(story())


def test_a_recording_without_a_text_says_so_in_place_of_asking_for_one(
    tmp_path: Path, theme: Theme, run_async: Callable[..., None]
) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            editor = page.page.editor
            asked = editor.placeholderText()
            page.show_specimen(Specimen("", recorded=True, title="weather", place="log, line 3"))
            await settled(page)
            assert editor.placeholderText() == "No text was recorded."
            page.show_specimen(Specimen(""))
            assert editor.placeholderText() == asked

    run_async(story())


def test_typing_reads_again(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            page.show_specimen(Specimen(TWO, "qwen_xml", TOOLS, recorded=True, title="weather", place="Run 3"))
            await settled(page)
            editor = page.page.editor
            cursor = editor.textCursor()
            cursor.setPosition(editor.text.index("3,}") + 2)
            editor.setTextCursor(cursor)
            QTest.keyClick(editor, Qt.Key.Key_Backspace)
            await until(lambda: page.text.specimen.text == TWO.replace("3,}", "3}"))
            await settled(page)
            assert page.page.verdict.title.text() == "No fault found"
            assert page.title[1] == "weather · edited"
            assert not page.text.specimen.recorded

    run_async(story())


def test_tools_are_checked_as_they_are_typed(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            page.show_specimen(Specimen(TWO, "qwen_xml"))
            await settled(page)
            given = page.page.given
            click(given.tools)
            assert given.editor.isVisible()
            given.editor.setPlainText('[{"name": "other"}]')
            await settled(page)
            assert page.page.verdict.title.text() == "First fault: decision"
            assert given.tools.text() == "Tools 1"
            given.editor.setPlainText('[{"name": "other"')
            assert given.fault.isVisible()
            assert "The last good ones are used" in given.fault.text()
            assert page.text.specimen.tools is not None

    run_async(story())


def test_other_views_of_the_text(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            page.show_specimen(Specimen(TWO, "qwen_xml", TOOLS))
            await settled(page)
            click(page.page.views.button("sanitized"))
            await settled(page)
            assert page.page.other.isVisible()
            assert page.page.other.raw.strip() == "I'll check both."
            click(page.page.views.button("markup"))
            await settled(page)
            assert page.page.other.raw.replace("\u2060", "") == TWO
            click(page.page.views.button("raw"))
            assert page.page.editor.isVisible()

    run_async(story())


def test_found_and_nothing(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            page.show_specimen(Specimen(MISTRAL, "qwen_xml", TOOLS))
            await settled(page)
            matrix = page.page.matrix
            found = matrix.model.rowCount()
            click(matrix.nothing)
            assert matrix.model.rowCount() + found == len(page.text.exam.survey.readings)  # type: ignore[union-attr]
            assert matrix.nothing.kind == "chosen"
            click(matrix.found)
            assert matrix.model.rowCount() == found
            click(matrix.rest)
            assert not matrix.model.shows_found

    run_async(story())


def test_report_and_clear(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            page.show_specimen(Specimen(TWO, "qwen_xml", TOOLS))
            await settled(page)
            click(page.page.copy)
            told = QGuiApplication.clipboard().text()
            assert told.startswith("First fault: format. The model, recoverably.")
            assert told.endswith(TWO)
            assert "qwen_xml (asked): strict 1 strict · 1 reported; tolerant 1 strict · 1 recovered" in told
            click(page.page.clear)
            await settled(page)
            assert not page.page.shows_result
            assert page.page.editor.text == ""
            assert page.text.specimen.tools == TOOLS

    run_async(story())


def test_huge_text_is_laid_out_in_part_and_read_whole(
    tmp_path: Path, theme: Theme, run_async: Callable[..., None]
) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            text = "nothing to see here\n" * 5_000 + MISTRAL
            page.show_specimen(Specimen(text, "mistral_args", TOOLS))
            await settled(page)
            editor = page.page.editor
            assert editor.is_cut
            assert page.page.more.isVisible()
            assert page.text.exam is not None
            assert page.text.exam.survey.readings[0].tolerant.strict == 1
            click(page.page.more)
            assert not editor.is_cut
            assert editor.toPlainText() == text

    run_async(story())


def test_odd_characters_are_kept_and_not_editable(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            text = f"a\x00b \U0001f600\r\n{MISTRAL}"
            page.show_specimen(Specimen(text, "mistral_args", TOOLS))
            await settled(page)
            editor = page.page.editor
            assert editor.text == text
            assert editor.isReadOnly()
            assert "not editable" in page.page.note.text()
            page._on_finding(page.page.findings.model.line(0))
            selection = editor.extraSelections()[0]
            assert selection.cursor.selectedText() == MISTRAL

    run_async(story())


def test_narrow_pages_put_the_text_above(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme, width=1208) as page:
            page.show_specimen(Specimen(TWO, "qwen_xml", TOOLS))
            await settled(page)
            editor, table = page.page.editor, page.page.matrix.table
            below = table.mapTo(page.page, QPoint(0, 0)).y()
            assert below > editor.mapTo(page.page, QPoint(0, editor.height())).y()
            page.view.resize(1400, 830)
            await asyncio.sleep(0.02)
            assert table.mapTo(page.page, QPoint(0, 0)).x() > editor.mapTo(page.page, QPoint(editor.width(), 0)).x() - 2

    run_async(story())


def test_theme_changes_keep_the_colours(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            page.show_specimen(Specimen(TWO, "qwen_xml", TOOLS))
            await settled(page)
            theme.choose("dark")
            await settled(page)
            assert page.page.editor.text == TWO
            assert not page.page.editor.isReadOnly()

    run_async(story())


def test_a_way_back(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            went: list[int] = []
            page.show_specimen(Specimen(TWO, "qwen_xml", TOOLS), lambda: went.append(1), "generic_xml")
            await settled(page)
            assert page.text.chosen == "generic_xml"
            page.top_widgets()[0].click()  # type: ignore[attr-defined]
            assert went == [1]

    run_async(story())
