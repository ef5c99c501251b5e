"""The verification: chips, progress, table, panel; or the set-up of a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.compare.answer_strip import AnswerStrip
from workbench.ui.compare.results_page import DRAWER_BELOW, ResultsPage
from workbench.ui.compare.verify.panel import VerifyPanel
from workbench.ui.compare.verify.setup import VerifySetup
from workbench.ui.compare.verify.table import VerifyTable
from workbench.ui.compare.verify.table_model import FIRST, MetricFilter, VerifyModel
from workbench.ui.theme.fonts import px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.frames import ElidedLabel, row
from workbench.ui.widgets.states import Emptiness
from workbench.verify.answer import answer_lines
from workbench.verify.judgement import Judgement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex

    from workbench.core.batch import BatchProgress
    from workbench.ui.compare.verify.table_model import MetricRow
    from workbench.verify.judgement import Result, Verdicts
    from workbench.verify.verification import Verification

_MARKS = {MetricFilter.FAIL: "fail", MetricFilter.INCONCLUSIVE: "not_gradable"}


class VerifyView(ResultsPage):
    """Lays the parts out; the controller fills them."""

    cell_chosen = Signal(object, object)
    """A `MetricRow` and a `Result`."""
    stopped = tr("The verification stopped")

    def __init__(self) -> None:
        self.setup, self.panel = VerifySetup(), VerifyPanel()
        answer = AnswerStrip(tr("Next FAIL"), "F", tr("Go to the next metric that fails, with its evidence"), most=3)
        nothing = Emptiness("funnel", tr("No metric of this kind"), tr("Choose another chip."))
        super().__init__(self.setup, self.panel, answer, nothing, tr("Evidence"))
        self.model = VerifyModel(self)
        self.table = VerifyTable(self.model)
        self.what, self.how = ElidedLabel("", "strong"), ElidedLabel("", "label")
        self.chips: dict[MetricFilter, Chip] = {}
        for name in MetricFilter:
            chip = Chip(name, "filter", mark=_MARKS.get(name, ""), count=0, height=24, clickable=True)
            chip.clicked.connect(lambda _checked=False, key=name: self.choose_chip(key))
            self.chips[name] = chip
        self.chips[MetricFilter.ALL].set_kind("chosen")
        box = row(self.what, 8, *self.chips.values(), 8, self.how, self.fold, margins=(16, 0, 12, 0))
        box.setStretch(box.indexOf(self.how), 1)
        self.lay_out(box, self.table)
        self.table.cell_chosen.connect(self._on_cell)
        self.table.cell_opened.connect(lambda _index: self.show_evidence())

    @property
    def cells(self) -> QWidget:
        return self.table.cells

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
            ("hourglass", tr("Nothing has come yet"), tr("The first pair is on its way.")) if not found.pairs
            else ("funnel", tr("No metric of this kind"), tr("Choose another chip."))
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

    def show_evidence(self) -> None:
        """Bring the pairs of the chosen cell to the front."""
        self.open_panel()
        self.panel.tabs.choose("evidence")
        self.panel.evidence.pairs.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_panel(self.width() < px(DRAWER_BELOW))

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        if self.shows_setup:
            return [self.setup.reference, self.setup.run, self.setup.earlier.list]
        return [self.table.cells, self.panel.tabs]
