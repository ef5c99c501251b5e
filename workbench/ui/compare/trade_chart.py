"""Quality against what a run takes: one point a target, with interval bars both ways."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLineF, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.grading.tradeoff import front
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import note_focus, paint_focus_ring, paint_text, shows_focus
from workbench.ui.widgets.tips import hide_tip, show_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.grading.tradeoff import Amount, TradePoint

QUANTITIES = (("cost", "money"), ("seconds", "time"), ("tokens", "tokens"))
"""What may stand on the lower axis, and what its button says."""
_NEAR = 14
"""A point is meant by a pointer so near."""
_UNITS = {"cost": tr("cost a run"), "seconds": tr("seconds a run, median"), "tokens": tr("tokens a run")}


class TradeChart(QWidget):
    """A full dot is beaten by nobody in quality and price together; a ring is. A point tells itself under the pointer, and
    by the keyboard: Left and Right go through the points."""

    pointed = Signal(str)
    """What the chosen point says; empty: none is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self._points: tuple[tuple[str, TradePoint], ...] = ()
        self._quantity = "seconds"
        self._cursor = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Quality against cost, time or tokens"))

    def show_points(self, points: Sequence[tuple[str, TradePoint]], quantity: str) -> None:
        """Show targets by name against one quantity; those without it are left out."""
        self._quantity = quantity
        self._points = tuple((name, one) for name, one in points if getattr(one, quantity) is not None)
        self._choose(-1)

    @property
    def words(self) -> tuple[str, ...]:
        """What each point says, from the cheapest on."""
        return tuple(_words(name, one, self._quantity) for name, one in self._in_order)

    @property
    def _in_order(self) -> list[tuple[str, TradePoint]]:
        return sorted(self._points, key=lambda each: (getattr(each[1], self._quantity).value, each[1].target))

    def _choose(self, at: int) -> None:
        self._cursor, words = at, self.words
        self.setAccessibleDescription(words[at] if at >= 0 else "; ".join(words))
        self.pointed.emit(words[at] if at >= 0 else "")
        self.update()

    def point_at(self, place: QPointF) -> int:
        """The point nearest to a place, by its order; -1 where none is near."""
        plot, most = self._plot(), self._most()
        far = [
            (QLineF(self._at(plot, most, getattr(one, self._quantity), one.quality), place).length(), at)
            for at, (_, one) in enumerate(self._in_order)
        ]
        distance, at = min(far, default=(math.inf, -1))
        return at if distance <= px(_NEAR) else -1

    def place_of(self, at: int) -> QPointF:
        """Where a point of the order is drawn."""
        one = self._in_order[at][1]
        return self._at(self._plot(), self._most(), getattr(one, self._quantity), one.quality)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self.point_at(event.position())
        if at < 0:
            hide_tip()
        else:
            show_tip(event.globalPosition().toPoint(), self.words[at], self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._choose(self.point_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        hide_tip()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()), 0)
        if step and self._points:
            start = -1 if step > 0 else len(self._points)
            at = (self._cursor if self._cursor >= 0 else start) + step
            self._choose(min(max(at, 0), len(self._points) - 1))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)

    def _plot(self) -> QRect:
        return QRect(px(30), px(20), self.width() - px(44), self.height() - px(56))

    def _most(self) -> float:
        return _nice(max((getattr(one, self._quantity).high for _, one in self._points), default=1.0))

    def sizeHint(self) -> QSize:
        return QSize(px(240), px(206))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plot, most = self._plot(), self._most()
        for share in (0, 50, 100):
            y = plot.bottom() - round(share / 100 * plot.height())
            painter.fillRect(plot.left(), y, plot.width(), 1, QColor(t.line2 if not share else t.line))
            paint_text(painter, QRect(0, y - px(7), px(24), px(14)), str(share), ui_font(10), t.text3,
                       align=Qt.AlignmentFlag.AlignRight)  # fmt: skip
        for part in range(5):
            x = plot.left() + round(part / 4 * plot.width())
            box = QRect(x - px(30), plot.bottom() + px(5), px(60), px(14))
            side = Qt.AlignmentFlag.AlignRight if part == 4 else Qt.AlignmentFlag.AlignHCenter
            box = box.translated(-px(30) + px(14), 0) if part == 4 else box
            paint_text(painter, box, f"{part / 4 * most:.3g}", ui_font(10), t.text3, align=side)
        foot = QRect(plot.left(), plot.bottom() + px(19), plot.width(), px(14))
        paint_text(painter, foot, _UNITS[self._quantity], ui_font(10), t.text3, align=Qt.AlignmentFlag.AlignHCenter)
        first = front([one for _, one in self._points], self._quantity)
        dots = [self.place_of(at).toPoint() for at in range(len(self._points))]
        taken = [QRect(dot.x() - px(5), dot.y() - px(5), px(10), px(10)) for dot in dots]
        for _, one in self._points:
            self._paint_whiskers(painter, plot, most, one)
        for name, one in sorted(self._points, key=lambda each: -each[1].quality.value):
            self._paint_name(painter, plot, most, name, one, taken)
        for dot, (_, one) in zip(dots, self._in_order, strict=True):
            painter.setPen(QPen(QColor(t.text), 1.6))
            painter.setBrush(QColor(t.text if one.target in first else t.surface))
            painter.drawEllipse(dot, px(4), px(4))
        if self._cursor >= 0:
            painter.setPen(QPen(QColor(t.accent), px(2)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(self.place_of(self._cursor), px(8), px(8))
        if shows_focus(self):
            paint_focus_ring(painter, self.rect())

    def _at(self, plot: QRect, most: float, amount: Amount, quality: Amount) -> QPointF:
        return QPointF(plot.left() + amount.value / most * plot.width(), plot.bottom() - quality.value * plot.height())

    def _paint_whiskers(self, painter: QPainter, plot: QRect, most: float, one: TradePoint) -> None:
        t, amount, quality = tokens(), getattr(one, self._quantity), one.quality
        at = self._at(plot, most, amount, quality)
        painter.setPen(QPen(QColor(t.text3), px(2)))
        painter.drawLine(QPointF(plot.left() + amount.low / most * plot.width(), at.y()),
                         QPointF(plot.left() + amount.high / most * plot.width(), at.y()))  # fmt: skip
        painter.drawLine(QPointF(at.x(), plot.bottom() - quality.low * plot.height()),
                         QPointF(at.x(), plot.bottom() - quality.high * plot.height()))  # fmt: skip

    def _paint_name(
        self, painter: QPainter, plot: QRect, most: float, name: str, one: TradePoint, taken: list[QRect]
    ) -> None:
        at, font = self._at(plot, most, getattr(one, self._quantity), one.quality), ui_font(11)
        width = min(QFontMetrics(font).horizontalAdvance(name) + px(4), px(150))
        right, left = round(at.x()) + px(8), round(at.x()) - px(8) - width
        places = [x for x in (right, left) if plot.left() <= x and x + width <= plot.right() + px(12)] or [plot.left()]
        boxes = [QRect(x, round(at.y()) - px(16), width, px(15)) for x in places]
        box = next((one for one in boxes if not any(one.intersects(other) for other in taken)), boxes[0])
        while any(box.intersects(other) for other in taken) and box.bottom() < plot.bottom():
            box = box.translated(0, px(14))
        taken.append(box)
        painter.fillRect(
            box.adjusted(0, px(2), 0, 0), QColor(tokens().surface)
        )  # a whisker of another strikes no name out
        paint_text(painter, box, name, font, tokens().text, elide=Qt.TextElideMode.ElideMiddle)


def _nice(value: float) -> float:
    """The axis' end: 1, 2, 2.5, 4, 5 or 8 times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 2.5, 4, 5, 8, 10) if step * power >= value * 0.999)


def _words(name: str, one: TradePoint, quantity: str) -> str:
    amount: Amount = getattr(one, quantity)
    score = f"{100 * one.quality.value:.0f} % ({100 * one.quality.low:.0f}–{100 * one.quality.high:.0f})"
    return tr(
        "{name}: {score} at {amount:.3g} {units} ({low:.3g}–{high:.3g}), {runs} runs",
        name=name,
        score=score,
        amount=amount.value,
        units=_UNITS[quantity],
        low=amount.low,
        high=amount.high,
        runs=one.runs,
    )
