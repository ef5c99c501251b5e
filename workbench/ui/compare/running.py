"""A batch under way: followed to its end, shown as it goes, paused, trimmed, stopped, resumed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.core.batch import BatchState
from workbench.grading.matrix import matrix
from workbench.ui.bridge.throttle import Throttle
from workbench.ui.compare import from_batch
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from workbench.app.batches import BatchHandle
    from workbench.core.batch import Batch, BatchProgress
    from workbench.ui.bridge.page import Page
    from workbench.ui.compare.pair import ComparePair
    from workbench.ui.compare.shown_batch import ShownBatch
    from workbench.ui.compare.view import CompareView

_LIVE_MS = 250


class CompareRunning:
    """Keeps the one batch that the comparison's page has started."""

    def __init__(
        self, page: Page, view: CompareView, shown: ShownBatch, pairing: ComparePair,
        show: Callable[[Batch, bool], Awaitable[None]], ended: Callable[[], Awaitable[None]],
    ) -> None:  # fmt: skip
        self._owner, self._page, self._shown, self._pairing = page, view, shown, pairing
        self._show, self._ended = show, ended
        self.handle: BatchHandle | None = None
        self._busy = False
        self._live = Throttle(_LIVE_MS, self._read_live, page)
        progress = self._page.progress
        progress.pause_asked.connect(self.pause)
        progress.resume_asked.connect(self.go_on)
        progress.cancel_asked.connect(self.cancel)
        progress.trim_asked.connect(self.trim)

    @property
    def active(self) -> bool:
        """A batch is under way."""
        return self.handle is not None and not self.handle.done

    @property
    def shown(self) -> BatchHandle | None:
        """What is under way, if the page shows it and not an earlier batch."""
        return self.handle if self.handle is not None and self._shown.is_shown(self.handle.batch_id) else None

    def resume(self, batch_id: str) -> None:
        """Go on with a batch of an earlier start."""
        if self.active:
            self._owner.shell.say(tr("Another comparison is under way. This one can go on when that has ended."))
        else:
            self._shown.start(self._resume(batch_id))

    async def _resume(self, batch_id: str) -> None:
        limit = self._page.setup.max_cost.value
        await self.follow(await self._owner.shell.wb.batches.resume(batch_id, max_cost=limit, watch=self.take))

    async def follow(self, handle: BatchHandle) -> None:
        """Show a batch while it runs, and once more when it has ended."""
        self.handle = handle
        self._page.show_trouble("")
        await self._show(handle.batch, True)
        try:
            await handle.wait()
        finally:
            self.handle = None
        seen = self._shown.is_shown(handle.batch_id)
        if seen:
            await self._show(handle.batch, False)
        if seen and handle.halted:
            self._page.show_trouble(handle.halted, tr("Set a higher limit under New, then resume."))
        self._owner.shell.say(from_batch.foot_of(handle.batch)[0])
        await self._ended()

    def take(self, progress: BatchProgress) -> None:
        """A run has begun or ended: numbers at once, the matrix a few times a second."""
        handle = self.shown
        if handle is None:
            return
        self._page.show_progress(progress, from_batch.names_of(handle.spec))
        self._live.request()
        if progress.state is BatchState.PAUSED and not progress.running:
            self._shown.batch = handle.batch  # what was shown last may lack what the scores need
            self._shown.latest("scores", self._pairing.show_scores())

    def _read_live(self) -> None:
        if (handle := self.shown) is not None and not self._busy and self._page.isVisible():
            self._busy = True
            self._shown.start(self._show_live(handle))

    async def _show_live(self, handle: BatchHandle) -> None:
        try:
            batch = handle.batch
            found = await asyncio.to_thread(matrix, batch, self._shown.baseline)
            if self.shown is handle:
                self._shown.batch = batch
                self._page.show_matrix(found, live=True)
                self._shown.refresh_cell(come=False)
                self._owner.set_status(*from_batch.foot_of(batch))
        finally:
            self._busy = False

    def pause(self) -> None:
        """Start nothing more of what is shown for now."""
        if self.shown is not None:
            self.shown.pause()

    def go_on(self) -> None:
        """Go on with what is paused or was left unfinished."""
        batch = self._shown.batch
        if self.shown is not None:
            self.shown.unpause()
        elif batch is not None and batch.left:
            self.resume(batch.spec.id)

    def cancel(self) -> None:
        """Stop the batch that is shown; it can be resumed."""
        if self.shown is not None:
            self.shown.cancel()

    def trim(self, target: int) -> None:
        """Take the waiting runs of a target out."""
        if self.shown is not None:
            self._shown.start(self.shown.trim(target))
