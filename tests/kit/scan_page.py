"""The page Scan over the real application, shown, with files to be scanned."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from tests.kit.gui import shown
from tests.kit.scanning import LEAK, TOOL, claude_reply, claude_result, claude_user, said, used, written
from tests.kit.waiting import until
from workbench.app import Workbench
from workbench.ui.bridge.page import Shell
from workbench.ui.bridge.tasks import Tasks
from workbench.ui.scan.actions import COMMANDS
from workbench.ui.scan.controller import ScanController

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from workbench.app.forensics import Specimen
    from workbench.store import StoredRun
    from workbench.ui.theme.theme import Theme

KEY = "sk-ant-api03-" + "q7Rw2" * 8
"""What looks like somebody's key."""


def leaky_session(path: Path, *, leaks: int = 1, key: str = "") -> Path:
    """A session of Claude Code with calls that were given out as text, and one that the agent refused."""
    rows: list[Any] = [claude_user(f"Weather in Rome? {key}".strip())]
    for at in range(leaks):
        rows += claude_reply(f"m{at}", said(f"I look {key} it up.\n{LEAK}"))
    rows += claude_reply("n1", used("Frobnicate", {"x": 1}))
    rows.append(claude_result("t1", "Error: No such tool available: Frobnicate", failed=True))
    return written(path, *rows)


def dump(path: Path) -> Path:
    """A provider's reply with a call in its content, beside the request with its tools."""
    message = {"role": "assistant", "content": LEAK}
    reply = {"object": "chat.completion", "model": "coder-7b", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}  # fmt: skip
    request = {"model": "coder-7b", "messages": [{"role": "user", "content": "Rome?"}], "tools": [TOOL]}
    path.write_text(json.dumps({"request": request, "response": reply}) + "\n", encoding="utf-8")
    return path


class ScanPage:
    """The page with what it says and asks of the window around it."""

    def __init__(
        self, page: ScanController, wb: Workbench, said: list[str], opened: list[StoredRun], examined: list[Specimen]
    ) -> None:
        self.page, self.wb, self.said, self.opened, self.examined = page, wb, said, opened, examined
        self.actions = {command.id: command.on(page) for command in COMMANDS}

    @property
    def view(self) -> Any:
        return self.page.page

    async def scan(self, *paths: Path) -> None:
        """Have files read, to their end."""
        self.page.add_names([str(path) for path in paths])
        await self.ended()

    async def ended(self) -> None:
        """Wait until nothing is read any more and the page shows it."""
        await until(lambda: not self.page.running.is_running and self.page.running.seen is not None)

    @property
    def rows(self) -> list[str]:
        """The rows of the list, in words."""
        model = self.view.findings.model
        return [model.spoken(model.line(at)) for at in range(model.rowCount())]

    @property
    def sources(self) -> list[str]:
        """Titles and words of the sources."""
        model = self.view.sources.model
        return [f"{model.line(at).title} {model.line(at).word}" for at in range(model.rowCount())]


@asynccontextmanager
async def scan_page(home: Path, theme: Theme) -> AsyncIterator[ScanPage]:
    """The page, shown."""
    async with Workbench.open(home) as wb:
        window, tasks = QWidget(), Tasks()
        told: list[str] = []
        opened: list[StoredRun] = []
        examined: list[Specimen] = []
        shell = Shell(
            wb, tasks, theme, window, print, opened.append, print, print, print, told.append,
            examine=lambda specimen, _back, _name: examined.append(specimen),
        )  # fmt: skip
        page = ScanController(shell)
        async with shown(page, tasks, window):
            yield ScanPage(page, wb, told, opened, examined)
