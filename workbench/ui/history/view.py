"""The history: filter, facets, days, a table over all runs, and what the chosen one did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QWidget

from workbench.ui.history.day_chart import DayChart
from workbench.ui.history.facet_list import FacetList
from workbench.ui.history.facets import FacetModel
from workbench.ui.history.filter_field import FilterField
from workbench.ui.history.flips_panel import FlipsPanel
from workbench.ui.history.preview import RunPreview
from workbench.ui.history.rows import CODE, FORMAT, PROMPT, SECONDS, VERDICT, HistoryModel
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import fix_size, tokens
from workbench.ui.theme.tokens import VERDICTS
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import column, frame, hairline, label, row
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import RowDelegate, RowTable
from workbench.ui.widgets.states import Emptiness
from workbench.ui.widgets.tabs import Tabs

if TYPE_CHECKING:
    from workbench.ui.history.rows import HistoryLine

_ROW = 28
_WIDTHS = (98, 56, 0, 104, 126, 166, 48)
_FOLD_AT = 1240
"""Below this width of the page the facets fold away."""


class RunDelegate(RowDelegate):
    """Verdict mark and word, then one voice a column."""

    def paint_cell(
        self,
        painter: QPainter,
        rect: QRect,
        index: QModelIndex | QPersistentModelIndex,
        *,
        chosen: bool,  # noqa: ARG002
    ) -> None:
        model = index.model()
        assert isinstance(model, HistoryModel)
        column = index.column()
        if column == VERDICT:
            self._paint_verdict(painter, rect, model.line(index.row()))
            return
        text = model.text(index.row(), column)
        if not text:
            return
        t, inner = tokens(), rect.adjusted(px(8), 0, -px(8), 0)
        match column:
            case column if column == PROMPT:
                paint_text(painter, inner, text, ui_font(12), t.text)
            case column if column in (FORMAT, CODE):
                paint_text(painter, inner, text, mono_font(11), t.text2)
            case column if column == SECONDS:
                paint_text(painter, inner, text, ui_font(12), t.text2, align=Qt.AlignmentFlag.AlignRight)
            case _:
                paint_text(painter, inner, text, ui_font(12), t.text2)

    @staticmethod
    def _paint_verdict(painter: QPainter, rect: QRect, line: HistoryLine) -> None:
        look, side = VERDICTS[line.state], px(10)
        paint_verdict(painter, line.state, QRectF(rect.left() + px(16), rect.center().y() - side / 2, side, side))
        room = rect.adjusted(px(35), 0, 0, 0)
        paint_text(painter, room, look.word, ui_font(12), tokens().colour(look.colour))
        if line.marked:
            pin = QRect(rect.right() - px(18), rect.center().y() - px(6), px(13), px(13))
            paint_icon(painter, "push-pin", pin, tokens().accent)


class HistoryView(QFrame):
    """Lays the parts out; the controller fills them."""

    chosen_changed = Signal()
    open_asked = Signal()
    save_view_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.filter = FilterField()
        self.save_view = Button("Save view", icon="bookmark-simple", on_click=self.save_view_asked.emit)
        self.complaint = label("", "failed")
        self.complaint.setContentsMargins(px(16), 0, px(16), px(8))
        self.complaint.hide()
        self.facets = FacetModel(self)
        self.facet_list = FacetList(self.facets)
        self.tabs = Tabs([("runs", "Runs"), ("bin", "Bin")])
        self.tabs.setAccessibleName("Runs or bin")
        self.days = DayChart()
        self.model = HistoryModel(self)
        self.table = RowTable("Runs", _ROW, _WIDTHS)
        self.table.setItemDelegate(RunDelegate(_ROW, self.table))
        self.table.setModel(self.model)
        self.table.row_chosen.connect(lambda _row: self.chosen_changed.emit())
        self.table.row_opened.connect(lambda _row: self.open_asked.emit())
        self.preview = RunPreview()
        self.preview.open_button.clicked.connect(self.open_asked)
        self.empty = Emptiness("clock-counter-clockwise", "No runs yet", "What you run is recorded while it happens.")
        self.rows = QStackedWidget()
        self.rows.addWidget(self.table)
        self.rows.addWidget(self.empty)
        self.flips = FlipsPanel()
        self.flips.closed.connect(self.flips.hide)
        self._fold = Button(icon="sliders", tip="Facets")
        self._fold.clicked.connect(lambda: self.facet_list.setVisible(self.facet_list.isHidden()))
        self._was_narrow: bool | None = None
        self._lay_out()

    def _lay_out(self) -> None:
        bar = frame("surface")
        box = row(self._fold, self.filter, self.save_view, margins=(16, 0, 16, 0))
        box.setStretch(1, 1)
        bar.setLayout(box)
        fix_size(bar, height=48)
        middle = frame("surface")
        inner = column(self.tabs, self.days, hairline(), self.rows, self.flips, gap=0)
        inner.setStretch(3, 1)
        middle.setLayout(inner)
        lists = row(self.facet_list, hairline(vertical=True), gap=0)
        lists.addWidget(middle, 1)
        left = frame("surface")
        whole = column(bar, self.complaint, hairline(), gap=0)
        whole.addLayout(lists, 1)
        left.setLayout(whole)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.preview)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.setLayout(column(self.splitter))

    @property
    def chosen(self) -> HistoryLine | None:
        """The chosen run."""
        at = self.table.currentIndex().row()
        return self.model.line(at) if 0 <= at < self.model.rowCount() else None

    def step(self, by: int) -> None:
        """Choose the next or the previous run."""
        self.table.choose_row(max(0, self.table.currentIndex().row() + by))

    def say_wrong(self, message: str) -> None:
        """Say under the field what is wrong with the filter; an empty message takes it back."""
        self.complaint.setText(message)
        self.complaint.setVisible(bool(message))
        self.filter.set_invalid(message)

    def show_rows(self, found: bool, *, filtered: bool = False, binned: bool = False) -> None:
        """Show the table, or which kind of nothing there is."""
        self.rows.setCurrentIndex(0 if found else 1)
        if found:
            return
        if filtered:
            self.empty.set_state("funnel", "No run matches", "Take a term out of the filter, or clear it.")
        elif binned:
            self.empty.set_state("trash", "The bin is empty", "Runs that you delete wait here until you empty it.")
        else:
            self.empty.set_state("clock-counter-clockwise", "No runs yet", "What you run is recorded while it happens.")

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        return [self.filter, self.facet_list, self.table, self.preview.tabs]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < px(_FOLD_AT)
        if narrow != self._was_narrow:
            self._was_narrow = narrow
            self._fold.setVisible(narrow)
            self.facet_list.setVisible(not narrow)
            side = px(320 if narrow else 359)
            self.splitter.setSizes([self.width() - side, side])
