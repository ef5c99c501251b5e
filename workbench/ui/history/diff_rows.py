"""Where two runs differ, a line a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import Qt

from workbench.ui.widgets.line_model import LineModel

if TYPE_CHECKING:
    pass

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


class DiffModel(LineModel[DiffLine]):
    """The places, what was asked first."""

    columns = COLUMNS

    def cell(self, line: DiffLine, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            text = (line.where, line.kind, line.first, line.second)[column]
            return " ".join(text[:_SHORT].split())
        if role == Qt.ItemDataRole.AccessibleTextRole and column == WHERE:
            return f"{line.where} {line.kind}: {line.first[:_SHORT] or 'nothing'}, then {line.second[:_SHORT] or 'nothing'}"
        return None
