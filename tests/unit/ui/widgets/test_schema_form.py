from __future__ import annotations

import pytest

from workbench.core.tools import ToolSpec
from workbench.schema import JsonSchemaChecker
from workbench.ui.widgets.fields import ComboField, LineField
from workbench.ui.widgets.schema_form import SchemaForm, arguments_of, sample_value

SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "count": {"type": "integer", "minimum": 3},
        "mode": {"enum": ["a", "b"]},
        "deep": {"type": "object", "properties": {"x": {"type": "boolean"}}, "required": ["x"]},
        "note": {"type": "string", "default": "none"},
        "flag": {"type": "boolean"},
        "maybe": {"type": ["null", "number"]},
    },
    "required": ["path", "count", "mode", "deep"],
}


@pytest.fixture
def form(theme, qtbot) -> SchemaForm:
    made = SchemaForm()
    qtbot.addWidget(made)
    made.show_schema(SCHEMA)
    return made


def test_sample_values_fit_the_schema(form: SchemaForm) -> None:
    values, trouble = form.values()
    assert trouble == ""
    assert values == {"path": "text", "count": 3, "mode": "a", "deep": {"x": True}}
    assert JsonSchemaChecker().problems(ToolSpec("t", "", SCHEMA), values) == []


def test_what_is_left_out_shows_its_default(form: SchemaForm) -> None:
    note = form.fields["note"]
    assert isinstance(note, LineField)
    assert note.placeholderText() == "left out, default none"


def test_text_that_is_no_json_is_marked(form: SchemaForm) -> None:
    deep = form.fields["deep"]
    assert isinstance(deep, LineField)
    deep.setText("{x")
    values, trouble = form.values()
    assert trouble.startswith("deep: write it as JSON")
    assert deep.is_invalid
    assert "deep" not in values


def test_an_optional_choice_may_be_left_out(form: SchemaForm) -> None:
    flag = form.fields["flag"]
    assert isinstance(flag, ComboField)
    flag.choose(True)
    assert form.values()[0]["flag"] is True


def test_a_number_stays_a_number_and_a_text_a_text(form: SchemaForm) -> None:
    for name, text in (("path", "17"), ("count", "17"), ("maybe", "1.5")):
        field = form.fields[name]
        assert isinstance(field, LineField)
        field.setText(text)
    values, _ = form.values()
    assert (values["path"], values["count"], values["maybe"]) == ("17", 17, 1.5)


def test_no_arguments(form: SchemaForm) -> None:
    form.show_schema({"type": "object"})
    assert form.values() == ({}, "")
    assert arguments_of({"properties": [1]}) == ()
    assert sample_value({"type": "array", "items": {"type": "integer"}}) == [1]
