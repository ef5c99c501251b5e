from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.tools import ToolSpec
from workbench.schema import JsonSchemaChecker, check_schema, fits_as_written


def problems(schema: dict[str, Any], arguments: dict[str, Any]) -> list[tuple[tuple[str | int, ...], str]]:
    return JsonSchemaChecker().problems(ToolSpec("t", "", schema), arguments)


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        (of(a={"type": "integer"}), {"a": 3}),
        (of(a={"type": ["string", "null"]}), {"a": None}),
        (of(a={"$ref": "#/$defs/x"}) | {"$defs": {"x": {"type": "string"}}}, {"a": "b"}),
        ({}, {"anything": 1}),
        (of(a={"type": "string", "format": "date"}), {"a": "tomorrow"}),
    ],
)
def test_valid_arguments_have_no_problems(schema: dict[str, Any], arguments: dict[str, Any]) -> None:
    assert problems(schema, arguments) == []


def test_all_violations_are_named_with_their_path() -> None:
    schema = of(a={"type": "array", "items": {"type": "integer"}}, b={"enum": ["x", "y"]}) | {"required": ["a", "c"]}

    found = problems(schema, {"a": [1, "2", None], "b": "z"})

    assert [path for path, _ in found] == [(), ("a", 1), ("a", 2), ("b",)]
    assert found[0][1] == "'c' is a required property"
    assert found[3][1] == "'z' is not one of ['x', 'y']"


def test_a_choice_between_schemas_names_the_closest() -> None:
    ((path, message),) = problems(of(a={"anyOf": [{"type": "string"}, {"type": "null"}]}), {"a": 3})

    assert path == ("a",)
    assert "closest: 3 is not of type" in message


def test_a_long_value_is_not_quoted_whole() -> None:
    ((_, message),) = problems(of(a={"type": "integer"}), {"a": "x" * 10_000})

    assert len(message) < 400


def test_very_many_violations_are_cut() -> None:
    assert len(problems(of(a={"items": {"type": "string"}}), {"a": list(range(1000))})) == 50


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "strng"},
        {"$ref": "#/nowhere"},
        {"$ref": "http://example.invalid/x.json"},
        {"pattern": "("},
        {"multipleOf": 0},
        {"minimum": "x"},
        {"enum": 3},
        {"properties": []},
        {"required": 3},
        {"allOf": {}},
        {"items": 7},
        3,
        None,
    ],
)
def test_a_broken_schema_raises_nothing_and_the_rest_counts(broken: Any) -> None:
    for value in ("text", 3, {"x": 1}, [1]):
        found = problems(of(a=broken, b={"type": "string"}), {"a": value, "b": 3})
        assert (("b",), "3 is not of type 'string'") in found


def test_a_schema_without_end_raises_nothing() -> None:
    schema = of(a={"$ref": "#/$defs/x"}) | {"$defs": {"x": {"$ref": "#/$defs/x"}}}

    assert problems(schema, {"a": 1}) == []


def test_one_schema_is_compiled_once() -> None:
    checker = JsonSchemaChecker()
    for _ in range(3):
        checker.problems(ToolSpec("t", "", of(a={"type": "string"})), {"a": 1})

    assert len(checker._compiled) == 1


def test_unserialisable_schema_is_not_checked() -> None:
    assert problems({"type": {1, 2}}, {"a": 1}) == []


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        (of(a={"type": "strng"}), ("properties", "a", "type")),
        (of(a={"minimum": "x"}), ("properties", "a", "minimum")),
        (of(a={"pattern": "("}), ("properties", "a", "pattern")),
        (of(a={"$ref": "#/$defs/x"}), ("properties", "a", "$ref")),
        ({"type": "array"}, ("type",)),
        ({"properties": []}, ("properties",)),
        ({"$schema": 3}, ("$schema",)),
        (3, ()),
    ],
)
def test_schema_errors_have_a_place(schema: Any, path: tuple[str, ...]) -> None:
    assert path in [found for found, _ in check_schema(schema)]


@pytest.mark.parametrize(
    "schema",
    [
        {},
        of(),
        of(pattern={"type": "string"}, a={"$ref": "#/properties/pattern"}),
        of(a={"default": {"$ref": "#/nowhere"}, "enum": [{"pattern": "("}]}),
        {"$schema": "http://json-schema.org/draft-07/schema#"} | of(a={"type": "string"}),
    ],
)
def test_a_sound_schema_has_no_problems(schema: dict[str, Any]) -> None:
    assert check_schema(schema) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from("type properties items $ref enum anyOf required pattern a".split()), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@given(JSON, st.dictionaries(st.sampled_from("ab"), JSON))
@settings(max_examples=150)
def test_no_schema_raises(schema: Any, arguments: dict[str, Any]) -> None:
    check_schema(schema)
    problems(schema if isinstance(schema, dict) else {"properties": {"a": schema}}, arguments)


@given(JSON, JSON)
@settings(max_examples=100)
def test_a_strict_check_never_raises(schema: Any, value: Any) -> None:
    assert fits_as_written(schema, value) in (True, False)


def test_a_broken_schema_fits_nothing() -> None:
    assert fits_as_written({"type": "object", "required": ["a"]}, {"a": 1})
    assert not fits_as_written({"type": "object", "required": ["a"]}, {})
    assert not fits_as_written({"type": "thing"}, {})
    assert not fits_as_written({"$ref": "http://127.0.0.1:9/schema"}, {})
