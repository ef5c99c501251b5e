"""Labels, hairlines, panes, cards, key caps and section headers: what pages are put together from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import bound_height, tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import fit_words, spared_by_icons
from workbench.ui.widgets.painting import LONGEST_PAINTED, paint_box, paint_text
from workbench.ui.widgets.shown_text import visible
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayout


LONGEST_WRAPPED = 20_000
"""Characters that a label takes: more fill no screen, and laying out a huge line stops the window."""
WIDEST_LEAST = 320
"""Below this width no label widens its page: what does not fit is elided."""


class Label(QLabel):
    """Plain text whose odd characters are drawn. A long line gives way: an ellipsis, and the whole in the tool tip."""

    def __init__(self, text: str = "") -> None:
        super().__init__(_shown(text))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._tells_whole = False

    def setText(self, text: str) -> None:
        super().setText(_shown(text))

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return least if self.wordWrap() else QSize(min(least.width(), px(WIDEST_LEAST)), least.height())

    def _is_cut(self) -> bool:
        text, width = self.text(), self.contentsRect().width()
        return len(text) > LONGEST_PAINTED or QFontMetrics(self.font()).horizontalAdvance(text) > width + 1

    def _paint_line(self, elide: Qt.TextElideMode) -> None:
        colour = self.palette().color(self.foregroundRole()).name()
        paint_text(
            QPainter(self), self.contentsRect(), self.text(), self.font(), colour, align=self.alignment(), elide=elide
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        selectable = self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
        cut = not self.wordWrap() and "\n" not in self.text() and self._is_cut()
        if self._tells_whole or (cut and not self.toolTip()):
            set_tip(self, self.text() if cut else "")
            self._tells_whole = cut
        if cut and not selectable:
            self._paint_line(Qt.TextElideMode.ElideRight)
        else:
            super().paintEvent(event)


def _shown(text: str) -> str:
    return visible(text if len(text) <= LONGEST_WRAPPED else f"{text[:LONGEST_WRAPPED]}…")


def label(text: str = "", role: str = "body", *, wrap: bool = False, selectable: bool = False) -> QLabel:
    """Return a plain-text label in one of the style sheet's voices."""
    made = Label(text)
    made.setProperty("role", role)
    if wrap:
        made.setWordWrap(True)
        made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    if selectable:
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
    return made


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget another role; the style sheet is applied to it again."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


UNBOUNDED = 16_777_215
"""As wide or high as Qt lets a widget be: no bound is set."""
_TELLING = 40
"""Pixels below which what is left of a cut text tells nothing."""


class ElidedLabel(Label):
    """One line that ends in an ellipsis where room is short, or is left out; the whole text is in the tool tip."""

    def __init__(
        self, text: str = "", role: str = "body", elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> None:
        super().__init__(text)
        self._elide = elide
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(px(24), super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        cut = self._is_cut()
        set_tip(self, self.text() if cut else "")
        if not cut or self.width() >= px(_TELLING):
            self._paint_line(self._elide)


def frame(role: str = "surface") -> QFrame:
    """Return an empty frame with the ground of a token."""
    made = QFrame()
    made.setProperty("role", role)
    return made


def hairline(*, vertical: bool = False, strong: bool = False) -> QFrame:
    """Return a line of one pixel."""
    made = frame("hairline2" if strong else "hairline")
    if vertical:
        made.setFixedWidth(1)
    else:
        made.setFixedHeight(1)
    return made


def row(
    *items: QWidget | QLayout | int | None, margins: tuple[int, int, int, int] = (0, 0, 0, 0), gap: int = 8
) -> QHBoxLayout:
    """Return a row: widgets, layouts, numbers as fixed spaces, None as the space that gives way."""
    made = QHBoxLayout()
    _fill(made, items, margins, gap)
    return made


def column(
    *items: QWidget | QLayout | int | None, margins: tuple[int, int, int, int] = (0, 0, 0, 0), gap: int = 8
) -> QVBoxLayout:
    """Return a column, as `row` does."""
    made = QVBoxLayout()
    _fill(made, items, margins, gap)
    return made


def _fill(
    layout: QBoxLayout, items: tuple[QWidget | QLayout | int | None, ...], margins: tuple[int, int, int, int], gap: int
) -> None:
    layout.setContentsMargins(*margins)
    layout.setSpacing(gap)
    for item in items:
        match item:
            case None:
                layout.addStretch(1)
            case int():
                layout.addSpacing(item)
            case QWidget():
                layout.addWidget(item)
            case _:
                layout.addLayout(item)


class KeyCap(QWidget):
    """A shortcut's key in a small box, as at the head of a column."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self._key = key
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Key {key}", key=key))

    def sizeHint(self) -> QSize:
        width = QFontMetrics(ui_font(10)).horizontalAdvance(self._key) + px(8)
        return QSize(max(px(16), width), px(16))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        t = tokens()
        paint_box(painter, self.rect(), ground=t.surface, border=t.line2, radius=4)
        paint_text(painter, self.rect(), self._key, ui_font(10), t.text2, align=Qt.AlignmentFlag.AlignHCenter)


class SectionHeader(QFrame):
    """A section's head: title, second voice, and controls at the right."""

    def __init__(
        self, title: str | QLabel, note: str = "", *right: QWidget, height: int = 40, role: str = "surface"
    ) -> None:
        super().__init__()
        self.setProperty("role", role)
        bound_height(self, height)
        self.title = label(title, "section") if isinstance(title, str) else title
        self.note = ElidedLabel(note, "second")
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        box = row(self.title, self.note, margins=(16, 0, 16, 0), gap=8)
        box.setStretch(1, 1)
        for widget in right:
            box.addWidget(widget)
        self._right = right
        self.setLayout(box)

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(least.width() - spared_by_icons(self._right), least.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fit_words(self._right, self.width() - self.title.minimumSizeHint().width() - px(2 * 16 + 2 * 8))
