"""The runs of a matrix cell as a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from workbench.ui.compare.values import RunLine
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.line_model import LineModel

if TYPE_CHECKING:
    from workbench.store.opinions import Opinion


class RunModel(LineModel[RunLine]):
    """One row a repeat."""

    def cell(self, line: RunLine, _column: int, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.reason or line.state
            case Qt.ItemDataRole.ToolTipRole:
                return "\n".join(filter(None, (line.reason, line.code, _by_hand(line))))
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"repeat {line.repeat}, {line.state}, {line.reason} {line.code} {_by_hand(line)}".strip()
        return None


def _by_hand(line: RunLine) -> str:
    return tr("by hand: {hand}, {why}", hand=line.hand, why=line.why) if line.hand else ""


def with_hand(line: RunLine, said: Opinion | None) -> RunLine:
    """The line with what was set by hand, or without anything."""
    if said is None or said.state is None:
        return line._replace(hand="", why="")
    return line._replace(hand=said.state.value, why=f"{said.who}: {said.why}")
