"""Verdicts set by hand in the history: of the chosen run, and marked in the rows."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.store.opinions import in_force
from workbench.ui.run.hand_verdict import HandVerdict, hand_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.store.opinions import Opinion
    from workbench.store.rows import RunRow
    from workbench.ui.bridge.page import Shell
    from workbench.ui.history.view import HistoryView


class HistoryByHand(HandVerdict):
    """Serves the preview's button and the rows' marks."""

    def __init__(self, shell: Shell, page: HistoryView) -> None:
        self._page, self._store = page, shell.wb.store
        super().__init__(shell, "history", page.preview.hand_button, self._chosen_id, self._tell)
        page.preview.hand_button.clicked.connect(lambda _checked=False: self.menu())

    async def mark(self, rows: Sequence[RunRow]) -> None:
        """Mark those of a page of runs that have a verdict set by hand."""
        said = await asyncio.to_thread(self._store.opinions.of_runs, [row.id for row in rows])
        for run_id, one in in_force(said).items():
            self._page.model.set_hand(run_id, _word(one))

    def _chosen_id(self) -> str:
        return line.id if (line := self._page.chosen) is not None else ""

    def _tell(self, held: Opinion | None) -> None:
        self._page.preview.show_hand(*(hand_words(held) if held is not None else ("", "")))

    async def _read(self, run_id: str) -> None:
        await super()._read(run_id)
        if self._chosen_id() == run_id:
            self._page.model.set_hand(run_id, _word(self.held))


def _word(held: Opinion | None) -> str:
    return held.state.value if held is not None and held.state is not None else ""
