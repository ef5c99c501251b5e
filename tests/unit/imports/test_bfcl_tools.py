from __future__ import annotations

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolMode
from workbench.imports.bfcl_tools import bfcl_tools, json_schema, properties_of, type_words

FUNCTION = {
    "name": "shop.buy",
    "description": "Buys.",
    "parameters": {
        "type": "dict",
        "properties": {
            "price": {"type": "float", "description": "How much."},
            "ids": {"type": "tuple", "items": {"type": "integer"}},
            "who": {"type": "dict", "properties": {"name": {"type": "string"}}},
            "odd": {"type": "Whatever"},
        },
        "required": ["price"],
    },
}


def test_types_become_those_of_json_schema() -> None:
    (setup,) = bfcl_tools([FUNCTION], "python", "q")
    schema = setup.spec.parameters

    assert (setup.spec.name, setup.mode, schema["type"], setup.spec.required) == (
        "shop.buy",
        ToolMode.RECORD,
        "object",
        ("price",),
    )
    assert schema["properties"]["price"] == {"type": "number", "description": "How much. (a float)"}
    assert schema["properties"]["ids"] == {"type": "array", "items": {"type": "integer"}}
    assert schema["properties"]["who"]["properties"] == {"name": {"type": "string"}}
    assert schema["properties"]["odd"]["type"] == "string"
    assert "Python 3" in setup.spec.description


def test_arguments_of_java_are_texts_that_say_of_what() -> None:
    function = {"name": "f", "parameters": {"properties": {"ids": {"type": "ArrayList", "items": {"type": "long"}}}}}
    (setup,) = bfcl_tools(function, "java", "q")

    assert setup.spec.properties["ids"] == {
        "type": "string",
        "description": "(a text that holds a Java 8 ArrayList of long)",
    }


def test_words_of_types() -> None:
    assert [type_words(schema) for schema in ({"type": "array", "items": {"type": "String"}}, {"type": "long"}, {})] == [
        "array of String", "long", "any",
    ]  # fmt: skip
    assert (json_schema("x"), json_schema({"enum": [1]}), properties_of({"properties": [1]})) == ({}, {"enum": [1]}, {})


@pytest.mark.parametrize("functions", [[1], [{"name": "a b"}], [{}]])
def test_broken_functions_are_named(functions: object) -> None:
    with pytest.raises(InvalidInput, match=r"q: function\[0\]"):
        bfcl_tools(functions, "python", "q")
