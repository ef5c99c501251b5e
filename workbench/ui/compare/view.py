"""The comparison: filter and chips, progress, matrix, panel; or the set-up of a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from workbench.core.batch import BatchState
from workbench.grading.matrix import CaseFilter
from workbench.ui.compare.answer_strip import AnswerStrip
from workbench.ui.compare.matrix_model import MatrixModel
from workbench.ui.compare.matrix_view import FROZEN, MatrixView
from workbench.ui.compare.panel import ComparePanel
from workbench.ui.compare.progress_panel import ProgressPanel
from workbench.ui.compare.setup_view import SetupView
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_width, fix_size
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.error_card import ErrorCard
from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.frames import column, frame, hairline, row
from workbench.ui.widgets.keyboard import keyboard_is_here
from workbench.ui.widgets.stack import PageStack
from workbench.ui.widgets.states import Emptiness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import BatchProgress
    from workbench.grading.matrix import Matrix, Row, TargetColumn

PANEL = 395
_DRAWER_BELOW = 1300
"""Width of the page below which the panel is a drawer, closed at first, unless all targets have room beside it."""
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


class CompareView(QFrame):
    """Lays the parts out; the controller fills them."""

    cell_chosen = Signal(object, object)
    """A `Row` and a `TargetColumn` of the matrix."""
    cell_opened = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.filter = LineField(hint="Filter cases", icon_name="funnel", name="Filter cases", clearable=True)
        self.chips = FilterChips()
        self.fold = Button(icon="layout", tip="Panel", keys="Ctrl+I", on_click=self.toggle_panel)
        self.progress = ProgressPanel()
        self.model = MatrixModel(self)
        self.matrix = MatrixView(self.model)
        self.panel = ComparePanel()
        self.answer = AnswerStrip("Why", "2", "Where the others fail, and what would settle it")
        self.setup = SetupView()
        self.trouble = ErrorCard()
        self.trouble.hide()
        self.nothing = Emptiness("funnel", "No case matches", "Take a word out of the filter, or choose another chip.")
        self.middle = QStackedWidget()
        self.middle.addWidget(self.matrix)
        self.middle.addWidget(self.nothing)
        self.stack = PageStack()
        self._narrow: bool | None = None
        self._wanted: bool | None = None
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        bar = frame("surface")
        box = row(self.filter, self.chips, self.fold, margins=(16, 0, 12, 0))
        box.setStretch(1, 1)
        bar.setLayout(box)
        fix_size(bar, height=44)
        bound_width(self.filter, least=90)
        bound_width(self.filter, most=190)
        left = frame("surface")
        card = column(self.trouble, margins=(16, 12, 16, 12))
        self._card = frame("surface")
        self._card.setLayout(card)
        self._card.hide()
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

    def show_setup(self) -> None:
        """Show the set-up."""
        self.stack.setCurrentWidget(self.setup)

    @property
    def shows_setup(self) -> bool:
        """The set-up is in front."""
        return self.stack.currentWidget() is self.setup

    def show_results(self) -> None:
        """Show the matrix; the keyboard goes there, not into the filter, unless the user took it elsewhere."""
        if self.shows_setup:
            here = keyboard_is_here(self, self.setup)
            self.stack.setCurrentWidget(self._results)
            if here:
                self.matrix.cells.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_matrix(self, matrix: Matrix, *, live: bool = False) -> None:
        """Show a matrix; a live one keeps its order and the chosen cell."""
        self.model.show(matrix, keep_order=live)
        self.chips.show_counts(matrix)
        self._choose_middle()
        self._fit_panel()

    def show_progress(self, progress: BatchProgress, names: Sequence[str], *, elsewhere: bool = False) -> None:
        """Show how far the batch has come, its targets by name; `elsewhere`: another program works on it."""
        self.progress.show_progress(progress, names, elsewhere=elsewhere)
        runs = progress.state is BatchState.RUNNING
        self.matrix.head.set_order("in running order" if runs else "most disagreement first")

    def show_trouble(self, what: str, following: str = "") -> None:
        """Say why a batch could not go on; empty: nothing is wrong."""
        self._card.setVisible(bool(what))
        self.trouble.setVisible(bool(what))
        if what:
            self.trouble.show_error("The comparison stopped", what, "", following)

    def show_glance(self, lines: Sequence[str]) -> None:
        """Show the answer, in the panel and, while that is folded away, above the matrix; empty: there is none yet."""
        self.panel.targets.show_glance(lines)
        self.answer.show_lines(lines)
        self.answer.setVisible(self.answer.known and self.panel.isHidden())

    def _on_why(self) -> None:
        self.panel.tabs.choose("why")
        self.open_panel()

    def toggle_panel(self) -> None:
        """Fold the panel away or bring it back."""
        self._wanted = self.panel.isHidden()
        self._place_panel()

    def open_panel(self) -> None:
        """Bring the panel into sight, such as for a chosen cell."""
        self._wanted = True
        self._place_panel()

    def _place_panel(self) -> None:
        """Open where there is room, else a drawer that a chosen cell opens: no cell is ever covered by it."""
        shown = self._wanted if self._wanted is not None else not self._narrow
        self.panel.setVisible(shown)
        self.answer.setVisible(self.answer.known and not shown)
        self.fold.set_kind("chosen" if shown else "normal")
        index = QPersistentModelIndex(self.matrix.cells.currentIndex())
        if shown and index.isValid():
            QTimer.singleShot(
                0, self.matrix, lambda: self.matrix.cells.scrollTo(self.model.index(index.row(), index.column()))
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_panel()

    def _fit_panel(self) -> None:
        needed = FROZEN + _ROOMY * max(1, len(self.model.matrix.columns)) + PANEL
        narrow = self.width() < px(min(_DRAWER_BELOW, needed))
        if narrow != self._narrow:
            self._narrow, self._wanted = narrow, None
            self._place_panel()

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        if self.shows_setup:
            return [self.setup.suite, self.setup.run, self.setup.earlier.list]
        return [self.filter, self.matrix.cells, self.panel.tabs]

    def to_filter(self) -> None:
        """Give the keyboard to the filter."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
