"""Fills the tab Models: what the last runs of each model come to, one model after the other, given up when it is left."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.app.performances import LAST, performances
from workbench.core.errors import StoreError
from workbench.ui.history.facets import with_value
from workbench.ui.history.model_rows import FormatRecord
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.ui.bridge.page import Shell
    from workbench.ui.history.view import HistoryView


class ModelSummary:
    """Reads and shows the rows; a row that is opened filters the runs by its model and format."""

    def __init__(self, shell: Shell, page: HistoryView, said: Callable[[str], None]) -> None:
        self._shell, self._page, self._said = shell, page, said
        page.models.table.row_opened.connect(self._on_opened)

    async def read(self, query: str, stop: Callable[[], bool]) -> None:
        """Fill the table anew; `stop` ends it."""
        models = self._page.models
        models.begin()
        found = performances(self._shell.wb.store, query, LAST, stop)
        try:
            while (one := await asyncio.to_thread(next, found, None)) is not None:
                if stop():
                    return
                models.add(FormatRecord(*one))
        except StoreError:
            if not stop():
                raise
            return
        models.end()
        rows = models.model.rowCount()
        words = tr(
            "{formats} · last {last} runs of each model · times are medians",
            formats=counted(rows, "model and format", "models and formats"),
            last=LAST,
        )
        self._said(words if rows else "")

    def _on_opened(self, row: int) -> None:
        line = self._page.models.model.line(row)
        text = self._page.filter.text()
        for field, value in (("model", line.model), ("format", line.format)):
            text = with_value(text, field, value, chosen=True)
        self._page.tabs.choose("runs")
        self._page.filter.set_filter(text)
