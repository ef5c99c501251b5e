"""The where-strip: a track as long as the text, with each attempt at its place; strict, recovered, reported, ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import paint_box, paint_text

if TYPE_CHECKING:
    from collections.abc import Sequence

TRACK = 8
_LEAST = 3
"""Pixels that the shortest attempt keeps."""
LEGEND = (
    ("strict", "strict"),
    ("recovered", tr("recovered after a repair")),
    ("reported", tr("reported, no call given out")),
    ("ignored", "ignored"),
)


def paint_stretch(painter: QPainter, box: QRect, outcome: str) -> None:
    """Paint one attempt: filled, outlined or dotted by its outcome."""
    t = tokens()
    match outcome:
        case "strict":
            paint_box(painter, box, ground=t.passed, radius=2)
        case "recovered":
            paint_box(painter, box, ground=t.text3, radius=2)
        case "reported":
            paint_box(painter, box, ground=t.surface, border=t.failed, width=1.5, radius=2)
        case _:
            painter.save()
            painter.setPen(QPen(QColor(t.text3), 1, Qt.PenStyle.DotLine))
            painter.setBrush(QColor(t.surface))
            painter.drawRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5))
            painter.restore()


def paint_where(painter: QPainter, track: QRect, length: int, stretches: Sequence[tuple[int, int, str]]) -> None:
    """Paint a track and the attempts on it; what is worse is painted last, so that it is never hidden."""
    paint_box(painter, track, ground=tokens().hover, radius=2)
    if length <= 0:
        return
    order = {"ignored": 0, "strict": 1, "recovered": 2, "reported": 3}
    seen: set[tuple[int, int, str]] = set()
    for start, end, outcome in sorted(stretches, key=lambda one: order.get(one[2], 0)):
        left = track.left() + round(track.width() * start / length)
        width = max(round(track.width() * (end - start) / length), px(_LEAST))
        left = min(left, track.right() + 1 - width)
        if (left, width, outcome) not in seen:  # thousands of calls share some hundred pixels
            seen.add((left, width, outcome))
            paint_stretch(painter, QRect(left, track.top(), width, track.height()), outcome)


class WhereLegend(QWidget):
    """What the four looks mean."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Legend: ") + ", ".join(words for _, words in LEGEND))

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(ui_font(11))
        return QSize(sum(px(46) + metrics.horizontalAdvance(words) for _, words in LEGEND), px(27))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, left = QPainter(self), px(16)
        for outcome, words in LEGEND:
            box = QRect(left, (self.height() - px(TRACK)) // 2, px(20), px(TRACK))
            paint_stretch(painter, box, outcome)
            left += px(27)
            room = QRect(left, 0, max(self.width() - left, 0), self.height())
            left += paint_text(painter, room, words, ui_font(11), tokens().text2) + px(19)
