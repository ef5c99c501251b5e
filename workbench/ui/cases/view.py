"""Suites at the left, the chosen suite's cases, and the chosen case: its document beside its reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QWidget

from workbench.ui.cases.case_pane import CasePane
from workbench.ui.cases.document_editor import DocumentEditor
from workbench.ui.cases.rows import CaseModel, SuiteModel
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import bound_width, fix_size, tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.columns import column_table
from workbench.ui.widgets.frames import column, frame, hairline, label, row
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import RowDelegate, RowList
from workbench.ui.widgets.stacking import StackRow
from workbench.ui.widgets.states import Emptiness

if TYPE_CHECKING:
    from workbench.ui.cases.rows import CaseLine, SuiteLine

_ROW = 44
_COLUMN_BELOW = 860
"""Width of the page below which suites, cases and case stand one under the other."""
_STACK_BELOW = 1320
"""Width of the page below which the reading stands under the document."""


class SuiteDelegate(RowDelegate):
    """Name over number of cases."""

    def paint_cell(
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex, *, chosen: bool
    ) -> None:
        model = index.model()
        assert isinstance(model, SuiteModel)
        line, t = model.line(index.row()), tokens()
        upper = QRect(rect.left() + px(16), rect.top() + px(4), rect.width() - px(24), px(18))
        paint_text(painter, upper, line.title, ui_font(12, bold=chosen), t.text)
        colour = t.failed if line.faults else t.text3
        paint_text(painter, upper.translated(0, px(18)), line.note, ui_font(11), colour)


class CasesView(QFrame):
    """Lays the parts out; the controller fills them."""

    suite_chosen = Signal(str)
    case_chosen = Signal(str)
    new_asked = Signal()
    duplicate_asked = Signal()
    delete_asked = Signal()
    new_suite_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.suites = SuiteModel(self)
        self.suite_list = RowList(tr("Suites"))
        self.suite_list.setProperty("role", "chrome_list")
        self.suite_list.setItemDelegate(SuiteDelegate(_ROW, self.suite_list))
        self.suite_list.setModel(self.suites)
        self.cases = CaseModel(self)
        self.table = column_table(tr("Cases"), _ROW, self.cases)
        self.editor = DocumentEditor()
        self.case_pane = CasePane()
        self.new_button = Button(
            icon="plus", kind="quiet", tip=tr("New case"), keys="Ctrl+N", on_click=self.new_asked.emit
        )
        self.copy_button = Button(
            icon="copy", kind="quiet", tip=tr("Duplicate the case"), keys="Ctrl+D", on_click=self.duplicate_asked.emit
        )
        self.bin_button = Button(
            icon="trash",
            kind="quiet",
            tip=tr("Move the case to the bin"),
            keys="Delete",
            on_click=self.delete_asked.emit,
        )
        self.suite_title = label("", "section")
        self.empty = Emptiness(
            "clipboard-text", tr("No case yet"), tr("Keep a run as a case, write a new one, or import files.")
        )
        self._rows = QStackedWidget()
        self._body = QStackedWidget()
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self.suite_list.row_chosen.connect(self._on_suite)
        self.table.row_chosen.connect(self._on_case)

    def _lay_out(self) -> None:
        left = frame("chrome")
        new_suite = Button(
            icon="plus", kind="quiet", small=True, tip=tr("New suite"), on_click=self.new_suite_asked.emit
        )
        head = row(label(tr("Suites"), "label_strong"), None, new_suite, margins=(16, 6, 8, 6))
        box = column(head, self.suite_list, gap=0)
        box.setStretch(1, 1)
        left.setLayout(box)
        middle = frame("surface")
        bar = frame("surface")
        bar.setLayout(
            row(
                self.suite_title, None, self.new_button, self.copy_button, self.bin_button, margins=(16, 0, 8, 0), gap=2
            )
        )
        fix_size(bar, height=44)
        self._rows.addWidget(self.table)
        self._rows.addWidget(self.empty)
        inner = column(bar, hairline(), self._rows, gap=0)
        inner.setStretch(2, 1)
        middle.setLayout(inner)
        bound_width(self.case_pane, least=240)
        self._split.setHandleWidth(1)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.editor)
        self._split.addWidget(self.case_pane)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)
        self._body.addWidget(self._split)
        self._body.addWidget(
            Emptiness("clipboard-text", tr("No case chosen"), tr("Choose a case to read and edit it."))
        )
        panes = StackRow(
            left, middle, self._body, below=_COLUMN_BELOW, widths=(190, 330, 0), heights=(120, 240, 520), ruled=True
        )
        self.setLayout(column(panes))

    @property
    def suite(self) -> SuiteLine | None:
        """The chosen suite."""
        at = self.suite_list.currentIndex().row()
        return self.suites.line(at) if 0 <= at < self.suites.rowCount() else None

    @property
    def case(self) -> CaseLine | None:
        """The chosen case."""
        at = self.table.currentIndex().row()
        return self.cases.line(at) if 0 <= at < self.cases.rowCount() else None

    def show_suite(self, line: SuiteLine) -> None:
        """Say which suite is shown, and offer what it allows."""
        self.suite_title.setText(line.title)
        self.new_button.setEnabled(not line.read_only)
        self.bin_button.setEnabled(not line.read_only)

    def show_rows(self, found: bool) -> None:
        """Show the table, or that the suite is empty."""
        self._rows.setCurrentIndex(0 if found else 1)
        self._body.setCurrentIndex(0 if found and self.case is not None else 1)
        self.copy_button.setEnabled(found)

    def _on_suite(self, at: int) -> None:
        if at >= 0:
            self.suite_chosen.emit(self.suites.line(at).name)

    def _on_case(self, at: int) -> None:
        self._body.setCurrentIndex(0 if at >= 0 else 1)
        if at >= 0:
            self.case_chosen.emit(self.cases.line(at).key)

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        return [self.suite_list, self.table, self.editor.text, self.case_pane]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        stacked = self.width() < px(_STACK_BELOW)
        wanted = Qt.Orientation.Vertical if stacked else Qt.Orientation.Horizontal
        if wanted != self._split.orientation() or not event.oldSize().isValid():
            self._split.setOrientation(wanted)
            whole = max(self.height(), px(520)) if stacked else self.width() - px(522)
            self._split.setSizes([whole * 11 // 20, whole * 9 // 20])
