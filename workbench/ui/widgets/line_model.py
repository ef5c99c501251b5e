"""The item model behind most lists and tables: plain lines, each shown as one row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.ui.widgets.shown_text import visible
from workbench.ui.widgets.tips import plain_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

AnyIndex = QModelIndex | QPersistentModelIndex
Line = TypeVar("Line")
_NOWHERE = QModelIndex()


class LineModel(QAbstractTableModel, Generic[Line]):
    """Subclasses say what stands in a cell; with one column it serves a list as well."""

    titles: ClassVar[tuple[str, ...]] = ("",)
    """Their headings."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: list[Line] = []

    def cell(self, line: Line, column: int, role: int) -> Any:
        """What a cell shows in a role; None for nothing."""
        raise NotImplementedError

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Replace the rows."""
        self.beginResetModel()
        self._lines = list(lines)
        self.endResetModel()

    def update_lines(self, lines: Sequence[Line]) -> None:
        """Show as many lines differently, without the view losing its place."""
        self._lines = list(lines)
        if lines:
            self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, self.columnCount() - 1))

    def add_lines(self, lines: Sequence[Line]) -> None:
        """Append rows."""
        if lines:
            at = len(self._lines)
            self.beginInsertRows(QModelIndex(), at, at + len(lines) - 1)
            self._lines += lines
            self.endInsertRows()

    def replace_row(self, row: int, line: Line) -> None:
        """Show one row differently."""
        self._lines[row] = line
        self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))

    def line(self, row: int) -> Line:
        """Return one line."""
        return self._lines[row]

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.titles)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        found = self.cell(self._lines[index.row()], index.column(), role)
        if role == Qt.ItemDataRole.ToolTipRole and found:
            return plain_tip(found)
        return visible(found) if role == Qt.ItemDataRole.AccessibleTextRole and found else found

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.titles[section]
        return None
