"""The history: filter, facets, days, a table over all runs, and what the chosen one did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QWidget

from workbench.ui.history.columns import BY
from workbench.ui.history.day_chart import DayChart
from workbench.ui.history.facet_list import FacetList
from workbench.ui.history.facets import FacetModel
from workbench.ui.history.filter_field import FilterField
from workbench.ui.history.flips_page import FlipsPage
from workbench.ui.history.flips_panel import FlipsPanel
from workbench.ui.history.models_panel import ModelsPanel
from workbench.ui.history.preview import RunPreview
from workbench.ui.history.rows import HistoryModel
from workbench.ui.history.size_panel import SizePanel
from workbench.ui.theme.fonts import px, scale
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.columns import column_table
from workbench.ui.widgets.frames import column, frame, hairline, label, row
from workbench.ui.widgets.rows import RowTable
from workbench.ui.widgets.states import Emptiness
from workbench.ui.widgets.tabs import Tabs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.store.rows import RunRow

_ROW = 28
_FOLD_AT = 1240
"""Below this width of the page the facets fold away."""
_STACK_BELOW, _LIST_HEIGHT, _PREVIEW_HEIGHT = 700, 380, 480
"""Below this width the chosen run stands under the list; the least heights of both then."""
_PREVIEW, _ROOMY_AT, _ROOMY_PREVIEW = 320, 1480, 359
"""Width of the chosen run's pane: the words of the list come first, until there is room for both."""


class HistoryView(QFrame):
    """Lays the parts out; the controller fills them."""

    chosen_changed = Signal()
    open_asked = Signal()
    save_view_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.filter = FilterField()
        self.save_view = Button(tr("Save view"), icon="bookmark-simple", on_click=self.save_view_asked.emit)
        self.complaint = label("", "failed")
        self.complaint.setContentsMargins(px(16), 0, px(16), px(8))
        self.complaint.hide()
        self.facets = FacetModel(self)
        self.facet_list = FacetList(self.facets)
        self.tabs = Tabs(
            [
                ("runs", tr("Runs")),
                ("flips", tr("Flips")),
                ("models", tr("Models")),
                ("bin", tr("Bin")),
                ("size", tr("Size")),
            ]
        )
        self.tabs.setAccessibleName(tr("Runs, flips, models, bin or size"))
        self.days = DayChart()
        self.model = HistoryModel(self)
        self.table = column_table(tr("Runs"), _ROW, self.model)
        self.table.setColumnHidden(BY, True)
        self.table.row_chosen.connect(lambda _row: self.chosen_changed.emit())
        self.table.row_opened.connect(lambda _row: self.open_asked.emit())
        self.preview = RunPreview()
        self.preview.open_button.clicked.connect(self.open_asked)
        self.empty = Emptiness(
            "clock-counter-clockwise", tr("No runs yet"), tr("What you run is recorded while it happens.")
        )
        self.rows = QStackedWidget()
        self.rows.addWidget(self.table)
        self.rows.addWidget(self.empty)
        self.models = ModelsPanel()
        self.rows.addWidget(self.models)
        self.all_flips = FlipsPage()
        self.rows.addWidget(self.all_flips)
        self.size_meter = SizePanel()
        self.rows.addWidget(self.size_meter)
        self.rows.currentChanged.connect(lambda _at: self._show_preview())
        self.flips = FlipsPanel()
        self.flips.closed.connect(self.flips.hide)
        self.flips.all_asked.connect(lambda: self.tabs.choose("flips"))
        self._fold = Button(icon="sliders", tip=tr("Facets"))
        self._fold.clicked.connect(lambda: self.facet_list.setVisible(self.facet_list.isHidden()))
        self._arranged: tuple[bool, bool, bool, float] | None = None
        self._flips_below = False
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
        left = self._lists = frame("surface")
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

    def show_users(self) -> None:
        """Several people share the history: each row says who recorded it."""
        self.table.setColumnHidden(BY, False)

    @property
    def chosen(self) -> RunRow | None:
        """The chosen run; none while other tabs are shown."""
        if self.rows.currentWidget() is not self.table:
            return None
        at = self.table.currentIndex().row()
        return self.model.line(at).run if 0 <= at < self.model.rowCount() else None

    def step(self, by: int) -> None:
        """Choose the next or the previous run."""
        self.table.choose_row(max(0, self.table.currentIndex().row() + by))

    def say_wrong(self, message: str) -> None:
        """Say under the field what is wrong with the filter; an empty message takes it back."""
        self.complaint.setText(message)
        self.complaint.setVisible(bool(message))
        self.filter.set_invalid(message)

    def show_new(self, runs: Sequence[RunRow]) -> list[RunRow]:
        """Put the new ones of a first page above the others and return them; what is in sight stays where it is."""
        scrolled = self.table.verticalScrollBar().value() > 0
        top = QPersistentModelIndex(self.table.indexAt(QPoint(0, 0)))
        fresh = self.model.add_new(runs)
        if scrolled and fresh:
            self.table.scrollTo(top, RowTable.ScrollHint.PositionAtTop)
        return fresh

    def show_models(self) -> None:
        """Show the summary of models in place of the runs."""
        self._set_aside(aside=False)
        if self.table.hasFocus():
            self.models.want_focus()
        self.rows.setCurrentWidget(self.models)

    def show_flips(self) -> None:
        """Show all that reading again has changed, in place of the runs."""
        self._set_aside(aside=True)
        self.rows.setCurrentWidget(self.all_flips)

    def show_size(self) -> None:
        """Show what the records take, in place of the runs."""
        self._set_aside(aside=True)
        self.rows.setCurrentWidget(self.size_meter)

    def _set_aside(self, *, aside: bool) -> None:
        """A tab that is not about the filter's runs has no days, and no list of flips below."""
        if aside:
            self._flips_below = self._flips_below or not self.flips.isHidden()
            self.flips.hide()
        elif self._flips_below:
            self._flips_below = False
            self.flips.show()
        self.days.setVisible(not aside)

    def _show_preview(self) -> None:
        """Beside a list of runs alone: elsewhere there is none that could be chosen."""
        self.preview.setVisible(self.rows.currentWidget() in (self.table, self.empty))

    def show_rows(self, found: bool, *, filtered: bool = False, binned: bool = False) -> None:
        """Show the table, or which kind of nothing there is."""
        self._set_aside(aside=False)
        self.rows.setCurrentIndex(0 if found else 1)
        if found:
            return
        if filtered:
            self.empty.set_state("funnel", tr("No run matches"), tr("Take a term out of the filter, or clear it."))
        elif binned:
            self.empty.set_state(
                "trash", tr("The bin is empty"), tr("Runs that you delete wait here until you empty it.")
            )
        else:
            self.empty.set_state(
                "clock-counter-clockwise", tr("No runs yet"), tr("What you run is recorded while it happens.")
            )

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        shown: dict[QWidget | None, QWidget] = {
            self.models: self.models.table, self.all_flips: self.all_flips.table, self.size_meter: self.size_meter
        }  # fmt: skip
        table = shown.get(self.rows.currentWidget(), self.table)
        return [self.filter, self.facet_list, table, self.preview.tabs]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow, stacked = self.width() < px(_FOLD_AT), self.width() < px(_STACK_BELOW)
        roomy = self.width() >= px(_ROOMY_AT)
        if (arranged := (narrow, stacked, roomy, scale())) == self._arranged:
            return
        self._arranged = arranged
        self._fold.setVisible(narrow)
        self.facet_list.setVisible(not narrow)
        self.splitter.setOrientation(Qt.Orientation.Vertical if stacked else Qt.Orientation.Horizontal)
        for part, least in ((self._lists, _LIST_HEIGHT), (self.preview, _PREVIEW_HEIGHT)):
            part.setMinimumHeight(px(least) if stacked else 0)
        side = px(_PREVIEW_HEIGHT if stacked else _ROOMY_PREVIEW if roomy else _PREVIEW)
        self.splitter.setSizes([max(1, (self.height() if stacked else self.width()) - side), side])
