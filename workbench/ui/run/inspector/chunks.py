"""The table of deltas in the inspector: number, second, content, linked characters marked."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelection, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from workbench.ui.run.inspector.chunk_rows import ChunkRows, shown
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import AnyIndex

ROW = 18
_WIDTHS = (38, 56)
_VOICES = {"text": "text", "call": "text", "reasoning": "text3", "other": "text3", "fault": "failed"}


class _ChunkDelegate(QStyledItemDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(px(40), px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        t, rect = tokens(), option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(t.sel))
        model = index.model()
        assert isinstance(model, ChunkRows)
        if index.column() < 2:
            right = Qt.AlignmentFlag.AlignRight
            paint_text(painter, rect.adjusted(0, 0, -px(8), 0), str(index.data()), mono_font(11), t.text3, align=right)
            return
        row = model.rows[index.row()]
        room = rect.adjusted(px(12), 0, -px(8), 0)
        font = mono_font(11, italic=row.kind == "reasoning")
        linked = model.linked(index.row())
        if linked is not None:
            self._paint_linked(painter, room, row.text, linked)
        paint_text(painter, room, shown(row.text[:200]), font, t.colour(_VOICES[row.kind]))

    @staticmethod
    def _paint_linked(painter: QPainter, room: QRect, text: str, linked: tuple[int, int]) -> None:
        metrics = QFontMetrics(mono_font(11))
        left = room.left() + metrics.horizontalAdvance(shown(text[: linked[0]]))
        width = metrics.horizontalAdvance(shown(text[linked[0] : linked[1]]))
        spot = QRect(left, room.top() + px(1), min(width, room.right() - left), room.height() - px(2))
        painter.fillRect(spot, QColor(tokens().link))
        painter.fillRect(spot.left(), spot.bottom(), spot.width(), 1, QColor(tokens().accent))


class _ChunkHeader(QHeaderView):
    def paintSection(self, painter: QPainter, rect: QRect, column: int) -> None:
        t = tokens()
        painter.fillRect(rect, QColor(t.sunken))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(t.line))
        right = Qt.AlignmentFlag.AlignRight if column < 2 else Qt.AlignmentFlag.AlignLeft
        room = rect.adjusted(px(12) if column == 2 else 0, 0, -px(8), 0)
        title = str(self.model().headerData(column, Qt.Orientation.Horizontal))
        paint_text(painter, room, title, ui_font(11), t.text2, align=right)


class ChunkTable(QTableView):
    """Rows of `ChunkRows`; stays at the end of a growing reply unless the user scrolled up."""

    row_chosen = Signal(int)

    def __init__(self, rows: ChunkRows) -> None:
        super().__init__()
        self._rows = rows
        self.setHorizontalHeader(_ChunkHeader(Qt.Orientation.Horizontal, self))
        self.setModel(rows)
        self.setItemDelegate(_ChunkDelegate(self))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setAccessibleName(tr("Deltas of the reply"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        for column in range(len(_WIDTHS)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self._fit_sizes()
        rows.rowsAboutToBeInserted.connect(self._on_before_growth)
        rows.rowsInserted.connect(self._on_grown)
        self._at_end = True

    def _fit_sizes(self) -> None:
        self.verticalHeader().setMinimumSectionSize(px(ROW))
        self.verticalHeader().setDefaultSectionSize(px(ROW))
        header = self.horizontalHeader()
        header.setFixedHeight(px(24))
        header.setMinimumSectionSize(px(24))
        for column, width in enumerate(_WIDTHS):
            header.resizeSection(column, px(width))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and self.model() is not None:
            self._fit_sizes()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        if selected.indexes():
            self.row_chosen.emit(selected.indexes()[0].row())

    def show_row(self, row: int) -> None:
        """Scroll a row into view without choosing it."""
        self.scrollTo(self._rows.index(row, 0), QAbstractItemView.ScrollHint.PositionAtCenter)

    def _on_before_growth(self) -> None:
        bar = self.verticalScrollBar()
        self._at_end = bar.value() >= bar.maximum() - 1

    def _on_grown(self) -> None:
        if self._at_end:
            self.scrollToBottom()
