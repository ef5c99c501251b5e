"""Calls for real from the tools page."""

from __future__ import annotations

import asyncio
import json
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


def test_a_sample_call_is_executed_and_its_write_undone(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            choose(page, "words.py", "count")
            page.page.sample.form.fields["text"].setText("one two three")
            page.page.sample.ask()
            await until(lambda: page.page.sample.result.raw)
            assert json.loads(page.page.sample.result.raw)["result"] == 3
            choose(page, "built-in", "write_file")
            page.page.sample.form.fields["path"].setText("new.txt")
            page.page.sample.form.fields["content"].setText("x")
            page.page.sample.ask()
            place = home.parent / "work" / "new.txt"
            await until(page.page.sample.undo.isVisible)
            assert place.read_text(encoding="utf-8") == "x"
            page.calls.undo_write()
            assert not place.exists()

    run_async(scenario())


def test_mock_from_a_real_call(run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            answer(monkeypatch, "mine")
            choose(page, "words.py", "count")
            page.add()
            await until(lambda: page.set.is_set)
            page.page.sample.form.fields["text"].setText("one two")
            page.page.sample.ask()
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


def test_a_call_is_given_up(run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            begun: list[str] = []

            async def call(setup: Any, arguments: Any) -> None:
                begun.append(setup.spec.name)
                await asyncio.Event().wait()

            monkeypatch.setattr(page.shell.wb.tools, "call", call)
            sample = page.page.sample
            choose(page, "words.py", "count")
            sample.form.fields["text"].setText("one")
            sample.ask()
            await until(lambda: begun)
            assert sample.stop.isVisible()
            sample.ask()
            page.next_mode()
            page.calls.stop()
            assert sample.call.isVisible()
            assert not sample.stop.isVisible()
            assert begun == ["count"]
            assert not page.calls.is_running

    run_async(scenario())


def test_a_tool_of_a_set_that_is_switched_off_says_so(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            answer(monkeypatch, "mine")
            choose(page, "built-in", "web_search")
            assert page.status[0] == "built-in, read only"
            page.add()
            await until(lambda: page.set.is_set)
            assert "switched off" in page.page.sample.why.text()

    run_async(scenario())
