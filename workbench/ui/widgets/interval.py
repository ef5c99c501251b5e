"""Painted marks of rates: the interval on its track, the hatch of too few runs, the bar of progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import tokens

if TYPE_CHECKING:
    from PySide6.QtCore import QRect


def paint_interval(painter: QPainter, track: QRect, low: float, high: float, value: float | None) -> None:
    """Paint a bar of 4 px from `low` to `high` and a tick of 2 × 8 at the rate, on a track from 0 to 1."""
    t = tokens()
    middle = track.center().y()
    painter.fillRect(track.left(), middle, track.width(), 1, QColor(t.line2))
    left, right = (track.left() + share * track.width() for share in (low, high))
    bar = QRectF(left, middle - px(2) + 0.5, max(right - left, px(2)), px(4))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(t.text3))
    painter.drawRoundedRect(bar, px(2), px(2))
    painter.restore()
    if value is not None:
        at = track.left() + value * track.width() - px(1)
        at = min(max(at, track.left() - px(1)), track.right() - px(1) + 1)
        painter.fillRect(QRectF(round(at), middle - px(4) + 1, px(2), px(8)), QColor(t.text))


def paint_hatch(painter: QPainter, box: QRect, radius: float = 4) -> None:
    """Paint the ground of a cell with too few runs: no colour claims anything."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(QColor(tokens().line), Qt.BrushStyle.BDiagPattern))
    painter.drawRoundedRect(QRectF(box), radius, radius)
    painter.restore()


def paint_progress(painter: QPainter, track: QRect, parts: tuple[tuple[float, str], ...]) -> None:
    """Paint shares of a whole side by side, each in a token's colour, on a quiet track."""
    t = tokens()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(Qt.PenStyle.NoPen))
    painter.setBrush(QColor(t.line))
    painter.drawRoundedRect(QRectF(track), px(2), px(2))
    left = float(track.left())
    for share, token in parts:
        width = share * track.width()
        if width > 0:
            painter.setBrush(QColor(t.colour(token)))
            painter.drawRoundedRect(QRectF(left, track.top(), width, track.height()), px(2), px(2))
            left += width
    painter.restore()
