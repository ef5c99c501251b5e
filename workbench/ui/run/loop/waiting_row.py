"""The frame of a row that waits for a person's decision: four cells under a ruler, and the time that is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import tokens

if TYPE_CHECKING:
    from workbench.ui.run.loop.ruler import ColumnRuler

PAD_X, PAD_Y = 12, 8


class WaitingRow(QFrame):
    """The first cell is painted, the others are widgets."""

    def __init__(self, ruler: ColumnRuler, parent: QWidget) -> None:
        super().__init__(parent)
        self._ruler = ruler
        self._left_s = 0.0

    def cells(self) -> tuple[QWidget, QWidget, QWidget]:
        """The widgets of the second to the fourth cell."""
        raise NotImplementedError

    def paint_who(self, painter: QPainter) -> None:
        """Paint the first cell: who waits, and for how long."""
        raise NotImplementedError

    def fit(self, width: int) -> None:
        """Let fields take the width of the third cell, before its height is asked for."""

    def show_left(self, left_s: float) -> None:
        """Bring the time left up to date."""
        self._left_s = left_s
        self.update(0, 0, self._ruler.widths[0], self.height())

    def height_now(self) -> int:
        """The height at the ruler's widths."""
        widths = [width - 2 * px(PAD_X) for width in self._ruler.widths]
        self.fit(max(widths[2], px(40)))
        cells = zip(self.cells(), widths[1:], strict=True)
        heights = [max(cell.heightForWidth(width), cell.sizeHint().height()) for cell, width in cells]
        return max(*heights, px(96)) + 2 * px(PAD_Y)

    def place(self) -> None:
        """Place the cells from the ruler."""
        left = self._ruler.widths[0]
        for cell, width in zip(self.cells(), self._ruler.widths[1:], strict=True):
            cell.setGeometry(QRect(left + px(PAD_X), px(PAD_Y), width - 2 * px(PAD_X), self.height() - 2 * px(PAD_Y)))
            left += width

    def sizeHint(self) -> QSize:
        return QSize(sum(self._ruler.widths), self.height_now())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        painter.fillRect(self.rect(), QColor(t.sel))
        painter.fillRect(0, 0, px(3), self.height(), QColor(t.accent))
        left = 0
        for width in self._ruler.widths[:3]:
            left += width
            painter.fillRect(left - 1, 0, 1, self.height(), QColor(t.line))
        self.paint_who(painter)

    def paint_left(self, painter: QPainter, line: QRect, of_s: float) -> QRect:
        """Paint below a line how much of the time is left; return where."""
        bar = QRect(line.left(), line.bottom() + px(6), line.width(), px(4))
        painter.fillRect(bar, QColor(tokens().line2))
        share = min(1.0, max(0.0, self._left_s / of_s if of_s else 0))
        painter.fillRect(QRect(bar.left(), bar.top(), round(bar.width() * share), px(4)), QColor(tokens().accent))
        return bar
