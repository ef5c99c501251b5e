"""A word in the look of a role, for the legend under a raw text."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import paint_text


class RoleWord(QWidget):
    """One word with the colour and the ground of its role."""

    def __init__(self, role: str, word: str) -> None:
        super().__init__()
        self._word, self._role = word, role
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Colour of {word}", word=word))

    def sizeHint(self) -> QSize:
        return QSize(QFontMetrics(ui_font(11, bold=self._role == "name")).horizontalAdvance(self._word), px(16))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, ink = QPainter(self), tokens().inks[self._role]
        if ink.ground:
            painter.fillRect(self.rect(), QColor(ink.ground))
        paint_text(painter, self.rect(), self._word, ui_font(11, bold=ink.bold, italic=ink.italic), ink.colour)
