"""Lists of the tools page as values: sources at the left, the tools of the chosen one beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QPainter

from workbench.core.tools import ToolMode
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.line_model import LineModel
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import RowDelegate, RowList

if TYPE_CHECKING:
    from workbench.core.tools import ToolSetup

AnyIndex = QModelIndex | QPersistentModelIndex
MODE_ICONS = {ToolMode.RECORD: "record", ToolMode.MOCK: "flask", ToolMode.ASK: "hand-palm", ToolMode.RUN: "play"}


@dataclass(frozen=True, slots=True)
class ToolLine:
    """One tool of the chosen set or source."""

    setup: ToolSetup
    source: str
    """Where it comes from, and what is to be known of it."""
    note: str = ""
    """Why it is not executed as things stand."""


class ToolModel(LineModel[ToolLine]):
    """The tools of one set or source."""

    def cell(self, line: ToolLine, _column: int, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.setup.spec.name
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{line.setup.spec.name}, {line.setup.mode.value}, {line.source}"
        return None

    def row_of(self, name: str) -> int:
        """Return where a tool stands, or -1."""
        return next((at for at, line in enumerate(self._lines) if line.setup.spec.name == name), -1)


class ToolDelegate(RowDelegate):
    """Name over source; icon and word of the mode at the right."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        model = index.model()
        assert isinstance(model, ToolModel)
        line, t = model.line(index.row()), tokens()
        word = line.setup.mode.value
        width = QFontMetrics(ui_font(11)).horizontalAdvance("record")
        right = rect.right() - px(12) - width
        colour = t.text3 if line.note else t.text2
        paint_text(painter, QRect(right, rect.top(), width + 2, rect.height()), word, ui_font(11), colour)
        glyph = QRect(right - px(20), rect.center().y() - px(7), px(14), px(14))
        paint_icon(painter, MODE_ICONS[line.setup.mode], glyph, colour)
        left = rect.left() + px(16)
        room = right - px(28) - left
        upper = QRect(left, rect.top() + px(5), room, px(17))
        lower = QRect(left, rect.top() + px(23), room, px(16))
        paint_text(painter, upper, line.setup.spec.name, mono_font(12, bold=chosen), t.text)
        about = f"{line.source}, {line.note}" if line.note else line.source
        paint_text(painter, lower, about, ui_font(11), t.text2)


class ToolList(RowList):
    """Space goes to the next mode of the chosen tool, Del takes it out of its set, Ctrl+Z takes the last edit back."""

    mode_asked = Signal()
    remove_asked = Signal()
    undo_asked = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        asked = {Qt.Key.Key_Space: self.mode_asked, Qt.Key.Key_Delete: self.remove_asked}.get(Qt.Key(event.key()))
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo_asked.emit()
        elif asked is not None and self.currentIndex().isValid():
            asked.emit()
        else:
            super().keyPressEvent(event)
