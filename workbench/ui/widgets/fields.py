"""Fields: line edits with an icon inside, and combo boxes that carry their own label and a note."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QComboBox, QLineEdit, QListView, QSizePolicy, QStyledItemDelegate, QWidget

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import fix_size, tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.painting import note_focus, paint_box, paint_focus_ring, paint_text, shows_focus
from workbench.ui.widgets.shown_text import visible
from workbench.ui.widgets.tips import set_tip, tip_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class LineField(QLineEdit):
    """A line edit with an optional icon at its left; `set_invalid` marks it and says why in the tool tip.

    Icon and buttons inside are the field's own: those of Qt's line edit stay at 16 pixels, whatever the text size.
    """

    def __init__(
        self,
        text: str = "",
        *,
        hint: str = "",
        icon_name: str = "",
        mono: bool = False,
        name: str = "",
        clearable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        self._glyph = icon_name
        self._inside: list[Button] = []
        super().__init__(text, parent)
        self.setPlaceholderText(hint)
        self.setAccessibleName(name or hint)
        if mono:
            self.setProperty("mono", "true")
        if clearable:
            clear = self.add_button("x", tr("Clear"), self.clear)
            clear.setVisible(bool(text))
            self.textChanged.connect(lambda text: self._show_inside(clear, bool(text)))
        self._place_inside()

    def add_button(self, icon_name: str, tip: str, call: Callable[[], object]) -> Button:
        """Put a small button at the right end of the field; the first one stands outermost."""
        made = Button(icon=icon_name, kind="quiet", small=True, tip=tip, on_click=call, parent=self)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.setCursor(Qt.CursorShape.ArrowCursor)
        self._inside.append(made)
        self._place_inside()
        return made

    def _show_inside(self, button: Button, shown: bool) -> None:
        button.setVisible(shown)
        self._place_inside()

    def _place_inside(self) -> None:
        """Lay the buttons from the right and keep the text clear of them and of the icon."""
        taken = 0
        for button in self._inside:
            if not button.isHidden():
                side = min(px(24), max(0, self.height() - 4))
                taken += side
                button.setGeometry(self.width() - taken - px(3), (self.height() - side) // 2, side, side)
        self.setTextMargins(px(22) if self._glyph else 0, 0, max(0, taken - px(4)), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_inside()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._place_inside()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._glyph:
            side = px(16)
            room = QRect(px(9), (self.height() - side) // 2, side, side)
            paint_icon(QPainter(self), self._glyph, room, tokens().text3)

    @property
    def is_invalid(self) -> bool:
        """Whether it is marked as not usable."""
        return bool(self.property("invalid") == "true")

    def set_invalid(self, reason: str) -> None:
        """Mark the field (or, with an empty reason, stop marking it)."""
        value = "true" if reason else "false"
        set_tip(self, reason)
        if self.property("invalid") != value:
            self.setProperty("invalid", value)
            self.style().unpolish(self)
            self.style().polish(self)


class NumberField(LineField):
    """A whole number between two bounds; what does not fit is marked and `value` keeps the last good one."""

    value_changed = Signal(int)

    def __init__(self, name: str, low: int, high: int, value: int, *, zero: str = "") -> None:
        """`zero`: what 0 means, shown instead of it; an empty field is 0 then."""
        super().__init__(name=name, hint=zero)
        self._low, self._high, self._zero = low, high, zero
        self.set_value(value)
        self.textEdited.connect(self._on_edited)

    @property
    def value(self) -> int:
        """The last number that fits."""
        return self._value

    def set_value(self, value: int) -> None:
        """Show a number, silently."""
        self._value = value
        self.setText("" if self._zero and not value else str(value))
        self.set_invalid("")

    def _on_edited(self, text: str) -> None:
        text = text.strip() or ("0" if self._zero else "")
        fits = text.isdecimal() and self._low <= int(text) <= self._high
        self.set_invalid(
            ""
            if fits
            else tr(
                "{accessiblename}: a number from {low} to {high}",
                accessiblename=self.accessibleName(),
                low=self._low,
                high=self._high,
            )
        )
        if fits and int(text) != self._value:
            self._value = int(text)
            self.value_changed.emit(self._value)


class ComboField(QComboBox):
    """A combo box that paints itself: icon, inner label, value, note, caret. Data of an item is any value."""

    value_chosen = Signal(object)
    """The user chose an item; carries its data."""

    def __init__(
        self,
        inner: str = "",
        *,
        name: str = "",
        icon_name: str = "",
        mono: bool = False,
        small: bool = False,
        quiet: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._inner = inner
        self._glyph = icon_name
        self._mono = mono
        self._small = small
        self._quiet = quiet
        self._note = ""
        self._chip = ""
        self.setView(QListView())
        self.setItemDelegate(QStyledItemDelegate(self))  # Qt's own for combo boxes knows nothing of the style sheet
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name or inner)
        self.view().setAccessibleName(name or inner)
        self.activated.connect(lambda _index: self.value_chosen.emit(self.currentData()))

    def set_items(self, items: Iterable[tuple[str, Any]]) -> None:
        """Replace the items, `(title, data)` each; the chosen data stays chosen if it is still there."""
        chosen = self.currentData()
        self.blockSignals(True)
        self.clear()
        for title, data in items:
            self.addItem(visible(title), data)
        self.blockSignals(False)
        self.choose(chosen)

    def choose(self, data: Any) -> bool:
        """Choose the item with that data, silently; tell whether there is one."""
        for index in range(self.count()):
            if self.itemData(index) == data:
                self.setCurrentIndex(index)
                self.update()
                return True
        return False

    @property
    def value(self) -> Any:
        """Data of the chosen item."""
        return self.currentData()

    def set_note(self, note: str, chip: str = "") -> None:
        """Write a second voice behind the value, and a dashed chip such as `guess`."""
        self._note = note
        self._chip = chip
        self._describe()
        self.update()

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self._describe()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTipChange:
            self._describe()
        return super().event(event)

    def _describe(self) -> None:
        """Tell assistive technology what the name does not: on X11 and Wayland Qt gives the value as a name there."""
        label = "" if sys.platform in ("win32", "darwin") else self.accessibleName()
        told = " ".join(filter(None, (self._note, self._chip))) or tip_words(self.toolTip())
        self.setAccessibleDescription(" ".join(filter(None, (label, told))))

    def set_icon_name(self, name: str) -> None:
        """Show another icon, or none."""
        self._glyph = name
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, not the choice, unless the list is open."""
        event.ignore()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(ui_font(12))
        widest = max((metrics.horizontalAdvance(self.itemText(i)) for i in range(self.count())), default=px(60))
        width = px(10) + (px(22) if self._glyph else 0) + widest + px(34)
        if self._inner:
            width += QFontMetrics(ui_font(11)).horizontalAdvance(self._inner) + px(8)
        return QSize(width, px(24 if self._small else 28))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(72), px(24 if self._small else 28))

    def fitting(self, room: int) -> tuple[str, str]:
        """Label and value as they are written in so many pixels: the value comes first, in short before it is cut."""
        value = QFontMetrics(self._value_font())
        label = QFontMetrics(ui_font(11)).horizontalAdvance(self._inner) + px(8) if self._inner else 0
        inner = self._inner if value.horizontalAdvance(self._short()) <= room - label else ""
        left = room - (label if inner else 0)
        return inner, self.currentText() if value.horizontalAdvance(self.currentText()) <= left else self._short()

    def _short(self) -> str:
        return self.currentText()

    def _value_font(self) -> QFont:
        return mono_font(12) if self._mono else ui_font(12)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        t = tokens()
        ground = t.hover if self.underMouse() and self.isEnabled() else "" if self._quiet else t.surface
        border = "" if self._quiet else t.edge if self.isEnabled() else t.line2
        paint_box(painter, self.rect(), ground=ground, border=border)
        if shows_focus(self):
            paint_focus_ring(painter, self.rect())
        right = self.width() - px(10)
        side = px(12)
        caret = QRect(right - side, (self.height() - side) // 2, side, side)
        paint_icon(painter, "caret-down", caret, t.text2)
        self._paint_words(painter, px(10), right - side - px(8))

    def _paint_words(self, painter: QPainter, left: int, right: int) -> None:
        t = tokens()
        height = self.height()
        side = px(14)
        if self._glyph:
            paint_icon(painter, self._glyph, QRect(left, (height - side) // 2, side, side), t.text2)
            left += side + px(8)
        inner, value = self.fitting(right - left)
        if inner:
            left += paint_text(painter, QRect(left, 0, right - left, height), inner, ui_font(11), t.text3) + px(8)
        colour = t.text if self.isEnabled() else t.text3
        left += paint_text(painter, QRect(left, 0, right - left, height), value, self._value_font(), colour) + px(10)
        chip_width = QFontMetrics(ui_font(11)).horizontalAdvance(self._chip) + px(12) if self._chip else 0
        if self._note and right - left - chip_width > px(24):
            room = QRect(left, 0, right - left - chip_width, height)
            left += paint_text(painter, room, self._note, ui_font(11), t.text3) + px(8)
        if self._chip and left + chip_width <= right:
            box = QRect(left, (height - px(18)) // 2, chip_width, px(18))
            paint_box(painter, box, border=t.edge, radius=4, dashed=True)
            paint_text(painter, box, self._chip, ui_font(11), t.text2, align=Qt.AlignmentFlag.AlignHCenter)


class NumberOrNothing(LineField):
    """A number in bounds, or nothing."""

    def __init__(self, name: str, low: float, high: float, *, whole: bool = False) -> None:
        super().__init__(name=name, hint=tr("not set"))
        self._low, self._high, self._whole = low, high, whole
        fix_size(self, width=110)
        self.textEdited.connect(lambda _text: self.set_invalid(self.fault))

    @property
    def value(self) -> float | None:
        """The number; None where nothing usable stands."""
        text = self.text().strip()
        try:
            return (int(text) if self._whole else float(text)) if text else None
        except ValueError:
            return None

    @property
    def fault(self) -> str:
        """What is wrong with what was typed, or nothing."""
        value = self.value
        if value is None and not self.text().strip():
            return ""
        if value is None or not self._low <= value <= self._high:
            kind = tr("a whole number") if self._whole else tr("a number")
            return tr(
                "{accessiblename}: {kind} from {low:g} to {high:g}, or nothing",
                accessiblename=self.accessibleName(),
                kind=kind,
                low=self._low,
                high=self._high,
            )
        return ""

    def show_value(self, value: float | None) -> None:
        """Show a number or nothing."""
        self.setText("" if value is None else f"{value:g}" if not self._whole else str(value))
        self.set_invalid("")
