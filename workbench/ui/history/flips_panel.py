"""The panel below the history's table: what replaying all runs has changed."""

from __future__ import annotations

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QFrame

from workbench.ui.history.flips import SHOWN, FlipCounts, FlipModel
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip, ChipKind
from workbench.ui.widgets.columns import column_table
from workbench.ui.widgets.frames import SectionHeader, column, hairline

_ROW, _ROWS = 28, 5
_CHIPS: dict[str, ChipKind] = {"fixed": "followed", "regressed": "reported"}


class FlipsPanel(QFrame):
    """Counts, the list, Stop while it runs and Close afterwards."""

    flip_chosen = Signal(str)
    """Id of the run."""
    flip_opened = Signal(str)
    stop_asked = Signal()
    closed = Signal()
    all_asked = Signal()
    """The page of flips shall be shown."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.model = FlipModel(self)
        self.table = column_table(tr("Flips after re-parse"), _ROW, self.model)
        self.table.horizontalHeader().hide()
        self.table.row_chosen.connect(lambda at: self._tell(at, self.flip_chosen))
        self.table.row_opened.connect(lambda at: self._tell(at, self.flip_opened))
        fix_size(self.table, height=_ROW * _ROWS)
        self.chips = {name: Chip(name.replace("_", " "), _CHIPS.get(name, "plain"), count=0) for name in SHOWN}
        self.stop = Button(tr("Stop"), kind="quiet", small=True, on_click=self.stop_asked.emit)
        self.close_button = Button(
            icon="x", kind="quiet", small=True, tip=tr("Close the list"), on_click=self.closed.emit
        )
        self.show_all = Button(
            tr("Show all"), icon="arrow-right", kind="quiet", small=True, on_click=self.all_asked.emit
        )
        self.head = SectionHeader(
            tr("Flips after re-parse"), "", *self.chips.values(), self.show_all, self.stop, self.close_button, height=36
        )
        self.setLayout(column(hairline(strong=True), self.head, hairline(), self.table, gap=0))
        self.hide()

    def begin(self, what: str = tr("Re-parse")) -> None:
        """A pass starts; `what` it is called."""
        self.head.title.setText(tr("Flips after {replay}", replay=f"{what[:1].lower()}{what[1:]}"))
        self.table.setAccessibleName(self.head.title.text())
        self.model.show_lines(())
        self.show_counts(FlipCounts())
        self.show()

    def show_counts(self, counts: FlipCounts) -> None:
        """Say how far it is and what it found."""
        if counts.done and not any(counts.by_replay.get(name) for name in SHOWN):
            self.head.note.setText(tr("nothing differs · {words}", words=counts.words))
        else:
            self.head.note.setText(counts.words)
        for name, chip in self.chips.items():
            chip.set_count(counts.by_replay.get(name, 0))
            chip.setVisible(bool(counts.by_replay.get(name)))
        self.stop.setVisible(not counts.done)
        self.table.setVisible(not counts.done or self.model.rowCount() > 0)

    def _tell(self, at: int, signal: SignalInstance) -> None:
        if 0 <= at < self.model.rowCount():
            signal.emit(self.model.line(at).run_id)
