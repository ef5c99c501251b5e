"""Verdicts set by hand in the comparison: asked for with a reason, shown beside the machine's, counted apart."""

from __future__ import annotations

import asyncio
import getpass
from typing import TYPE_CHECKING

from workbench.core.clock import Clock
from workbench.core.verdict import VerdictState
from workbench.grading.by_hand import recount, recount_line
from workbench.store.opinions import HAND, Opinion, in_force
from workbench.ui.compare import from_batch
from workbench.ui.widgets.dialogs import ask_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.core.batch import Batch
    from workbench.ui.bridge.page import Shell
    from workbench.ui.compare.shown_batch import ShownBatch
    from workbench.ui.compare.view import CompareView


class CompareByHand:
    """Nothing is overwritten: a word is appended, and taking it back is one, too."""

    def __init__(
        self, shell: Shell, shown: ShownBatch, view: CompareView, set_status: Callable[[str, str], None]
    ) -> None:
        self._shell, self._shown, self._page, self._set_status = shell, shown, view, set_status
        view.panel.cell.verdict_asked.connect(lambda run, word: shown.latest("hand", self.ask(run, word)))

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

    async def ask(self, run_id: str, word: str) -> None:
        """Ask why, then keep the word; without a reason nothing is set."""
        title = f"Set to {word} by hand" if word else "Take back what was set by hand"
        why = await ask_text(
            self._page,
            title,
            "Why? It stands beside the machine's verdict, which stays.",
            "Set" if word else "Take back",
        )
        if why is None or (word and not why.strip()):
            return
        state = VerdictState(word) if word else None
        await self.keep(Opinion(run_id, Clock().now_us(), HAND, own_name(), state, why.strip()))

    async def keep(self, opinion: Opinion) -> None:
        """Append a word and show it."""
        await asyncio.to_thread(self._shell.wb.store.opinions.add, opinion)
        batch = self._shown.batch
        if batch is not None:
            await self.read(batch)
            self.show_foot(batch)
            self._page.panel.cell.show_hand(self._shown.hand)


def own_name() -> str:
    """Whose computer this is, as far as it says."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
