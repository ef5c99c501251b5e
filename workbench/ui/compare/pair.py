"""What the comparison's panel says of its targets: scores of all, and two of them in a sentence."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.grading.comparison import compare_among_all
from workbench.ui.compare import from_batch

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from workbench.ui.compare.shown_batch import ShownBatch
    from workbench.ui.compare.view import CompareView


class ComparePair:
    """Keeps which two targets are compared."""

    def __init__(self, shown: ShownBatch, view: CompareView, show_why: Callable[[], Awaitable[None]]) -> None:
        self._shown, self._page, self._show_why = shown, view, show_why
        self.pair: tuple[int, int] | None = None
        """Indexes of the two; None where there are no two."""
        self._chosen = False
        """The user took this pair; else it is the second best and the best, as far as is known."""
        self._page.matrix.target_clicked.connect(self.on_target)
        self._page.panel.targets.pair_chosen.connect(self.choose)

    def forget(self) -> None:
        """Another batch is shown: nobody has chosen yet."""
        self.pair, self._chosen = None, False

    async def show_scores(self) -> None:
        """Compute what the panel says of targets and show it."""
        batch, panel = self._shown.batch, self._page.panel.targets
        if batch is None:
            return
        shown = self._page.model
        if not self._chosen:
            self.pair = from_batch.default_pair(shown.columns)
        panel.show_targets(shown.columns, self.pair)
        self._page.matrix.header.show_pair(self.pair)
        panel.show_scores(await asyncio.to_thread(from_batch.scores_of, batch, shown.matrix))
        await self._show_pair()
        await self._show_why()

    async def _show_pair(self) -> None:
        batch, panel = self._shown.batch, self._page.panel.targets
        if batch is None or self.pair is None:
            panel.show_pair(None)
            return
        judged = any(item.result for item in batch.items)
        panel.show_pair(await asyncio.to_thread(compare_among_all, batch, *self.pair) if judged else None)

    def choose(self, a: int, b: int) -> None:
        """Compare two others."""
        if a != b:
            self.pair, self._chosen = (a, b), True
        self._page.panel.targets.show_targets(self._page.model.columns, self.pair)
        self._page.matrix.header.show_pair(self.pair)
        self._shown.latest("pair", self._show_pair())

    def on_target(self, index: int) -> None:
        """A clicked target becomes B; what was B becomes A."""
        if self.pair is None:
            return
        if index != self.pair[1]:
            self.choose(self.pair[1], index)
        self._page.panel.tabs.choose("targets")
        self._page.open_panel()
