"""A read-only text cell on a fixed 16 px pitch: the raw output, and with the UI font the sanitized reply.

Text only ever grows by insertion. What was selected is copied as it came over the wire, without display breaks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from workbench.ui.run.loop.blocks import voice_format
from workbench.ui.theme.attempt_roles import attempt_roles
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.syntax import role_format
from workbench.ui.theme.tokens import Sizes
from workbench.ui.widgets.painting import paint_focus_ring, shows_focus

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.calls import Region
    from workbench.ui.widgets.shown_text import Insert, ShownText

PREVIEW = 65_536
"""Text beyond this many units is not laid out in a cell: the cell shows the beginning, its size and a button."""
PREVIEW_LINES = 4_000
BLINK_MS = 300

Marks = list[tuple[str, int, int]]
"""`(role, start, end)` in units of the shown text."""


class TextCell(QTextEdit):
    """Shows a `ShownText`; knows roles, linked characters and the place of a click."""

    place_chosen = Signal(str, int)
    """A character was clicked: its source and offset."""
    lines_changed = Signal(int, int)
    """How many lines there were and are."""
    scrolled_away = Signal(bool)
    """The user left the end of a growing text (True) or came back to it (False)."""

    def __init__(self, name: str, *, mono: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._raw: ShownText | None = None
        self._mono = mono
        self._lines = 0
        self._shown = 0
        self._marks: Marks = []
        self._linked: list[tuple[int, int]] = []
        self._blink: tuple[int, int] | None = None
        self._following = False
        self._inserting = self._measuring = False
        self._set_up(name)

    def _set_up(self, name: str) -> None:
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setAcceptRichText(False)
        self.setAccessibleName(name)
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)
        if self._mono:
            self.setProperty("role", "pane")
        self.setFont(mono_font() if self._mono else ui_font())
        _pitch(self.document())
        self.document().documentLayout().documentSizeChanged.connect(self._on_size_changed)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def is_cut(self) -> bool:
        """There is more text than the cell shows."""
        return self._raw is not None and self._shown < self._raw.length

    @property
    def lines(self) -> int:
        """Lines at the present width."""
        return self._lines

    def show_text(self, raw: ShownText, marks: Marks) -> None:
        """Show a whole text; called once, when the cell is made or a retry starts over."""
        self._raw, self._marks, self._linked, self._blink = raw, marks, [], None
        text = _first_lines(raw.shown_text(PREVIEW)[:PREVIEW])
        self._inserting = True
        self.document().clear()
        _pitch(self.document())
        QTextCursor(self.document()).insertText(text)
        self._shown = self.document().characterCount() - 1
        self._inserting = False
        self.set_marks(marks)
        self._on_size_changed()
        self._to_top()

    def _to_top(self) -> None:
        """A new text is read from its beginning, wherever the one before was."""
        self._inserting = True
        self.setTextCursor(QTextCursor(self.document()))
        self.verticalScrollBar().setValue(0)
        self._inserting = False

    def measure(self, width: int) -> int:
        """Lay out for a width, shown or not; return the number of lines. Whoever asks places the cell: no signal."""
        if round(self.document().textWidth()) != width:
            self._measuring = True
            self.document().setTextWidth(width)
            self._measuring = False
        return self._lines

    def insert(self, inserts: Sequence[Insert]) -> None:
        """Put new text where it belongs: one insertion at the end per batch in the usual case."""
        if not inserts:
            return
        self._inserting = True
        cursor = QTextCursor(self.document())
        for one in inserts:
            if one.at > self._shown or self._shown >= PREVIEW:
                continue
            text = one.text[: PREVIEW - self._shown]
            cursor.setPosition(one.at)
            cursor.insertText(text, QTextCharFormat())
            self._shown = self.document().characterCount() - 1
        self._inserting = False
        if self._following:
            self.to_end()

    def set_marks(self, marks: Marks) -> None:
        """Give characters their roles; the text stays."""
        self._marks = marks
        looks = {role: role_format(role) for role, _, _ in marks}
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for role, start, end in marks:
            self._format(cursor, start, end, looks[role])
        cursor.endEditBlock()

    def add_mark(self, role: str, start: int, end: int) -> None:
        """Give a role to characters of a growing text."""
        self._marks.append((role, start, end))
        self._format(QTextCursor(self.document()), start, end, role_format(role))

    def _format(self, cursor: QTextCursor, start: int, end: int, look: QTextCharFormat) -> None:
        end = min(end, self._shown)
        if start < end:
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(look)

    def set_linked(self, ranges: list[tuple[int, int]]) -> None:
        """Mark linked characters."""
        self._linked = ranges
        self._show_selections()

    def blink(self, start: int, end: int) -> None:
        """Show a place: scroll to it and light its ground once."""
        self.to_place(start)
        self._blink = (start, max(end, start + 1))
        self._show_selections()
        QTimer.singleShot(BLINK_MS, self, self._end_blink)

    def _end_blink(self) -> None:
        self._blink = None
        self._show_selections()

    @property
    def blinking(self) -> bool:
        """A place is lit at the moment."""
        return self._blink is not None

    def linked_text(self) -> list[str]:
        """The linked characters, as shown."""
        return [one.cursor.selectedText() for one in self.extraSelections()]

    def _show_selections(self) -> None:
        spots = [(start, end, role_format("linked")) for start, end in self._linked]
        if self._blink:
            spots.append((*self._blink, voice_format("linked")))
        self.setExtraSelections(
            [self._selection(min(a, self._shown), min(b, self._shown), look) for a, b, look in spots]
        )

    def _selection(self, start: int, end: int, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        one = QTextEdit.ExtraSelection()
        one.cursor, one.format = _between(self.document(), start, end), look
        return one

    def to_place(self, position: int) -> None:
        """Scroll a character into view."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, self._shown))
        top = self.cursorRect(cursor).top() + self.verticalScrollBar().value()
        bar = self.verticalScrollBar()
        if not bar.value() <= top <= bar.value() + self.viewport().height() - px(Sizes.LINE):
            bar.setValue(max(top - self.viewport().height() // 3, 0))

    def place_top(self, position: int) -> int:
        """Where a character stands inside the cell, from its top, with the scrolling counted."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, self._shown))
        return self.cursorRect(cursor).top()

    def follow(self, live: bool) -> None:
        """Stay at the end of a growing text, or stop doing so."""
        self._following = live
        if live:
            self.to_end()

    def to_end(self) -> None:
        """Scroll to the end."""
        self._inserting = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self._inserting = False

    def _on_scrolled(self, value: int) -> None:
        if self._inserting:
            return
        away = value < self.verticalScrollBar().maximum() - px(Sizes.LINE)
        if self._following and away:
            self._following = False
            self.scrolled_away.emit(True)
        elif not self._following and not away:
            self.scrolled_away.emit(False)

    def _on_size_changed(self) -> None:
        height = self.document().size().height()
        lines = max(1, round(height / px(Sizes.LINE)))
        if lines != self._lines:
            before, self._lines = self._lines, lines
            if not self._measuring:
                self.lines_changed.emit(before, lines)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll inside only where the cell has the keyboard; otherwise the page moves on."""
        bar = self.verticalScrollBar()
        if self.hasFocus() and bar.maximum() > 0:
            super().wheelEvent(event)
        else:
            event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and not self.textCursor().hasSelection() and self._raw:
            position = self.cursorForPosition(event.position().toPoint()).position()
            found = self._raw.place_of(position)
            if found is not None:
                self.place_chosen.emit(*found)

    def createMimeDataFromSelection(self) -> QMimeData:
        cursor, data = self.textCursor(), QMimeData()
        if self._raw is not None:
            data.setText(self._raw.copied(cursor.selectionStart(), cursor.selectionEnd()))
        return data

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if shows_focus(self):
            paint_focus_ring(QPainter(self.viewport()), self.viewport().rect(), 4)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.StyleChange and self._raw is not None:
            self.setFont(mono_font() if self._mono else ui_font())
            _pitch(self.document())
            self._on_size_changed()
        if event.type() is QEvent.Type.PaletteChange and self._raw is not None:
            self._format(QTextCursor(self.document()), 0, self._shown, voice_format("text"))
            self.set_marks(self._marks)
            self._show_selections()
        super().changeEvent(event)


def _between(document: QTextDocument, start: int, end: int) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def _pitch(document: QTextDocument) -> None:
    block = QTextBlockFormat()
    block.setLineHeight(px(Sizes.LINE), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.mergeBlockFormat(block)


def _first_lines(text: str) -> str:
    if text.count("\n") <= PREVIEW_LINES:
        return text
    return "\n".join(text.split("\n", PREVIEW_LINES)[:PREVIEW_LINES])


def marks_of(raw: ShownText, regions: Iterable[Region], *, captions: bool = True) -> Marks:
    """Translate regions to units of the shown text; captions of native calls get their roles too."""
    marks: Marks = []
    if captions:
        marks += [("reasoning", start, end) for source, start, end in raw.sources() if source == "reasoning"]
        for start, name, end in raw.captions():
            marks += [("marker", start, name - 1), ("name", name, end)]
    for region in regions:
        inside = attempt_roles(raw.source(region.span.source), region.span) if region.role == "problem" else []
        for role, span in (*inside, region):
            found = raw.range_of(span)
            if found and found[0] < PREVIEW:
                marks.append((role, *found))
    return marks
