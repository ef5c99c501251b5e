"""Small painted charts of the comparison: a paired difference, the format tax, pass^k."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.grading.comparison import Comparison
    from workbench.grading.reliability import CurvePoint
    from workbench.grading.scores import FormatTax

_LINES = (("text3", Qt.PenStyle.SolidLine), ("accent", Qt.PenStyle.SolidLine), ("text", Qt.PenStyle.DashLine))
"""At most three lines, told apart by dash as well as by colour."""


class _Chart(QWidget):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)


class PairBar(_Chart):
    """The paired difference with its interval around a zero rule."""

    def __init__(self) -> None:
        super().__init__(tr("Paired difference"))
        self._pair: Comparison | None = None

    def show_pair(self, pair: Comparison) -> None:
        """Show another difference."""
        self._pair = pair
        self.setAccessibleDescription(pair.sentence())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(240), px(44))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, pair = px(15), self._pair
        painter.fillRect(0, middle, self.width(), 1, QColor(t.line2))
        reach = max(25.0, abs(pair.low), abs(pair.high)) * 1.15 if pair else 25.0
        zero = self.width() // 2

        def at(points: float) -> float:
            return zero + points / reach * (self.width() / 2 - px(4))

        painter.fillRect(zero, middle - px(9), 1, px(18), QColor(t.text))
        if pair is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(t.text3))
            left = at(pair.low)
            painter.drawRoundedRect(QRectF(left, middle - px(2) + 0.5, max(at(pair.high) - left, 2), px(4)), 2, 2)
            painter.setBrush(QColor(t.text))
            painter.drawEllipse(QPointF(at(pair.points), middle + 0.5), px(5), px(5))
        foot = QRect(0, px(27), self.width(), px(15))
        paint_text(painter, foot, tr("A better"), ui_font(10), t.text3)
        paint_text(painter, QRect(zero - px(20), px(27), px(40), px(15)), "0", ui_font(10), t.text3,
                   align=Qt.AlignmentFlag.AlignHCenter)  # fmt: skip
        paint_text(painter, foot, tr("B better"), ui_font(10), t.text3, align=Qt.AlignmentFlag.AlignRight)


class TaxChart(_Chart):
    """Strict and tolerant readings of each target: full dot, ring, joined; the gap is the format's price."""

    def __init__(self) -> None:
        super().__init__(tr("Format tax"))
        self._lines: Sequence[tuple[str, FormatTax]] = ()

    def show_lines(self, lines: Sequence[tuple[str, FormatTax]]) -> None:
        """Show other targets."""
        self._lines = tuple(lines)
        words = (
            tr("{name}: {points:.0f} points over {runs} runs", name=name, points=tax.points, runs=tax.tolerant.runs)
            for name, tax in lines
        )
        self.setAccessibleDescription("; ".join(words))
        set_tip(self, "\n".join(_tax_words(name, tax) for name, tax in lines))  # fmt: skip
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(240), px(24) * len(self._lines) + px(20))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bottom = px(24) * len(self._lines)
        plot = QRect(px(150), 0, self.width() - px(206), bottom)
        for share, words in ((0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")):
            x = plot.left() + round(share * plot.width())
            painter.fillRect(x, 0, 1, bottom, QColor(t.line))
            box = QRect(x - px(24), bottom + px(2), px(48), px(14))
            paint_text(painter, box, words, ui_font(10), t.text3, align=Qt.AlignmentFlag.AlignHCenter)
        for number, (label, tax) in enumerate(self._lines):
            self._paint_line(painter, QRect(0, px(24) * number, self.width(), px(24)), plot, label, tax)

    @staticmethod
    def _paint_line(painter: QPainter, rect: QRect, plot: QRect, label: str, tax: FormatTax) -> None:
        t = tokens()
        name = QRect(0, rect.top(), px(144), rect.height())
        paint_text(painter, name, label, ui_font(11), t.text, elide=Qt.TextElideMode.ElideMiddle)
        words = tr("{points:.0f} pts", points=tax.points)
        paint_text(painter, rect, words, ui_font(11), t.text2, align=Qt.AlignmentFlag.AlignRight)
        strict, tolerant = (
            QPointF(plot.left() + share * plot.width(), rect.center().y() + 0.5)
            for share in (tax.strict.value or 0.0, tax.tolerant.value or 0.0)
        )
        painter.setPen(QPen(QColor(t.line2), px(3)))
        painter.drawLine(strict, tolerant)
        painter.setPen(QPen(QColor(t.text), 1.8))
        painter.setBrush(QColor(t.surface))
        painter.drawEllipse(tolerant, px(3.6), px(3.6))
        painter.setBrush(QColor(t.text))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(strict, px(4), px(4))


def _tax_words(name: str, tax: FormatTax) -> str:
    strict, tolerant = tax.strict.value or 0.0, tax.tolerant.value or 0.0
    return tr(
        "{name}: {strict:.0%} strict, {tolerant:.0%} tolerant, n = {runs}",
        name=name,
        strict=strict,
        tolerant=tolerant,
        runs=tax.tolerant.runs,
    )


class CurveChart(_Chart):
    """pass^k over k, labels at the lines' ends."""

    def __init__(self) -> None:
        super().__init__(tr("All k repeats pass"))
        self._lines: Sequence[tuple[str, Sequence[CurvePoint]]] = ()

    def show_lines(self, lines: Sequence[tuple[str, Sequence[CurvePoint]]]) -> None:
        """Show the curves; the first three are drawn."""
        self._lines = [(label, points) for label, points in lines if points][:3]
        self.setAccessibleDescription(
            "; ".join(
                tr("{label}: {value:.0%} at k = {points}", label=label, value=points[-1].value, points=len(points))
                for label, points in self._lines
            )
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(240), px(186))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plot = QRect(px(30), px(8), self.width() - px(30) - px(134), self.height() - px(30))
        for share in (0, 50, 100):
            y = plot.bottom() - round(share / 100 * plot.height())
            painter.fillRect(plot.left(), y, plot.width(), 1, QColor(t.line2 if not share else t.line))
            box = QRect(0, y - px(7), px(24), px(14))
            paint_text(painter, box, str(share), ui_font(10), t.text3, align=Qt.AlignmentFlag.AlignRight)
        longest = max((len(points) for _, points in self._lines), default=1)
        self._paint_ticks(painter, plot, longest)
        ends = self._ends(plot)
        for number, (label, curve) in enumerate(self._lines):
            self._paint_curve(painter, plot, longest, number, curve)
            box = QRect(plot.right() + px(8), round(ends[number]) - px(8), self.width() - plot.right() - px(8), px(16))
            words = f"{curve[-1].value * 100:.0f}"
            width = QFontMetrics(ui_font(11)).horizontalAdvance(words) + px(6)
            name = box.adjusted(0, 0, -width, 0)
            used = paint_text(painter, name, label, ui_font(11), t.text, elide=Qt.TextElideMode.ElideMiddle)
            paint_text(painter, box.adjusted(used + px(6), 0, 0, 0), words, ui_font(11), t.text)

    def _ends(self, plot: QRect) -> list[float]:
        """Where the labels stand: at the lines' ends, but never on each other."""
        wanted = [(plot.bottom() - points[-1].value * plot.height(), at) for at, (_, points) in enumerate(self._lines)]
        placed, last = [0.0] * len(wanted), -1e9
        for y, at in sorted(wanted):
            last = max(y, last + px(15))
            placed[at] = last
        over = max(0.0, last - plot.bottom())
        return [y - over for y in placed]

    @staticmethod
    def _paint_ticks(painter: QPainter, plot: QRect, longest: int) -> None:
        t = tokens()
        shown = [k for k in (1, 2, 4, 6, 8, 10, 15, 20, 30, 50) if k < longest * 0.93] + [longest]
        for k in dict.fromkeys(shown):
            x = plot.left() + round((k - 1) / max(1, longest - 1) * plot.width())
            box = QRect(x - px(14), plot.bottom() + px(5), px(28), px(14))
            paint_text(painter, box, str(k), ui_font(10), t.text3, align=Qt.AlignmentFlag.AlignHCenter)
        room = QRect(plot.right() + px(18), plot.bottom() + px(5), px(80), px(14))
        paint_text(painter, room, tr("repeats k"), ui_font(10), t.text3)

    @staticmethod
    def _paint_curve(painter: QPainter, plot: QRect, longest: int, number: int, curve: Sequence[CurvePoint]) -> None:
        token, style = _LINES[number]
        colour = QColor(tokens().colour(token))
        points = [
            QPointF(plot.left() + at / max(1, longest - 1) * plot.width(), plot.bottom() - point.value * plot.height())
            for at, point in enumerate(curve)
        ]
        painter.setPen(QPen(colour, 1.8, style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for point in (points[0], points[-1]):
            painter.drawEllipse(point, px(2.5), px(2.5))
