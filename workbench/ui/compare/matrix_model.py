"""The matrix as an item model: column 0 names the case, then one column a target. Two views share it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.ui.compare.matrix_values import Matrix
from workbench.ui.compare.matrix_words import headline, tip, underline

if TYPE_CHECKING:
    from workbench.ui.compare.matrix_values import MatrixCase, MatrixCell, MatrixTarget

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class MatrixModel(QAbstractTableModel):
    """Shows the rows that filter chip and words keep; live results change cells, never the order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._matrix = Matrix()
        self._order: tuple[MatrixCase, ...] = ()
        self._rows: list[MatrixCase] = []
        self._filter = "all"
        self._words: tuple[str, ...] = ()

    @property
    def matrix(self) -> Matrix:
        """Everything there is."""
        return self._matrix

    def show(self, matrix: Matrix, *, keep_order: bool = False) -> None:
        """Show a matrix; with `keep_order` the rows stay where they are while results come in."""
        same = [case.id for case in matrix.cases]
        shape = sorted(same) == sorted(case.id for case in self._order) and matrix.targets == self._matrix.targets
        if not (keep_order and shape):
            self.beginResetModel()
            self._matrix, self._order = matrix, matrix.cases
            self._rows = self._kept()
            self.endResetModel()
            return
        self._matrix = matrix
        now = {case.id: case for case in matrix.cases}
        self._order = tuple(now[case.id] for case in self._order)
        self._rows = [now[case.id] for case in self._rows]
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, self.columnCount() - 1))

    def set_filter(self, name: str, words: str = "") -> None:
        """Keep the rows of a chip that hold all words."""
        self.beginResetModel()
        self._filter, self._words = name, tuple(words.lower().split())
        self._rows = self._kept()
        self.endResetModel()

    def _kept(self) -> list[MatrixCase]:
        inside = {case.id for case in self._matrix.kept(self._filter)}
        return [case for case in self._order if case.id in inside and self._has_words(case)]

    def _has_words(self, case: MatrixCase) -> bool:
        text = f"{case.id} {case.title} {case.note}".lower()
        return all(word in text for word in self._words)

    def case(self, row: int) -> MatrixCase:
        """The case of a row."""
        return self._rows[row]

    def target(self, column: int) -> MatrixTarget:
        """The target of a column from 1."""
        return self._matrix.targets[column - 1]

    def cell(self, index: AnyIndex) -> MatrixCell:
        """The cell at an index beyond column 0."""
        return self._matrix.cell(self.case(index.row()), self.target(index.column()))

    def row_of(self, case_id: str) -> int:
        """Where a case stands, or -1."""
        return next((row for row, case in enumerate(self._rows) if case.id == case_id), -1)

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._matrix.targets) + 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        case = self.case(index.row())
        if index.column() == 0:
            match role:
                case Qt.ItemDataRole.DisplayRole:
                    return case.id
                case Qt.ItemDataRole.ToolTipRole:
                    return f"{case.title}\n{case.note}".strip()
                case Qt.ItemDataRole.AccessibleTextRole:
                    return f"case {case.id}, {case.note}"
            return None
        cell = self.cell(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return " ".join(part for part in (headline(cell), underline(cell)) if part)
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleTextRole:
                return tip(case, self.target(index.column()), cell)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or role not in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.ToolTipRole,
        ):
            return None
        if section == 0:
            return "Case"
        if not 0 < section < self.columnCount():
            return None
        target = self.target(section)
        return target.label if role == Qt.ItemDataRole.DisplayRole else f"{target.label}\n{target.note}".strip()
