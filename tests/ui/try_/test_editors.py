"""Editors, pasted requests and reports of Try."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.kit.try_app import trying

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_requests_are_pasted(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            composer = page.page.composer
            page.paste("just a prompt")
            assert composer.user.text() == "just a prompt"
            page.paste(
                '{"model": "m", "temperature": 0.5, "messages": [{"role": "system", "content": "s"},'
                ' {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"},'
                ' {"role": "user", "content": "c"}], "tools": [{"name": "f"}]}'
            )
            assert (composer.system.text(), composer.user.text()) == ("s", "c")
            assert composer.earlier.isVisible()
            assert composer.earlier.text() == "2 earlier messages"
            assert composer.draft.parameters.temperature == "0.5"
            assert [one.spec.name for one in composer.checked.tools] == ["f"]
            page.paste('{"model": ')
            assert "begins like JSON" in page.status[0]
            assert composer.user.text() == "c"
            page.paste("  ")
            assert page.status[0].startswith("The clipboard holds no text")

    run_async(scenario())


def test_a_failed_step_is_retried_and_reported(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.show_stored(await page.shell.wb.examples.open("09-rate-limit"))
            cells = page.page.area.rows[0].cells
            assert cells is not None
            retry, wire, report = cells.raw.buttons
            QTest.mouseClick(report, Qt.MouseButton.LeftButton)
            text = QGuiApplication.clipboard().text()
            assert "What: Rate limit reached" in text
            assert "429" in text
            QTest.mouseClick(wire, Qt.MouseButton.LeftButton)
            assert page.page.inspector.tabs.current == "wire"
            QTest.mouseClick(retry, Qt.MouseButton.LeftButton)
            assert not page.is_running
            assert "no provider 'Recorded'" in page.status[0]

    run_async(scenario())


def test_editors_write_into_the_draft(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            composer = page.page.composer
            tools = page.editors.open_tools("list_directory")
            assert tools.list.editor.title.text() == "list_directory"
            tools.text.set_text('[{"name": "only_one"}]')
            assert [one.spec.name for one in composer.checked.tools] == ["only_one"]
            tools.reject()
            wrapper = page.editors.open_wrapper()
            wrapper.text.set_text(wrapper.text.toPlainText() + "\nBe short.")
            assert "Be short." in wrapper.preview.raw
            QTest.mouseClick(wrapper.use, Qt.MouseButton.LeftButton)
            assert composer.draft.wrapper is not None
            messages = page.editors.open_messages()
            messages.text.set_text('[{"role": "user", "content": "first"}]')
            QTest.mouseClick(messages.use, Qt.MouseButton.LeftButton)
            assert len(composer.draft.earlier) == 1
            await asyncio.sleep(0)

    run_async(scenario())
