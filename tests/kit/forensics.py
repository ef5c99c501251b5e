"""The page Forensics over the real application, and texts for it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from tests.kit.gui import shown
from tests.kit.waiting import until
from workbench.app import Workbench
from workbench.core.tools import ToolSpec
from workbench.ui.bridge.page import Shell
from workbench.ui.bridge.tasks import Tasks
from workbench.ui.forensics.controller import ForensicsController

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

TOOLS = (
    ToolSpec(
        "get_weather",
        "",
        {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city"],
        },
    ),
)
CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome", "days": 3}}\n</tool_call>'
COMMA = CALL.replace("3}", "3,}").replace("Rome", "Oslo")
MISTRAL = '[TOOL_CALLS]get_weather[ARGS]{"city": "Rome"}'
TWO = f"I'll check both.\n{CALL}\n{COMMA}"


@asynccontextmanager
async def examining(home: Path, theme: Theme, width: int = 1368) -> AsyncIterator[ForensicsController]:
    """The page, shown, over an empty data folder."""
    async with Workbench.open(home) as wb:
        window, tasks, said = QWidget(), Tasks(), list[object]()
        shell = Shell(
            wb, tasks, theme, window, said.append, said.append, said.append, said.append, said.append, said.append
        )
        controller = ForensicsController(shell)
        async with shown(controller, tasks, window, width):
            yield controller


async def settled(controller: ForensicsController) -> None:
    """Wait until the text is read and coloured."""
    await asyncio.sleep(0.02)
    await until(lambda: not controller.shell.tasks.running())
