"""What a capability card shows: one row for each ability, with the exchanges that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

if TYPE_CHECKING:
    from collections.abc import Sequence

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
COLUMNS = ("Ability", "Answer", "What was seen")
TITLE, ANSWER, SEEN = range(3)


@dataclass(frozen=True, slots=True)
class AbilityLine:
    """One ability."""

    title: str
    kind: Literal["yes", "no", "unclear", "failed", "not_asked"]
    word: str
    seen: str
    evidence: str = ""
    """The exchanges as text."""


class AbilityModel(QAbstractTableModel):
    """The abilities of one card, in the order in which they were asked for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[AbilityLine, ...] = ()

    def show_lines(self, lines: Sequence[AbilityLine]) -> None:
        """Replace the rows."""
        self.beginResetModel()
        self._lines = tuple(lines)
        self.endResetModel()

    def add_line(self, line: AbilityLine) -> None:
        """Append the next answer."""
        at = len(self._lines)
        self.beginInsertRows(QModelIndex(), at, at)
        self._lines = (*self._lines, line)
        self.endInsertRows()

    def line(self, row: int) -> AbilityLine:
        """Return one ability."""
        return self._lines[row]

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{line.title}: {line.word}, {line.seen}"
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return (line.title, line.word, line.seen)[index.column()]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None
