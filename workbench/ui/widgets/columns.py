"""A table's columns, each described in one place: heading, value, width, looks, tool tip, sort key.

A page writes a tuple of `Column` beside its lines and a `TableModel` that holds it; `column_table` makes the view.
Nothing else knows how many columns there are or what stands in which.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QPainter

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.line_model import LineModel
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import AnyIndex, RowDelegate, RowTable

if TYPE_CHECKING:
    from collections.abc import Sequence

Line = TypeVar("Line")
Paint = Callable[[QPainter, QRect, Any, bool], None]
"""Paints a line's cell inside a rectangle; the last argument says that the row is chosen."""
_NOWHERE = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Column(Generic[Line]):
    """All that a table knows of one column."""

    title: str
    text: Callable[[Line], str]
    """What a cell says: painted, copied and read aloud."""
    width: int = 0
    """Pixels at 100 %; 0 for the column that takes the rest."""
    tip: Callable[[Line], str] | None = None
    """What a hover adds; None: the text once more, for where it is cut."""
    sort: Callable[[Line], Any] | None = None
    """A click on the heading sorts by it; None: the heading does nothing."""
    right: bool = False
    """Numbers stand at the right."""
    mono: bool = False
    size: int = 12
    token: str = "text2"
    """Name of the colour."""
    strong: bool = False
    """In weight 600 where the row is chosen."""
    left: int = 8
    """Pixels before the text."""
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    paint: Paint | None = None
    """Paints the cell where words alone do not do."""


class TableModel(LineModel[Line]):
    """Lines under columns; a subclass sets `columns`, and says with `spoken` what a screen reader reads of a row."""

    columns: ClassVar[tuple[Column[Any], ...]] = ()
    _order: tuple[int, Qt.SortOrder] | None = None

    def spoken(self, line: Line) -> str:
        """A whole row in words."""
        return ", ".join(words for column in self.columns if (words := column.text(line)))

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def cell(self, line: Line, column: int, role: int) -> Any:
        one = self.columns[column]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one.text(line)
            case Qt.ItemDataRole.ToolTipRole:
                return (one.tip or one.text)(line)
            case Qt.ItemDataRole.AccessibleTextRole if column == 0:
                return self.spoken(line)
            case Qt.ItemDataRole.AccessibleTextRole:
                return one.text(line) or f"{one.title} none".strip()  # a screen reader would say nothing at all
            case Qt.ItemDataRole.TextAlignmentRole if one.right:
                return _RIGHT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        return _RIGHT if role == Qt.ItemDataRole.TextAlignmentRole and self.columns[section].right else None

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Replace the rows; they are sorted as the user sorted those before."""
        super().show_lines(self._sorted(lines))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column that has a sort key; the chosen row stays chosen."""
        if not 0 <= column < len(self.columns) or self.columns[column].sort is None:
            return
        self.layoutAboutToBeChanged.emit()
        held = [(index, self._lines[index.row()]) for index in self.persistentIndexList()]
        self._order = column, order
        self._lines = self._sorted(self._lines)
        places = {id(line): row for row, line in enumerate(self._lines)}
        for index, line in held:
            self.changePersistentIndex(index, self.index(places[id(line)], index.column()))
        self.layoutChanged.emit()

    def _sorted(self, lines: Sequence[Line]) -> list[Line]:
        key = self.columns[self._order[0]].sort if self._order is not None else None
        if key is None or self._order is None:
            return list(lines)
        return sorted(lines, key=key, reverse=self._order[1] == Qt.SortOrder.DescendingOrder)


class ColumnDelegate(RowDelegate):
    """Paints each cell as its column says."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        model = index.model()
        assert isinstance(model, TableModel)
        column, line = model.columns[index.column()], model.line(index.row())
        inner = rect.adjusted(px(column.left), 0, -px(8), 0)
        if column.paint is not None:
            column.paint(painter, inner, line, chosen)
        elif text := column.text(line):
            font = (mono_font if column.mono else ui_font)(column.size, bold=chosen and column.strong)
            side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
            paint_text(painter, inner, text, font, tokens().colour(column.token), align=side, elide=column.elide)


def column_table(name: str, height: int, model: TableModel[Any]) -> RowTable:
    """A table that shows a model by its columns; `height` of a row in pixels."""
    table = RowTable(name, height, [column.width for column in model.columns])
    table.setItemDelegate(ColumnDelegate(height, table))
    table.setModel(model)
    if any(column.sort is not None for column in model.columns):
        table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
    return table
