"""Rows of lists and tables: grounds, hairlines, the accent bar of the chosen row; views that know the keyboard's focus.

A delegate of a page derives from `RowDelegate` and paints what stands in a cell; everything around it is the same
everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.painting import note_focus, paint_bottom_line, paint_text, shows_focus

if TYPE_CHECKING:
    from collections.abc import Sequence

AnyIndex = QModelIndex | QPersistentModelIndex
_BAR = 3
_LEAST = 140
"""Pixels that the stretching column keeps."""
_NARROWEST = 0.7
"""Of their width that the other columns keep; below it the table is scrolled sideways."""
_WIDE, _SHARE, _WIDEST = 1_000, 0.5, 1.3
"""Where a table is so wide that its stretching column has more than half of the room, the others grow, up to so much."""
_BRIEF = 56
"""Columns that are no wider hold a time or a number, which means nothing when it is cut: they never shrink."""


def _fitted(width: int, factor: float) -> int:
    if not width:
        return px(_LEAST)
    return int(px(width) * (max(1.0, factor) if width <= _BRIEF else factor))


class RowDelegate(QStyledItemDelegate):
    """Paints a row's ground and lines, then asks `paint_cell` for the rest."""

    def __init__(self, height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._height = height

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(px(80), px(self._height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        rect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        self._paint_ground(painter, option, rect, index, chosen=chosen)
        self.paint_cell(painter, rect, index, chosen=chosen)
        self._paint_focus(painter, option, rect, index)
        painter.restore()

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        """Paint a cell's content: the display text, in weight 600 where the row is chosen."""
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        paint_text(painter, rect.adjusted(px(8), 0, -px(8), 0), text, ui_font(12, bold=chosen), tokens().text)

    @staticmethod
    def _paint_ground(
        painter: QPainter, option: QStyleOptionViewItem, rect: QRect, index: AnyIndex, *, chosen: bool
    ) -> None:
        t, view = tokens(), option.widget
        under = view.row_under_pointer == index.row() if isinstance(view, RowTable) else False
        if chosen:
            painter.fillRect(rect, QColor(t.sel))
        elif under or option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, QColor(t.hover))
        paint_bottom_line(painter, rect, t.line)
        if chosen and index.column() == 0:
            painter.fillRect(rect.left(), rect.top(), _BAR, rect.height() - 1, QColor(t.accent))

    @staticmethod
    def _paint_focus(painter: QPainter, option: QStyleOptionViewItem, rect: QRect, index: AnyIndex) -> None:
        view = option.widget
        if not isinstance(view, QAbstractItemView) or not shows_focus(view) or view.currentIndex().row() != index.row():
            return
        colour = QColor(tokens().accent)
        painter.fillRect(rect.left(), rect.top(), rect.width(), 2, colour)
        painter.fillRect(rect.left(), rect.bottom() - 1, rect.width(), 2, colour)
        if not index.sibling(index.row(), index.column() + 1).isValid():
            painter.fillRect(rect.right() - 1, rect.top(), 2, rect.height(), colour)
        if index.column() == 0:
            painter.fillRect(rect.left(), rect.top(), 2, rect.height(), colour)


def _set_up(view: QAbstractItemView, name: str) -> None:
    view.setAccessibleName(name)
    view.setMouseTracking(True)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


class RowList(QListView):
    """A list of rows of one height."""

    row_chosen = Signal(int)
    """Another row is current, or -1."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _set_up(self, name)
        self.setUniformItemSizes(True)

    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        if model is not None:
            self.selectionModel().currentChanged.connect(lambda now, _before: self.row_chosen.emit(now.row()))

    def choose_row(self, row: int) -> None:
        """Make a row current."""
        model = self.model()
        if model is not None and 0 <= row < model.rowCount():
            self.setCurrentIndex(model.index(row, 0))

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setProperty("byKeyboard", False)
        super().mousePressEvent(event)


class RowTable(QTableView):
    """A table of rows of one height with a quiet header; `widths` are pixels, 0 for the column that takes the rest."""

    row_chosen = Signal(int)
    """Another row is current, or -1."""
    row_opened = Signal(int)
    """Enter or a double click on a row."""

    def __init__(self, name: str, height: int, widths: Sequence[int], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _set_up(self, name)
        self._widths = tuple(widths)
        self._height = height
        self.row_under_pointer = -1
        """The row that a click would choose, in all its cells."""
        self.entered.connect(lambda index: self._point_at(index.row()))
        self.viewportEntered.connect(lambda: self._point_at(-1))
        self._shared: tuple[float, bool] | None = None
        """How far the widths are shrunk now, and whether there is too little room; what a user drags stays until that
        changes."""
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.doubleClicked.connect(lambda index: self.row_opened.emit(index.row()))
        self.apply_sizes()

    def _point_at(self, row: int) -> None:
        if row != self.row_under_pointer:
            self.row_under_pointer = row
            self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at(-1)

    def apply_sizes(self) -> None:
        """Take heights and widths at the current text size; again when that changes."""
        self._shared = None
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(px(self._height))
        rows.setDefaultSectionSize(px(self._height))
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        head.setFixedHeight(px(26))
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if self.model() is None:
            return
        self._share_out()

    def _share_out(self) -> None:
        """Give the columns their widths; where room is short they shrink together before the stretching one is lost."""
        shown = [width for column, width in enumerate(self._widths) if not self.isColumnHidden(column)]
        brief = sum(px(width) for width in shown if width <= _BRIEF)
        wanted = sum(px(width) for width in shown) - brief
        room = self.viewport().width() - (px(_LEAST) if 0 in self._widths else 0)
        share = (room - brief) / wanted if wanted else 1.0  # the brief ones never shrink
        grown = min(_WIDEST, max(1.0, share * _SHARE)) if self.viewport().width() >= px(_WIDE) else 1.0
        factor = min(grown, max(_NARROWEST, share))
        cramped = share < _NARROWEST
        if (factor, cramped) == self._shared:
            return
        self._shared = factor, cramped
        head = self.horizontalHeader()
        for column, width in enumerate(self._widths):
            stretches = not width and not cramped
            head.setSectionResizeMode(
                column, QHeaderView.ResizeMode.Stretch if stretches else QHeaderView.ResizeMode.Interactive
            )
            if not stretches:
                head.resizeSection(column, _fitted(width, factor))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.model() is None:
            return
        self._share_out()
        row = self.currentIndex().row()
        if row >= 0 and 0 <= self.rowViewportPosition(row) <= event.oldSize().height() - self.rowHeight(row):
            self.scrollTo(self.currentIndex())  # it was in sight

    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        if model is not None:
            self.selectionModel().currentRowChanged.connect(lambda now, _before: self.row_chosen.emit(now.row()))
            self.apply_sizes()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and px(self._height) != self.verticalHeader().defaultSectionSize():
            self.apply_sizes()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at = self.currentIndex().row()
        if at >= 0 and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.row_opened.emit(at)
            return
        super().keyPressEvent(event)

    def setColumnHidden(self, column: int, hide: bool) -> None:  # Qt's own signature
        super().setColumnHidden(column, hide)
        self.apply_sizes()  # what it leaves is the others'

    def choose_row(self, row: int) -> None:
        """Make a row current and bring it into view."""
        model = self.model()
        if model is not None and 0 <= row < model.rowCount():
            self.setCurrentIndex(model.index(row, 0))
            self.scrollTo(model.index(row, 0))

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setProperty("byKeyboard", False)
        super().mousePressEvent(event)
