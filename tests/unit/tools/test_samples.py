from __future__ import annotations

from typing import Any

import pytest

from workbench.core.tools import ToolSpec
from workbench.schema import JsonSchemaChecker
from workbench.tools.samples import form_fields, sample, sample_arguments

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "note": {"type": "string", "default": "none"},
        "city": {"type": "string", "minLength": 8, "description": "Where."},
        "days": {"type": "integer", "minimum": 3, "maximum": 9},
        "ratio": {"type": "number", "exclusiveMinimum": 0},
        "unit": {"enum": ["c", "k"]},
        "when": {"type": "string", "format": "date"},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 2},
        "place": {"$ref": "#/$defs/place"},
        "either": {"anyOf": [{"type": "boolean"}, {"type": "string"}]},
        "maybe": {"type": ["null", "integer"]},
    },
    "required": ["city", "days", "ratio", "unit", "when", "tags", "place", "either", "maybe"],
    "$defs": {"place": {"type": "object", "properties": {"lat": {"type": "number"}}, "required": ["lat"]}},
}
SPEC = ToolSpec("f", "", SCHEMA)


def test_samples_fit_their_schema() -> None:
    check = JsonSchemaChecker()
    assert check.problems(SPEC, sample_arguments(SPEC)) == []
    assert check.problems(SPEC, sample_arguments(SPEC, all_of_them=True)) == []
    assert "note" not in sample_arguments(SPEC)


def test_a_form_has_required_fields_first_with_their_kind() -> None:
    fields = form_fields(SPEC)
    assert fields[-1].name == "note"
    kinds = {one.name: one.kind for one in fields}
    assert (kinds["city"], kinds["unit"], kinds["tags"], kinds["days"]) == ("string", "choice", "json", "integer")
    city = fields[0]
    assert (city.description, city.required, city.sample) == ("Where.", True, "textxxxx")
    assert fields[-1].default == "none"


@pytest.mark.parametrize("schema", [{}, True, None, {"$ref": "#/nothing"}, {"$ref": "http://x"}, {"type": "weird"}])
def test_strange_schemas_give_some_text(schema: Any) -> None:
    assert sample(schema, {}) == "text"


def test_a_schema_that_contains_itself_ends() -> None:
    own = {"$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "required": ["n"]}}}
    assert isinstance(sample({"$ref": "#/$defs/n"}, own), dict)
