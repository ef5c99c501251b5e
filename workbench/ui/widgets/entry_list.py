"""A list of named things: icon, name over a word on it, state at the right; providers and servers are shown by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.line_model import LineModel
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import RowDelegate

if TYPE_CHECKING:
    from collections.abc import Sequence

AnyIndex = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class ListEntry:
    """One provider in the list."""

    name: str
    subtitle: str
    icon: str
    state: str = ""
    """A verdict state whose mark stands beside the word: `pass` for ready, `error`, `not_gradable` for not tested."""
    word: str = ""


class EntryModel(LineModel[ListEntry]):
    """The list of providers."""

    def show_lines(self, lines: Sequence[ListEntry]) -> None:
        """Replace the list; where only states changed, the view keeps its choice."""
        if [line.name for line in lines] == [line.name for line in self._lines]:
            self.update_lines(lines)
        else:
            super().show_lines(lines)

    def row_of(self, name: str) -> int:
        """Return where a provider stands, or -1."""
        return next((row for row, line in enumerate(self._lines) if line.name == name), -1)

    def cell(self, line: ListEntry, _column: int, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.name
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(filter(None, (line.name, line.subtitle, line.word)))
        return None


def word_beside(line: ListEntry, room: int, *, chosen: bool = False) -> str:
    """The state's word; nothing where all is well and the name would be cut for it: the mark says that, too."""
    name = QFontMetrics(ui_font(13, bold=chosen)).horizontalAdvance(line.name)
    word = QFontMetrics(ui_font(11)).horizontalAdvance(line.word)
    return line.word if line.state != "pass" or name + px(26) + word <= room else ""


class EntryDelegate(RowDelegate):
    """Icon, name over protocol, state at the right."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        model = index.model()
        assert isinstance(model, EntryModel)
        line, t = model.line(index.row()), tokens()
        side = px(18)
        glyph = QRect(rect.left() + px(16), rect.top() + (rect.height() - side) // 2, side, side)
        paint_icon(painter, line.icon, glyph, t.text2)
        left = rect.left() + px(46)
        word = word_beside(line, rect.right() - px(16) - left, chosen=chosen)
        width = QFontMetrics(ui_font(11)).horizontalAdvance(word)
        right = rect.right() - px(16) - width
        colour = t.error if line.state == "error" else t.text2
        paint_text(painter, QRect(right, rect.top(), width + 2, rect.height()), word, ui_font(11), colour)
        room = right - left
        if line.state:
            mark = px(9)
            paint_verdict(painter, line.state, QRectF(right - px(17), rect.center().y() - mark / 2, mark, mark))
            room -= px(26)
        upper = QRect(left, rect.top() + px(8), room, px(18))
        lower = QRect(left, rect.top() + px(27), room, px(16))
        paint_text(painter, upper, line.name, ui_font(13, bold=chosen), t.text)
        paint_text(painter, lower, line.subtitle, ui_font(11), t.text2)
