"""The run under way in Try: started, stopped, its events handed on, its number told when it is on disk."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.ui.bridge.feed import RunFeed

if TYPE_CHECKING:
    from workbench.app import RunDraft, RunHandle
    from workbench.ui.bridge.page import Shell


class TryRuns(QObject):
    """One run at a time. Cancelling the window's task leaves the run to its own service."""

    batch_arrived = Signal(object)
    """A tuple of events, already on disk."""
    refused = Signal(object)
    """The `WorkbenchError` for which nothing was sent, or the run was not recorded."""
    saved = Signal(int)
    """The run is in the history under this number."""
    ended = Signal()

    def __init__(self, shell: Shell, parent: QObject) -> None:
        super().__init__(parent)
        self._shell = shell
        self._feed: RunFeed | None = None
        self._handle: RunHandle | None = None
        self._stop_wanted = False

    @property
    def is_running(self) -> bool:
        """A run is under way."""
        return self._feed is not None

    def start(self, draft: RunDraft) -> None:
        """Start a run."""
        feed = RunFeed(self)
        feed.batch_arrived.connect(self.batch_arrived)
        self._feed, self._handle, self._stop_wanted = feed, None, False
        if self._shell.tasks.start(self._run(draft, feed), "try: run", on_error=self.refused.emit) is None:
            self._end(feed)

    async def _run(self, draft: RunDraft, feed: RunFeed) -> None:
        try:
            tools = await self._shell.wb.tools.with_sources(draft.tools)
            handle = await self._shell.wb.runs.start(replace(draft, tools=tools), feed.watch)
            self._handle = handle
            if self._stop_wanted:
                handle.cancel()
            if not await self._ends_by_itself(handle):
                return
            row = await asyncio.to_thread(self._shell.wb.store.find, handle.run_id)
            self.saved.emit(row.number)
        finally:
            self._end(feed)

    @staticmethod
    async def _ends_by_itself(handle: RunHandle) -> bool:
        """Wait for the end; False if the run was stopped before it had sent or recorded anything."""
        try:
            await handle.wait()
        except asyncio.CancelledError:
            mine = asyncio.current_task()
            if not handle.done or (mine is not None and mine.cancelling()):
                raise
            return False
        return True

    def _end(self, feed: RunFeed) -> None:
        if self._feed is feed:
            self._feed = self._handle = None
            feed.deleteLater()
            self.ended.emit()

    def stop(self) -> bool:
        """Stop the run, also one that is only about to start; tell whether there is one."""
        self._stop_wanted = True
        if self._handle is not None:
            self._handle.cancel()
        return self.is_running

    def close(self) -> None:
        """Hand on nothing any more."""
        if self._feed is not None:
            self._feed.close()
