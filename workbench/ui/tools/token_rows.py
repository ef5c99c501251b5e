"""What the shown tools cost in every request, by wire and text format: a row each, with a bar beside the number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.interval import paint_progress
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROW, _BAR, _BAR_HEIGHT, _ROOM = 22, 48, 4, 230
HEADING = tr("Tokens in each request")


class TokenRows(QWidget):
    """Tokens of the set per target; counts are guesses from characters."""

    def __init__(self) -> None:
        super().__init__()
        self._costs: tuple[tuple[str, int], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Tokens of these tools in every request"))
        set_tip(
            self,
            tr("Tokens of these tools in every request, about: counted from characters, not by a model's tokenizer"),
        )
        self.hide()

    def show_costs(self, costs: Sequence[tuple[str, int]]) -> None:
        """Show other costs; without any there is nothing to see."""
        self._costs = tuple(costs)
        self.setAccessibleDescription(
            "; ".join(
                tr("{target} about {count:,} tokens", target=target, count=count) for target, count in self._costs
            )
        )
        self.setVisible(bool(self._costs))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(160), px(_ROW) * (len(self._costs) + 1) + px(12))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        most = max((count for _, count in self._costs), default=1) or 1
        number, wide = px(56), px(_BAR) if self.width() >= px(_ROOM) else 0
        head = QRect(px(16), px(6), self.width() - px(28), px(_ROW))
        paint_text(painter, head, HEADING, ui_font(11, bold=True), t.text2)
        for at, (target, count) in enumerate(self._costs, 1):
            line = QRect(px(16), px(6) + at * px(_ROW), self.width() - px(28), px(_ROW))
            told = QRect(line.right() - number, line.top(), number, line.height())
            bar = QRect(told.left() - wide, line.center().y() - px(_BAR_HEIGHT) // 2, wide, px(_BAR_HEIGHT))
            name = QRect(line.left(), line.top(), bar.left() - line.left() - px(8), line.height())
            paint_text(painter, name, target, mono_font(11), t.text2)
            if wide:
                paint_progress(painter, bar, ((count / most, "text3"),))
            paint_text(
                painter, told, tr("{count:,} tok", count=count), ui_font(11), t.text2, align=Qt.AlignmentFlag.AlignRight
            )
