"""Two views on one model with one vertical scroll bar: columns that stay at the left, and columns that scroll beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QSizePolicy, QTableView, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.widgets.frames import column, row
from workbench.ui.widgets.painting import note_focus

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent
    from PySide6.QtWidgets import QHBoxLayout


_LEAST_ROWS = 3
"""Rows that stay in sight however large the text is; the page scrolls where that is too high."""


def set_up_table(table: QTableView, name: str) -> None:
    """Take a table of painted cells; `name` is what a screen reader calls it."""
    table.setAccessibleName(name)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setMouseTracking(True)
    table.setTabKeyNavigation(False)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)


class CellTable(QTableView):
    """The columns that scroll. Taking the focus chooses no cell by itself, as Qt would."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        chosen = self.selectionModel()
        if self.currentIndex().isValid():
            super().focusInEvent(event)
            return
        chosen.blockSignals(True)
        super().focusInEvent(event)
        chosen.clear()
        chosen.blockSignals(False)


class FrozenColumns(QFrame):
    """Keeps both views alike; all measures are pixels at 100 %. Tab stops at the columns that scroll, for all of them."""

    def __init__(
        self, left: QTableView, cells: QTableView, *, frozen: tuple[int, ...], row_height: int, widths: tuple[int, int]
    ) -> None:
        """Take the views: `frozen` are the widths of the columns that stay, `widths` the least and most of another one.

        A most of 0 leaves no room empty, however few columns there are.
        """
        super().__init__()
        self._left, self.cells = left, cells
        self._frozen, self._row_height, self._widths = frozen, row_height, widths
        self._room = QWidget()
        """Under the columns that stay, as high as the scroll bar beside it."""
        self._room.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setProperty("role", "surface")

    def join(self, *head: QWidget) -> QHBoxLayout:
        """Tie the views, which have their model by now, and lay them out; `head` stands over the columns that stay."""
        left, cells = self._left, self.cells
        left.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        left.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        left.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        cells.verticalScrollBar().valueChanged.connect(left.verticalScrollBar().setValue)
        left.verticalScrollBar().valueChanged.connect(cells.verticalScrollBar().setValue)
        cells.horizontalScrollBar().installEventFilter(self)
        cells.viewport().installEventFilter(self)
        cells.model().modelReset.connect(self.apply_sizes)
        frozen = column(*head, left, self._room, gap=0)
        frozen.setStretch(len(head), 1)
        both = row(gap=0)
        both.addLayout(frozen)
        both.addWidget(cells, 1)
        return both

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share the width out; keep the columns that stay as high as the others when their scroll bar comes and goes."""
        if watched is self.cells.viewport():
            if event.type() is QEvent.Type.Resize:
                self._share_out()
        elif event.type() in (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Resize):
            self._fit_room()
        return super().eventFilter(watched, event)

    def _fit_room(self) -> None:
        bar = self.cells.horizontalScrollBar()
        self._room.setFixedSize(px(sum(self._frozen)), bar.height() if bar.isVisible() else 0)

    def apply_sizes(self) -> None:
        """Take heights and widths at the current text size, and the columns of the current model."""
        for table in (self._left, self.cells):
            table.verticalHeader().setMinimumSectionSize(px(self._row_height))
            table.verticalHeader().setDefaultSectionSize(px(self._row_height))
        self._left.setFixedWidth(px(sum(self._frozen)))
        head = self.cells.horizontalHeader()
        around = self.cells.horizontalScrollBar().sizeHint().height() + (
            0 if head.isHidden() else head.sizeHint().height()
        )
        self.cells.setMinimumHeight(_LEAST_ROWS * px(self._row_height) + around)
        self._fit_room()
        first = len(self._frozen)
        for at in range(self.cells.model().columnCount()):
            self._left.setColumnHidden(at, at >= first)
            self.cells.setColumnHidden(at, at < first)
        for at, width in enumerate(self._frozen):
            self._left.setColumnWidth(at, px(width))
        self._share_out()

    def _share_out(self) -> None:
        """A few columns share the room; many keep their least width and scroll."""
        first, end = len(self._frozen), self.cells.model().columnCount()
        if end > first:
            least, most = self._widths
            room = self.cells.viewport().width()
            width = max(px(least), room // (end - first))
            width = min(px(most), width) if most else width
            rest = max(0, room - width * (end - first)) if not most else 0
            for at in range(first, end):
                wanted = width + (rest if at == end - 1 else 0)
                if self.cells.columnWidth(at) != wanted:
                    self.cells.setColumnWidth(at, wanted)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        height = self.cells.verticalHeader().defaultSectionSize()
        if event.type() is QEvent.Type.StyleChange and height != px(self._row_height):
            self.apply_sizes()
