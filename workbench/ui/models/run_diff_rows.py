"""Where two runs differ, a line a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

if TYPE_CHECKING:
    from collections.abc import Sequence

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
COLUMNS = ("Where", "", "A", "B")
WHERE, KIND, FIRST, SECOND = range(4)
_SHORT = 200
"""Characters of a value in a row; the whole stands below the table."""


class DiffLine(NamedTuple):
    """One place."""

    where: str
    kind: str
    """`added`, `removed` or `changed`."""
    first: str
    """The whole value of the first run, as text; empty where it has none."""
    second: str
    asked: bool = False
    """It belongs to what was asked: other outcomes are no wonder."""


class DiffSide(NamedTuple):
    """One of the two runs."""

    number: int
    state: str
    title: str
    where: str
    """Provider, model, format, mode."""


class DiffModel(QAbstractTableModel):
    """The places, what was asked first."""

    def __init__(self, lines: Sequence[DiffLine], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines = tuple(lines)

    def line(self, row: int) -> DiffLine:
        """Return one place."""
        return self._lines[row]

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            text = (line.where, line.kind, line.first, line.second)[index.column()]
            return " ".join(text[:_SHORT].split())
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == WHERE:
            return f"{line.where} {line.kind}: {line.first[:_SHORT] or 'nothing'}, then {line.second[:_SHORT] or 'nothing'}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None
