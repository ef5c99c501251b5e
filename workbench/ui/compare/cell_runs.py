"""The runs of a matrix cell as a list."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from workbench.ui.compare.values import RunLine
from workbench.ui.widgets.line_model import LineModel


class RunModel(LineModel[RunLine]):
    """One row a repeat."""

    def cell(self, line: RunLine, _column: int, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.reason or line.state
            case Qt.ItemDataRole.ToolTipRole:
                return f"{line.reason}\n{line.code}".strip()
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"repeat {line.repeat}, {line.state}, {line.reason} {line.code}".strip()
        return None
