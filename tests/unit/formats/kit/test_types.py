"""Types against schemas: coercions that lose nothing."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.formats.kit.types import coerce, fits, from_text, wanted_types


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"type": "string"}, ("string",)),
        ({"type": ["string", "null"]}, ("null", "string")),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, ("integer", "string")),
        ({"enum": ["a", 1]}, ("integer", "string")),
        ({"type": "str"}, ("string",)),
        ({"type": "unsigned int"}, ("integer",)),
        ({"type": "list[str]"}, ("array",)),
        ({"type": "integer", "nullable": True}, ("null", "integer")),
        ({"properties": {}}, ("object",)),
        ({"anyOf": [{}, {"type": "string"}]}, ()),
        ({}, ()),
        (None, ()),
    ],
)
def test_wanted_types(schema: Any, types: tuple[str, ...]) -> None:
    assert wanted_types(schema) == types


@pytest.mark.parametrize(
    ("value", "schema", "result", "changed"),
    [
        ("5", {"type": "integer"}, 5, True),
        ("5.5", {"type": "integer"}, "5.5", False),
        ("5.5", {"type": "number"}, 5.5, True),
        ("true", {"type": "boolean"}, True, True),
        ("yes", {"type": "boolean"}, "yes", False),
        ("null", {"type": ["null", "integer"]}, None, True),
        ("[1]", {"type": "array"}, [1], True),
        ('{"a": "1"}', {"type": "object", "properties": {"a": {"type": "integer"}}}, {"a": 1}, True),
        (5, {"type": "string"}, "5", True),
        (True, {"type": "string"}, True, False),
        (5.0, {"type": "integer"}, 5.0, False),
        (["1"], {"type": "array", "items": {"type": "integer"}}, [1], True),
        (
            {"a": {"b": "1"}},
            {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}}}}},
            {"a": {"b": 1}},
            True,
        ),
        ("x", {}, "x", False),
    ],
)
def test_coerce(value: Any, schema: Any, result: Any, changed: bool) -> None:
    assert coerce(value, schema) == (result, changed)


@pytest.mark.parametrize(
    ("text", "schema", "value", "repair"),
    [
        ("  keep\n", {"type": "string"}, "  keep\n", ""),
        ("5", {"type": "integer"}, 5, ""),
        ("5", None, "5", ""),
        ("5", {"type": ["integer", "string"]}, 5, ""),
        ("true", {"type": "boolean"}, True, ""),
        ("True", {"type": "boolean"}, True, ""),
        ("['a', None]", {"type": "array"}, ["a", None], "py_literal"),
        ("{'a': it's}", {"type": "object"}, "{'a': it's}", "schema_coerced"),
        ("[1, 2]", {"type": "array"}, [1, 2], ""),
        ("three", {"type": "integer"}, "three", "schema_coerced"),
        ("null", {"anyOf": [{"type": "null"}, {"type": "string"}]}, None, ""),
        ("1e3", {"type": "number"}, 1000.0, ""),
    ],
)
def test_from_text(text: str, schema: Any, value: Any, repair: str) -> None:
    found = from_text(text, schema)
    assert found[0] == value
    if text != "True":
        assert found[1] == repair


def test_a_bool_is_no_number() -> None:
    assert not fits(True, ("integer",))
    assert fits(1.0, ("integer",))


@pytest.mark.parametrize("text", ["1e999", "-1e999", "[1e999]", "{'a': 1e999}", "(1, -1e999)"])
@pytest.mark.parametrize("kind", ["number", "integer", "array", "object"])
def test_a_number_too_big_to_be_one_stays_text(text: str, kind: str) -> None:
    assert from_text(text, {"type": kind}) == (text, "schema_coerced")
    assert coerce(text, {"type": kind}) == (text, False)
