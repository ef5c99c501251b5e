"""Tools of requests and files become sets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.kit.tools_page import tools_page
from tests.kit.waiting import until
from workbench.ui.tools.import_dialog import ImportDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


async def shown_dialog() -> ImportDialog:
    """The dialog, once it is shown."""

    def found() -> list[ImportDialog]:
        return [one for one in QApplication.topLevelWidgets() if isinstance(one, ImportDialog) and one.isVisible()]

    await until(found)
    return found()[0]


def test_the_request_in_the_clipboard_becomes_a_set(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            tool = {"name": "look_up", "input_schema": {"type": "object", "properties": {"word": {"type": "string"}}}}
            tools = [tool, {"name": "leave_out", "input_schema": {"type": "object"}}]
            QGuiApplication.clipboard().setText(json.dumps({"model": "m", "messages": [], "tools": tools}))
            page.imports.of_clipboard()
            dialog = await shown_dialog()
            dialog.offer.turn(1)
            QTest.keyClick(dialog.into, Qt.Key.Key_Return)
            await until(lambda: page.set.is_set and page.page.tools.rowCount() == 1)
            assert page.page.tools.line(0).setup.spec.name == "look_up"
            QGuiApplication.clipboard().setText("nothing of the kind")
            page.imports.of_clipboard()
            await until(lambda: page.status[0] and "look_up" not in page.status[0] and "version" not in page.status[0])

    run_async(scenario())
