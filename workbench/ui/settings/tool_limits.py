"""What executed tools may do, as the settings page shows it: may programs run, which, and for how long."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.ui.theme.theme import bound_width, fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.fields import LineField, NumberField
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from workbench.settings.values import ToolSettings

COMMANDS = [("no", tr("Off")), ("yes", tr("On"))]
_LONGEST_S = 3_600


class ToolLimits(QObject):
    """Three fields; `taken` is what they say."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.commands = Segments(COMMANDS)
        self.commands.setAccessibleName(tr("The tool execute_command"))
        self.programs = LineField(mono=True, name=tr("Programs that may run"), hint=tr("none"))
        self.seconds = NumberField(tr("Seconds of a command"), 1, _LONGEST_S, 20)
        set_tip(self.programs, tr("Programs that execute_command may run, with commas between them"))
        self.commands.chosen.connect(lambda _value: self._tell())
        self.programs.editingFinished.connect(self.changed)
        self.seconds.value_changed.connect(lambda _value: self.changed.emit())

    def lay_out(self, line: Callable[[str, QWidget, str], None], width: int) -> None:
        """Hand the fields to a page, line by line: title, widget, note."""
        bound_width(self.programs, least=width)
        fix_size(self.seconds, width=64)
        line(tr("Commands"), self.commands, tr("no shell, in the workspace folder, kept apart by bubblewrap"))
        line(tr("Programs"), self.programs, tr("no other one is started"))
        line(tr("Seconds"), self.seconds, tr("of a command, then it is killed"))

    def show_limits(self, tools: ToolSettings) -> None:
        """Show what is in force."""
        self.commands.choose("yes" if tools.commands else "no")
        self.programs.setText(", ".join(tools.allowed))
        self.seconds.set_value(round(tools.command_seconds))
        self._enable()

    def taken(self, tools: ToolSettings) -> ToolSettings:
        """The settings with what stands here."""
        names = tuple(dict.fromkeys(self.programs.text().replace(",", " ").split()))
        seconds = tools.command_seconds if round(tools.command_seconds) == self.seconds.value else self.seconds.value
        return replace(tools, commands=self.commands.value == "yes", allowed=names, command_seconds=float(seconds))

    def _tell(self) -> None:
        self._enable()
        self.changed.emit()

    def _enable(self) -> None:
        for field in (self.programs, self.seconds):
            field.setEnabled(self.commands.value == "yes")
