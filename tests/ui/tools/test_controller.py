"""The tools page over the real application: built-in tools, a Python file, saved sets."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from tests.kit.waiting import until
from workbench.app import Workbench
from workbench.core.tools import ToolMode
from workbench.ui.bridge.page import Shell
from workbench.ui.bridge.tasks import Tasks
from workbench.ui.tools import controller as module
from workbench.ui.tools.controller import ToolsController
from workbench.ui.widgets import dialogs

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


@asynccontextmanager
async def tools_page(home: Path, theme: Theme) -> AsyncIterator[tuple[ToolsController, list[str]]]:
    """The page, shown, and what it hands to Try; the workspace holds one file."""
    folder = home.parent / "work"
    folder.mkdir()
    (folder / "app.toml").write_text("port = 5432\n", encoding="utf-8")
    (home / "tools").mkdir(parents=True)
    (home / "settings.toml").write_text(f"[run]\nworkspace = {json.dumps(str(folder))}\n", encoding="utf-8")
    source = 'def count(text: str, least: int = 1) -> int:\n    """Count words."""\n    return len(text.split())\n'
    (home / "tools" / "words.py").write_text(source, encoding="utf-8")
    async with Workbench.open(home) as wb:
        window, tasks, handed = QWidget(), Tasks(), []
        shell = Shell(wb, tasks, theme, window, print, print, print, print, print, print, use_tools=handed.append)
        page = ToolsController(shell)
        page.view.resize(1368, 830)
        page.view.show()
        page.shown()
        await until(page.page.tools.rowCount)
        try:
            yield page, handed
        finally:
            await page.aclose()
            await tasks.aclose()
            page.view.hide()
            page.view.deleteLater()
            window.deleteLater()


def choose(page: ToolsController, source: str, tool: str = "") -> None:
    view = page.page
    made, model = (view.set_list, view.sets) if view.sets.row_of(source) >= 0 else (view.source_list, view.sources)
    made.choose_row(model.row_of(source))
    if tool:
        view.tool_list.choose_row(view.tools.row_of(tool))


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    async def ask_text(*_args: object, **_more: object) -> str:
        return text

    monkeypatch.setattr(dialogs, "ask_text", ask_text)
    monkeypatch.setattr(module.dialogs, "ask_text", ask_text)


def test_sources_are_listed_and_read_only(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            names = [page.page.sources.line(at).name for at in range(page.page.sources.rowCount())]
            assert names == ["built-in", "words.py"]
            choose(page, "built-in", "write_file")
            assert page.page.definition.text.isReadOnly()
            assert not page.page.definition.modes.isEnabled()
            assert page.page.definition.parameters.rowCount() >= 2
            choose(page, "built-in", "execute_command")
            assert not page.page.sample.call.isEnabled()
            assert "switched off" in page.page.sample.why.text()

    run_async(scenario())


def test_a_sample_call_is_executed_and_its_write_undone(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            choose(page, "words.py", "count")
            page.page.sample.form.fields["text"].setText("one two three")
            page.call()
            await until(lambda: page.page.sample.result.raw)
            assert json.loads(page.page.sample.result.raw)["result"] == 3
            choose(page, "built-in", "write_file")
            page.page.sample.form.fields["path"].setText("new.txt")
            page.page.sample.form.fields["content"].setText("x")
            page.call()
            place = home.parent / "work" / "new.txt"
            await until(page.page.sample.undo.isVisible)
            assert place.read_text(encoding="utf-8") == "x"
            page.undo_write()
            assert not place.exists()

    run_async(scenario())


def test_a_set_is_edited_undone_and_saved_as_versions(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, handed):
            answer(monkeypatch, "mine")
            choose(page, "built-in", "read_file")
            page.add()
            await until(lambda: page.is_set)
            assert page.page.tools.rowCount() == 1
            page.set_mode(ToolMode.RUN)
            assert page.edited
            page.undo()
            assert not page.edited
            page.next_mode()
            text = page.page.definition.text
            text.set_text(text.toPlainText().replace("read_file", "read_text"))
            assert page.page.tools.line(0).setup.spec.name == "read_text"
            text.set_text(text.toPlainText().replace('"object"', '"objekt"'))
            assert "definition.json" in page.page.definition.check.text()
            assert page.page.tools.line(0).setup.spec.parameters["type"] == "object", "what is wrong is not taken"
            page.save()
            await until(lambda: not page.edited)
            saved = page.shell.wb.store.tool_sets.load("mine")
            assert (saved.version, saved.tools[0].spec.name, saved.tools[0].mode) == (2, "read_text", ToolMode.RUN)
            page.use()
            assert "read_text" in handed[0]

    run_async(scenario())


def test_the_request_in_the_clipboard_becomes_a_set(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            answer(monkeypatch, "pasted")
            tool = {"name": "look_up", "input_schema": {"type": "object", "properties": {"word": {"type": "string"}}}}
            QGuiApplication.clipboard().setText(json.dumps({"model": "m", "messages": [], "tools": [tool]}))
            page.import_pasted()
            await until(lambda: page.is_set and page.page.tools.rowCount() == 1)
            assert page.page.tools.line(0).setup.spec.name == "look_up"
            QGuiApplication.clipboard().setText("nothing of the kind")
            page.import_pasted()
            await until(lambda: page.status[0] and "look_up" not in page.status[0] and "version" not in page.status[0])

    run_async(scenario())


def test_mock_from_a_real_call(run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            answer(monkeypatch, "mine")
            choose(page, "words.py", "count")
            page.add()
            await until(lambda: page.is_set)
            page.page.sample.form.fields["text"].setText("one two")
            page.call()
            await until(page.page.sample.mock.isVisible)
            page.page.sample.mock.click()
            setup = page.page.tools.line(0).setup
            assert (setup.mode, setup.mock.kind, setup.mock.result, setup.mock.recorded) == (
                ToolMode.MOCK,
                "fixed",
                2,
                True,
            )

    run_async(scenario())


def test_the_filter_narrows_the_list(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            choose(page, "built-in")
            page.page.filter.setText("list_dir")
            assert [page.page.tools.line(at).setup.spec.name for at in range(page.page.tools.rowCount())] == [
                "list_directory"
            ]

    run_async(scenario())
