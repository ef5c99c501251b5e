"""What stands in the window before its pages."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame

from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import column, label, row
from workbench.ui.widgets.states import Spinner


class OpeningNotice(QFrame):
    """A quiet word while the records are opened."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        line = row(None, Spinner(), label(tr("Opening the records"), "second"), None)
        self.setLayout(column(None, line, None, None))
