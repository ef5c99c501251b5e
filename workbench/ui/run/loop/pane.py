"""One cell of a step row: text or blocks, buttons under it, and a cut line after twelve lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.run.loop.block_cell import BlockCell
from workbench.ui.run.loop.text import TextCell
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.tokens import Sizes
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.quantities import size

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from workbench.ui.run.loop.blocks import Block
    from workbench.ui.run.loop.text import Marks
    from workbench.ui.widgets.shown_text import ShownText

MOST_LINES = 12
"""Lines of a cell before it scrolls inside."""


BAR = 10
"""Width of a scroll bar; it does not follow the text size."""


class Pane(QWidget):
    """Holds one text or one list of blocks; knows how high it wants to be."""

    height_changed = Signal()
    link_chosen = Signal(object)
    menu_asked = Signal(object, QPoint)
    place_chosen = Signal(str, int)
    scrolled_away = Signal(bool)
    whole_asked = Signal()
    """The text is longer than a cell shows and the user wants all of it."""

    def __init__(self, name: str, *, mono: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._mono = name, mono
        self._raw: ShownText | None = None
        self.text: TextCell | None = None
        self.blocks: BlockCell | None = None
        self._buttons: list[Button] = []
        self._expanded = False
        self.more = Button("", kind="quiet", small=True, on_click=self._on_more, parent=self)
        self.more.hide()

    def show_text(self, raw: ShownText, marks: Marks) -> None:
        """Show a text; blocks that were there go."""
        self._raw = raw
        if self.blocks is not None:
            self.blocks.hide()
        if self.text is None:
            self.text = TextCell(self._name, mono=self._mono, parent=self)
            self.text.lines_changed.connect(self._on_lines_changed)
            self.text.place_chosen.connect(self.place_chosen)
            self.text.scrolled_away.connect(self.scrolled_away)
        self.text.show()
        self.text.show_text(raw, marks)
        self.height_changed.emit()

    def _on_lines_changed(self, before: int, now: int) -> None:
        """Beyond the most lines a growing text changes nothing but the count of hidden lines."""
        if min(before, now) > MOST_LINES and not self._expanded:
            self.place()
        else:
            self.height_changed.emit()

    def show_blocks(self, blocks: Sequence[Block], tips: Mapping[Hashable, str] | None = None) -> None:
        """Show blocks; a text that was there goes."""
        if self.text is not None:
            self.text.hide()
        if self.blocks is None:
            self.blocks = BlockCell(self._name, self)
            self.blocks.link_chosen.connect(self.link_chosen)
            self.blocks.menu_asked.connect(self.menu_asked)
        was_hidden = self.blocks.isHidden()
        self.blocks.show()
        if self.blocks.set_blocks(blocks, tips) or was_hidden:
            self.height_changed.emit()

    def take_focus(self) -> None:
        """Give the keyboard to what is shown."""
        shown = self.text if self.shows_text else self.blocks
        if shown is not None:
            shown.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def shows_text(self) -> bool:
        """A text is shown, not blocks."""
        return self.text is not None and not self.text.isHidden()

    def set_buttons(self, buttons: Sequence[Button]) -> None:
        """Put buttons under the content; earlier ones go."""
        if not buttons and not self._buttons:
            return
        for old in self._buttons:
            old.hide()
            old.deleteLater()
        self._buttons = list(buttons)
        for button in self._buttons:
            button.setParent(self)
            button.show()
        self.height_changed.emit()

    @property
    def buttons(self) -> list[Button]:
        """The buttons under the content."""
        return self._buttons

    def height_for(self, width: int) -> int:
        """The height this pane wants at a width, without cell padding."""
        content = self._content_height(width)
        height = content if self._expanded else min(content, self._limit)
        if self._has_more(content):
            height += px(24)
        if self._buttons:
            height += px(4) + self._buttons[0].sizeHint().height()
        return height

    @property
    def _limit(self) -> int:
        return MOST_LINES * px(Sizes.LINE)

    def _content_height(self, width: int) -> int:
        if self.shows_text and self.text is not None:
            return self._lines(self.text, width) * px(Sizes.LINE)
        return self.blocks.natural_height(width) if self.blocks is not None and not self.blocks.isHidden() else 0

    def _lines(self, text: TextCell, width: int) -> int:
        """Lines of the text; where it scrolls inside, beside its scroll bar. A long text is laid out once, not twice."""
        if self._expanded:
            return text.measure(width)
        beside_bar = width - BAR
        if text.lines > MOST_LINES and (lines := text.measure(beside_bar)) > MOST_LINES:
            return lines
        lines = text.measure(width)
        return lines if lines <= MOST_LINES else text.measure(beside_bar)

    def _has_more(self, content: int) -> bool:
        cut = self.shows_text and self.text is not None and self.text.is_cut
        return content > self._limit or cut

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    def place(self) -> None:
        """Give the parts their places."""
        width = self.width()
        content = self._content_height(width)
        visible = content if self._expanded else min(content, self._limit)
        if self.shows_text and self.text is not None:
            inside = content > visible
            policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if inside else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            self.text.setVerticalScrollBarPolicy(policy)
            self.text.setGeometry(0, 0, width, visible)
        elif self.blocks is not None:
            self.blocks.setGeometry(0, 0, width, visible)
        self._place_more(content, visible)
        top = visible + (px(24) if self._has_more(content) else 0) + px(4)
        left = 0
        for button in self._buttons:
            hint = button.sizeHint()
            button.setGeometry(QRect(QPoint(left, top), hint))
            left += hint.width() + px(8)

    def _place_more(self, content: int, visible: int) -> None:
        shown = self._has_more(content)
        self.more.setVisible(shown)
        if not shown:
            return
        hidden = (content - self._limit) // px(Sizes.LINE)
        words = tr("Show fewer lines") if self._expanded else tr("+ {hidden:,} lines", hidden=hidden)
        if self.shows_text and self.text is not None and self.text.is_cut and self._raw is not None:
            words = tr("Show all, {characters}", characters=size(self._raw.characters))
        if words != self.more.text():
            self.more.setText(words)
            self.more.setAccessibleName(f"{self._name}: {words}")
        hint = self.more.sizeHint()
        self.more.setGeometry(-px(8), visible, hint.width(), px(24))

    def _on_more(self) -> None:
        if self.shows_text and self.text is not None and self.text.is_cut:
            self.whole_asked.emit()
            return
        self._expanded = not self._expanded
        self.height_changed.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self.more.isHidden() and not self._expanded:
            y = self.more.y()
            QPainter(self).fillRect(0, y, self.width(), 1, QColor(tokens().line))
