"""Painted strips of differences: a track, the rule of no difference, the interval, the tick, the dashed limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.interval import paint_interval
from workbench.ui.widgets.painting import paint_box, paint_text
from workbench.verify.verdict_words import difference_words, letter, limit_words, unit_words

if TYPE_CHECKING:
    from workbench.ui.compare.verify.scale import Strip
    from workbench.ui.compare.verify.table_model import MetricRow
    from workbench.verify.judgement import Result


def paint_strip(
    painter: QPainter, track: QRect, strip: Strip, ends: tuple[float, float], value: float, limit: float
) -> None:
    """Paint one difference on its row's scale; an arrow head says that it goes on beyond the strip."""
    t, low, high = tokens(), *ends
    paint_interval(painter, track, strip.at(low), strip.at(high), strip.at(value))
    middle, zero = track.center().y(), track.left() + round(strip.at(0.0) * track.width())
    painter.fillRect(zero, middle - px(5), 1, px(10), QColor(t.text3))
    at = track.left() + round(strip.at(limit) * track.width())
    for step in range(3):
        painter.fillRect(at, middle - px(5) + step * px(4), px(2), px(2), QColor(t.text))
    for end in ends:
        if side := strip.beyond(end):
            _paint_arrow(painter, track, side)


def _paint_arrow(painter: QPainter, track: QRect, side: int) -> None:
    tip = track.left() if side < 0 else track.right()
    middle, back = track.center().y() + 0.5, tip - side * px(6)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(tokens().text3))
    painter.drawPolygon(QPolygonF([QPointF(tip, middle), QPointF(back, middle - px(4)), QPointF(back, middle + px(4))]))
    painter.restore()


def _numbers(result: Result) -> str:
    """`+6.8 (+4.3 to +9.7)`."""
    value, low, high = (difference_words(result.metric, one) for one in (result.difference, result.low, result.high))
    return tr("{value} ({low} to {high})", value=value, low=low, high=high)


class DifferenceBars(QWidget):
    """One strip a candidate, with its numbers; or the reference against itself."""

    def __init__(self, name: str, *, itself: bool = False) -> None:
        super().__init__()
        self._row: MetricRow | None = None
        self._itself = itself
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)

    def show_row(self, row: MetricRow | None) -> None:
        """Show another metric."""
        self._row = row
        self.setAccessibleDescription("; ".join(f"{name} {words}" for name, words, *_ in self._lines()))
        self.updateGeometry()
        self.update()

    def _lines(self) -> list[tuple[str, str, tuple[float, float], float, float]]:
        """Letter, numbers, interval, value and limit of each line."""
        if self._row is None:
            return []
        metric, reference = self._row.reference.metric, self._row.reference
        limits = [result.limit for result in self._row.results if result.limit is not None]
        if self._itself:
            if reference.noise is None or reference.value is None:
                return []
            from_value = reference.value if metric.kind == "relation" else 0.0
            ends = (reference.low - from_value, reference.high - from_value)
            words = f"±{limit_words(metric, reference.noise)}"
            return [("", words, ends, 0.0, limits[0] if limits else reference.noise)]
        return [
            (letter(one.candidate), _numbers(one), (one.low, one.high), one.difference, one.limit)
            for one in self._row.results
            if one.difference is not None and one.limit is not None
        ]

    def sizeHint(self) -> QSize:
        lines = len(self._lines())
        return QSize(px(240), lines * px(27) + (0 if self._itself or not lines else px(14)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t, lines = QPainter(self), tokens(), self._lines()
        if self._row is None or not lines:
            return
        wide = px(136)
        track = QRect(px(26), 0, self.width() - px(26) - wide - px(8), px(26))
        for at, (name, words, ends, value, limit) in enumerate(lines):
            line = track.translated(0, at * px(27))
            if name:
                box = QRect(0, line.center().y() - px(8), px(18), px(16))
                paint_box(painter, QRectF(box), ground=t.surface, border=t.line2, radius=4)
                paint_text(painter, box, name, ui_font(10), t.text2, align=Qt.AlignmentFlag.AlignHCenter)
            paint_strip(painter, line, self._row.strip, ends, value, limit)
            room = QRect(self.width() - wide, line.top(), wide, line.height())
            paint_text(painter, room, words, ui_font(11), t.text2, align=Qt.AlignmentFlag.AlignRight)
        if not self._itself:
            foot = QRect(track.left(), len(lines) * px(27) - px(2), track.width(), px(14))
            paint_text(painter, foot, tr("better"), ui_font(10), t.text3)
            paint_text(painter, foot, tr("worse"), ui_font(10), t.text3, align=Qt.AlignmentFlag.AlignRight)

    @property
    def unit(self) -> str:
        """Of the numbers."""
        return unit_words(self._row.reference.metric) if self._row else ""
