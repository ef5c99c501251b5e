"""The tools page over the real application: a workspace with one file, a Python file with one function."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from tests.kit.gui import shown
from tests.kit.waiting import until
from workbench.app import Workbench
from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.ui.bridge.page import Shell
from workbench.ui.bridge.tasks import Tasks
from workbench.ui.tools.controller import ToolsController
from workbench.ui.widgets import dialogs

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    import pytest

    from workbench.ui.theme.theme import Theme


SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "mode": {"enum": ["a", "b"], "description": "How."},
        "n": {"default": 3},
    },
    "required": ["path"],
}
SETUP = ToolSetup(ToolSpec("write_file", "Write.", SCHEMA), ToolMode.ASK)
"""A tool with a parameter of each kind: required, of a few values, and without a word."""


@asynccontextmanager
async def tools_page(home: Path, theme: Theme) -> AsyncIterator[tuple[ToolsController, list[str]]]:
    """The page, shown, and what it hands to Try; the workspace holds one file."""
    folder = home.parent / "work"
    folder.mkdir()
    (folder / "app.toml").write_text("port = 5432\n", encoding="utf-8")
    (home / "tools").mkdir(parents=True, exist_ok=True)
    (home / "settings.toml").write_text(f"[run]\nworkspace = {json.dumps(str(folder))}\n", encoding="utf-8")
    source = 'def count(text: str, least: int = 1) -> int:\n    """Count words."""\n    return len(text.split())\n'
    (home / "tools" / "words.py").write_text(source, encoding="utf-8")
    async with Workbench.open(home) as wb:
        window, tasks, handed = QWidget(), Tasks(), []
        shell = Shell(wb, tasks, theme, window, print, print, print, print, print, print, use_tools=handed.append)
        page = ToolsController(shell)
        async with shown(page, tasks, window):
            await until(page.page.tools.rowCount)
            yield page, handed


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
