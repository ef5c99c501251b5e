"""A raw pane: text with roles, read only, on a line pitch of 16 px so that columns meet.

Holds up to 64 kB; of longer texts the beginning is shown with the size of the rest, until `show_all`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QSize, Qt
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from workbench.ui.theme.attempt_roles import attempt_roles
from workbench.ui.theme.fonts import mono_font, px
from workbench.ui.theme.syntax import role_formats
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.shown_text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from workbench.core.calls import Region

LIMIT = 64 * 1024


class RawPane(QTextEdit):
    """Shows a text and the roles of its characters; `regions` count code points of the text."""

    def __init__(
        self, name: str = tr("Raw output"), *, size: int = 12, line: int = 16, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._size = size
        self._line = line
        self._text = ""
        self._regions: tuple[Region, ...] = ()
        self._limit = LIMIT
        self.setProperty("role", "pane")
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)

    @property
    def raw(self) -> str:
        """The whole text, also where only its beginning is shown."""
        return self._text

    def show_text(self, text: str, regions: Sequence[Region] = ()) -> None:
        """Replace the text and its roles."""
        self._text = text
        self._regions = tuple(regions)
        self._limit = LIMIT
        self._fill()

    def show_all(self) -> None:
        """Show a long text whole."""
        self._limit = len(self._text)
        self._fill()

    def restyle(self) -> None:
        """Make the formats again after the theme changed."""
        self._fill()

    def _fill(self) -> None:
        """Write the text in one piece, then lay the roles over it."""
        shown = self._text[: self._limit]
        self.setFont(mono_font(self._size))
        self.clear()
        cursor = QTextCursor(self.document())
        block = QTextBlockFormat()
        block.setLineHeight(px(self._line), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor.setBlockFormat(block)
        cursor.insertText(visible(shown), QTextCharFormat())
        self._lay_roles(cursor, shown)
        if len(self._text) > len(shown):
            cursor.movePosition(QTextCursor.MoveOperation.End)
            rest = len(self._text) - len(shown)
            cursor.insertText(tr("\n… {rest:,} more characters", rest=rest), role_formats()["reasoning"])
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _lay_roles(self, cursor: QTextCursor, shown: str) -> None:
        looks = role_formats()
        units = _Units(shown)
        for role, span in _with_attempts(shown, self._regions):
            if span.start >= len(shown) or role not in looks:
                continue
            cursor.setPosition(units.at(span.start))
            cursor.setPosition(units.at(min(span.end, len(shown))), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(looks[role])

    def text_height(self, width: int) -> int:
        """Return the height that the whole text needs at a width."""
        document = self.document().clone()
        document.setTextWidth(width)
        return round(document.size().height())

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the true characters, as plain text alone."""
        cursor, data = self.textCursor(), QMimeData()
        units = self._text.encode("utf-16-le", "surrogatepass")
        chosen = units[2 * cursor.selectionStart() : 2 * cursor.selectionEnd()]
        data.setText(chosen.decode("utf-16-le", "replace"))
        return data

    def sizeHint(self) -> QSize:
        return QSize(px(240), px(5 * self._line))


def _with_attempts(text: str, regions: Iterable[Region]) -> Iterator[Region]:
    """The regions, and before each problem the roles inside it."""
    for region in regions:
        if region.role == "problem":
            yield from attempt_roles(text, region.span)
        yield region


class _Units:
    """Code points to UTF-16 units, which Qt counts in; free where no character lies beyond the first plane."""

    def __init__(self, text: str) -> None:
        self._plain = text.isascii() or max(text) <= "\uffff"
        self._text = text
        self._done = 0
        self._wide = 0

    def at(self, point: int) -> int:
        """Return the position in units of a code point; points must not go far backwards to stay linear."""
        if self._plain:
            return point
        if point < self._done:
            self._done = self._wide = 0
        self._wide += sum(character > "\uffff" for character in self._text[self._done : point])
        self._done = point
        return point + self._wide
