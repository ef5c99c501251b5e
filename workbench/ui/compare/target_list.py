"""The chosen targets of a set-up: a list of one tab stop, however many there are; Del or the cross takes one out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QFrame

from workbench.ui.compare.values import ChosenTarget
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import fix_size, tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import column, label
from workbench.ui.widgets.line_model import LineModel
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import RowDelegate, RowList

if TYPE_CHECKING:
    from collections.abc import Sequence

AnyIndex = QModelIndex | QPersistentModelIndex
_ROW, _MOST = 36, 8
"""Height of a row, and how many are seen at once."""
_CROSS = 32
"""Width at the right end that takes a row out."""


class _Targets(LineModel[ChosenTarget]):
    def cell(self, line: ChosenTarget, _column: int, role: int) -> Any:
        words = ", ".join(filter(None, (line.model, line.format, line.mode, "simulated" if line.simulated else "")))
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.model
            case Qt.ItemDataRole.AccessibleTextRole:
                return words
            case Qt.ItemDataRole.ToolTipRole:
                return tr("{words}\nDel takes it out", words=words)
        return None


class _Delegate(RowDelegate):
    """Icon, model, format, mode, and the cross at the right."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        model = index.model()
        assert isinstance(model, _Targets)
        line, t = model.line(index.row()), tokens()
        side = px(15)
        top = rect.top() + (rect.height() - side) // 2
        paint_icon(
            painter, "flask" if line.simulated else "cloud", QRect(rect.left() + px(6), top, side, side), t.text2
        )
        cross = _cross(rect)
        paint_icon(painter, "x", QRect(cross.center().x() - px(7), cross.center().y() - px(7), px(14), px(14)), t.text2)
        room = QRect(rect.left() + px(30), rect.top(), cross.left() - rect.left() - px(38), rect.height())
        for text, font, colour in (
            (line.model, ui_font(12, bold=chosen), t.text),
            (line.format, mono_font(11), t.text2),
            (line.mode, ui_font(11), t.text2),
        ):
            paint_text(painter, room, text, font, colour)
            room.setLeft(min(room.right(), room.left() + QFontMetrics(font).horizontalAdvance(text) + px(16)))


class _RemovableRows(RowList):
    """Tells which row is to go."""

    removed = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.currentIndex().isValid():
            self.removed.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and _cross(self.visualRect(index)).contains(event.position().toPoint()):
            self.removed.emit(index.row())


class TargetList(QFrame):
    """The list, or a sentence while it is empty."""

    removed = Signal(int)
    """A row is to be taken out."""

    def __init__(self, name: str, nothing: str) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.model = _Targets(self)
        self.rows = _RemovableRows(name)
        self.rows.setItemDelegate(_Delegate(_ROW, self.rows))
        self.rows.setModel(self.model)
        self.rows.removed.connect(self.removed)
        self._nothing = label(nothing, "empty")
        self.setLayout(column(self.rows, self._nothing, gap=0))
        self.show_targets(())

    def show_targets(self, targets: Sequence[ChosenTarget]) -> None:
        """Replace the rows; the keyboard stays at its place in the list."""
        at = self.rows.currentIndex().row()
        self.model.show_lines(targets)
        self.rows.choose_row(min(max(at, 0), len(targets) - 1))
        self.rows.setVisible(bool(targets))
        self._nothing.setVisible(not targets)
        fix_size(self.rows, height=min(max(1, len(targets)), _MOST) * _ROW + 2)

    def cross(self, row: int) -> QPoint:
        """Where in the list the cross of a row is."""
        return _cross(self.rows.visualRect(self.model.index(row, 0))).center()


def _cross(rect: QRect) -> QRect:
    return QRect(rect.right() - px(_CROSS) + 1, rect.top(), px(_CROSS), rect.height())
