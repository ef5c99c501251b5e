"""Cells of the matrix: verdict shape, k / n, the interval; the ground by the interval's lower end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.grading.honesty import CellState, Heat
from workbench.ui.compare.matrix_model import MatrixModel
from workbench.ui.compare.matrix_words import headline, row_note, underline
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.interval import paint_hatch, paint_interval
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_bottom_line, paint_box, paint_text

if TYPE_CHECKING:
    from workbench.grading.matrix import Cell

AnyIndex = QModelIndex | QPersistentModelIndex
ROW = 44
_HEAT = {Heat.LOW: "heat_low", Heat.MID: "heat_mid", Heat.HIGH: "heat_high"}
_LOUD = {CellState.ERROR: "error", CellState.CANCELLED: "text2"}


class CellDelegate(QStyledItemDelegate):
    """Paints a cell of a target's column; vertical lines part the models."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(px(96), px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model = index.model()
        assert isinstance(model, MatrixModel)
        rect: QRect = option.rect
        cell, t = model.cell(index), tokens()
        painter.save()
        paint_bottom_line(painter, rect, t.line)
        if model.group(index.column())[0] == index.column():
            painter.fillRect(rect.left(), rect.top(), 1, rect.height(), QColor(t.line2))
        box = rect.adjusted(px(3), px(2), -px(2), -px(2) - 1)
        self._paint_ground(painter, option, box, cell)
        if cell.state is CellState.NOT_ASKED:
            words = tr("not asked")
            paint_text(painter, box, words, ui_font(11), t.text3, align=Qt.AlignmentFlag.AlignHCenter)
        else:
            self._paint_words(painter, box, cell)
        if option.state & QStyle.StateFlag.State_Selected:
            paint_box(painter, box, border=t.accent, width=2, radius=4)
        painter.restore()

    @staticmethod
    def _paint_ground(painter: QPainter, option: QStyleOptionViewItem, box: QRect, cell: Cell) -> None:
        t = tokens()
        if cell.heat is not Heat.NONE:
            paint_box(painter, box, ground=t.colour(_HEAT[cell.heat]), radius=4)
        elif cell.state is CellState.TOO_FEW:
            paint_hatch(painter, box)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            paint_box(painter, box, ground=t.hover, radius=4)

    @staticmethod
    def _paint_words(painter: QPainter, box: QRect, cell: Cell) -> None:
        t, side, left = tokens(), px(10), box.left() + px(9)
        upper = QRect(left, box.top() + px(3), box.width() - px(18), px(18))
        mark = QRectF(left, upper.center().y() - side / 2 + 1, side, side)
        paint_verdict(painter, cell.state, mark)
        room = upper.adjusted(px(17), 0, 0, 0)
        width = paint_text(painter, room, headline(cell), ui_font(12), t.colour(_LOUD.get(cell.state, "text")))
        if cell.errors and cell.state is not CellState.ERROR:
            _paint_errors(painter, room.adjusted(width + px(4), 0, 0, 0), cell.errors)
        lower = QRect(left, box.top() + px(22), box.width() - px(18), px(16))
        if words := underline(cell):
            paint_text(painter, lower, words, ui_font(11), t.text2)
        elif cell.rate.value is not None:
            paint_interval(painter, lower.adjusted(0, -px(1), 0, -px(1)), *cell.interval, cell.rate.value)


def _paint_errors(painter: QPainter, room: QRect, errors: int) -> None:
    """Errors that are left out of a rate stay visible beside it."""
    font, side = ui_font(10), px(7)
    width = QFontMetrics(font).horizontalAdvance(str(errors))
    if room.width() < width + side + px(3):
        return
    right = QRect(room.right() - width, room.top(), width + 1, room.height())
    paint_text(painter, right, str(errors), font, tokens().error)
    top = room.center().y() - side / 2 + 1
    paint_verdict(painter, "error", QRectF(right.left() - side - px(3), top, side, side))


class CaseDelegate(QStyledItemDelegate):
    """Paints the frozen column: the case's id over its second line."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(px(204), px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model = index.model()
        assert isinstance(model, MatrixModel)
        rect: QRect = option.rect
        shown, t = model.case(index.row()), tokens()
        painter.save()
        view = option.widget
        at_row = isinstance(view, QAbstractItemView) and view.currentIndex().row() == index.row()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(t.sel))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, QColor(t.hover))
        paint_bottom_line(painter, rect, t.line)
        inner = rect.adjusted(px(16), 0, -px(8), 0)
        upper = QRect(inner.left(), rect.top() + px(5), inner.width(), px(18))
        lower = QRect(inner.left(), rect.top() + px(22), inner.width(), px(16))
        middle = Qt.TextElideMode.ElideMiddle
        paint_text(painter, upper, shown.case.id, mono_font(12, bold=at_row), t.text, elide=middle)
        paint_text(painter, lower, row_note(shown), ui_font(11), t.text3)
        painter.restore()
