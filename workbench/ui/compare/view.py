"""The comparison: filter and chips, progress, matrix, panel; or the set-up of a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.core.batch import BatchState
from workbench.grading.matrix import CaseFilter
from workbench.ui.compare.answer_strip import AnswerStrip
from workbench.ui.compare.matrix_model import MatrixModel
from workbench.ui.compare.matrix_view import FROZEN, MatrixView
from workbench.ui.compare.panel import ComparePanel
from workbench.ui.compare.results_page import DRAWER_BELOW, PANEL, ResultsPage
from workbench.ui.compare.setup_view import SetupView
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_width
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.frames import row
from workbench.ui.widgets.states import Emptiness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import BatchProgress
    from workbench.grading.matrix import Matrix, Row, TargetColumn

_ROOMY = 150
"""Width of a target's column in which all of a cell is read at ease."""
_LOOKS = {CaseFilter.FAILING: "fail", CaseFilter.ERROR: "error", CaseFilter.FLAKY: "flaky"}
_ICONS = {CaseFilter.DIFFERING: "git-diff", CaseFilter.FLIPPED: "repeat"}


class FilterChips(QWidget):
    """One chip a filter, with the count of cases that it keeps."""

    chosen = Signal(object)
    """A `CaseFilter`."""

    def __init__(self) -> None:
        super().__init__()
        self._chips: dict[CaseFilter, Chip] = {}
        box = row(gap=6)
        for name in CaseFilter:
            chip = Chip(name, "filter", icon=_ICONS.get(name, ""), mark=_LOOKS.get(name, ""), count=0, height=24,
                        clickable=True)  # fmt: skip
            chip.clicked.connect(lambda _checked=False, key=name: self._on_clicked(key))
            self._chips[name] = chip
            box.addWidget(chip)
        box.addStretch(1)
        self.setLayout(box)
        self.choose(CaseFilter.ALL)

    def choose(self, name: CaseFilter) -> None:
        """Mark a chip as chosen, silently."""
        for key, chip in self._chips.items():
            chip.set_kind("chosen" if key == name else "filter")

    def chip(self, name: CaseFilter) -> Chip:
        """Return a filter's chip."""
        return self._chips[name]

    def show_counts(self, matrix: Matrix) -> None:
        """Write the counts; a filter that keeps nothing goes, except the plain ones."""
        counts = matrix.counts
        for name, chip in self._chips.items():
            count = counts[name]
            chip.set_count(count)
            chip.setVisible(bool(count) or name is not CaseFilter.FLIPPED)

    def _on_clicked(self, name: CaseFilter) -> None:
        self.choose(name)
        self.chosen.emit(name)


class CompareView(ResultsPage):
    """Lays the parts out; the controller fills them."""

    cell_chosen = Signal(object, object)
    """A `Row` and a `TargetColumn` of the matrix."""
    cell_opened = Signal(object, object)
    stopped = tr("The comparison stopped")

    def __init__(self) -> None:
        self.setup, self.panel = SetupView(), ComparePanel()
        answer = AnswerStrip(
            tr("Why"), "2", tr("Where the others fail, and what would settle it"), most=3, below="label"
        )
        nothing = Emptiness(
            "funnel", tr("No case matches"), tr("Take a word out of the filter, or choose another chip.")
        )
        super().__init__(self.setup, self.panel, answer, nothing)
        self.filter = LineField(hint=tr("Filter cases"), icon_name="funnel", name=tr("Filter cases"), clearable=True)
        bound_width(self.filter, least=90)
        bound_width(self.filter, most=190)
        self.chips = FilterChips()
        self.model = MatrixModel(self)
        self.matrix = MatrixView(self.model)
        self.trouble.hide()
        box = row(self.filter, self.chips, self.fold, margins=(16, 0, 12, 0))
        box.setStretch(1, 1)
        self.lay_out(box, self.matrix)
        self._connect()

    def _connect(self) -> None:
        self.answer.why_asked.connect(self._on_why)
        self.chips.chosen.connect(lambda _name: self._filter())
        self.filter.textChanged.connect(lambda _text: self._filter())
        self.matrix.cell_chosen.connect(lambda index: self._tell(index, self.cell_chosen))
        self.matrix.cell_opened.connect(lambda index: self._tell(index, self.cell_opened))
        self._chip = CaseFilter.ALL
        self.chips.chosen.connect(self._on_chip)

    def _on_chip(self, name: CaseFilter) -> None:
        self._chip = name
        self._filter()

    def _filter(self) -> None:
        self.model.set_filter(self._chip, self.filter.text())
        self._choose_middle()

    def _choose_middle(self) -> None:
        empty = self.model.rowCount() == 0 and bool(self.model.matrix.rows)
        self.middle.setCurrentWidget(self.nothing if empty else self.matrix)

    def _tell(self, index: QModelIndex, signal: SignalInstance) -> None:
        if index.isValid() and index.column() > 0:
            signal.emit(self.model.case(index.row()), self.model.target(index.column()))

    @property
    def chosen(self) -> tuple[Row, TargetColumn] | None:
        """The chosen cell."""
        index = self.matrix.cells.currentIndex()
        if not index.isValid() or index.column() == 0:
            return None
        return self.model.case(index.row()), self.model.target(index.column())

    @property
    def cells(self) -> QWidget:
        return self.matrix.cells

    def show_matrix(self, matrix: Matrix, *, live: bool = False) -> None:
        """Show a matrix; a live one keeps its order and the chosen cell."""
        self.model.show(matrix, keep_order=live)
        self.chips.show_counts(matrix)
        self._choose_middle()
        self._fit_panel()

    def forget(self) -> None:
        """Another batch comes: nothing that was said of the one before may stand beside its matrix."""
        self.show_glance(())
        self.panel.forget()

    def show_progress(self, progress: BatchProgress, names: Sequence[str], *, elsewhere: bool = False) -> None:
        """Show how far the batch has come, its targets by name; `elsewhere`: another program works on it."""
        self.progress.show_progress(progress, names, elsewhere=elsewhere)
        runs = progress.state is BatchState.RUNNING
        self.matrix.head.set_order(tr("in running order") if runs else tr("most disagreement first"))

    def show_glance(self, lines: Sequence[str]) -> None:
        """Show the answer, in the panel and, while that is folded away, above the matrix; empty: there is none yet."""
        self.panel.targets.show_glance(lines)
        self.answer.show_lines(lines)
        self.answer.setVisible(self.answer.known and self.panel.isHidden())

    def _on_why(self) -> None:
        self.panel.tabs.choose("why")
        self.open_panel()

    def place_panel(self) -> bool:
        """Place it, with the answer above the matrix while it is folded away; no cell is ever covered by it."""
        shown = super().place_panel()
        self.answer.setVisible(self.answer.known and not shown)
        index = QPersistentModelIndex(self.matrix.cells.currentIndex())
        if shown and index.isValid():
            QTimer.singleShot(
                0, self.matrix, lambda: self.matrix.cells.scrollTo(self.model.index(index.row(), index.column()))
            )
        return shown

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_panel()

    def _fit_panel(self) -> None:
        """A drawer where it is narrow, unless all targets have room beside it."""
        needed = FROZEN + _ROOMY * max(1, len(self.model.matrix.columns)) + PANEL
        self.fit_panel(self.width() < px(min(DRAWER_BELOW, needed)))

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        if self.shows_setup:
            return [self.setup.suite, self.setup.run, self.setup.earlier.list]
        return [self.filter, self.matrix.cells, self.panel.tabs]

    def to_filter(self) -> None:
        """Give the keyboard to the filter."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
