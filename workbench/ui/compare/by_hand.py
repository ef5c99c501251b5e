"""Verdicts set by hand in the comparison: shown beside the machine's, counted apart."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.grading.by_hand import recount, recount_line
from workbench.store.opinions import in_force
from workbench.ui.compare import from_batch
from workbench.ui.run.hand_verdict import say_by_hand

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.core.batch import Batch
    from workbench.ui.bridge.page import Shell
    from workbench.ui.compare.shown_batch import ShownBatch
    from workbench.ui.compare.view import CompareView


class CompareByHand:
    """What is said of the chosen cell's runs."""

    def __init__(
        self, shell: Shell, shown: ShownBatch, view: CompareView, set_status: Callable[[str, str], None]
    ) -> None:
        self._shell, self._shown, self._page, self._set_status = shell, shown, view, set_status
        view.panel.cell.verdict_asked.connect(lambda run, word: shown.latest("hand", self.say(run, word)))

    async def read(self, batch: Batch) -> None:
        """Read what was said of the batch's runs."""
        said = await asyncio.to_thread(self._shell.wb.store.opinions.of_batch, batch.spec.id)
        self._shown.hand = in_force(said)

    def show_foot(self, batch: Batch) -> None:
        """Write the status bar; verdicts set by hand are counted in it."""
        left, right = from_batch.foot_of(batch)
        states = {run: one.state for run, one in self._shown.hand.items() if one.state is not None}
        names = [from_batch.label_of(target) for target in batch.spec.targets]
        line = recount_line(recount(batch, states), names)
        self._set_status(f"{left} · {line}" if line else left, right)

    async def say(self, run_id: str, word: str) -> None:
        """Set a run to `pass` or `fail` after asking why, or take that back, and show it."""
        if await say_by_hand(self._shell, run_id, word) and (batch := self._shown.batch) is not None:
            await self.read(batch)
            self.show_foot(batch)
            self._page.panel.cell.show_hand(self._shown.hand)
