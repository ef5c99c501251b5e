"""The cases page in the real window: look, duplicate, edit, save, delete, undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.ui.cases import files
from workbench.ui.cases.controller import CasesController

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.ui.main.session import Session


async def _page(session: Session) -> CasesController:
    page = go_to(session.window, CasesController)
    await until(lambda: page.page.cases.rowCount() > 0)
    return page


def test_a_built_in_case_becomes_ones_own(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page = await _page(session)
            view, editor = page.page, page.page.editor
            assert editor.text.isReadOnly()
            page.delete()
            assert "built in" in session.window.status.left.text()
            QTest.mouseClick(editor.copy, Qt.MouseButton.LeftButton)
            await until(lambda: not editor.text.isReadOnly())
            assert view.suite is not None
            assert view.suite.name == "my-cases"
            text = editor.content
            editor.text.set_text(text.replace("role: user", "role: nobody"))
            assert "line 5" in editor.status.text()
            assert not editor.save.isEnabled()
            assert view.case is not None
            assert view.case.edited
            editor.text.set_text(text.replace("title: ", "title: My "))
            QTest.keyClick(session.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
            await until(lambda: view.case is not None and view.case.title.startswith("My "))
            path = next((home / "suites" / "my-cases").glob("*.yaml"))
            assert path.read_text("utf-8").startswith("title: My ")

    run_async(body())


def test_nothing_is_lost(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page = await _page(session)
            view, editor = page.page, page.page.editor
            page.new()
            await until(lambda: view.suite is not None and view.suite.name == "my-cases")
            page.new()
            await until(lambda: view.cases.rowCount() == 2)
            editor.text.set_text(editor.content + "notes: half a thou")
            typed, at = editor.content, view.table.currentIndex().row()
            view.table.choose_row(1 - at)
            assert editor.content != typed
            view.table.choose_row(at)
            assert editor.content == typed
            page.revert()
            assert not editor.changed
            QTest.mouseClick(view.bin_button, Qt.MouseButton.LeftButton)
            await until(lambda: view.cases.rowCount() == 1)
            QTest.mouseClick(page.undo_button, Qt.MouseButton.LeftButton)
            await until(lambda: view.cases.rowCount() == 2)
            assert not page.undo_button.isEnabled()
            page.show_case("demo", "07-refuse-delete")
            await until(lambda: view.case is not None and view.case.id == "07-refuse-delete")

    run_async(body())


def test_unsaved_case_is_restored_at_the_next_start(run_async, theme, home: Path, leak_check) -> None:
    async def first() -> str:
        async with open_window(theme, home) as session:
            page = await _page(session)
            page.new()
            await until(lambda: not page.page.editor.text.isReadOnly())
            page.page.editor.text.set_text("title: [half a thou")
            return page.page.editor.content

    async def second(typed: str) -> None:
        async with open_window(theme, home) as session:
            page = await _page(session)
            editor = page.page.editor
            await until(lambda: editor.content == typed)
            assert page.page.case is not None
            assert page.page.case.edited
            page.revert()
            assert "What shall the model do?" in editor.content

    typed = run_async(first())
    run_async(second(typed))
    assert not list((home / "suites").rglob("*.draft"))


def test_case_file_from_elsewhere_is_shown_and_saved_where_it_lies(run_async, theme, home: Path, leak_check) -> None:
    path = home.parent / "rome.case.yaml"
    path.write_text(files.NEW_CASE, encoding="utf-8")

    async def body() -> None:
        async with open_window(theme, home, path) as session:
            page = session.window.page("cases")
            assert isinstance(page, CasesController)
            assert session.window.current == "cases"
            await until(lambda: page.page.editor.content == files.NEW_CASE)
            assert page.page.suite is not None
            assert page.page.suite.name == str(path)
            page.page.editor.text.set_text(files.NEW_CASE.replace("New case", "Rome"))
            QTest.keyClick(session.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
            await until(lambda: path.read_text("utf-8").startswith("title: Rome"))

    run_async(body())
