"""The controller of Try over the real application: simulated models, an empty data folder."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from tests.kit.gui import shown
from workbench.app import Workbench
from workbench.ui.bridge.page import Shell
from workbench.ui.bridge.tasks import Tasks
from workbench.ui.try_.controller import TryController

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]


@asynccontextmanager
async def trying(home: Path, theme: Theme) -> AsyncIterator[TryController]:
    """The page Try, shown, over an empty data folder."""
    async with Workbench.open(home) as wb:
        window, tasks, said = QWidget(), Tasks(), []
        shell = Shell(
            wb, tasks, theme, window, said.append, said.append, said.append, said.append, said.append, said.append
        )
        controller = TryController(shell)
        async with shown(controller, tasks, window):
            yield controller
