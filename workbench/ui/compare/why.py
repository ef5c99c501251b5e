"""The reasons beside the matrix: computed with the scores, bars that open their runs, another batch to hold against."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.grading.matrix import matrix
from workbench.ui.compare import from_batch, from_why
from workbench.ui.compare.values import Against

if TYPE_CHECKING:
    from workbench.core.batch import Batch
    from workbench.ui.bridge.page import Shell
    from workbench.ui.compare.shown_batch import ShownBatch
    from workbench.ui.compare.view import CompareView


class CompareWhy:
    """Fills the pane of reasons."""

    def __init__(self, shell: Shell, shown: ShownBatch, view: CompareView) -> None:
        self._shell, self._shown, self._page = shell, shown, view
        pane = view.panel.why
        pane.layer_opened.connect(self.open_layer)
        pane.other_chosen.connect(lambda batch_id: shown.latest("other", self.hold_against(batch_id)))

    async def offer(self, batch: Batch) -> None:
        """Offer the suite's other batches; the one that flips are seen against is chosen."""
        baseline = self._shown.baseline
        rows = [row for row in await self._shell.wb.batches.list() if row.suite == batch.spec.suite and row.done]
        found = await asyncio.to_thread(from_batch.choices, self._shell.wb.store, rows)
        others = [(one.note, one.id) for one in found if one.id != batch.spec.id]
        self._page.panel.why.show_others(others, baseline.spec.id if baseline else "")

    async def show(self) -> None:
        """Compute the reasons of what is shown."""
        batch, panel = self._shown.batch, self._page.panel
        if batch is None or not any(item.result for item in batch.items):
            self._page.show_glance(())
            return
        found = await asyncio.to_thread(from_why.why_of, batch, self._page.model.matrix)
        self._page.show_glance(found.glance)
        panel.why.show_why(found)
        await self._show_against(batch)

    async def _show_against(self, batch: Batch) -> None:
        before = self._shown.baseline
        found = await asyncio.to_thread(from_why.against_of, before, batch) if before is not None else Against()
        self._page.panel.why.show_against(found)

    async def hold_against(self, batch_id: str) -> None:
        """See flips against another batch, in the matrix too."""
        batch = self._shown.batch
        if batch is None:
            return
        self._shown.baseline = await self._shell.wb.batches.load(batch_id) if batch_id else None
        self._page.show_matrix(await asyncio.to_thread(matrix, batch, self._shown.baseline))
        await self._show_against(batch)

    def open_layer(self, target: int, layer: str) -> None:
        """Show the runs behind a bar."""
        if self._shown.batch is not None:
            self._page.panel.show_cell(from_why.layer_view(self._shown.batch, target, layer, self._shown.hand))
