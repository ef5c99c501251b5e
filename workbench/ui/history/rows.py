"""The history's table: rows by pages of 256, read by key as the user scrolls, so that a million runs cost nothing."""

from __future__ import annotations

from datetime import datetime
from itertools import takewhile
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, Signal

from workbench.core.verdict import VerdictState
from workbench.ui.history.columns import COLUMNS, HistoryLine
from workbench.ui.theme.tokens import verdict_word
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.columns import TableModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.store.rows import RunRow
    from workbench.ui.widgets.rows import AnyIndex

PAGE = 256


class HistoryModel(TableModel[HistoryLine]):
    """Shows what has been read; asks for the next page when the view comes near the end."""

    columns = COLUMNS
    page_wanted = Signal(str)
    """The id after which the next page begins."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[str, int] = {}
        self._more = False
        self._asked = False
        self._now = datetime.now().astimezone()
        self._marked = ""
        self._hand: dict[str, str] = {}

    def spoken(self, line: HistoryLine) -> str:
        run, marked = line.run, tr(", marked") if line.marked else ""
        code = run.verdict.codes[0] if run.verdict.codes else ""
        state = (
            tr("{state}, by hand {hand}", state=verdict_word(run.verdict.state), hand=verdict_word(line.hand))
            if line.hand
            else verdict_word(run.verdict.state)
        )
        return tr(
            "run {number}, {state}, {title}, {model}, {code}{marked}",
            number=run.number,
            state=state,
            title=run.title or run.prompt,
            model=run.model,
            code=code,
            marked=marked,
        )

    def show_first(self, runs: Sequence[RunRow], now: datetime | None = None) -> None:
        """Start anew with a first page."""
        self._now = now or datetime.now().astimezone()
        self._rows = {run.id: row for row, run in enumerate(runs)}
        self._more, self._asked, self._hand = len(runs) >= PAGE, False, {}
        self.show_lines([self._line(run) for run in runs])

    def add_new(self, runs: Sequence[RunRow]) -> list[RunRow]:
        """Put what stands above the known rows of a first page on top, and return it; nothing where none is known."""
        fresh = list(takewhile(lambda run: run.id not in self._rows, runs))
        if not fresh or len(fresh) == len(runs):
            return []
        self.beginInsertRows(QModelIndex(), 0, len(fresh) - 1)
        self._lines[:0] = [self._line(run) for run in fresh]
        self._rows = {line.run.id: row for row, line in enumerate(self._lines)}
        self.endInsertRows()
        return fresh

    def add_page(self, runs: Sequence[RunRow]) -> None:
        """Append the next page; a short one is the last."""
        self._asked = False
        self._more = len(runs) >= PAGE
        fresh = [run for run in runs if run.id not in self._rows]
        self._rows.update((run.id, len(self._lines) + at) for at, run in enumerate(fresh))
        self.add_lines([self._line(run) for run in fresh])

    def _line(self, run: RunRow) -> HistoryLine:
        return HistoryLine(run, self._now, run.id == self._marked, self._hand.get(run.id, ""))

    @property
    def running(self) -> frozenset[str]:
        """Ids of the runs that are shown as running."""
        return frozenset(line.run.id for line in self._lines if line.run.verdict.state is VerdictState.RUNNING)

    def replace_run(self, run: RunRow) -> None:
        """Show a run as it stands now, in its place; nothing where it is not shown."""
        if (row := self.row_of(run.id)) >= 0:
            self.replace_row(row, self._line(run))

    def set_hand(self, run_id: str, word: str) -> None:
        """Show what a run was set to by hand, `pass` or `fail`; empty: nothing holds."""
        if self._hand.get(run_id, "") != word:
            self._hand[run_id] = word
            if (row := self.row_of(run_id)) >= 0:
                self.replace_row(row, self._line(self._lines[row].run))

    def mark(self, run_id: str) -> None:
        """Mark one run in place of the one before; an empty id: none."""
        before, self._marked = self._marked, run_id
        for one in {before, run_id}:
            if (row := self.row_of(one)) >= 0:
                self.replace_row(row, self._line(self._lines[row].run))

    def remove(self, run_id: str) -> None:
        """Take one run out of the list."""
        row = self._rows.get(run_id)
        if row is None:
            return
        self.beginRemoveRows(QModelIndex(), row, row)
        del self._lines[row]
        self._rows = {line.run.id: at for at, line in enumerate(self._lines)}
        self.endRemoveRows()

    def row_of(self, run_id: str) -> int:
        """Return where a run stands, or -1."""
        return self._rows.get(run_id, -1)

    def canFetchMore(self, parent: AnyIndex) -> bool:
        return not parent.isValid() and self._more and not self._asked

    def fetchMore(self, parent: AnyIndex) -> None:
        if self.canFetchMore(parent):
            self._asked = True
            self.page_wanted.emit(self._lines[-1].run.id)
