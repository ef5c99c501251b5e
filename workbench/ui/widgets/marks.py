"""Verdict marks: seven shapes drawn as paths, so that they look the same with every font and in every size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.tokens import VERDICTS
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Callable

_FULL = 360 * 16


def _circle(painter: QPainter, box: QRectF, colour: QColor) -> None:
    painter.setBrush(colour)
    painter.drawEllipse(box)


def _cross(painter: QPainter, box: QRectF, colour: QColor) -> None:
    painter.setPen(QPen(colour, box.width() * 0.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    inner = box.adjusted(*(box.width() * k for k in (0.12, 0.12, -0.12, -0.12)))
    painter.drawLine(inner.topLeft(), inner.bottomRight())
    painter.drawLine(inner.topRight(), inner.bottomLeft())


def _triangle(painter: QPainter, box: QRectF, colour: QColor) -> None:
    painter.setBrush(colour)
    top = QPointF(box.center().x(), box.top())
    painter.drawPolygon(QPolygonF([top, box.bottomRight(), box.bottomLeft()]))


def _square(painter: QPainter, box: QRectF, colour: QColor) -> None:
    side = box.width() * 0.07
    painter.fillRect(box.adjusted(side, side, -side, -side), colour)


def _diamond(painter: QPainter, box: QRectF, colour: QColor) -> None:
    painter.setPen(QPen(colour, box.width() * 0.13))
    middle = box.center()
    points = [(middle.x(), box.top()), (box.right(), middle.y()), (middle.x(), box.bottom()), (box.left(), middle.y())]
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))


def _half(painter: QPainter, box: QRectF, colour: QColor) -> None:
    inner = box.adjusted(0.7, 0.7, -0.7, -0.7)
    painter.setPen(QPen(colour, 1.4))
    painter.drawEllipse(inner)
    path = QPainterPath(box.center())
    path.arcTo(inner, 90, 180)
    painter.fillPath(path, colour)


def _ring(painter: QPainter, box: QRectF, colour: QColor) -> None:
    painter.setPen(QPen(colour, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawArc(box.adjusted(1, 1, -1, -1), 0, _FULL * 3 // 4)


def _dotted(painter: QPainter, box: QRectF, colour: QColor) -> None:
    pen = QPen(colour, 1.6)
    pen.setDashPattern([1, 1.6])
    painter.setPen(pen)
    painter.drawEllipse(box.adjusted(1, 1, -1, -1))


_SHAPES: dict[str, Callable[[QPainter, QRectF, QColor], None]] = {
    "pass": _circle,
    "fail": _cross,
    "error": _triangle,
    "cancelled": _square,
    "not_gradable": _diamond,
    "flaky": _half,
    "running": _ring,
    "too_few": _dotted,
}


def paint_verdict(painter: QPainter, state: str, rect: QRectF, colour: str = "") -> None:
    """Paint a verdict's shape centred in `rect`, as large as its shorter side."""
    side = min(rect.width(), rect.height())
    box = QRectF(0, 0, side, side)
    box.moveCenter(rect.center())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _SHAPES[state](painter, box, QColor(colour or tokens().colour(VERDICTS[state].colour)))
    painter.restore()


class VerdictLabel(QWidget):
    """A verdict's shape, with its word beside it unless `word` is False."""

    def __init__(self, state: str, parent: QWidget | None = None, *, word: bool = True, size: int = 12) -> None:
        super().__init__(parent)
        self._state = state
        self._word = word
        self._size = size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_state(state)

    @property
    def state(self) -> str:
        """The verdict shown."""
        return self._state

    def set_state(self, state: str) -> None:
        """Show another verdict."""
        self._state = state
        self.setAccessibleName(tr("Verdict: {word}", word=VERDICTS[state].word))
        set_tip(self, "" if self._word else VERDICTS[state].word)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        side = px(self._size)
        if not self._word:
            return QSize(side, px(16))
        width = QFontMetrics(ui_font(12, bold=True)).horizontalAdvance(VERDICTS[self._state].word)
        return QSize(side + px(8) + width, px(16))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        side = px(self._size)
        paint_verdict(painter, self._state, QRectF(0, (self.height() - side) / 2, side, side))
        if self._word:
            look = VERDICTS[self._state]
            rect = self.rect().adjusted(side + px(8), 0, 0, 0)
            paint_text(painter, rect, look.word, ui_font(12, bold=True), tokens().colour(look.colour))
