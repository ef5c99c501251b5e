"""Tabs: words on a hairline, the current one in weight 600 over an accent underline; a count may follow the word."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QTabBar, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import note_focus, paint_focus_ring, paint_text, shows_focus

_GAP = 20


class Tabs(QTabBar):
    """A tab bar that paints itself; arrows and Tab work as in any QTabBar."""

    tab_chosen = Signal(str)
    """Another tab is current; carries its key."""

    def __init__(self, items: list[tuple[str, str]], *, margin: int = 16, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._margin = margin
        self._counts: dict[int, str] = {}
        self._keys = [key for key, _ in items]
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for _, title in items:
            self.addTab(title)
        self.setAccessibleName(tr("Tabs {items}", items=", ".join((title for _, title in items))))
        self.currentChanged.connect(self._on_changed)

    @property
    def current(self) -> str:
        """Key of the current tab."""
        return self._keys[self.currentIndex()]

    def choose(self, key: str) -> None:
        """Make a tab current."""
        self.setCurrentIndex(self._keys.index(key))

    def set_count(self, key: str, count: str) -> None:
        """Write a count behind a tab's word."""
        index = self._keys.index(key)
        self._counts[index] = count
        self.setAccessibleTabName(index, f"{self.tabText(index)} {count}".strip())
        self.setTabText(index, self.tabText(index))
        self.update()

    def _on_changed(self, index: int) -> None:
        if 0 <= index < len(self._keys):
            self.tab_chosen.emit(self._keys[index])

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)

    def _word_width(self, index: int) -> int:
        return QFontMetrics(ui_font(12, bold=True)).horizontalAdvance(self.tabText(index))

    def _count_width(self, index: int) -> int:
        count = self._counts.get(index, "")
        return px(6) + QFontMetrics(ui_font(11)).horizontalAdvance(count) if count else 0

    def tabSizeHint(self, index: int) -> QSize:
        lead = px(self._margin) if index == 0 else 0
        return QSize(lead + self._word_width(index) + self._count_width(index) + px(_GAP), px(36))

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def sizeHint(self) -> QSize:
        return QSize(sum(self.tabSizeHint(index).width() for index in range(self.count())), px(36))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(80), px(36))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        t = tokens()
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(t.line))
        for index in range(self.count()):
            rect = self.tabRect(index)
            lead = px(self._margin) if index == 0 else 0
            rect = QRect(rect.left() + lead, 0, self._word_width(index) + self._count_width(index), self.height())
            current = index == self.currentIndex()
            colour = t.text if current else t.text2
            width = paint_text(painter, rect, self.tabText(index), ui_font(12, bold=current), colour)
            if count := self._counts.get(index):
                paint_text(painter, rect.adjusted(width + px(6), 0, px(8), 0), count, ui_font(11), t.text3)
            if current:
                painter.fillRect(rect.left(), self.height() - 2, rect.width(), 2, QColor(t.accent))
                if shows_focus(self):
                    paint_focus_ring(painter, rect.adjusted(-6, 5, 6, -5))
