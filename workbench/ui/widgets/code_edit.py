"""A JSON editor: line numbers, colours by role, and the fault underlined in place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QRect, QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from workbench.ui.theme.fonts import mono_font, px
from workbench.ui.theme.syntax import role_format, role_formats
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.shown_text import units

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.ui.widgets.json_check import TextFault


@runtime_checkable
class Restyled(Protocol):
    """Colours that another theme changes."""

    def restyle(self) -> None: ...


class LineColours(QSyntaxHighlighter):
    """Colours what a pattern finds in a line, each group by the role of its name; a line is coloured by itself."""

    pattern: ClassVar[re.Pattern[str]]
    roles: ClassVar[Mapping[str, str]] = {}
    """Roles of the groups that are not named for theirs."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._looks = role_formats()

    def restyle(self) -> None:
        """Take the colours of another theme."""
        self._looks = role_formats()
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        for match in self.pattern.finditer(text):
            group = match.lastgroup or "string"
            self.setFormat(units(text[: match.start()]), units(match[0]), self._looks[self.roles.get(group, group)])


class JsonColours(LineColours):
    """JSON: a string never crosses a line end."""

    pattern = re.compile(
        r'(?P<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<string>"(?:[^"\\]|\\.)*"?)|(?P<number>-?\d[\d.eE+-]*|true|false|null)'
    )


class FieldColours(LineColours):
    """The fields of a template."""

    pattern = re.compile(r"(?P<marker>\{\{.*?\}\}|\{%.*?%\})")


class _Numbers(QWidget):
    def __init__(self, editor: CodeEdit) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(self._editor.numbers_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_numbers(QPainter(self), event.rect())


class CodeEdit(QPlainTextEdit):
    """A text editor with line numbers. Undo works as anywhere."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setProperty("role", "field")
        self.setProperty("mono", "true")
        self.setFont(mono_font())
        self.setAccessibleName(name)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(
            True
        )  # a tab is no indent in YAML and JSON needs none: the keyboard is never caught here
        self._numbers = _Numbers(self)
        self.setCornerWidget(QWidget())
        self._fault_line = 0
        self._fault: list[QTextEdit.ExtraSelection] = []
        self._link: list[QTextEdit.ExtraSelection] = []
        self.blockCountChanged.connect(self._on_count)
        self.updateRequest.connect(self._on_update)
        self._on_count()

    def set_text(self, text: str) -> None:
        """Replace the text as one step that can be undone."""
        if text != self.toPlainText():
            cursor = self.textCursor()
            cursor.beginEditBlock()
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(text)
            cursor.endEditBlock()

    def show_fault(self, fault: TextFault | None) -> None:
        """Underline the place of a fault, or nothing."""
        self._fault_line = fault.line if fault else 0
        self._fault = []
        if fault is not None and fault.line:
            text = self.toPlainText()
            at = min(fault.offset, len(text))
            if at and (at == len(text) or text[at] == "\n"):
                at -= 1
            self._fault.append(self._spot(at, at + 1, "problem"))
        self.setExtraSelections([*self._link, *self._fault])
        self._numbers.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:  # another theme; Qt walks through its widgets now, so later
            QTimer.singleShot(0, self, self._restyle)

    def _restyle(self) -> None:
        with QSignalBlocker(self):  # other colours are no edit
            for colours in self.document().findChildren(QSyntaxHighlighter):
                if isinstance(colours, Restyled):
                    colours.restyle()

    def show_link(self, start: int, end: int) -> None:
        """Mark characters that are linked with what is chosen elsewhere, and scroll there; none where both are 0."""
        self._link = [self._spot(start, end, "linked")] if end else []
        self.setExtraSelections([*self._link, *self._fault])
        if self._link:
            line = self._link[0].cursor.blockNumber()
            first = self.firstVisibleBlock().blockNumber()
            if not first <= line < first + max(1, self.viewport().height() // self.fontMetrics().lineSpacing() - 1):
                self.verticalScrollBar().setValue(max(0, line - 2))

    def _spot(self, start: int, end: int, role: str) -> QTextEdit.ExtraSelection:
        spot, text = QTextEdit.ExtraSelection(), self.toPlainText()
        cursor = QTextCursor(self.document())
        cursor.setPosition(units(text[:start]))
        cursor.setPosition(units(text[:end]), QTextCursor.MoveMode.KeepAnchor)
        spot.cursor, spot.format = cursor, role_format(role)
        return spot

    def go_to(self, offset: int) -> None:
        """Put the cursor at an offset and scroll there."""
        cursor = self.textCursor()
        cursor.setPosition(units(self.toPlainText()[:offset]))
        self.setTextCursor(cursor)
        self.centerCursor()

    def numbers_width(self) -> int:
        """Room for the line numbers."""
        digits = max(len(str(self.blockCount())), 2)
        return QFontMetrics(mono_font(11)).horizontalAdvance("0") * digits + px(14)

    def paint_numbers(self, painter: QPainter, rect: QRect) -> None:
        """Paint the numbers of the visible lines; the fault's line in its colour."""
        t = tokens()
        painter.fillRect(rect, QColor(t.sunken))
        block, pitch = self.firstVisibleBlock(), QFontMetrics(mono_font()).lineSpacing() + 1
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(self.contentOffset()).toRect()
            if box.top() > rect.bottom():
                break
            line = block.blockNumber() + 1
            bad = line == self._fault_line
            room = QRect(0, box.top(), self._numbers.width() - px(6), min(pitch, box.height()))
            colour = t.failed if bad else t.text3
            paint_text(painter, room, str(line), mono_font(11, bold=bad), colour, align=Qt.AlignmentFlag.AlignRight)
            block = block.next()

    def _on_count(self) -> None:
        self.setViewportMargins(self.numbers_width(), 0, 0, 0)
        self._place_numbers()

    def _on_update(self, rect: QRect, by: int) -> None:
        if by:
            self._numbers.scroll(0, by)
        else:
            self._numbers.update(0, rect.y(), self._numbers.width(), rect.height())

    def _place_numbers(self) -> None:
        inner = self.contentsRect()
        self._numbers.setGeometry(inner.left(), inner.top(), self.numbers_width(), inner.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_numbers()
