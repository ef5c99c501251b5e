"""Suites and cases as two item models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import Qt

from workbench.ui.widgets.line_model import LineModel

if TYPE_CHECKING:
    pass

COLUMNS = ("Case", "Expects", "")
CASE, EXPECTS, STATE = range(3)


class SuiteLine(NamedTuple):
    """One suite in the list."""

    name: str
    cases: int
    read_only: bool = False
    faults: int = 0
    """Files that cannot be read as they stand."""

    @property
    def note(self) -> str:
        """`14 cases · built in, read only`."""
        words = [f"{self.cases} case{'' if self.cases == 1 else 's'}"]
        words += ["built in, read only"] if self.read_only else []
        words += [f"{self.faults} to mend"] if self.faults else []
        return " · ".join(words)


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One case of the chosen suite."""

    key: str
    """Path of its file, with the case's place where the file holds several."""
    id: str
    title: str
    expects: str
    tags: str = ""
    fault: str = ""
    """Why its file cannot be read."""
    edited: bool = False
    """What stands in the editor is not saved."""
    read_only: str = ""
    """Why it cannot be edited in place."""


class SuiteModel(LineModel[SuiteLine]):
    """The list of suites."""

    def row_of(self, name: str) -> int:
        """Where a suite stands, or -1."""
        return next((row for row, line in enumerate(self._lines) if line.name == name), -1)

    def cell(self, line: SuiteLine, _column: int, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.name
            case Qt.ItemDataRole.AccessibleTextRole | Qt.ItemDataRole.ToolTipRole:
                return f"{line.name}, {line.note}"
        return None


class CaseModel(LineModel[CaseLine]):
    """The cases of the chosen suite."""

    columns = COLUMNS

    def replace_line(self, line: CaseLine) -> None:
        """Show one case differently, such as while it is edited."""
        row = self.row_of(line.key)
        if row >= 0 and self._lines[row] != line:
            self._lines[row] = line
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))

    def row_of(self, key: str) -> int:
        """Where a case stands, or -1."""
        return next((row for row, line in enumerate(self._lines) if line.key == key), -1)

    def row_of_id(self, case_id: str) -> int:
        """Where the case of an id stands, or -1."""
        return next((row for row, line in enumerate(self._lines) if line.id == case_id), -1)

    def cell(self, line: CaseLine, column: int, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return (line.id, line.expects, "edited" if line.edited else "")[column]
            case Qt.ItemDataRole.ToolTipRole:
                return line.fault or f"{line.title}\n{line.tags}".strip()
            case Qt.ItemDataRole.AccessibleTextRole:
                state = ", not saved" if line.edited else ", cannot be read" if line.fault else ""
                return f"{line.id}, {line.title}, {line.expects}{state}"
        return None
