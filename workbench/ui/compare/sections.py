"""Parts of the panel beside the matrix: a titled section, a few lines of words, the cases that moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QWidget

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.frames import column, frame, hairline, label, row
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.grading.comparison import Moved
    from workbench.grading.rates import Rate

MOVED_SHOWN = 6


class MovedRows(QWidget):
    """Each case that moved: direction, name, before → after."""

    case_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._moved: tuple[Moved, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Moved cases")

    def show_moved(self, moved: Sequence[Moved]) -> None:
        """Show other cases, the first few of them."""
        self._moved = tuple(moved[:MOVED_SHOWN])
        words = (f"{one.case_id}: {_of(one.before)} to {_of(one.after)}" for one in self._moved)
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
    """A few lines of words: names on the left, numbers on the right."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(px(12))
        self._grid.setVerticalSpacing(px(4))
        self._grid.setColumnStretch(0, 1)
        self.setLayout(self._grid)

    def show_lines(self, heads: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
        """Show other lines below the heads; without any, nothing at all."""
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for number, line in enumerate((heads, *lines) if lines else ()):
            for at, words in enumerate(line):
                role = "faint" if number == 0 else "label" if at == 0 else "body"
                made = label(words, role)
                if at == 0:
                    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
                    set_tip(made, words)
                side = Qt.AlignmentFlag.AlignLeft if at == 0 else Qt.AlignmentFlag.AlignRight
                self._grid.addWidget(made, number, at, side if at else Qt.AlignmentFlag(0))
