"""What stands in the window when the data folder cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.theme.theme import bound_width
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.error_card import ErrorCard
from workbench.ui.widgets.frames import column, row

if TYPE_CHECKING:
    from workbench.core.errors import WorkbenchError


class OpeningFailed(QFrame):
    """The error in three lines, with ways on."""

    again_asked = Signal()
    quit_asked = Signal()

    def __init__(self, error: WorkbenchError) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        again = Button(tr("Try again"), icon="arrow-clockwise", kind="primary", on_click=self.again_asked.emit)
        copy = Button(tr("Copy report"), icon="copy", on_click=self._copy)
        leave = Button(tr("Quit"), on_click=self.quit_asked.emit)
        leave.clicked.connect(self.again_asked)
        self.card = ErrorCard([again, copy, leave])
        self.card.show_error(
            tr("The data folder cannot be used"),
            error.message,
            tr("at the start, before anything was changed"),
            error.hint or tr("Give another folder with --home DIR."),
        )
        bound_width(self.card, most=760)
        box = row(gap=0)
        box.addStretch(1)
        box.addWidget(self.card, 8)
        box.addStretch(1)
        self.setLayout(column(None, box, None, None, margins=(24, 24, 24, 24)))

    def _copy(self) -> None:
        copy_text(self.card.report())
