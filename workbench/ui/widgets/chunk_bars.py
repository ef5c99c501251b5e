"""Bars for the chunks of a reply with a handle: drag, click, or walk with the arrows."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import note_focus, paint_focus_ring, paint_text, shows_focus

if TYPE_CHECKING:
    from collections.abc import Sequence

HEIGHT = 34
_PAGE = 10


class ChunkBars(QWidget):
    """Position 0 is before the first chunk; the last position is the end of the reply."""

    moved = Signal(int)
    """The user moved the handle to a position."""

    def __init__(self) -> None:
        super().__init__()
        self._sizes: tuple[int, ...] = ()
        self._heights: list[float] = []
        self._at = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Chunks"))

    def show_sizes(self, sizes: Sequence[int], at: int) -> None:
        """Show other chunks."""
        self._sizes = tuple(sizes)
        most = max(self._sizes, default=0)
        self._heights = [sqrt(size / most) if most and size else 0.0 for size in self._sizes]
        self.set_position(at)

    @property
    def position(self) -> int:
        """How many chunks lie before the handle."""
        return self._at

    @property
    def last(self) -> int:
        """The position after the end of the reply."""
        return len(self._sizes) + 1 if self._sizes else 0

    def set_position(self, at: int) -> None:
        """Move the handle without telling anybody."""
        self._at = min(max(at, 0), self.last)
        self.setAccessibleDescription(
            tr("{at} of {sizes} chunks", at=min(self._at, len(self._sizes)), sizes=len(self._sizes))
        )
        self.update()

    def _move(self, at: int) -> None:
        at = min(max(at, 0), self.last)
        if at != self._at:
            self.set_position(at)
            self.moved.emit(at)

    def sizeHint(self) -> QSize:
        return QSize(px(240), px(HEIGHT + 26))

    def _x(self, at: int) -> float:
        """Where the handle stands: behind the last chunk that was fed."""
        return self.width() * min(at, len(self._sizes)) / max(len(self._sizes), 1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        count, base = len(self._sizes), px(HEIGHT)
        painter.fillRect(0, base, self.width(), 1, QColor(t.line2))
        if not count:
            return
        step = self.width() / count
        wide = max(step - (1 if step > 3 else 0), 1.0)
        stride = max(1, count // max(self.width(), 1))  # more chunks than pixels: one bar for several
        for number in range(0, count, stride):
            height = max(self._heights[number : number + stride])
            tall = max(round((px(HEIGHT) - px(2)) * height), 1 if height else 0)
            colour = t.accent if number < self._at else t.line2
            painter.fillRect(QRect(round(number * step), base - tall, max(round(wide), 1), tall), QColor(colour))
        self._paint_handle(painter, base)
        line = QRect(0, base + px(10), self.width(), px(14))
        paint_text(painter, line, "1", ui_font(10), t.text3)
        paint_text(painter, line, f"{count:,}", ui_font(10), t.text3, align=Qt.AlignmentFlag.AlignRight)
        if shows_focus(self):
            paint_focus_ring(painter, self.rect(), 4)

    def _paint_handle(self, painter: QPainter, base: int) -> None:
        x = min(max(self._x(self._at), px(5)), self.width() - px(5))
        painter.fillRect(round(x) - 1, 0, 2, base + px(4), QColor(tokens().text))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens().text))
        painter.drawEllipse(QPointF(x, base + px(5)), px(5), px(5))

    def _position_of(self, event: QMouseEvent) -> int:
        share = event.position().x() / max(self.width(), 1)
        return self.last if share >= 1 else round(share * len(self._sizes))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setProperty("byKeyboard", False)
        if event.button() is Qt.MouseButton.LeftButton:
            self._move(self._position_of(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move(self._position_of(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: self._at - 1, Qt.Key.Key_Right: self._at + 1, Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.last,
            Qt.Key.Key_PageUp: self._at - _PAGE, Qt.Key.Key_PageDown: self._at + _PAGE,
        }  # fmt: skip
        key = Qt.Key(event.key())
        if key in steps:
            self._move(steps[key])
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)
