"""Tools of requests and files become sets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtGui import QGuiApplication

from tests.kit.tools_page import answer, tools_page
from tests.kit.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_the_request_in_the_clipboard_becomes_a_set(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with tools_page(home, theme) as (page, _):
            answer(monkeypatch, "pasted")
            tool = {"name": "look_up", "input_schema": {"type": "object", "properties": {"word": {"type": "string"}}}}
            QGuiApplication.clipboard().setText(json.dumps({"model": "m", "messages": [], "tools": [tool]}))
            page.imports.of_clipboard()
            await until(lambda: page.set.is_set and page.page.tools.rowCount() == 1)
            assert page.page.tools.line(0).setup.spec.name == "look_up"
            QGuiApplication.clipboard().setText("nothing of the kind")
            page.imports.of_clipboard()
            await until(lambda: page.status[0] and "look_up" not in page.status[0] and "version" not in page.status[0])

    run_async(scenario())
