"""The tab Models of the history: the table, or which kind of nothing there is."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget

from workbench.ui.history.model_rows import FormatRecord, FormatRecordsModel
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.columns import column_table
from workbench.ui.widgets.keyboard import keyboard_is_here
from workbench.ui.widgets.states import Emptiness

_ROW = 28


class ModelsPanel(QStackedWidget):
    """Rows arrive while they are read."""

    def __init__(self) -> None:
        super().__init__()
        self.model = FormatRecordsModel(self)
        self.table = column_table(tr("Models and formats"), _ROW, self.model)
        self.empty = Emptiness(
            "scales", tr("Nothing to sum up"), tr("Run something: calls and times are counted by model.")
        )
        self.addWidget(self.table)
        self.addWidget(self.empty)
        self._had_focus = False

    def want_focus(self) -> None:
        """Give the keyboard to the first row that comes."""
        self._had_focus = True

    def begin(self) -> None:
        """Reading starts; the keyboard is kept for the rows to come."""
        self._had_focus = self._had_focus or self.table.hasFocus()
        self.model.show_lines(())
        self.empty.set_state("hourglass", tr("Reading the last runs"), tr("One model after the other."))
        self.setCurrentWidget(self.empty)

    def add(self, line: FormatRecord) -> None:
        """One more model and format."""
        self.model.add_lines([line])
        self.setCurrentWidget(self.table)
        if self.model.rowCount() == 1:
            self.table.choose_row(0)
            if self._had_focus and keyboard_is_here(self):
                self.table.setFocus()
        self._had_focus = False

    def end(self) -> None:
        """Everything was read."""
        if not self.model.rowCount():
            self.empty.set_state("scales", tr("Nothing to sum up"), tr("No run that has ended matches the filter."))
