"""Chips: small words with a ground: problem, repair, neutral, guess, chosen, outcome, tool."""

from __future__ import annotations

from typing import Literal, NamedTuple

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.buttons import pressed_by_enter
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import note_focus, paint_box, paint_focus_ring, paint_text, shows_focus
from workbench.ui.widgets.shown_text import visible
from workbench.ui.widgets.tips import set_tip

ChipKind = Literal[
    "problem", "repair", "neutral", "plain", "guess", "chosen", "followed", "reported", "error", "cancelled", "label",
    "filter",
]  # fmt: skip


class _ChipLook(NamedTuple):
    ground: str
    border: str
    text: str
    icon: str = ""
    mark: str = ""
    dashed: bool = False


def _look(kind: str) -> _ChipLook:
    t = tokens()
    looks = {
        "problem": _ChipLook(t.failed_tint, "", t.failed, mark="fail"),
        "reported": _ChipLook(t.failed_tint, "", t.failed),
        "repair": _ChipLook(t.hover, "", t.text2, icon="magic-wand"),
        "plain": _ChipLook(t.hover, "", t.text2),
        "neutral": _ChipLook(t.surface, t.line2, t.text2),
        "label": _ChipLook(t.surface, t.line2, t.text3),
        "filter": _ChipLook("", "", t.text2),
        "guess": _ChipLook("", t.edge, t.text2, dashed=True),
        "chosen": _ChipLook(t.sel, t.accent, t.text),
        "followed": _ChipLook(t.passed_tint, "", t.passed),
        "error": _ChipLook(t.error_tint, "", t.error, mark="error"),
        "cancelled": _ChipLook(t.cancelled_tint, "", t.cancelled),
    }
    return looks[kind]


_LEAST = 120
"""Width down to which one that may shrink does."""
_MOST = 400
"""Width beyond which none grows whose owner does not let it shrink."""


class Chip(QAbstractButton):
    """A chip. With `clickable` it takes focus and emits `clicked`; otherwise it is only read."""

    def __init__(
        self,
        text: str,
        kind: ChipKind = "neutral",
        *,
        icon: str = "",
        mark: str = "",
        count: int | str | None = None,
        height: int = 20,
        mono: bool = False,
        suffix: str = "",
        clickable: bool = False,
        tip: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._kind: ChipKind = kind
        self._glyph = icon
        self._mark = mark
        self._count = "" if count is None else f"{count:,}" if isinstance(count, int) else count
        self._height = height
        self._mono = mono
        self._suffix = suffix
        self.setText(visible(text))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if clickable else Qt.FocusPolicy.NoFocus)
        self._clickable = clickable
        if clickable:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not tip)
        set_tip(self, tip)
        self._name()

    def _name(self) -> None:
        parts = [self.text(), self._suffix, self._count]
        self.setAccessibleName(" ".join(part for part in parts if part))

    @property
    def kind(self) -> ChipKind:
        """Which look it has."""
        return self._kind

    def set_kind(self, kind: ChipKind) -> None:
        """Change the look, as when a filter is chosen."""
        self._kind = kind
        self.updateGeometry()
        self.update()

    def set_count(self, count: int) -> None:
        """Show another count behind the word."""
        self._count = f"{count:,}"
        self._name()
        self.updateGeometry()
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def _fonts(self) -> tuple[QFont, QFont]:
        bold = self._kind == "label" and not self._mono
        return (mono_font(11) if self._mono else ui_font(11, bold=bold)), ui_font(11)

    def sizeHint(self) -> QSize:
        look = _look(self._kind)
        font, second = self._fonts()
        width = 2 * px(8) + QFontMetrics(font).horizontalAdvance(self.text())
        width += px(18) if self._mark or look.mark or self._glyph or look.icon else 0
        for extra in (self._suffix, self._count):
            width += px(6) + QFontMetrics(second).horizontalAdvance(extra) if extra else 0
        may_shrink = self.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Maximum
        return QSize(width if may_shrink else min(width, px(_MOST)), px(self._height))

    def minimumSizeHint(self) -> QSize:
        """Chips keep their width unless their owner lets them shrink; the text is elided then."""
        return self.sizeHint().boundedTo(QSize(px(_LEAST), px(self._height)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        look = _look(self._kind)
        t = tokens()
        radius = 4 if self._height <= 20 else 6
        ground = look.ground
        if self._clickable and self.underMouse() and self._kind in ("neutral", "filter"):
            ground = t.hover
        paint_box(painter, self.rect(), ground=ground, border=look.border, radius=radius, dashed=look.dashed)
        if shows_focus(self):
            paint_focus_ring(painter, self.rect(), radius)
        left = self._paint_picture(painter, look, px(8))
        font, second = self._fonts()
        extras = [extra for extra in (self._suffix, self._count) if extra]
        behind = sum(px(6) + QFontMetrics(second).horizontalAdvance(extra) for extra in extras)
        room = QRect(left, 0, self.width() - left - px(6) - behind, self.height())
        elide = Qt.TextElideMode.ElideMiddle if self._mono else Qt.TextElideMode.ElideRight
        left += paint_text(painter, room, self.text(), font, look.text, elide=elide)
        for extra in extras:
            left += px(6)
            rect = QRect(left, 0, self.width() - left - px(6), self.height())
            left += paint_text(painter, rect, extra, second, t.text2)

    def _paint_picture(self, painter: QPainter, look: _ChipLook, left: int) -> int:
        mark, glyph = self._mark or look.mark, self._glyph or look.icon
        if mark:
            side = px(10)
            paint_verdict(painter, mark, QRectF(left, (self.height() - side) / 2, side, side))
            return left + px(18)
        if glyph:
            side = px(13)
            paint_icon(painter, glyph, QRect(left, (self.height() - side) // 2, side, side), look.text)
            return left + px(18)
        return left
