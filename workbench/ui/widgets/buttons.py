"""Buttons: primary, normal, quiet, chosen; with an icon and the shortcut written inside.

Real QPushButtons that paint themselves: they keep focus, accessible names, default handling and shortcuts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QSizePolicy, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.painting import note_focus, paint_box, paint_focus_ring, paint_text, shows_focus
from workbench.ui.widgets.shown_text import visible
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ButtonKind = Literal["primary", "normal", "quiet", "chosen"]


_MOST = 400
"""Width beyond which none grows."""


class _ButtonLook(NamedTuple):
    ground: str
    border: str
    text: str
    hint: str


def shortcut_text(keys: str) -> str:
    """Return a shortcut as it is written in buttons and tool tips."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText).replace("Return", "↵") if keys else ""


def pressed_by_enter(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Let ↵ press a button, as it does on some desktops only; to be asked by `keyPressEvent`."""
    if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return False
    if not event.isAutoRepeat():
        button.click()
    return True


class Button(QPushButton):
    """A push button of one of four kinds. `keys` is written inside and in the tool tip; it is not bound here."""

    def __init__(
        self,
        text: str = "",
        *,
        icon: str = "",
        kind: ButtonKind = "normal",
        keys: str = "",
        small: bool = False,
        tip: str = "",
        on_click: Callable[[], object] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(visible(text), parent)
        self._glyph = icon
        self._kind: ButtonKind = kind
        self._hint = shortcut_text(keys)
        self._small = small
        self._brief = False
        self._tip = ""
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAutoDefault(False)
        self._stand_in: QWidget | None = None
        self.set_tip(tip or text)
        if on_click is not None:
            self.clicked.connect(lambda _checked=False: on_click())

    @property
    def kind(self) -> ButtonKind:
        """Which of the four looks it has."""
        return self._kind

    def set_kind(self, kind: ButtonKind) -> None:
        """Change the look, as when a segment is chosen."""
        self._kind = kind
        self.update()

    def set_icon_name(self, name: str) -> None:
        """Show another icon."""
        self._glyph = name
        self.updateGeometry()
        self.update()

    def set_tip(self, tip: str) -> None:
        """Set tool tip (with the shortcut) and accessible name."""
        self._tip = tip
        name = self.text() or tip
        self.setAccessibleName(name)
        said = tip != self.text() or self._brief
        set_tip(self, f"{tip} ({self._hint})" if self._hint else tip if said else "")

    def set_brief(self, brief: bool) -> None:
        """Leave the words to the tool tip, where room is short and the icon says enough."""
        if self._glyph and brief != self._brief:
            self._brief = brief
            self.set_tip(self._tip)
            self.updateGeometry()
            self.update()

    def setEnabled(self, enabled: bool) -> None:
        """Disabled while it has the focus, which Qt then gives to the next in order, it takes that back afterwards.

        Only where nobody moved it meanwhile: a job that was started by ↵ and is done leaves the keyboard where it was.
        """
        had_focus = self.window().focusWidget() is self and not enabled
        super().setEnabled(enabled)
        if had_focus:
            self._stand_in = self.window().focusWidget()
        elif enabled and self._stand_in is not None:
            if self.window().focusWidget() is self._stand_in:
                by_keyboard = bool(self.property("byKeyboard"))
                self.setFocus(Qt.FocusReason.TabFocusReason if by_keyboard else Qt.FocusReason.MouseFocusReason)
            self._stand_in = None

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def _font(self) -> QFont:
        return ui_font(12, bold=self._kind == "primary")

    def _height(self) -> int:
        return px(24 if self._small else 28)

    def _has_icon_only(self) -> bool:
        return bool(self._glyph) and (self._brief or not self.text())

    def sizeHint(self) -> QSize:
        return self.least_size() if self._has_icon_only() else self.whole_size()

    def least_size(self) -> QSize:
        """Without its words, where it has an icon."""
        return QSize(self._height(), self._height()) if self._glyph else self.whole_size()

    def whole_size(self) -> QSize:
        """With its words."""
        width = 2 * px(10 if self._small else 12) + QFontMetrics(self._font()).horizontalAdvance(self.text())
        width += px(22) if self._glyph else 0
        if self._hint:
            width += px(10) + QFontMetrics(ui_font(11)).horizontalAdvance(self._hint)
        return QSize(min(width, px(_MOST)), self._height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _look(self) -> _ButtonLook:
        t = tokens()
        over = self.underMouse() and self.isEnabled()
        down = self.isDown()
        if not self.isEnabled():
            ground = {"primary": t.hover, "quiet": "", "normal": t.surface, "chosen": t.hover}[self._kind]
            return _ButtonLook(ground, "" if self._kind in ("primary", "quiet") else t.line, t.text3, t.text3)
        match self._kind:
            case "primary":
                return _ButtonLook(t.accent, t.text2 if down else t.text3 if over else "", t.on_accent, t.on_accent)
            case "chosen":
                return _ButtonLook(t.sel, t.accent, t.text, t.text2)
            case "quiet":
                return _ButtonLook(t.sel if down else t.hover if over else "", "", t.text2, t.text3)
        return _ButtonLook(t.sel if down else t.hover if over else t.surface, t.line2, t.text, t.text3)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        look = self._look()
        paint_box(painter, self.rect(), ground=look.ground, border=look.border)
        if shows_focus(self):
            ring = self.rect().adjusted(2, 2, -2, -2) if self._kind == "primary" else self.rect()
            if self._kind == "primary":
                paint_box(painter, ring, border=look.text, width=1, radius=4)
            else:
                paint_focus_ring(painter, ring)
        self._paint_inside(painter, look)

    def _paint_inside(self, painter: QPainter, look: _ButtonLook) -> None:
        side = px(16)
        if self._has_icon_only():
            box = QRect(0, 0, side, side)
            box.moveCenter(self.rect().center())
            paint_icon(painter, self._glyph, box, look.text)
            return
        natural = self.sizeHint().width()
        left = px(10 if self._small else 12) + max(0, (self.width() - natural) // 2)
        right = self.width() - px(10 if self._small else 12) - max(0, (self.width() - natural) // 2)
        if self._glyph:
            paint_icon(painter, self._glyph, QRect(left, (self.height() - side) // 2, side, side), look.text)
            left += px(22)
        if self._hint and self.width() >= natural:  # where room is short its words come first
            font = ui_font(11)
            width = QFontMetrics(font).horizontalAdvance(self._hint)
            paint_text(painter, QRect(right - width, 0, width + 1, self.height()), self._hint, font, look.hint)
            right -= width + px(10)
        paint_text(painter, QRect(left, 0, right - left + 2, self.height()), self.text(), self._font(), look.text)


def fit_words(buttons: Sequence[QWidget], room: int) -> None:
    """Have buttons that stand beside each other give up their words where the row has less than `room` for them."""
    shown = [button for button in buttons if isinstance(button, Button) and not button.isHidden()]
    others = sum(
        widget.sizeHint().width() for widget in buttons if not isinstance(widget, Button) and not widget.isHidden()
    )
    wanted = others + sum(button.whole_size().width() for button in shown) + px(8) * max(len(buttons) - 1, 0)
    for button in shown:
        button.set_brief(wanted > room)


def spared_by_icons(buttons: Sequence[QWidget]) -> int:
    """Pixels that the buttons would need less without their words."""
    shown = [button for button in buttons if isinstance(button, Button) and not button.isHidden()]
    return sum(button.sizeHint().width() - button.least_size().width() for button in shown)
