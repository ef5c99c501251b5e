"""Rows of the set-up: an earlier comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QPainter

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.interval import paint_progress
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import RowDelegate

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from workbench.ui.compare.values import BatchChoice


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
