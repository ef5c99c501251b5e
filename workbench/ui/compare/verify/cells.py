"""Cells of the verification: metric and reference in words, each candidate's verdict, value and strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.ui.compare.verify.strips import paint_strip
from workbench.ui.compare.verify.table_model import VerifyModel
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_bottom_line, paint_box, paint_text
from workbench.verify.judgement import Judgement
from workbench.verify.metrics import Better
from workbench.verify.verdict_words import difference_words, value_words
from workbench.verify.verification_report import limit_of

if TYPE_CHECKING:
    from workbench.verify.judgement import Result

AnyIndex = QModelIndex | QPersistentModelIndex
ROW = 44
MARKS = {Judgement.PASS: "pass", Judgement.FAIL: "fail", Judgement.INCONCLUSIVE: "not_gradable"}
"""Shapes: a full dot, a cross, an empty diamond."""
_GROUNDS = {Judgement.PASS: "heat_mid", Judgement.FAIL: "heat_low"}


class HeadDelegate(QStyledItemDelegate):
    """Paints the frozen columns: the metric over its note, the reference's value over the limit."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(px(156), px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model, rect = index.model(), option.rect
        assert isinstance(model, VerifyModel)
        row, t, view = model.row(index.row()), tokens(), option.widget
        painter.save()
        at_row = isinstance(view, QAbstractItemView) and view.currentIndex().row() == index.row()
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, QColor(t.hover))
        paint_bottom_line(painter, rect, t.line)
        painter.fillRect(rect.right(), rect.top(), 1, rect.height(), QColor(t.line))
        inner = rect.adjusted(px(16 if index.column() == 0 else 11), 0, -px(8), 0)
        upper = QRect(inner.left(), rect.top() + px(5), inner.width(), px(18))
        lower = QRect(inner.left(), rect.top() + px(22), inner.width(), px(16))
        metric = row.reference.metric
        if index.column() == 0:
            paint_text(painter, upper, metric.title, ui_font(12, bold=at_row), t.text)
            paint_text(painter, lower, metric.note, ui_font(11), t.text3)
        else:
            paint_text(painter, upper, value_words(metric, row.reference.value), ui_font(12), t.text)
            if not model.running:
                paint_text(painter, lower, tr("limit {results}", results=limit_of(row.results)), ui_font(11), t.text3)
        painter.restore()


class ResultDelegate(QStyledItemDelegate):
    """Paints a candidate's cell."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(px(160), px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model, rect = index.model(), option.rect
        assert isinstance(model, VerifyModel)
        result, t = model.result(index), tokens()
        painter.save()
        paint_bottom_line(painter, rect, t.line)
        painter.fillRect(rect.right(), rect.top(), 1, rect.height(), QColor(t.line))
        box = rect.adjusted(px(2), px(2), -px(2), -px(2) - 1)
        if result is not None:
            ground = "" if model.running else _GROUNDS.get(result.judgement or Judgement.INCONCLUSIVE, "")
            if ground:
                paint_box(painter, box, ground=t.colour(ground), radius=4)
            elif option.state & QStyle.StateFlag.State_MouseOver:
                paint_box(painter, box, ground=t.hover, radius=4)
            self._paint_words(painter, box, result, running=model.running)
            if not model.running and result.difference is not None and result.limit is not None:
                track = QRect(box.left() + px(9), box.top() + px(23), box.width() - px(18), px(14))
                strip = model.row(index.row()).strip
                paint_strip(painter, track, strip, (result.low, result.high), result.difference, result.limit)
        if option.state & QStyle.StateFlag.State_Selected:
            paint_box(painter, box, border=t.accent, width=2, radius=4)
        painter.restore()

    @staticmethod
    def _paint_words(painter: QPainter, box: QRect, result: Result, *, running: bool) -> None:
        t, side = tokens(), px(10)
        line = QRect(box.left() + px(8), box.top() + px(3), box.width() - px(16), px(18))
        value = own_words(result)
        if running:
            mark = QRectF(line.left(), line.center().y() - side / 2 + 1, side, side)
            paint_verdict(painter, "too_few", mark)
            words = tr("{pairs} pairs", pairs=result.pairs) if result.pairs else tr("not asked yet")
            paint_text(painter, line.adjusted(px(16), 0, 0, 0), words, ui_font(11), t.text3)
        elif result.judgement is None:
            words = tr("not judged") if result.value is not None else result.reason or tr("not asked")
            paint_text(painter, line, words, ui_font(11), t.text2)
        else:
            mark = QRectF(line.left(), line.center().y() - side / 2 + 1, side, side)
            paint_verdict(painter, MARKS[result.judgement], mark)
            bold = result.judgement is Judgement.FAIL
            paint_text(painter, line.adjusted(px(16), 0, 0, 0), result.judgement.word, ui_font(11, bold=bold), t.text)
        if result.value is not None:
            paint_text(painter, line, value, ui_font(12), t.text, align=Qt.AlignmentFlag.AlignRight)


def own_words(result: Result) -> str:
    """The candidate's value; of what must be the same, the difference."""
    if result.metric.better is Better.SAME and result.difference is not None:
        return "+0" if not result.difference else difference_words(result.metric, result.difference)
    return value_words(result.metric, result.value)
