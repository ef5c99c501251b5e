"""The matrix as an item model: column 0 names the case, then one column a target. Two views share it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.grading.matrix import CaseFilter, Matrix
from workbench.ui.compare.matrix_words import cell_tip, column_label, column_note, headline, row_note, underline
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.tips import plain_tip

if TYPE_CHECKING:
    from workbench.grading.matrix import Cell, Row, TargetColumn

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class MatrixModel(QAbstractTableModel):
    """Shows the rows that filter chip and words keep; live results change cells, never the order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._matrix = Matrix((), ())
        self._columns: tuple[TargetColumn, ...] = ()
        self._order: tuple[Row, ...] = ()
        self._rows: list[Row] = []
        self._filter = CaseFilter.ALL
        self._words: tuple[str, ...] = ()

    @property
    def matrix(self) -> Matrix:
        """Everything there is."""
        return self._matrix

    @property
    def columns(self) -> tuple[TargetColumn, ...]:
        """The targets as they are shown: those of one model side by side."""
        return self._columns

    def show(self, matrix: Matrix, *, keep_order: bool = False) -> None:
        """Show a matrix; with `keep_order` the rows stay where they are while results come in."""
        now = {row.case.id: row for row in matrix.rows}
        columns = _side_by_side(matrix.columns)
        shape = sorted(now) == sorted(row.case.id for row in self._order) and _targets(columns) == _targets(
            self._columns
        )
        if not (keep_order and shape):
            self.beginResetModel()
            self._matrix, self._columns, self._order = matrix, columns, matrix.rows
            self._rows = self._kept()
            self.endResetModel()
            return
        self._matrix, self._columns = matrix, columns
        self._order = tuple(now[row.case.id] for row in self._order)
        self._rows = [now[row.case.id] for row in self._rows]
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, self.columnCount() - 1))

    def set_filter(self, chosen: CaseFilter, words: str = "") -> None:
        """Keep the rows of a chip that hold all words."""
        self.beginResetModel()
        self._filter, self._words = chosen, tuple(words.lower().split())
        self._rows = self._kept()
        self.endResetModel()

    def _kept(self) -> list[Row]:
        return [row for row in self._order if row.fits(self._filter) and self._has_words(row)]

    def _has_words(self, row: Row) -> bool:
        text = f"{row.case.id} {row.case.title} {row_note(row)}".lower()
        return all(word in text for word in self._words)

    def case(self, row: int) -> Row:
        """The case of a row, with its cells."""
        return self._rows[row]

    def target(self, column: int) -> TargetColumn:
        """The target of a column from 1."""
        return self._columns[column - 1]

    def cell(self, index: AnyIndex) -> Cell:
        """The cell at an index beyond column 0."""
        return self.case(index.row()).cells[self.target(index.column()).target]

    def group(self, column: int) -> tuple[int, int]:
        """First and last column of those, from 1, that share a model."""
        models = [one.value.executor.model for one in self._columns]
        first = last = column - 1
        while first and models[first - 1] == models[column - 1]:
            first -= 1
        while last + 1 < len(models) and models[last + 1] == models[column - 1]:
            last += 1
        return first + 1, last + 1

    def row_of(self, case_id: str) -> int:
        """Where a case stands, or -1."""
        return next((at for at, row in enumerate(self._rows) if row.case.id == case_id), -1)

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns) + 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.case(index.row())
        if index.column() == 0:
            match role:
                case Qt.ItemDataRole.DisplayRole:
                    return row.case.id
                case Qt.ItemDataRole.ToolTipRole:
                    return plain_tip(f"{row.case.title}\n{row_note(row)}".strip())
                case Qt.ItemDataRole.AccessibleTextRole:
                    return tr("case {id}, {row}", id=row.case.id, row=row_note(row))
            return None
        cell = self.cell(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return " ".join(part for part in (headline(cell), underline(cell)) if part)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(cell_tip(row, self.target(index.column()), cell))
            case Qt.ItemDataRole.AccessibleTextRole:
                return cell_tip(row, self.target(index.column()), cell)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or role not in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.ToolTipRole,
        ):
            return None
        if section == 0:
            return tr("Case")
        if not 0 < section < self.columnCount():
            return None
        column = self.target(section)
        label = column_label(column)
        return label if role == Qt.ItemDataRole.DisplayRole else plain_tip(f"{label}\n{column_note(column)}".strip())


def _side_by_side(columns: tuple[TargetColumn, ...]) -> tuple[TargetColumn, ...]:
    """Targets of one model beside each other, models in the order of their first target."""
    first: dict[str, int] = {}
    for column in columns:
        first.setdefault(str(column.value.executor), column.target)
    return tuple(sorted(columns, key=lambda one: (first[str(one.value.executor)], one.target)))


def _targets(columns: tuple[TargetColumn, ...]) -> list[tuple[int, str, bool]]:
    """What the header is painted from."""
    return [(one.target, column_label(one), one.simulated) for one in columns]
