"""Runs that begin or end while the history is looked at: their rows follow, and the list stays where the reader is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from workbench.core.verdict import VerdictState
from workbench.ui.history.rows import PAGE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from workbench.store.rows import RunRow
    from workbench.ui.bridge.page import Shell
    from workbench.ui.history.view import HistoryView

_LOOK_MS = 1000
_PAUSES = 4
"""A look that takes long, as the counts of a million runs do, is followed by a pause so many times as long."""


class LiveRows:
    """Looks once a second for new runs, whoever records them, and for the end of those that are shown as running.

    Only while the page is on the screen. What is asked each time is the newest run of all; the filter's rows are read
    where that is another one than before, or a run is shown as running.
    """

    def __init__(
        self,
        shell: Shell,
        page: HistoryView,
        query: Callable[[], str],
        ended: Callable[[set[str]], None],
        refresh: Callable[[], None],
        count: Callable[[], Awaitable[None]],
    ) -> None:
        """`refresh` reads the list anew, `count` what is counted beside it; the next look waits for that."""
        self._shell, self._page, self._query = shell, page, query
        self._ended, self._refresh, self._count = ended, refresh, count
        self._newest = ""
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
        self._shell.tasks.start(
            self._follow(self._page.model.running), "history live", on_error=lambda error: self._shell.say(str(error))
        )

    async def _follow(self, running: frozenset[str]) -> None:
        query, begun = self._query(), asyncio.get_running_loop().time()
        try:
            newest, rows = await asyncio.to_thread(self._read, query, bool(running))
            if query == self._query():
                await self._show(newest, rows, running)
        finally:
            if self._shown:
                took_ms = 1000 * (asyncio.get_running_loop().time() - begun)
                self._timer.start(max(_LOOK_MS, round(_PAUSES * took_ms)))

    async def _show(self, newest: str, rows: Sequence[RunRow], running: frozenset[str]) -> None:
        over = [run for run in rows if run.id in running and run.verdict.state is not VerdictState.RUNNING]
        for run in over:
            self._page.model.replace_run(run)
        if over:
            self._ended({run.id for run in over})
        first, changed, self._newest = not self._newest, newest != self._newest, newest
        if changed and (not first or self._unseen(rows)):
            await self._show_new(rows)

    async def _show_new(self, rows: Sequence[RunRow]) -> None:
        """Those of the filter stand above the others, and what is chosen or looked at stays."""
        if not self._page.show_new(rows) and self._unseen(rows):  # the first runs at all, or more than a page of them
            self._refresh()
        else:
            await self._count()

    def _unseen(self, rows: Sequence[RunRow]) -> bool:
        return bool(rows) and self._page.model.row_of(rows[0].id) < 0

    def _read(self, query: str, running: bool) -> tuple[str, Sequence[RunRow]]:
        """The newest run's id, and the filter's first page where anything may be another one there."""
        store = self._shell.wb.store
        newest = next((run.id for run in store.list_runs("", None, 1)), "")
        return newest, store.list_runs(query, None, PAGE) if running or newest != self._newest else ()
