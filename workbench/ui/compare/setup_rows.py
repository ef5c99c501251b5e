"""Rows of the set-up: a chosen target, an earlier comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import ElidedLabel, column, hairline, label, row
from workbench.ui.widgets.interval import paint_progress
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import RowDelegate
from workbench.ui.widgets.states import Glyph
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from workbench.ui.compare.values import BatchChoice, ChosenTarget


class TargetLine(QFrame):
    """One chosen target, and the way to take it out."""

    removed = Signal()

    def __init__(self, target: ChosenTarget) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        gone = Button(icon="x", kind="quiet", small=True, tip=f"Take out {target.model}", on_click=self.removed.emit)
        picture = Glyph("flask" if target.simulated else "cloud", "text2", 15)
        set_tip(picture, "simulated" if target.simulated else "")
        line = row(picture, ElidedLabel(target.model, "strong"), 8, label(target.format, "mono_small"), 8,
                   ElidedLabel(target.mode, "label"), None, gone, margins=(2, 4, 0, 4))  # fmt: skip
        self.setLayout(column(line, hairline(), gap=0))
        self.setFixedHeight(px(36))


class BatchDelegate(RowDelegate):
    """Title over when and what; at the right how far it came."""

    def __init__(self, parent: QWidget, batch: Callable[[int], BatchChoice]) -> None:
        super().__init__(48, parent)
        self._batch = batch

    def paint_cell(
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex, *, chosen: bool
    ) -> None:
        one, t = self._batch(index.row()), tokens()
        right = QRect(rect.right() - px(104), rect.top() + px(6), px(92), px(18))
        words = f"{one.done:,} / {one.total:,}" if one.done < one.total else f"{one.total:,} runs"
        upper = QRect(rect.left() + px(16), rect.top() + px(6), rect.width() - px(128), px(18))
        paint_text(painter, upper, one.title, ui_font(12, bold=chosen), t.text)
        paint_text(painter, upper.translated(0, px(18)), one.note, ui_font(11), t.text3)
        paint_text(painter, right, words, ui_font(11), t.text2, align=Qt.AlignmentFlag.AlignRight)
        if one.done < one.total:
            track = QRect(right.left(), right.bottom() + px(7), right.width(), px(4))
            paint_progress(painter, track, ((one.done / max(1, one.total), "accent"),))
