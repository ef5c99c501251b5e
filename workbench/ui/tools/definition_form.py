"""A tool's definition as a form: name, description, a table of parameters, and what is said of the chosen one.

Form and JSON are one document: an edit here is an edit of the JSON, which is checked and taken like one that is typed.
"""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from workbench.ui.theme.fonts import ui_font
from workbench.ui.theme.theme import fix_size, tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.columns import Column, TableModel, column_table
from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.frames import column, label, row, set_role
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.schema_form import ArgumentSpec, arguments_of
from workbench.ui.widgets.segments import Segments

if TYPE_CHECKING:
    from workbench.core.tools import ToolSetup

_ROW, _LABEL, _ROWS = 28, 84, 7
NO_DESCRIPTION = tr("✕ no description")
DUTY = [("yes", "required"), ("no", "optional")]


def _kind(argument: ArgumentSpec) -> str:
    choices = argument.schema.get("enum")
    return tr("enum {choices}", choices=len(choices)) if isinstance(choices, list) else argument.type or "any"


def _about(argument: ArgumentSpec) -> str:
    about = argument.schema.get("description")
    if not about and "default" in argument.schema:
        about = tr("default {dumps}", dumps=json.dumps(argument.schema["default"], ensure_ascii=False))
    return str(about or NO_DESCRIPTION)


def _paint_about(painter: QPainter, rect: QRect, argument: ArgumentSpec, _chosen: bool) -> None:
    words, t = _about(argument), tokens()
    paint_text(painter, rect, words, ui_font(12), t.failed if words == NO_DESCRIPTION else t.text2)


COLUMNS: tuple[Column[ArgumentSpec], ...] = (
    Column(tr("Parameter"), lambda one: one.name, 124, mono=True, token="text", strong=True, left=16),
    Column(tr("Type"), _kind, 84),
    Column(tr("Required"), lambda one: "yes" if one.required else "no", 80),
    Column(tr("Description"), _about, 0, paint=_paint_about),
)


class ParameterModel(TableModel[ArgumentSpec]):
    """Parameters of a tool, one a row."""

    columns = COLUMNS


class DefinitionForm(QFrame):
    """Shows a tool; where it may be edited its words stand in fields."""

    edited = Signal(object)
    """The whole definition with the change, a JSON object."""
    parameter_chosen = Signal(str)
    """Its name; empty: none is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._document: dict[str, Any] = {}
        self.about = label("", "body", wrap=True, selectable=True)
        self.name = LineField(mono=True, name=tr("Name of the tool"))
        self.description = LineField(
            name=tr("Description of the tool"), hint=tr("what it is for: a model chooses by it")
        )
        self.parameters = ParameterModel(self)
        self.table = column_table(tr("Parameters"), _ROW, self.parameters)
        self.says = LineField(name=tr("Description of the parameter"), hint=tr("what a model shall put here"))
        self.duty = Segments(DUTY)
        self._fields, self._of_one = QWidget(), QWidget()
        self._of = label("", "mono_small")
        lines = (_line(tr("Name"), self.name), _line(tr("Description"), self.description))
        self._fields.setLayout(column(*lines, margins=(16, 0, 16, 8), gap=6))
        fix_size(self._of, width=_LABEL)
        indent = label("", "label")
        fix_size(indent, width=_LABEL)
        lines_of_one = (row(self._of, self.says), row(indent, self.duty))
        self._of_one.setLayout(column(*lines_of_one, margins=(16, 6, 16, 0), gap=4))
        told = QWidget()
        told.setLayout(column(self.about, margins=(16, 0, 16, 8)))
        self._told = told
        self.setLayout(column(told, self._fields, self.table, self._of_one, gap=0))
        self._of_one.hide()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.name.textEdited.connect(lambda text: self._put("name", text.strip()))
        self.description.textEdited.connect(lambda text: self._put("description", text))
        self.says.textEdited.connect(self._describe)
        self.duty.chosen.connect(self._require)
        self.table.row_chosen.connect(self._on_row)

    def show_tool(self, setup: ToolSetup, *, editable: bool) -> None:
        """Show a tool's definition; what is being typed stays as it is typed."""
        self._document = setup.spec.to_document()["function"]
        self._told.setVisible(not editable)
        self._fields.setVisible(editable)
        self.about.setText(setup.spec.description or tr("no description: a model guesses what it is for"))
        set_role(self.about, "body" if setup.spec.description else "failed")
        _show(self.name, setup.spec.name)
        _show(self.description, setup.spec.description)
        chosen = self.chosen
        arguments = arguments_of(setup.spec.parameters)
        self.parameters.show_lines(arguments)
        fix_size(self.table, height=_ROW * min(max(len(arguments), 1), _ROWS) + _ROW)
        self._editable = editable
        names = [one.name for one in arguments]
        if chosen in names:
            self.table.choose_row(names.index(chosen))
        self._show_chosen()

    def set_usable(self, usable: bool) -> None:
        """The JSON cannot be read: the form keeps the last good one, read only."""
        for widget in (self.name, self.description, self.says):
            widget.setReadOnly(not usable)
        self.duty.setEnabled(usable)

    _editable = False

    @property
    def chosen(self) -> str:
        """Name of the chosen parameter, or nothing."""
        at = self.table.currentIndex().row()
        return self.parameters.line(at).name if 0 <= at < self.parameters.rowCount() else ""

    def _on_row(self, _at: int) -> None:
        self._show_chosen()
        self.parameter_chosen.emit(self.chosen)

    def _show_chosen(self) -> None:
        at = self.table.currentIndex().row()
        shown = self._editable and 0 <= at < self.parameters.rowCount()
        self._of_one.setVisible(shown)
        if shown:
            one = self.parameters.line(at)
            self._of.setText(one.name)
            _show(self.says, str(one.schema.get("description") or ""))
            self.duty.choose("yes" if one.required else "no")

    def _put(self, field: str, value: str) -> None:
        if self._editable:
            self.edited.emit({**self._document, field: value})

    def _changed(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """A copy of the document, and in it the schema."""
        document = deepcopy(self._document)
        return document, document["parameters"]

    def _describe(self, text: str) -> None:
        document, schema = self._changed()
        name, told = self.chosen, schema["properties"].get(self.chosen)
        schema["properties"][name] = {**(told if isinstance(told, dict) else {}), "description": text}
        if not text:
            del schema["properties"][name]["description"]
        self.edited.emit(document)

    def _require(self, value: str) -> None:
        document, schema = self._changed()
        needed = [one for one in schema.get("required") or () if one != self.chosen]
        if value == "yes":
            order = list(schema["properties"])
            needed = sorted([*needed, self.chosen], key=lambda one: order.index(one) if one in order else len(order))
        schema["required"] = needed
        self.edited.emit(document)


def _line(title: str, field: QWidget) -> Any:
    told: QLabel = label(title, "label")
    fix_size(told, width=_LABEL)
    return row(told, field)


def _show(field: LineField, text: str) -> None:
    """Write into a field what differs; the cursor stays where somebody types."""
    if field.text() != text:
        field.setText(text)
