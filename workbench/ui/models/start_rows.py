"""What the start page lists: recorded failures and simulated models, as plain values and one item model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

if TYPE_CHECKING:
    from collections.abc import Sequence

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
COLUMNS = ("", "What happened", "Format", "Code")


@dataclass(frozen=True, slots=True)
class ExampleLine:
    """One recorded run."""

    id: str
    title: str
    subtitle: str
    """The telling part of the raw output."""
    format: str
    code: str
    state: str
    """A verdict state."""
    headline: str
    what: str
    where: str
    next: str


@dataclass(frozen=True, slots=True)
class PersonaLine:
    """One simulated model."""

    name: str
    summary: str
    rates: tuple[tuple[str, float], ...]
    """Label and true rate of its faults, the most telling first."""
    planner: bool = False


class ExampleModel(QAbstractTableModel):
    """The list of recorded runs."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[ExampleLine, ...] = ()

    def show_lines(self, lines: Sequence[ExampleLine]) -> None:
        """Replace the list."""
        self.beginResetModel()
        self._lines = tuple(lines)
        self.endResetModel()

    def line(self, row: int) -> ExampleLine:
        """Return one recorded run."""
        return self._lines[row]

    def next_problem(self, row: int, step: int = 1) -> int:
        """Return the next row whose run did not pass, going round; the same row if there is none."""
        for distance in range(1, len(self._lines) + 1):
            at = (row + step * distance) % len(self._lines)
            if self._lines[at].state != "pass":
                return at
        return row

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        texts = (line.state, line.title, line.format, line.code)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return texts[index.column()]
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{line.title}, {line.state}, {line.format}, {line.code}" if index.column() == 1 else None
            case Qt.ItemDataRole.ToolTipRole:
                return line.subtitle if index.column() == 1 else None
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None
