"""A verification under way: followed to its end, shown as it goes, paused, stopped, resumed, gone on with until decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.batch import BatchState
from workbench.ui.bridge.throttle import Throttle
from workbench.ui.theme.translation import tr
from workbench.verify.verdict_words import letter

if TYPE_CHECKING:
    from workbench.app.verification import VerificationHandle, VerifyOrder
    from workbench.core.batch import BatchProgress
    from workbench.ui.compare.verify.shown_verification import ShownVerification
    from workbench.verify.verification import Verification

_LIVE_MS = 800
_MOST_ROUNDS, _LEAST_MORE = 5, 20


class VerifyRunning:
    """Keeps the one verification that the tab has started."""

    def __init__(self, verify: ShownVerification) -> None:
        self._verify, self._page = verify, verify.page
        self.handle: VerificationHandle | None = None
        self._busy = False
        self._live = Throttle(_LIVE_MS, self._read_live, verify.page)
        progress = verify.page.progress
        progress.pause_asked.connect(self.pause)
        progress.resume_asked.connect(self.go_on)
        progress.cancel_asked.connect(self.cancel)

    @property
    def active(self) -> bool:
        """A verification is under way."""
        return self.handle is not None and not self.handle.batch.done

    def begin(self, order: VerifyOrder) -> None:
        """Start what is set up."""
        self._verify.start(self._begin(order))

    async def _begin(self, order: VerifyOrder) -> None:
        wb = self._verify.shell.wb
        for draft in wb.verifications.first_drafts(order):
            await wb.preview(draft)  # a wrong name costs nothing
        await self._follow(await wb.verifications.start(order, watch=self._take))

    def resume(self, number: str) -> None:
        """Go on with one of an earlier start."""
        if self.active:
            self._verify.shell.say(tr("Another verification is under way. This one can go on when that has ended."))
        else:
            self._verify.start(self._resume(number))

    async def _resume(self, number: str, budget: int | None = None) -> None:
        wb, limit = self._verify.shell.wb, self._page.setup.max_cost.value
        await self._follow(
            await wb.verifications.resume(number, budget=budget, max_cost=limit, watch=self._take)
        )  # fmt: skip

    def until_decided(self) -> None:
        """Send more rounds until nothing is open, at most so many; each look has its own level."""
        if self._verify.found is not None and not self.active:
            self._verify.start(self._until_decided())

    async def _until_decided(self) -> None:
        first = self._verify.found
        for _ in range(_MOST_ROUNDS):
            found, judged = self._verify.found, self._verify.judged
            if found is None or judged is None or not judged.open or found.state is not BatchState.DONE:
                return
            if first is None or found.id != first.id:  # another one was opened meanwhile
                return
            slots = found.measured + len(found.candidates)
            wanted = max((judged.further(at) or 0 for at in range(len(found.candidates))), default=0)
            more = max(_LEAST_MORE, min(wanted, found.planned))
            await self._resume(found.id, budget=(found.planned + more) * slots)

    @property
    def shown(self) -> VerificationHandle | None:
        """What is under way, if the page shows it and not an earlier verification."""
        found = self._verify.found
        return self.handle if self.handle is not None and found is not None and found.id == self.handle.id else None

    async def _follow(self, handle: VerificationHandle) -> None:
        """Show a verification while it runs, and once more when it has ended."""
        self.handle = handle
        self._page.show_trouble("")
        await self._verify.show(await self._verify.shell.wb.verifications.load(handle.id), running=True)
        try:
            found = await handle.wait()
        finally:
            self.handle = None
        if self._verify.found is not None and self._verify.found.id == handle.id:
            await self._verify.show(found, running=False)
            self._page.show_progress(handle.batch.progress, slot_names(found))
            if handle.batch.halted:
                self._page.show_trouble(handle.batch.halted, tr("Set a higher limit under New, then resume."))
        await self._verify.read_list()

    def _take(self, progress: BatchProgress) -> None:
        if self.shown is not None and self._verify.found is not None:
            self._page.show_progress(progress, slot_names(self._verify.found))
            self._live.request()

    def _read_live(self) -> None:
        if (handle := self.shown) is not None and not self._busy and self._page.isVisible():
            self._busy = True
            self._verify.start(self._show_live(handle))

    async def _show_live(self, handle: VerificationHandle) -> None:
        try:
            found = await self._verify.shell.wb.verifications.load(handle.id)
            if self.shown is handle:
                await self._verify.show(found, running=True)
        finally:
            self._busy = False

    def pause(self) -> None:
        """Start nothing more of what is shown for now."""
        if self.shown is not None:
            self.shown.batch.pause()

    def go_on(self) -> None:
        """Go on with what is paused or was left unfinished."""
        if self.shown is not None:
            self.shown.batch.unpause()
        elif self._verify.found is not None:
            self.resume(self._verify.found.id)

    def cancel(self) -> None:
        """Stop the one that is shown; it can be resumed."""
        if self.shown is not None:
            self.shown.batch.cancel()


def slot_names(found: Verification) -> list[str]:
    """Names of the batch's columns: the reference as often as it is measured, then the candidates."""
    first = [tr("Reference, measurement {at}", at=at + 1) for at in range(found.measured)]
    return [*first, *(f"{letter(at)}  {one.label}" for at, one in enumerate(found.candidates))]
