"""A form made from a JSON Schema: one field for each argument, choices where the schema lists values.

What a field cannot say simply (objects, lists) is written as JSON. A value that is left out shows its default.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.fields import ComboField, LineField
from workbench.ui.widgets.frames import ElidedLabel, label
from workbench.ui.widgets.json_check import read_json
from workbench.ui.widgets.tab_order import tab_through

if TYPE_CHECKING:
    from collections.abc import Sequence

LABELS = 84
_WIDEST_NAME = 180
"""Pixels of a parameter's name; a longer one is elided."""
_LEFT_OUT = object()


@dataclass(frozen=True, slots=True)
class ArgumentSpec:
    """What a field must know of one argument."""

    name: str
    schema: dict[str, Any]
    required: bool

    @property
    def type(self) -> str:
        """The schema's type, or the first of several; empty where it says none."""
        said = self.schema.get("type")
        if isinstance(said, list):
            said = next((one for one in said if one != "null"), "")
        return said if isinstance(said, str) else ""

    @property
    def hint(self) -> str:
        """What stands in the empty field."""
        if "default" in self.schema:
            return tr("left out, default {plain}", plain=_plain(self.schema["default"]))
        return self.type or tr("any value") if self.required else tr("left out")


def arguments_of(parameters: dict[str, Any]) -> tuple[ArgumentSpec, ...]:
    """Return the arguments of an object schema."""
    properties, required = parameters.get("properties"), parameters.get("required")
    if not isinstance(properties, dict):
        return ()
    needed = set(required) if isinstance(required, list) else set()
    return tuple(
        ArgumentSpec(name, schema if isinstance(schema, dict) else {}, name in needed)
        for name, schema in properties.items()
    )


def sample_value(schema: dict[str, Any]) -> Any:
    """Return a value that fits simple schemas: an example, the default, the first choice, or the type's smallest."""
    examples = schema.get("examples")
    if isinstance(examples, list) and examples:
        return examples[0]
    for key in ("default", "const"):
        if key in schema:
            return schema[key]
    choices = schema.get("enum")
    if isinstance(choices, list) and choices:
        return choices[0]
    match ArgumentSpec("", schema, required=True).type:
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case "array":
            inner = schema.get("items")
            return [sample_value(inner)] if isinstance(inner, dict) else []
        case "object":
            return {one.name: sample_value(one.schema) for one in arguments_of(schema) if one.required}
        case _:
            return "text"


class SchemaForm(QWidget):
    """The fields; `values` reads them."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, LineField | ComboField] = {}
        self._specs: tuple[ArgumentSpec, ...] = ()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(px(8))
        self._grid.setVerticalSpacing(px(8))
        self._grid.setColumnMinimumWidth(0, px(LABELS))
        self._grid.setColumnStretch(1, 1)
        self.setLayout(self._grid)

    def show_schema(self, parameters: dict[str, Any], given: dict[str, Any] | None = None) -> None:
        """Make the fields anew; without given arguments the required ones get sample values."""
        while (item := self._grid.takeAt(0)) is not None:
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        self.fields, self._specs = {}, arguments_of(parameters)
        if given is None:
            given = {one.name: sample_value(one.schema) for one in self._specs if one.required}
        for at, spec in enumerate(self._specs):
            field = self._field(spec, given.get(spec.name, _LEFT_OUT))
            name = ElidedLabel(spec.name, "mono")
            name.setMaximumWidth(px(_WIDEST_NAME))
            self._grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(field, at, 1)
            self.fields[spec.name] = field
        if not self._specs:
            self._grid.addWidget(label(tr("takes no arguments"), "empty"), 0, 0, 1, 2)

    def order_tabs(self, before: QWidget) -> None:
        """Let the fields follow a widget: made later than the window, they would come after everything in it."""
        tab_through((before, *self.fields.values()))

    def _field(self, spec: ArgumentSpec, value: Any) -> LineField | ComboField:
        choices = _choices(spec)
        if choices:
            combo = ComboField(name=tr("Argument {spec}", spec=spec.name))
            combo.set_items(
                [*((_plain(one), one) for one in choices), *([] if spec.required else [(tr("left out"), _LEFT_OUT)])]
            )
            combo.choose(value)
            combo.value_chosen.connect(lambda _value: self.changed.emit())
            return combo
        line = LineField(
            "" if value is _LEFT_OUT else _plain(value), hint=spec.hint, name=tr("Argument {spec}", spec=spec.name)
        )
        line.textEdited.connect(lambda _text: self.changed.emit())
        return line

    def values(self) -> tuple[dict[str, Any], str]:
        """Return the arguments, and what is wrong with the first field that cannot be read; empty if all can."""
        out: dict[str, Any] = {}
        trouble = ""
        for spec in self._specs:
            value, fault = self._value(spec, self.fields[spec.name])
            field = self.fields[spec.name]
            if isinstance(field, LineField):
                field.set_invalid(fault)
            trouble = trouble or (f"{spec.name}: {fault}" if fault else "")
            if value is not _LEFT_OUT and not fault:
                out[spec.name] = value
        return out, trouble

    @staticmethod
    def _value(spec: ArgumentSpec, field: LineField | ComboField) -> tuple[Any, str]:
        if isinstance(field, ComboField):
            return field.value, ""
        text = field.text()
        if not text and not (spec.required and spec.type == "string"):
            return _LEFT_OUT, tr("it is required") if spec.required else ""
        if spec.type in ("string", ""):
            return text, ""
        value, fault = read_json(text)
        return value, tr("write it as JSON: {message}", message=fault.message) if fault is not None else ""


def _choices(spec: ArgumentSpec) -> Sequence[Any]:
    choices = spec.schema.get("enum")
    if isinstance(choices, list) and choices:
        return choices
    return (True, False) if spec.type == "boolean" else ()


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
