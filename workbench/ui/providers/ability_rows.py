"""What a capability card shows: one row for each ability, with the exchanges that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import Qt

from workbench.ui.widgets.line_model import LineModel

if TYPE_CHECKING:
    pass

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


class AbilityModel(LineModel[AbilityLine]):
    """The abilities of one card, in the order in which they were asked for."""

    columns = COLUMNS

    def cell(self, line: AbilityLine, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{line.title}: {line.word}, {line.seen}"
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return (line.title, line.word, line.seen)[column]
        return None
