"""A check box that paints itself: in the dark theme the platform's box cannot be told from its ground."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.painting import note_focus, paint_box, paint_focus_ring, paint_text, shows_focus

_BOX, _GAP = 14, 8


class CheckBox(QCheckBox):
    """Two states; keys, clicks and what assistive technology reads are Qt's own."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(px(_BOX + _GAP + 8) + QFontMetrics(ui_font(12)).horizontalAdvance(self.text()), px(24))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(_BOX + _GAP + 40), px(24))

    def hitButton(self, pos: object) -> bool:
        return bool(self.rect().contains(pos))  # type: ignore[call-overload]

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        side = px(_BOX)
        box = QRect(px(4), (self.height() - side) // 2, side, side)
        on, alive = self.isChecked(), self.isEnabled()
        ground = (t.accent if alive else t.line2) if on else t.hover if self.underMouse() and alive else t.surface
        paint_box(painter, box, ground=ground, border="" if on else t.edge if alive else t.line2, radius=3)
        if on:
            paint_icon(painter, "check", box.adjusted(px(1), px(1), -px(1), -px(1)), t.on_accent)
        room = QRect(box.right() + px(_GAP), 0, self.width() - box.right() - px(_GAP), self.height())
        paint_text(painter, room, self.text(), ui_font(12), t.text if alive else t.text3)
        if shows_focus(self):
            paint_focus_ring(painter, self.rect())
