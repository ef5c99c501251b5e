"""The tools page: sources, sets, edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.tools_page import answer, choose, tools_page
from tests.kit.waiting import until
from workbench.core.tools import ToolMode

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_sources_are_listed_and_read_only(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            names = [page.page.sources.line(at).name for at in range(page.page.sources.rowCount())]
            assert names == ["built-in", "words.py"]
            choose(page, "built-in", "write_file")
            assert page.page.definition.text.isReadOnly()
            assert not page.page.definition.modes.isEnabled()
            assert page.page.definition.form.parameters.rowCount() >= 2
            choose(page, "built-in", "execute_command")
            assert not page.page.sample.call.isEnabled()
            assert "switched off" in page.page.sample.why.text()

    run_async(scenario())


def test_a_set_is_edited_undone_and_saved_as_versions(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, handed):
            answer(monkeypatch, "mine")
            choose(page, "built-in", "read_file")
            page.add()
            await until(lambda: page.set.is_set)
            assert page.page.tools.rowCount() == 1
            page.set_mode(ToolMode.RUN)
            assert page.set.edited
            page.undo()
            assert not page.set.edited
            page.next_mode()
            text = page.page.definition.text
            text.set_text(text.toPlainText().replace("read_file", "read_text"))
            assert page.page.tools.line(0).setup.spec.name == "read_text"
            text.set_text(text.toPlainText().replace('"object"', '"objekt"'))
            assert "definition.json" in page.page.definition.check.text()
            assert page.page.tools.line(0).setup.spec.parameters["type"] == "object", "what is wrong is not taken"
            page.save()
            await until(lambda: not page.set.edited)
            saved = page.shell.wb.store.tool_sets.load("mine")
            assert (saved.version, saved.tools[0].spec.name, saved.tools[0].mode) == (2, "read_text", ToolMode.RUN)
            page.use()
            assert "read_text" in handed[0]

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


def test_an_edited_set_is_saved_when_another_one_is_chosen(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            answer(monkeypatch, "mine")
            choose(page, "built-in", "read_file")
            page.add()
            await until(lambda: page.set.is_set)
            page.next_mode()
            choose(page, "built-in")
            await until(lambda: page.page.sets.line(0).subtitle.startswith("v2"))
            assert page.set.name == "built-in"
            assert page.page.source_list.currentIndex().isValid()

    run_async(scenario())


def test_a_server_that_cannot_be_started_says_so_in_place_of_its_tools(
    run_async: RunAsync, home: Path, theme: Theme
) -> None:
    async def scenario() -> None:
        home.mkdir(parents=True, exist_ok=True)
        (home / "mcp.json").write_text('{"mcpServers": {"gone": {"command": "/no/such/program"}}}', encoding="utf-8")
        async with tools_page(home, theme) as (page, _):
            word = page.page.none._word
            choose(page, "MCP gone")
            assert word.text() == "Asked for its tools"
            await until(lambda: word.text() == "No answer")
            choose(page, "built-in")
            assert word.text() == "Nothing here yet"

    run_async(scenario())
