"""Parts of the panel beside the matrix: a titled section, a few lines of words, the cases that moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import column, frame, hairline, label, row
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.tips import hide_tip, show_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.grading.comparison import Moved
    from workbench.grading.rates import Rate

MOVED_SHOWN = 6
_LINE = 20


class MovedRows(QWidget):
    """Each case that moved: direction, name, before → after."""

    case_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._moved: tuple[Moved, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Moved cases"))

    def show_moved(self, moved: Sequence[Moved]) -> None:
        """Show other cases, the first few of them."""
        self._moved = tuple(moved[:MOVED_SHOWN])
        words = (
            tr("{case_id}: {before} to {after}", case_id=one.case_id, before=_of(one.before), after=_of(one.after))
            for one in self._moved
        )
        self.setAccessibleDescription("; ".join(words))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(240), px(23) * len(self._moved))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        for number, one in enumerate(self._moved):
            rect = QRect(0, number * px(23), self.width(), px(23))
            side = px(12)
            box = QRect(0, rect.center().y() - side // 2, side, side)
            paint_icon(painter, "arrow-up" if one.up else "arrow-down", box, t.passed if one.up else t.failed)
            after, before = _of(one.after), _of(one.before)
            room = QRect(rect.right() - px(48), rect.top(), px(49), rect.height())
            paint_text(painter, room, after, ui_font(12, bold=True), t.text, align=Qt.AlignmentFlag.AlignRight)
            arrow = QRect(room.left() - px(16), box.top(), side, side)
            paint_icon(painter, "arrow-right", arrow, t.text3)
            width = QFontMetrics(ui_font(12)).horizontalAdvance(before)
            left = QRect(arrow.left() - px(8) - width, rect.top(), width + 1, rect.height())
            paint_text(painter, left, before, ui_font(12), t.text2)
            name = QRect(px(19), rect.top(), left.left() - px(27), rect.height())
            paint_text(painter, name, one.case_id, mono_font(12), t.text, elide=Qt.TextElideMode.ElideMiddle)


def _of(rate: Rate) -> str:
    return f"{rate.passed} / {rate.runs}"


def section(title: str, note: QWidget, *parts: QWidget) -> QFrame:
    """Return a part with its title, a note at the right, and a line below."""
    made = frame("surface")
    inside = column(row(label(title, "strong"), None, note), *parts, margins=(16, 12, 16, 12), gap=8)
    made.setLayout(column(inside, hairline(), gap=0))
    return made


class SmallTable(QWidget):
    """A few lines of words: names on the left, numbers on the right. Painted: a comparison may have hundreds of targets."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[tuple[str, ...], ...] = ()
        """The heads and what stands below them."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_lines(self, heads: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
        """Show other lines below the heads; without any, nothing at all."""
        self.lines = tuple(tuple(line) for line in (heads, *lines)) if lines else ()
        told = (
            ", ".join(" ".join(filter(None, one)) for one in zip(line, heads, strict=True)) for line in self.lines[1:]
        )
        self.setAccessibleName("; ".join(told))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(200), px(_LINE) * len(self.lines))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(120), self.sizeHint().height())

    def _font(self, row: int, at: int) -> QFont:
        return ui_font(11 if row == 0 or at == 0 else 12)

    def _widths(self) -> list[int]:
        """Of the numbers' columns; the last strokes of a text may stand past its advance."""
        columns = range(1, max(map(len, self.lines), default=1))
        return [
            max(QFontMetrics(self._font(row, at)).horizontalAdvance(line[at]) for row, line in enumerate(self.lines))
            + px(3)
            for at in columns
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, t, widths = QPainter(self), tokens(), self._widths()
        names = self.width() - sum(widths) - px(12) * len(widths)
        for number, line in enumerate(self.lines):
            rect = QRect(0, number * px(_LINE), names, px(_LINE))
            if not rect.intersects(event.rect().adjusted(-self.width(), 0, self.width(), 0)):
                continue
            paint_text(painter, rect, line[0], self._font(number, 0), t.text2 if number else t.text3)
            left = names
            for at, (words, width) in enumerate(zip(line[1:], widths, strict=False), 1):
                room = QRect(left + px(12), rect.top(), width - px(1), rect.height())
                colour = t.text if number else t.text3
                paint_text(painter, room, words, self._font(number, at), colour, align=Qt.AlignmentFlag.AlignRight)
                left += px(12) + width

    def event(self, event: QEvent) -> bool:
        """A name that may be cut is told whole by the tool tip of its line."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            row = event.pos().y() // px(_LINE)
            if 0 < row < len(self.lines):
                show_tip(event.globalPos(), self.lines[row][0], self)
            else:
                hide_tip()
            return True
        return super().event(event)
