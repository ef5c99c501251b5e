"""The top bar (title, palette field, the page's own controls) and the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout, QSizePolicy

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import fix_size, tokens
from workbench.ui.theme.tokens import Sizes
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button, fit_words, pressed_by_enter
from workbench.ui.widgets.frames import ElidedLabel, label, row
from workbench.ui.widgets.painting import note_focus, paint_box, paint_focus_ring, paint_text, shows_focus
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

_HINT = tr("Find a run, tool or command")
_WIDTH, _SHARE = 300, 4
"""Pixels of the field at 100 %, and the part of the window that it does not pass with large text."""


class PaletteField(QAbstractButton):
    """Looks like a search field and opens the palette."""

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_HINT)
        set_tip(self, tr("{hint} (Ctrl+K)", hint=_HINT))

    def sizeHint(self) -> QSize:
        return QSize(min(px(_WIDTH), self.window().width() // _SHARE), px(Sizes.CONTROL))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(40), px(Sizes.CONTROL))

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        t = tokens()
        paint_box(painter, self.rect(), ground=t.hover if self.underMouse() else t.surface, border=t.edge)
        if shows_focus(self):
            paint_focus_ring(painter, self.rect())
        side = px(16)
        paint_icon(painter, "magnifying-glass", QRect(px(8), (self.height() - side) // 2, side, side), t.text2)
        room = QRect(px(30), 0, self.width() - px(38), self.height())
        paint_text(painter, room, _HINT, ui_font(12), t.text3)


class TopBar(QFrame):
    """44 px: what is shown, the way to everything else, what the page can do."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        fix_size(self, height=Sizes.TOP_BAR)
        self.title = label("", "window_title")
        self.context = ElidedLabel("", "context")
        self.field = PaletteField()
        self._right = QHBoxLayout()
        self._right.setContentsMargins(0, 0, 0, 0)
        self._right.setSpacing(px(8))
        self._shown: list[QWidget] = []
        box = row(self.title, self.context, margins=(16, 0, 12, 0), gap=10)
        box.setStretch(1, 1)
        box.addWidget(self.field)
        self._key = label("Ctrl+K", "label")
        box.addWidget(self._key)
        box.addSpacing(px(8))
        box.addLayout(self._right)
        self.setLayout(box)

    def show_title(self, title: str, context: str) -> None:
        """Say what is shown."""
        self.title.setText(title)
        self.context.setText(context)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.field.updateGeometry()
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:  # a button has other words, a page other buttons
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        """Where room is short the words on the page's buttons give way, before them the field's key."""
        room = self.width() - self.title.sizeHint().width() - self.field.minimumSizeHint().width() - px(56)
        wanted = sum(one.whole_size().width() + px(8) for one in self._shown if isinstance(one, Button))
        self._key.setVisible(wanted + self._key.sizeHint().width() + px(10) <= room)
        fit_words(self._shown, room)

    def show_widgets(self, widgets: Sequence[QWidget]) -> None:
        """Replace the page's own controls; the old ones stay the page's."""
        for old in self._shown:
            self._right.removeWidget(old)
            old.hide()
            old.setParent(None)
        self._shown = list(widgets)
        for widget in self._shown:
            self._right.addWidget(widget)
            widget.show()


class StatusBar(QFrame):
    """24 px: left what happened, right where and which parser."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        fix_size(self, height=Sizes.STATUS)
        self.left = ElidedLabel("", "label")
        self.right = label("", "label")
        self.setLayout(row(self.left, self.right, margins=(16, 0, 16, 0), gap=16))
        layout = self.layout()
        assert isinstance(layout, QHBoxLayout)
        layout.setStretch(0, 1)

    def clear(self) -> None:
        """Forget what happened: it was on another page."""
        self.left.setText("")

    def show_text(self, left: str, right: str | None = None) -> None:
        """Write both ends; an empty left text keeps what stands there."""
        if left:
            self.left.setText(left)
        if right is not None:
            self.right.setText(right)
