"""One tool: what a call of it is, its definition as a form and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from workbench.core.json_places import locate
from workbench.core.json_text import json_or
from workbench.core.tools import ToolMode
from workbench.ui.theme.theme import bound_width, fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.tools.definition_form import DefinitionForm
from workbench.ui.tools.lint_notes import LintNotes
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.code_edit import CodeEdit, JsonColours
from workbench.ui.widgets.fields import NumberField
from workbench.ui.widgets.frames import SectionHeader, column, hairline, label, row, set_role
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.tool_chips import MODE_TIPS, MODE_WORDS

if TYPE_CHECKING:
    from workbench.core.tools import ToolSetup
    from workbench.ui.widgets.json_check import TextFault

_LEAST = 300


class DefinitionPane(QFrame):
    """Shows and edits one tool; what cannot be read stays as typed and is not taken."""

    mode_chosen = Signal(object)
    """A `ToolMode`."""
    seconds_chosen = Signal(int)
    text_edited = Signal(str)
    """The JSON, as typed."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        bound_width(self, least=_LEAST)
        self.head = SectionHeader("", "", height=44)
        self.modes = Segments([(mode.value, MODE_WORDS[mode]) for mode in ToolMode])
        self.seconds = NumberField(tr("Refused after seconds"), 5, 3600, 120)
        fix_size(self.seconds, width=64)
        self._seconds_label = label(tr("refused after"), "label")
        self._unit = label("s", "label")
        self.what = label("", "second", wrap=True)
        self.view = Segments([("form", tr("Form")), ("json", "JSON"), ("both", tr("Both"))])
        self.form = DefinitionForm()
        self.text = CodeEdit("definition.json")
        self._colours = JsonColours(self.text.document())
        self.check = label("", "second", wrap=True)
        self.place = label("", "label")
        self.tidy = Button(tr("Tidy"), small=True, tip=tr("Indent the JSON"))
        self.notes = LintNotes()
        self.setLayout(self._lay_out())
        self.modes.chosen.connect(lambda value: self.mode_chosen.emit(ToolMode(value)))
        self.seconds.value_changed.connect(self.seconds_chosen)
        self.view.choose("both")
        self.view.chosen.connect(self._show_views)
        self.form.edited.connect(self._on_form)
        self.form.parameter_chosen.connect(self._link)
        self.text.textChanged.connect(self._on_text)
        self.text.cursorPositionChanged.connect(self._show_place)
        self.tidy.clicked.connect(self._on_tidy)
        self._setting = False

    def _lay_out(self) -> Any:
        mode_row = row(label(tr("A call is"), "label"), self.modes, None, margins=(16, 8, 16, 0))
        told = row(self.what, self._seconds_label, self.seconds, self._unit, margins=(16, 2, 16, 8))
        told.setStretch(0, 1)
        definition = SectionHeader(tr("Definition"), "", self.view, height=40)
        foot = row(self.check, self.place, self.tidy, margins=(0, 4, 0, 8))
        foot.setStretch(0, 1)
        self._json = QWidget()
        self._json.setLayout(column(self.text, foot, margins=(16, 8, 16, 0), gap=0))
        whole = column(
            self.head,
            hairline(),
            mode_row,
            told,
            hairline(),
            definition,
            self.form,
            self._json,
            self.notes,
            gap=0,
        )
        whole.setStretch(7, 1)
        return whole

    def show_tool(self, setup: ToolSetup, note: str, *, editable: bool, edited: bool) -> None:
        """Show a tool; `note` says why it is not executed as things stand."""
        self._setting = True
        self.head.title.setText(setup.spec.name)
        self.head.note.setText(" · ".join(filter(None, (setup.source.label, tr("edited") if edited else "", note))))
        self.show_mode(setup, editable=editable)
        body = json.dumps(setup.spec.to_document()["function"], ensure_ascii=False, indent=1)
        if body != self.text.toPlainText():
            self.text.setPlainText(body)
        self.text.setReadOnly(not editable)
        self.show_parameters(setup)
        self.show_fault(None, editable=editable)
        self._setting = False

    def show_mode(self, setup: ToolSetup, *, editable: bool) -> None:
        """Show what a call is."""
        self.modes.choose(setup.mode.value)
        self.modes.setEnabled(editable)
        waits = setup.mode is ToolMode.ASK
        for widget in (self._seconds_label, self.seconds, self._unit):
            widget.setVisible(waits)
        self.seconds.set_value(round(setup.ask_seconds))
        told = {ToolMode.ASK: tr("Waits in the loop card until you allow, edit or refuse it.")}
        words = told.get(setup.mode, f"{MODE_TIPS[setup.mode]}.")
        self.what.setText(words if editable else tr("{words} Add it to a set to change this.", words=words))

    def show_parameters(self, setup: ToolSetup) -> None:
        """Show the definition as a form."""
        self.form.show_tool(setup, editable=not self.text.isReadOnly())

    def show_fault(self, fault: TextFault | None, *, editable: bool = True) -> None:
        """Say whether the JSON can be used."""
        self.text.show_fault(fault)
        self.form.set_usable(editable and self._document() is not None)
        well = tr("JSON Schema 2020-12, checked while typing") if editable else tr("as its source has it, read only")
        self.check.setText(fault.words("definition.json") if fault else well)
        set_role(self.check, "failed" if fault else "second")
        self.tidy.setVisible(editable)
        self._show_place()

    def _show_place(self) -> None:
        cursor = self.text.textCursor()
        self.place.setText(f"{cursor.blockNumber() + 1}:{cursor.columnNumber() + 1}")

    def _show_views(self, value: str) -> None:
        self.form.setVisible(value != "json")
        self._json.setVisible(value != "form")

    def _document(self) -> Any:
        """The JSON as it stands; None where it cannot be read."""
        return json_or(self.text.toPlainText(), None)

    def _on_form(self, document: dict[str, Any]) -> None:
        self.text.set_text(json.dumps(document, ensure_ascii=False, indent=1))
        self._link(self.form.chosen)

    def _link(self, parameter: str) -> None:
        """Mark the chosen parameter in the JSON."""
        text, found = self.text.toPlainText(), self._document()
        known = isinstance(found, dict) and isinstance(found.get("parameters"), dict)
        if not parameter or not known or parameter not in (found["parameters"].get("properties") or {}):
            self.text.show_link(0, 0)
            return
        key = json.dumps(parameter, ensure_ascii=False)
        end = text.rindex(key, 0, locate(text, ("parameters", "properties", parameter)) + 1) + len(key)
        self.text.show_link(end - len(key), end)

    def _on_text(self) -> None:
        if not self._setting:
            self.text_edited.emit(self.text.toPlainText())

    def _on_tidy(self) -> None:
        if (value := self._document()) is not None:
            self.text.set_text(json.dumps(value, ensure_ascii=False, indent=1))
