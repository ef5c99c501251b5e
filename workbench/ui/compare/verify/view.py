"""The verification: chips, progress, table, panel; or the set-up of a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from workbench.ui.compare.answer_strip import AnswerStrip
from workbench.ui.compare.progress_panel import ProgressPanel
from workbench.ui.compare.verify.panel import VerifyPanel
from workbench.ui.compare.verify.setup import VerifySetup
from workbench.ui.compare.verify.table import VerifyTable
from workbench.ui.compare.verify.table_model import FIRST, MetricFilter, VerifyModel
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.error_card import ErrorCard
from workbench.ui.widgets.frames import ElidedLabel, column, frame, hairline, row
from workbench.ui.widgets.keyboard import keyboard_is_here
from workbench.ui.widgets.stack import PageStack
from workbench.ui.widgets.states import Emptiness
from workbench.verify.answer import answer_lines
from workbench.verify.verdicts import Judgement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex

    from workbench.core.batch import BatchProgress
    from workbench.ui.compare.verify.table_model import MetricRow
    from workbench.verify.verdicts import Result, Verdicts
    from workbench.verify.verification import Verification

PANEL = 395
_DRAWER_BELOW = 1300
_MARKS = {MetricFilter.FAIL: "fail", MetricFilter.INCONCLUSIVE: "not_gradable"}


class VerifyView(QFrame):
    """Lays the parts out; the controller fills them."""

    cell_chosen = Signal(object, object)
    """A `MetricRow` and a `Result`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.model = VerifyModel(self)
        self.table, self.panel = VerifyTable(self.model), VerifyPanel()
        self.setup, self.progress = VerifySetup(), ProgressPanel()
        self.what, self.how = ElidedLabel("", "strong"), ElidedLabel("", "label")
        self.chips: dict[MetricFilter, Chip] = {}
        self.fold = Button("Evidence", icon="layout", tip="Panel", keys="Ctrl+I", on_click=self.toggle_panel)
        self.answer = AnswerStrip("Next FAIL", "F", "Go to the next metric that fails, with its evidence", most=3)
        self.trouble = ErrorCard()
        self.nothing = Emptiness("funnel", "No metric of this kind", "Choose another chip.")
        self.middle, self.stack = QStackedWidget(), PageStack()
        self._narrow: bool | None = None
        self._wanted: bool | None = None
        self._lay_out()
        self.table.cell_chosen.connect(self._on_cell)
        self.table.cell_opened.connect(lambda _index: self.show_evidence())

    def _lay_out(self) -> None:
        for name in MetricFilter:
            chip = Chip(name, "filter", mark=_MARKS.get(name, ""), count=0, height=24, clickable=True)
            chip.clicked.connect(lambda _checked=False, key=name: self.choose_chip(key))
            self.chips[name] = chip
        self.chips[MetricFilter.ALL].set_kind("chosen")
        bar = frame("surface")
        box = row(self.what, 8, *self.chips.values(), 8, self.how, self.fold, margins=(16, 0, 12, 0))
        box.setStretch(box.indexOf(self.how), 1)
        bar.setLayout(box)
        fix_size(bar, height=44)
        self.middle.addWidget(self.table)
        self.middle.addWidget(self.nothing)
        self._card = frame("surface")
        self._card.setLayout(column(self.trouble, margins=(16, 12, 16, 12)))
        self._card.hide()
        left = frame("surface")
        whole = column(bar, hairline(), self.answer, self.progress, self._card, self.middle, gap=0)
        whole.setStretch(5, 1)
        left.setLayout(whole)
        self._results = frame("surface")
        inner = row(left, self.panel, gap=0)
        inner.setStretch(0, 1)
        self._results.setLayout(inner)
        fix_size(self.panel, width=PANEL)
        self.stack.addWidget(self.setup)
        self.stack.addWidget(self._results)
        self.setLayout(column(self.stack))

    def choose_chip(self, name: MetricFilter) -> None:
        """Keep the metrics of a chip."""
        for key, chip in self.chips.items():
            chip.set_kind("chosen" if key is name else "filter")
        self.model.set_filter(name)
        self._choose_middle()

    def _choose_middle(self) -> None:
        self.middle.setCurrentWidget(self.table if self.model.rowCount() else self.nothing)

    def _on_cell(self, index: QModelIndex) -> None:
        if (result := self.model.result(index)) is not None:
            self.cell_chosen.emit(self.model.row(index.row()), result)

    @property
    def chosen(self) -> tuple[MetricRow, Result] | None:
        """The chosen cell."""
        index = self.table.cells.currentIndex()
        if not index.isValid() or index.column() < FIRST:
            return None
        result = self.model.result(index)
        return (self.model.row(index.row()), result) if result is not None else None

    def show_verification(self, found: Verification, judged: Verdicts, *, running: bool) -> None:
        """Show it as it stands; the chosen cell stays."""
        self.nothing.set_state(*(
            ("hourglass", "Nothing has come yet", "The first pair is on its way.") if not found.pairs
            else ("funnel", "No metric of this kind", "Choose another chip.")
        ))  # fmt: skip
        self.model.show(found, judged, running=running)
        for name, count in self.model.counts().items():
            self.chips[name].set_count(0 if running and name is not MetricFilter.ALL else count)
        self._choose_middle()
        lines = [] if running else answer_lines(found, judged)
        self.answer.show_lines(lines)
        self.answer.setVisible(bool(lines))
        self.answer.why.setVisible(any(judged.counts(at)[Judgement.FAIL] for at in range(len(found.candidates))))

    def show_progress(self, progress: BatchProgress, names: Sequence[str]) -> None:
        """Show how far it has come, slot by slot."""
        self.progress.show_progress(progress, names)

    def show_setup(self) -> None:
        """Show the set-up."""
        self.stack.setCurrentWidget(self.setup)

    @property
    def shows_setup(self) -> bool:
        """The set-up is in front."""
        return self.stack.currentWidget() is self.setup

    def show_results(self) -> None:
        """Show the table; the keyboard goes there, unless the user took it elsewhere."""
        if self.shows_setup:
            here = keyboard_is_here(self, self.setup)
            self.stack.setCurrentWidget(self._results)
            if here:
                self.table.cells.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_trouble(self, what: str, following: str = "") -> None:
        """Say why it could not go on; empty: nothing is wrong."""
        self._card.setVisible(bool(what))
        if what:
            self.trouble.show_error("The verification stopped", what, "", following)

    def show_evidence(self) -> None:
        """Bring the pairs of the chosen cell to the front."""
        self.open_panel()
        self.panel.tabs.choose("evidence")
        self.panel.evidence.pairs.setFocus(Qt.FocusReason.OtherFocusReason)

    def toggle_panel(self) -> None:
        """Fold the panel away or bring it back."""
        self._wanted = self.panel.isHidden()
        self._place_panel()

    def open_panel(self) -> None:
        """Bring the panel into sight, such as for a chosen cell."""
        self._wanted = True
        self._place_panel()

    def _place_panel(self) -> None:
        shown = self._wanted if self._wanted is not None else not self._narrow
        self.panel.setVisible(shown)
        self.fold.set_kind("chosen" if shown else "normal")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < px(_DRAWER_BELOW)
        if narrow != self._narrow:
            self._narrow, self._wanted = narrow, None
            self._place_panel()

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        if self.shows_setup:
            return [self.setup.reference, self.setup.run, self.setup.earlier.list]
        return [self.table.cells, self.panel.tabs]
