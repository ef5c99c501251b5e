"""The way of a call through its layers: stations on a line, the first fault marked, what is not known left open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_box, paint_text
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS = {"ok": tr("in order"), "fault": tr("first fault"), "unknown": tr("not known")}


class LayerChain(QWidget):
    """Stations of equal distance; a tick, a cross or a ring, and the layer's name below."""

    def __init__(self) -> None:
        super().__init__()
        self._states: tuple[tuple[str, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Layers"))

    def show_states(self, states: Sequence[tuple[str, str]]) -> None:
        """Show `(layer, state)` pairs: `ok`, `fault` or `unknown`."""
        self._states = tuple(states)
        told = ", ".join(f"{layer}: {_WORDS[state]}" for layer, state in self._states)
        self.setAccessibleDescription(told)
        set_tip(self, told)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(700), px(42))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(320), px(42))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._states:
            return
        painter, t = QPainter(self), tokens()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        step = self.width() / len(self._states)
        y = px(12)
        for number, (layer, state) in enumerate(self._states):
            x = step * (number + 0.5)
            if number + 1 < len(self._states):
                following = self._states[number + 1][1]
                pen = QPen(QColor(t.line2), 1.5)
                if "unknown" in (state, following):
                    pen.setDashPattern([1.5, 2])
                painter.setPen(pen)
                painter.drawLine(QPointF(x + px(10), y), QPointF(x + step - px(10), y))
            self._paint_station(painter, QPointF(x, y), state)
            font = self._font(state == "fault", step)
            colour = t.failed if state == "fault" else t.text2 if state == "ok" else t.text3
            room = QRect(round(x - step / 2), px(24), round(step), px(16))
            paint_text(painter, room, layer, font, colour, align=Qt.AlignmentFlag.AlignHCenter)

    def _font(self, bold: bool, room: float) -> QFont:
        widest = max(QFontMetrics(ui_font(11)).horizontalAdvance(layer) for layer, _ in self._states)
        return ui_font(11 if widest + px(6) <= room else 10, bold=bold)

    @staticmethod
    def _paint_station(painter: QPainter, at: QPointF, state: str) -> None:
        t, side = tokens(), px(14)
        box = QRectF(at.x() - side / 2, at.y() - side / 2, side, side)
        if state == "fault":
            paint_box(painter, box.adjusted(-px(4), -px(4), px(4), px(4)), ground=t.failed_tint, radius=px(11))
            paint_verdict(painter, "fail", box.adjusted(px(2), px(2), -px(2), -px(2)))
        elif state == "ok":
            paint_icon(painter, "check", box, t.text2)
        else:
            painter.setPen(QPen(QColor(t.line2), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(at, px(3.5), px(3.5))
