"""Painting that several controls share: rounded grounds, the focus ring, text that gives way to an ellipsis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.shown_text import visible

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent
    from PySide6.QtWidgets import QWidget

FOCUS_WIDTH = 2
LONGEST_PAINTED = 4_000
"""Characters of a line that are measured and painted."""
_BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


def paint_box(
    painter: QPainter,
    rect: QRect | QRectF,
    *,
    ground: str = "",
    border: str = "",
    width: float = 1,
    radius: float = 6,
    dashed: bool = False,
) -> None:
    """Paint a rounded box; `ground` and `border` are colours, empty for none. The border lies inside `rect`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    half = width / 2 if border else 0
    box = QRectF(rect).adjusted(half, half, -half, -half)
    painter.setBrush(QColor(ground) if ground else Qt.BrushStyle.NoBrush)
    if border:
        pen = QPen(QColor(border), width)
        if dashed:
            pen.setDashPattern([3, 2])
        painter.setPen(pen)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
    painter.drawRoundedRect(box, radius - half, radius - half)
    painter.restore()


def paint_focus_ring(painter: QPainter, rect: QRect | QRectF, radius: float = 6) -> None:
    """Paint the ring of a focused control, inside its border."""
    paint_box(painter, rect, border=tokens().accent, width=FOCUS_WIDTH, radius=radius)


def paint_text(
    painter: QPainter,
    rect: QRect,
    text: str,
    font: QFont,
    colour: str,
    *,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> int:
    """Paint one line centred in height, cut with an ellipsis where it does not fit; return its width."""
    metrics = QFontMetrics(font)
    text = shown = visible(_short(text, elide))
    if metrics.horizontalAdvance(text) > rect.width() + 1:  # a pixel of rounding must not cost a word's end
        shown = metrics.elidedText(text, elide, max(0, rect.width()))
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(
        rect.adjusted(0, 0, 1, 0), align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown
    )
    return metrics.horizontalAdvance(shown)


def _short(text: str, elide: Qt.TextElideMode) -> str:
    """As much of a text as any line can show: measuring a huge one would stop the window."""
    if len(text) <= LONGEST_PAINTED:
        return text
    half = LONGEST_PAINTED // 2
    return f"{text[:half]}…{text[-half:]}" if elide is Qt.TextElideMode.ElideMiddle else f"{text[:LONGEST_PAINTED]}…"


def paint_bottom_line(painter: QPainter, rect: QRect, colour: str) -> None:
    """Paint a hairline along the lower edge of a row."""
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(colour))


def note_focus(widget: QWidget, event: QFocusEvent) -> None:
    """Remember whether the keyboard brought the focus; to be called from `focusInEvent`."""
    widget.setProperty("byKeyboard", event.reason() in _BY_KEYBOARD)


def shows_focus(widget: QWidget) -> bool:
    """Whether a control has the focus and shows it: not after a mere click, which shows where it is by itself."""
    return widget.hasFocus() and widget.isEnabled() and bool(widget.property("byKeyboard"))
