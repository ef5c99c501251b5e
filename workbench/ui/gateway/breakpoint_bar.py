"""The bar below the exchanges: what is held, where, on what condition, and for how long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from workbench.ui.theme.theme import bound_width, fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.fields import ComboField, NumberField
from workbench.ui.widgets.frames import column, frame, label, row
from workbench.ui.widgets.stacking import StackRow

if TYPE_CHECKING:
    from collections.abc import Collection

PARTS = ("request", "reply")
CONDITIONS = (("always", "always"), ("result", tr("when a tool result is in it")), ("call", tr("when a call is in it")))
HERE, EVERYWHERE = "here", "everywhere"


class BreakpointBar(QFrame):
    """Tells what the user wants; the controller puts it in force."""

    changed = Signal()
    """Parts, condition or time are others."""
    scope_chosen = Signal(str)
    """`here` or `everywhere`: the breakpoints of that scope are wanted."""
    release_all_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._buttons = {part: Button(part, small=True, tip=tr("Hold each {part}", part=part)) for part in PARTS}
        for button in self._buttons.values():
            button.setCheckable(True)
            button.clicked.connect(self._on_clicked)
        self.scope = ComboField(name=tr("Where exchanges are held"), small=True)
        self.scope.set_items([(tr("in this conversation"), HERE), (tr("in every conversation"), EVERYWHERE)])
        self.scope.value_chosen.connect(lambda value: self.scope_chosen.emit(str(value)))
        self.when = ComboField(name=tr("On what condition"), small=True)
        self.when.set_items([(title, value) for value, title in CONDITIONS])
        self.when.value_chosen.connect(lambda _value: self.changed.emit())
        bound_width(self.scope, least=150)  # short of it the bar has two rows
        bound_width(self.when, least=180)
        self.seconds = NumberField(tr("Seconds after which a held exchange goes on"), 1, 3600, 60)
        fix_size(self.seconds, width=56)
        self.seconds.value_changed.connect(lambda _value: self.changed.emit())
        self.release_all = Button(
            tr("Release all"), icon="skip-forward", small=True, keys="Shift+F5", on_click=self.release_all_asked.emit
        )
        self.release_all.setEnabled(False)
        parts, limits, until = frame("surface"), frame("surface"), frame("surface")
        parts.setLayout(row(label(tr("Breakpoint"), "label_strong"), *self._buttons.values()))
        limits.setLayout(row(self.scope, self.when, None))
        until.setLayout(
            row(None, label(tr("goes on after"), "label"), self.seconds, label("s", "label"), 4, self.release_all)
        )
        what = StackRow(parts, limits, gap=8)
        what.set_shares(0, 1)
        line = StackRow(what, until, margins=(16, 10, 16, 10), gap=8)
        line.set_shares(1, 0)
        self.setLayout(column(line))

    @property
    def parts(self) -> tuple[str, ...]:
        """What shall be held."""
        return tuple(part for part, button in self._buttons.items() if button.isChecked())

    def button(self, part: str) -> Button:
        """The button of `request` or `reply`."""
        return self._buttons[part]

    def show_points(self, parts: Collection[str], when: str, seconds: int) -> None:
        """Show what is in force, silently."""
        for part, button in self._buttons.items():
            button.setChecked(part in parts)
        self.when.choose(when)
        self.seconds.set_value(seconds)
        self._show()

    def show_held(self, count: int) -> None:
        """Something is held, or nothing."""
        self.release_all.setEnabled(bool(count))

    def _on_clicked(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        for button in self._buttons.values():
            button.set_kind("chosen" if button.isChecked() else "normal")
