"""What the start page lists: recorded failures and simulated models, as plain values and one item model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from workbench.ui.widgets.line_model import LineModel

if TYPE_CHECKING:
    pass

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


class ExampleModel(LineModel[ExampleLine]):
    """The list of recorded runs."""

    columns = COLUMNS

    def next_problem(self, row: int, step: int = 1) -> int:
        """Return the next row whose run did not pass, going round; the same row if there is none."""
        for distance in range(1, len(self._lines) + 1):
            at = (row + step * distance) % len(self._lines)
            if self._lines[at].state != "pass":
                return at
        return row

    def cell(self, line: ExampleLine, column: int, role: int) -> Any:
        texts = (line.state, line.title, line.format, line.code)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return texts[column]
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{line.title}, {line.state}, {line.format}, {line.code}" if column == 1 else None
            case Qt.ItemDataRole.ToolTipRole:
                return line.subtitle if column == 1 else None
        return None
