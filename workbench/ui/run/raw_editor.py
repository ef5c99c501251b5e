"""A raw text with line numbers and the roles of one format's reading, editable where it is shown as it is."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from workbench.core.calls import Span
from workbench.ui.theme.attempt_roles import attempt_roles
from workbench.ui.theme.fonts import mono_font, px
from workbench.ui.theme.syntax import role_format, role_formats
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import note_focus, paint_focus_ring, paint_text, shows_focus
from workbench.ui.widgets.shown_text import ShownText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from workbench.core.calls import Region

PREVIEW = 65_536
"""Units that are laid out at first; the rest is read, and shown on request."""
MOST = 1_048_576
"""Units that are ever laid out."""
PITCH = 18
GUTTER = 47
BLINK_MS = 300


class _Roles(QSyntaxHighlighter):
    """Lays roles over blocks; the document's own formats stay untouched, so that undo works."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._marks: list[tuple[int, int, str]] = []
        self._starts: list[int] = []
        self._looks: dict[str, QTextCharFormat] = {}

    def show_marks(self, marks: list[tuple[int, int, str]]) -> None:
        """Show `(start, end, role)` in units, sorted and apart; a role with `!` stands inside a problem."""
        self._marks, self._starts = marks, [start for start, _, _ in marks]
        self._looks = role_formats()
        problem = self._looks["problem"]
        for role, look in list(self._looks.items()):
            both = QTextCharFormat(look)
            both.merge(problem)
            self._looks[f"{role}!"] = both
        self.rehighlight()

    def highlightBlock(self, _text: str) -> None:
        begin = self.currentBlock().position()
        end = begin + self.currentBlock().length()
        first = max(bisect_right(self._starts, begin) - 1, 0)
        for start, stop, role in self._marks[first:]:
            if start >= end:
                break
            if stop > begin:
                low = max(start, begin)
                self.setFormat(low - begin, min(stop, end) - low, self._looks[role])


ASK_FOR_TEXT = tr("Paste or type what a model wrote.")


class _Gutter(QWidget):
    """Line numbers; the lines are the text's own, not those that wrapping makes."""

    def __init__(self, editor: RawEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(self._editor.gutter, 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._editor.paint_numbers(QPainter(self))


class RawEditor(QTextEdit):
    """Shows a text with roles; what the user types is told by `edited`."""

    edited = Signal()
    """The user changed the text; `text` has it."""
    place_chosen = Signal(int)
    """A character was clicked: its offset in code points."""
    grown = Signal()
    """More or less of the text is laid out."""

    def __init__(self) -> None:
        super().__init__()
        self._raw = ShownText()
        self._text = ""
        self.first_number = 1
        """The number of the text's first line, in the file that it comes from."""
        self._digits = 0
        self._limit = PREVIEW
        self._cut = False
        self._filling = False
        self._exact = True
        self._regions: tuple[Region, ...] = ()
        self._linked: tuple[Span, ...] = ()
        self._blink: Span | None = None
        self._roles = _Roles(self.document())
        self._gutter = _Gutter(self)
        self.setProperty("role", "pane")
        self.setAccessibleName(tr("Raw text"))
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setFont(mono_font())
        self.setPlaceholderText(ASK_FOR_TEXT)
        self._show_gutter()
        self.textChanged.connect(self._on_changed)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._gutter.update())

    @property
    def text(self) -> str:
        """The true text, whatever stands in for odd characters on the screen."""
        return self._text

    @property
    def is_cut(self) -> bool:
        """There is more text than is laid out."""
        return self._cut

    @property
    def is_exact(self) -> bool:
        """The screen shows the text to the letter, so it can be edited."""
        return self._exact

    @property
    def gutter(self) -> int:
        """Pixels for the numbers of the lines; more where they are long."""
        return px(GUTTER + 6 * max(self._digits - 4, 0))

    def set_first_number(self, number: int) -> None:
        """Count the lines from another number on; call it before `show_text`."""
        self.first_number = number
        self._digits = len(f"{number + 500}") if number > 1 else 0
        self._show_gutter()

    def _show_gutter(self) -> None:
        self.setViewportMargins(self.gutter, px(12), px(12), px(8))
        self._gutter.setGeometry(0, 0, self.gutter, self.height())

    def show_text(self, text: str) -> None:
        """Show another text, without roles yet."""
        self._text, self._limit = text, PREVIEW
        self._fill()

    def show_more(self) -> None:
        """Lay out all of a long text, as far as is sensible."""
        self._limit = MOST
        self._fill()

    def _fill(self) -> None:
        self._raw = ShownText()
        self._raw.append("text", self._text[: self._limit])  # what is not laid out needs no places
        shown = self._raw.shown_text(self._limit)[: self._limit]
        self._cut = max(len(self._text), self._raw.length) > self._limit
        self._exact = not self._cut and shown == self._text
        self._filling = True
        self._regions, self._linked, self._blink = (), (), None
        self._roles.show_marks([])
        self.setPlainText(shown)
        self._pitch()
        self._filling = False
        self.setReadOnly(not self._exact)
        self._show_selections()
        self._gutter.update()
        self.grown.emit()

    def _pitch(self) -> None:
        pitch = QTextBlockFormat()
        pitch.setLineHeight(px(PITCH), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(pitch)

    def _on_changed(self) -> None:
        self._gutter.update()
        if self._filling:
            return
        self._text = self.toPlainText()
        self._raw = ShownText()
        self._raw.append("text", self._text)
        self._linked, self._blink = (), None
        self._show_selections()
        if self._raw.length != len(self._text) or self._raw.shown_text() != self._text:
            position = self.textCursor().position()
            self._fill()
            cursor = self.textCursor()
            cursor.setPosition(min(position, self.document().characterCount() - 1))
            self.setTextCursor(cursor)
        self.edited.emit()

    def set_regions(self, regions: Iterable[Region]) -> None:
        """Give characters the roles of one reading."""
        self._regions = tuple(regions)
        self._filling = True
        self._roles.show_marks(self._marks())
        self._filling = False

    def _marks(self) -> list[tuple[int, int, str]]:
        marks = []
        for role, span in _apart(self._text, self._regions):
            place = self._raw.range_of(span)
            if place is not None and place[0] < self._limit:
                marks.append((place[0], min(place[1], self._limit), role))
        return sorted(marks)

    def set_linked(self, *spans: Span) -> None:
        """Mark characters as linked."""
        self._linked = spans
        self._show_selections()

    def jump(self, span: Span) -> None:
        """Show a place: scroll to it, and light its ground once."""
        place = self._place(span)
        if place is None:
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(place[0])
        top = self.cursorRect(cursor).top()
        if not 0 <= top <= self.viewport().height() - px(PITCH):
            bar = self.verticalScrollBar()
            bar.setValue(max(bar.value() + top - self.viewport().height() // 3, 0))
        self._blink = span
        self._show_selections()
        QTimer.singleShot(BLINK_MS, self, self._end_blink)

    def _end_blink(self) -> None:
        self._blink = None
        self._show_selections()

    def _place(self, span: Span) -> tuple[int, int] | None:
        place = self._raw.range_of(span)
        last = self.document().characterCount() - 1
        return None if place is None else (min(place[0], last), min(place[1], last))

    def _show_selections(self) -> None:
        found = []
        for span in (*self._linked, *((self._blink,) if self._blink else ())):
            if (place := self._place(span)) is not None:
                one = QTextEdit.ExtraSelection()
                cursor = QTextCursor(self.document())
                cursor.setPosition(place[0])
                cursor.setPosition(max(place[1], place[0]), QTextCursor.MoveMode.KeepAnchor)
                one.cursor, one.format = cursor, role_format("linked")
                found.append(one)
        self.setExtraSelections(found)

    def linked_text(self) -> list[str]:
        """The linked and the lit characters, as they stand in the text."""
        return [self._text[span.start : span.end] for span in (*self._linked, *((self._blink,) if self._blink else ()))]

    def restyle(self) -> None:
        """Make the formats again after the theme changed."""
        self.setFont(mono_font())
        self._filling = True
        self._pitch()
        self._roles.show_marks(self._marks())
        self._filling = False
        self._show_selections()

    def paint_numbers(self, painter: QPainter) -> None:
        """Paint the numbers of the lines that are visible."""
        t, layout = tokens(), self.document().documentLayout()
        offset, font = self.verticalScrollBar().value() - px(12), mono_font(10)
        block = self.cursorForPosition(self.viewport().rect().topLeft()).block()
        while block.isValid():
            box = layout.blockBoundingRect(block)
            top = round(box.top()) - offset
            if top > self.height():
                break
            room = QRect(0, top, self.gutter - px(19), px(PITCH))
            paint_text(
                painter,
                room,
                f"{block.blockNumber() + self.first_number}",
                font,
                t.text3,
                align=Qt.AlignmentFlag.AlignRight,
            )
            block = block.next()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._gutter.setGeometry(0, 0, self.gutter, self.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            found = self._raw.place_of(self.cursorForPosition(event.position().toPoint()).position())
            if found is not None:
                self.place_chosen.emit(found[1])

    def createMimeDataFromSelection(self) -> QMimeData:
        cursor, data = self.textCursor(), QMimeData()
        data.setText(self._raw.copied(cursor.selectionStart(), cursor.selectionEnd()))
        return data

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(source.text())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if shows_focus(self):
            paint_focus_ring(QPainter(self.viewport()), self.viewport().rect(), 4)

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_focus(self, event)
        super().focusInEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and hasattr(self, "_gutter"):
            self._show_gutter()
            self.restyle()


def _apart(text: str, regions: Iterable[Region]) -> Iterator[tuple[str, Span]]:
    """Roles of a text; a problem is given in pieces, with the roles that its attempt has inside."""
    for region in regions:
        if region.role != "problem":
            yield region.role, region.span
            continue
        at, end = region.span.start, region.span.end
        for inner in attempt_roles(text, region.span):
            if inner.span.start > at:
                yield "problem", Span(at, inner.span.start)
            yield f"{inner.role}!", inner.span
            at = inner.span.end
        if at < end:
            yield "problem", Span(at, end)
