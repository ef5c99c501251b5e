"""Strips of the start page that go away by themselves: servers found on this computer, and the first steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import ElidedLabel, column, frame, hairline, label, row
from workbench.ui.widgets.quantities import counted
from workbench.ui.widgets.states import Glyph
from workbench.ui.widgets.tips import set_tip
from workbench.ui.widgets.wrap import WrapBox

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN = 4
"""Models that are named."""


class ServerLine(NamedTuple):
    """A server that answers on this computer."""

    name: str
    address: str
    models: tuple[str, ...]

    @property
    def words(self) -> str:
        """`answers at 127.0.0.1:11434 with 3 models: a, b, c`."""
        more = ", …" if len(self.models) > _SHOWN else ""
        named = ", ".join(self.models[:_SHOWN]) + more
        return tr(
            "answers at {address} with {models}: {named}",
            address=self.address,
            models=counted(len(self.models), "model"),
            named=named,
        )


class StepLine(NamedTuple):
    """One first step."""

    id: str
    title: str
    done: bool


class FoundServers(QFrame):
    """A line for each server; hidden without one."""

    added = Signal(str)
    """The name of the server that shall become a provider."""
    never_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setAccessibleName(tr("Servers of models on this computer"))
        self._lines = column(gap=0)
        self.setLayout(self._lines)
        self._made: list[QWidget] = []
        self.hide()

    def show_servers(self, servers: Sequence[ServerLine]) -> None:
        """Show other servers."""
        for old in self._made:
            self._lines.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._made = [self._line(one, first=number == 0) for number, one in enumerate(servers)]
        for line in self._made:
            self._lines.addWidget(line)
        self.setVisible(bool(servers))

    def _line(self, server: ServerLine, *, first: bool) -> QWidget:
        add = Button(tr("Add as provider"), icon="plus", small=True, on_click=lambda: self.added.emit(server.name))
        add.setAccessibleName(tr("Add {server} as provider", server=server.name))
        add.setObjectName(f"add {server.name}")
        box = row(
            Glyph("hard-drives", "accent", 16), label(server.name, "strong"), ElidedLabel(server.words, "second"), add,
            margins=(16, 5, 12, 5), gap=10,
        )  # fmt: skip
        box.setStretch(2, 1)
        if first:
            never = Button(tr("Do not look"), kind="quiet", small=True, on_click=self.never_asked.emit)
            set_tip(never, tr("Do not look for servers on this computer any more; Settings brings it back"))
            box.addWidget(never)
        line = frame("surface")
        line.setLayout(column(hairline(), box, gap=0))
        return line


class FirstSteps(QFrame):
    """What to do first, each step a button with a tick once it is done; gone when all are done, or closed."""

    asked = Signal(str)
    """The id of a step that was clicked."""
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setAccessibleName(tr("First steps"))
        self._steps = WrapBox(gap=4)
        self.close_button = Button("", icon="x", kind="quiet", small=True, tip=tr("Hide the first steps for good"),
                                   on_click=self.closed.emit)  # fmt: skip
        self.close_button.setAccessibleName(tr("Hide the first steps"))
        box = row(label(tr("First steps"), "strong"), 4, self._steps, self.close_button, margins=(16, 4, 12, 4))
        box.setStretch(2, 1)
        self.setLayout(column(hairline(), box, gap=0))
        self.buttons: dict[str, Button] = {}
        self.hide()

    def show_steps(self, steps: Sequence[StepLine]) -> bool:
        """Show how far somebody is; return whether there are other buttons. Those that stay keep the keyboard."""
        other = list(self.buttons) != [step.id for step in steps]
        if other:
            self.buttons = {step.id: self._button(step) for step in steps}
            self._steps.show_widgets(list(self.buttons.values()))
        for step in steps:
            self._tick(self.buttons[step.id], step)
        self.setVisible(bool(steps) and not all(step.done for step in steps))
        return other

    def _button(self, step: StepLine) -> Button:
        return Button(
            step.title, icon="caret-right", kind="quiet", small=True, on_click=lambda: self.asked.emit(step.id)
        )

    @staticmethod
    def _tick(button: Button, step: StepLine) -> None:
        button.set_icon_name("check" if step.done else "caret-right")
        button.setEnabled(not step.done)
        button.setAccessibleName(f"{step.title}: {'done' if step.done else 'to do'}")
