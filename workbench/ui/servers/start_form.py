"""The form of a start: a model file, few wishes, and below them what would be started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QWidget

from workbench.ui.servers.values import StartForm
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_width, fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.fields import ComboField, LineField, NumberField
from workbench.ui.widgets.frames import column, frame, label, row
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.raw_pane import RawPane
from workbench.ui.widgets.tips import set_tip
from workbench.ui.widgets.wrap import WrapBox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.servers.values import StartPlan

_LABEL = 96
_FIELD = 560


class FactsGrid(QWidget):
    """Labels and values, one pair a line."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnMinimumWidth(0, px(_LABEL))
        self._grid.setColumnStretch(1, 1)
        self._pairs: list[tuple[QLabel, QLabel]] = []
        self.setLayout(self._grid)

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Replace the lines."""
        while len(self._pairs) < len(facts):
            pair = (label("", "label"), label("", "body", selectable=True))
            pair[1].setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            for at, widget in enumerate(pair):
                self._grid.addWidget(widget, len(self._pairs), at)
            self._pairs.append(pair)
        for number, (name, value) in enumerate(self._pairs):
            shown = number < len(facts)
            name.setVisible(shown)
            value.setVisible(shown)
            name.setText(facts[number][0] if shown else "")
            value.setText(facts[number][1] if shown else "")
            set_tip(value, value.text())

    @property
    def text(self) -> str:
        """All lines, for a test's eye."""
        return "\n".join(f"{name.text()}: {value.text()}" for name, value in self._pairs if name.text())


class StartFormView(QFrame):
    """Fields, plan and the Start button."""

    changed = Signal()
    """Something that the plan depends on was edited."""
    browse_asked = Signal()
    template_asked = Signal()
    start_asked = Signal()
    program_asked = Signal()
    program_named = Signal(str)
    """Another llama-server to use from now on; empty: look for one again."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.file = LineField(mono=True, name=tr("Model file"), hint="/path/to/model.gguf")
        self.alias = LineField(name=tr("Alias"), hint=tr("the file's name"))
        self.port = LineField(name=tr("Port"), hint=tr("a free one"))
        self.context = LineField(name=tr("Context"), hint=tr("by the model"))
        self.parallel = NumberField(tr("Requests at once"), 1, 64, 1)
        self.template_file = LineField(mono=True, name=tr("Chat template"), hint=tr("the file's own"))
        self.tools = ComboField(name=tr("Tool calling"))
        self.tools.set_items((("on", True), ("off", False)))
        self.flags = LineField(mono=True, name=tr("Further flags"), hint=tr("-ngl 99"))
        self.program = LineField(
            mono=True, name=tr("Program"), hint=tr("llama-server, from LLAMACPP_SERVER or the PATH"), clearable=True
        )
        self.browse_program = Button(tr("Choose …"), icon="folder-open", on_click=self.program_asked.emit)
        self.browse = Button(tr("Choose …"), icon="folder-open", on_click=self.browse_asked.emit)
        self.browse_template = Button(tr("Choose …"), icon="folder-open", on_click=self.template_asked.emit)
        for button, what in (
            (self.browse, tr("model file")),
            (self.browse_template, tr("chat template")),
            (self.browse_program, "program"),
        ):
            button.setAccessibleName(tr("Choose the {what}", what=what))
        self.start = Button(
            tr("Start"), icon="play", kind="primary", keys="Ctrl+Return", on_click=self.start_asked.emit
        )
        self.facts = FactsGrid()
        self.guess = Chip(tr("guess"), "guess")
        self.notes = Paragraph(size=12, line=18)
        self.trouble = Paragraph(size=12, line=18)
        self.command = RawPane(tr("Command line"), size=11, line=17)
        fix_size(self.command, height=64)
        self._plan = self._plan_box()
        foot = row(self.start, None)
        whole = column(self._fields(), self.trouble, self._plan, foot, None, margins=(24, 16, 24, 16), gap=16)
        self.setLayout(whole)
        for field in self._lines():
            field.textChanged.connect(lambda _text: self.changed.emit())
        self.program.editingFinished.connect(lambda: self.program_named.emit(self.program.text().strip()))
        self.tools.value_chosen.connect(lambda _value: self.changed.emit())
        self.parallel.value_changed.connect(lambda _value: self.changed.emit())
        self.show_nothing()

    def _lines(self) -> tuple[LineField, ...]:
        return (self.file, self.alias, self.port, self.context, self.template_file, self.flags)

    def _fields(self) -> QWidget:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnMinimumWidth(0, px(_LABEL))
        for field in (self.port, self.context):
            fix_size(field, width=110)
        fix_size(self.parallel, width=52)
        fix_size(self.tools, width=110)
        for field in (self.file, self.alias, self.template_file, self.flags, self.program):
            bound_width(field, most=_FIELD)
        lines: list[tuple[str, tuple[QWidget, ...]]] = [
            (tr("Model file"), (self.file, self.browse)),
            (tr("Alias"), (self.alias,)),
            (tr("Port"), (self._numbers(),)),
            (tr("Tool calling"), (self.tools,)),
            (tr("Chat template"), (self.template_file, self.browse_template)),
            (tr("Further flags"), (self.flags,)),
            (tr("Program"), (self.program, self.browse_program)),
        ]  # fmt: skip
        for number, (name, widgets) in enumerate(lines):
            grid.addWidget(label(name, "second"), number, 0)
            box = row(*widgets, None)
            if isinstance(widgets[0], LineField | WrapBox):
                box.setStretch(0, 100)
            grid.addLayout(box, number, 1)
        made = frame("surface")
        made.setLayout(grid)
        return made

    def _numbers(self) -> QWidget:
        pairs = []
        for name, field in (("", self.port), (tr("Context"), self.context), (tr("Requests at once"), self.parallel)):
            pairs.append(QWidget())
            pairs[-1].setLayout(row(label(name, "label"), field) if name else row(field))
        return WrapBox(pairs)

    def _plan_box(self) -> QWidget:
        made = frame("surface")
        head = row(label(tr("What will be started"), "section"), self.guess, None)
        made.setLayout(column(head, self.facts, self.notes, self.command, gap=10))
        return made

    def form(self) -> StartForm:
        """What stands in the fields."""
        return StartForm(
            self.file.text().strip(), self.alias.text().strip(), self.port.text().strip(),
            self.context.text().strip(), self.parallel.value, bool(self.tools.value), self.template_file.text().strip(),
            self.flags.text().strip(),
        )  # fmt: skip

    def show_form(self, form: StartForm) -> None:
        """Fill the fields, telling once."""
        values = (form.file, form.alias, form.port, form.context, form.template_file, form.flags)
        for field, value in zip(self._lines(), values, strict=True):
            with QSignalBlocker(field):
                field.setText(value)
        self.parallel.set_value(form.parallel)
        self.tools.choose(form.tool_calling)
        self.changed.emit()

    def show_plan(self, plan: StartPlan) -> None:
        """Show what would be started."""
        self.trouble.hide()
        self.facts.show_facts(plan.facts)
        self.guess.setVisible(plan.guess)
        self.notes.show_runs([TextRun("\n".join(plan.notes), token="text2")] if plan.notes else [])
        self.notes.setVisible(bool(plan.notes))
        self.command.show_text(plan.command)
        self._plan.show()
        self.start.setEnabled(True)
        self.start.set_tip(tr("Start"))

    def show_trouble(self, message: str, hint: str) -> None:
        """Say why nothing can be started."""
        self.show_nothing()
        self.trouble.show_runs(
            [TextRun(message, bold=True, token="error"), TextRun(f"\n{hint}" if hint else "", token="text2")]
        )
        self.trouble.show()
        self.start.set_tip(message)

    def show_nothing(self) -> None:
        """No file was chosen yet."""
        self.trouble.hide()
        self._plan.hide()
        self.start.setEnabled(False)
        self.start.set_tip(tr("Choose a model file first"))
