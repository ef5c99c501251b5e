"""Rows of the set-up: an earlier comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.interval import paint_progress
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import RowDelegate, RowList

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from workbench.ui.compare.values import BatchChoice


MENU = 36
"""Width at the right end that opens a line's menu."""


def menu_place(rect: QRect) -> QRect:
    """Where in a line its menu is opened."""
    return QRect(rect.right() - px(MENU) + 1, rect.top(), px(MENU), rect.height())


class BatchRows(RowList):
    """A click or Enter opens a line; its dots, the right button, Menu and Shift+F10 ask for its menu."""

    opened = Signal(int)
    menu_asked = Signal(int, QPoint)
    """A row, and where on the screen."""

    def __init__(self, name: str, batch: Callable[[int], BatchChoice], *, menu: bool) -> None:
        super().__init__(name)
        self._menu, self._pressed = menu, QPoint()
        self.setItemDelegate(BatchDelegate(self, batch, menu=menu))
        self.clicked.connect(self._on_clicked)
        self.activated.connect(lambda index: self.opened.emit(index.row()))

    def _on_clicked(self, index: QModelIndex) -> None:
        place = menu_place(self.visualRect(index))
        if self._menu and place.contains(self._pressed):
            self._ask(index.row(), place.bottomLeft())
        else:
            self.opened.emit(index.row())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if self._menu and index.isValid():
            self._ask(index.row(), self.visualRect(index).bottomLeft() if by_key else event.pos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Shift+F10, which not every platform turns into Menu."""
        shifted = event.modifiers() == Qt.KeyboardModifier.ShiftModifier and event.key() == Qt.Key.Key_F10
        index = self.currentIndex()
        if self._menu and shifted and index.isValid():
            self._ask(index.row(), self.visualRect(index).bottomLeft())
        else:
            super().keyPressEvent(event)

    def _ask(self, row: int, place: QPoint) -> None:
        self.menu_asked.emit(row, self.viewport().mapToGlobal(place))


class BatchDelegate(RowDelegate):
    """Title over when and what; at the right how far it came."""

    def __init__(self, parent: QWidget, batch: Callable[[int], BatchChoice], *, menu: bool = False) -> None:
        super().__init__(48, parent)
        self._batch, self._end = batch, MENU if menu else 0

    def paint_cell(
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex, *, chosen: bool
    ) -> None:
        one, t = self._batch(index.row()), tokens()
        if self._end:
            side, dots = px(16), menu_place(rect)
            middle = QRect(dots.center().x() - side // 2, dots.center().y() - side // 2, side, side)
            paint_icon(painter, "dots-three", middle, t.text2)
            rect = rect.adjusted(0, 0, -px(self._end), 0)
        right = QRect(rect.right() - px(104), rect.top() + px(6), px(92), px(18))
        words = f"{one.done:,} / {one.total:,}" if one.done < one.total else tr("{total:,} runs", total=one.total)
        upper = QRect(rect.left() + px(16), rect.top() + px(6), rect.width() - px(128), px(18))
        paint_text(painter, upper, one.title, ui_font(12, bold=chosen), t.text)
        paint_text(painter, upper.translated(0, px(18)), one.note, ui_font(11), t.text3)
        paint_text(painter, right, words, ui_font(11), t.text2, align=Qt.AlignmentFlag.AlignRight)
        if one.done < one.total:
            track = QRect(right.left(), right.bottom() + px(7), right.width(), px(4))
            paint_progress(painter, track, ((one.done / max(1, one.total), "accent"),))
