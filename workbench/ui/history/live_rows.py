"""Runs that go on while the history is looked at: their rows follow, and the list stays where the reader is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from workbench.core.verdict import VerdictState
from workbench.ui.history.rows import PAGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.ui.bridge.page import Shell
    from workbench.ui.history.view import HistoryView

_LOOK_MS = 1000


class LiveRows:
    """Looks once a second for the end of runs that are shown as running, only while the page is on the screen."""

    def __init__(
        self, shell: Shell, page: HistoryView, query: Callable[[], str], ended: Callable[[set[str]], None]
    ) -> None:
        self._shell, self._page, self._query, self._ended = shell, page, query, ended
        self._shown = False
        self._timer = QTimer(page)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)

    def start(self) -> None:
        """The page is shown."""
        self._shown = True
        self._timer.start()

    def stop(self) -> None:
        """It no longer is."""
        self._shown = False
        self._timer.stop()

    def _look(self) -> None:
        if running := self._page.model.running:
            self._shell.tasks.start(
                self._follow(running), "history live", on_error=lambda error: self._shell.say(str(error))
            )
        else:
            self._timer.start()

    async def _follow(self, running: frozenset[str]) -> None:
        try:
            rows = await asyncio.to_thread(self._shell.wb.store.list_runs, self._query(), None, PAGE)
        finally:
            if self._shown:
                self._timer.start()
        over = [run for run in rows if run.id in running and run.verdict.state is not VerdictState.RUNNING]
        for run in over:
            self._page.model.replace_run(run)
        if over:
            self._ended({run.id for run in over})
