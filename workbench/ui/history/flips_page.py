"""The tab Flips: everything that replaying the history has changed, by kind, to be opened and accepted."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QStackedWidget

from workbench.core.versions import PARSER_VERSION
from workbench.ui.history.flips import SHOWN, FlipCounts, FlipLine, FlipModel
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.columns import column_table
from workbench.ui.widgets.frames import SectionHeader, column, hairline
from workbench.ui.widgets.states import Emptiness

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_ROW = 28


class FlipsPage(QFrame):
    """Chips choose the kinds; a row is looked at on the right, opened with Return, accepted with A."""

    flip_chosen = Signal(str)
    """Id of the run."""
    flip_opened = Signal(str)
    accept_asked = Signal(list)
    """Lines whose verdicts shall be taken over."""
    stop_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._lines: list[FlipLine] = []
        self._kinds = set(SHOWN)
        self.model = FlipModel(self)
        self.table = column_table(tr("All flips"), _ROW, self.model)
        self.table.row_chosen.connect(lambda at: self._tell(at, self.flip_chosen.emit))
        self.table.row_opened.connect(lambda at: self._tell(at, self.flip_opened.emit))
        self.chips = {
            name: Chip(
                name.replace("_", " "), "chosen", count=0, height=24, clickable=True, tip=tr("Show or hide this kind")
            )
            for name in SHOWN
        }
        for name, chip in self.chips.items():
            chip.clicked.connect(partial(self._toggle, name))
            chip.hide()
        tip = tr("Write today's verdict behind the recorded one; what was recorded stays")
        self.accept_button = Button(tr("Accept"), icon="check", kind="quiet", small=True, tip=tip, on_click=self.accept)
        self.all_button = Button(tr("Accept all shown"), kind="quiet", small=True, tip=tip, on_click=self.accept_all)
        self.stop = Button(tr("Stop"), kind="quiet", small=True, on_click=self.stop_asked.emit)
        self.stop.hide()
        self.head = SectionHeader(
            tr("Flips"), "", *self.chips.values(), self.stop, self.accept_button, self.all_button, height=40
        )
        self.empty = Emptiness("arrows-clockwise", tr("Nothing was replayed yet"), _HOW)
        self.rows = QStackedWidget()
        self.rows.addWidget(self.table)
        self.rows.addWidget(self.empty)
        self.rows.setCurrentWidget(self.empty)
        self.setLayout(column(self.head, hairline(), self.rows, gap=0))
        self._say_buttons()

    @property
    def total(self) -> int:
        """How many flips there are, of all kinds."""
        return len(self._lines)

    @property
    def chosen(self) -> FlipLine | None:
        """The chosen flip."""
        at = self.table.currentIndex().row()
        return self.model.line(at) if 0 <= at < self.model.rowCount() else None

    def want_focus(self) -> None:
        """The tab is shown: the keyboard goes to the list."""
        if self.model.rowCount():
            if self.chosen is None:
                self.table.choose_row(0)
            self.table.setFocus()

    def begin(self, what: str) -> None:
        """A pass starts; `what` it is called."""
        self._lines.clear()
        self.model.show_lines(())
        self.head.title.setText(tr("Flips after {replay}", replay=f"{what[:1].lower()}{what[1:]}"))
        self.empty.set_state(
            "hourglass", tr("Reading"), tr("Runs that are read differently are listed as they are found.")
        )
        self.rows.setCurrentWidget(self.empty)
        self.stop.show()
        self.show_counts(FlipCounts())

    def add(self, lines: Sequence[FlipLine]) -> None:
        """More of them were found."""
        self._lines += lines
        shown = [line for line in lines if line.replay in self._kinds]
        self.model.add_lines(shown)
        self._say_buttons()

    def show_counts(self, counts: FlipCounts) -> None:
        """Say how far the pass is and what it found."""
        self.head.note.setText(counts.words)
        for name, chip in self.chips.items():
            chip.set_count(counts.by_replay.get(name, 0))
            chip.setVisible(bool(counts.by_replay.get(name)))
        self.stop.setVisible(not counts.done)
        if counts.done and not self._lines:
            self.empty.set_state(
                "check",
                tr("Nothing differs"),
                tr("Parser {parser_version} reads every run as it was read.", parser_version=PARSER_VERSION),
            )
        self._say_buttons()

    def mark_accepted(self, ids: Collection[str]) -> None:
        """Their verdicts were taken over."""
        self._lines = [replace(line, accepted=True) if line.run_id in ids else line for line in self._lines]
        self._refill()

    def accept(self) -> None:
        """Ask for the chosen flip to be accepted."""
        if (line := self.chosen) is not None:
            self.accept_asked.emit([line])

    def accept_all(self) -> None:
        """Ask for all that are shown to be accepted."""
        self.accept_asked.emit([self.model.line(at) for at in range(self.model.rowCount())])

    def _toggle(self, name: str) -> None:
        self._kinds ^= {name}
        self.chips[name].set_kind("chosen" if name in self._kinds else "neutral")
        self._refill()

    def _refill(self) -> None:
        at = self.table.currentIndex().row()
        self.model.show_lines([line for line in self._lines if line.replay in self._kinds])
        if self.model.rowCount():
            self.table.choose_row(min(max(at, 0), self.model.rowCount() - 1))
        self._say_buttons()

    def _say_buttons(self) -> None:
        rows = self.model.rowCount()
        if self._lines:
            self.rows.setCurrentWidget(self.table)
        self.accept_button.setEnabled(bool(rows))
        self.all_button.setEnabled(bool(rows))

    def _tell(self, at: int, emit: object) -> None:
        if 0 <= at < self.model.rowCount() and callable(emit):
            emit(self.model.line(at).run_id)


_HOW = tr("Re-parse all reads every run of the filter with today's parsers: no network, no model.")
