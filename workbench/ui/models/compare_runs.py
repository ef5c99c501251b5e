"""The runs of a matrix cell as a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.models.compare_values import RunLine

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class RunModel(QAbstractListModel):
    """One row a repeat."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[RunLine, ...] = ()

    def show_lines(self, lines: Sequence[RunLine]) -> None:
        """Replace the runs."""
        self.beginResetModel()
        self._lines = tuple(lines)
        self.endResetModel()

    def line(self, row: int) -> RunLine:
        """Return one run."""
        return self._lines[row]

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.reason or line.state
            case Qt.ItemDataRole.ToolTipRole:
                return f"{line.reason}\n{line.code}".strip()
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"repeat {line.repeat}, {line.state}, {line.reason} {line.code}".strip()
        return None
