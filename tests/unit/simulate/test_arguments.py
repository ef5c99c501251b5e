from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.simulate.arguments import fill
from workbench.simulate.pool import Pool

PROMPT = (
    "Book a trip from Berlin to Oslo on 2026-12-24 for two passengers, mail ann@example.org, limit 40, priority high."
)

STRING: dict[str, Any] = {"type": "string"}
SCHEMAS: list[dict[str, Any]] = [
    {},
    {"type": "object"},
    {"type": "object", "properties": {}, "additionalProperties": False},
    {"type": "object", "required": ["undeclared"]},
    {"type": "object", "properties": {"a": {"type": "integer", "minimum": 3, "multipleOf": 7}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"type": "number", "exclusiveMinimum": 0, "maximum": 0.5}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"type": "integer", "exclusiveMaximum": -5}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"enum": [None, 3, "x"]}, "b": {"const": {"k": 1}}}, "required": ["a", "b"]},
    {"type": "object", "properties": {"a": {"type": ["null", "integer"]}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 2}]}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"oneOf": [{"type": "integer"}, {"type": "boolean"}]}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"type": "array", "items": STRING, "minItems": 3, "uniqueItems": True}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer", "maximum": 4}, "maxItems": 1}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"type": "array", "prefixItems": [STRING, {"type": "integer"}]}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"type": "array", "items": {"enum": ["high", "low"]}}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"type": "string", "format": "uuid"}, "b": {"type": "string", "pattern": "^[a-z]{4}$"}}, "required": ["a", "b"]},
    {"type": "object", "properties": {"when": {"type": "string", "format": "date-time"}, "on": {"type": "boolean"}}, "required": ["when", "on"]},
    {
        "type": "object",
        "properties": {"node": {"$ref": "#/$defs/node"}},
        "required": ["node"],
        "$defs": {"node": {"type": "object", "properties": {"name": STRING, "child": {"$ref": "#/$defs/node"}}, "required": ["name"]}},
    },
    {
        "type": "object",
        "allOf": [{"properties": {"a": STRING}, "required": ["a"]}, {"properties": {"b": {"type": "integer"}}, "required": ["b"]}],
    },
    {
        "type": "object",
        "properties": {
            "filter": {
                "type": "object",
                "properties": {
                    "range": {"type": "object", "properties": {"from": STRING, "to": STRING}, "required": ["from", "to"]},
                    "tags": {"type": "array", "items": STRING},
                },
                "required": ["range"],
                "additionalProperties": False,
            }
        },
        "required": ["filter"],
    },
]  # fmt: skip


@pytest.mark.parametrize("prompt", [PROMPT, "", "???", "hello"])
@pytest.mark.parametrize("schema", SCHEMAS)
def test_arguments_meet_the_schema_for_any_prompt(schema: dict[str, Any], prompt: str) -> None:
    arguments, _ = fill(schema, Pool(prompt, prompt))
    jsonschema.validate(arguments, schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)


def _filled(prompt: str, required: str = "", **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required.split()}
    return fill(schema, Pool(prompt, prompt))[0]


def test_values_come_from_the_prompt() -> None:
    integer = {"type": "integer", "minimum": 1}
    found = _filled(
        PROMPT,
        "destination origin date passengers",
        origin=STRING,
        destination=STRING,
        date={"type": "string", "format": "date"},
        passengers=integer,
        limit=integer,
        priority={"enum": ["low", "high"]},
        email=STRING,
        cabin=STRING,
        rooms=integer,
    )
    assert found == {
        "origin": "Berlin",
        "destination": "Oslo",
        "date": "2026-12-24",
        "passengers": 2,
        "limit": 40,
        "priority": "high",
        "email": "ann@example.org",
    }


def test_optional_parameters_stay_away_unless_the_prompt_speaks_of_them() -> None:
    assert _filled("Hello", "", city=STRING, days={"type": "integer"}, verbose={"type": "boolean"}) == {}


def test_lists_take_all_values_of_a_kind() -> None:
    cities = {"type": "array", "items": STRING}
    assert _filled("Compare Rome, Oslo and Paris", "cities", cities=cities) == {"cities": ["Rome", "Oslo", "Paris"]}
    units = {"type": "array", "items": {"enum": ["mm", "cm", "km"]}}
    assert _filled("show cm and km", "units", units=units) == {"units": ["cm", "km"]}


def test_nested_objects_are_filled() -> None:
    place = {"type": "object", "properties": {"city": STRING, "country": STRING}, "required": ["city"]}
    assert _filled("Weather in Rome", "place", place=place) == {"place": {"city": "Rome"}}


def test_numbers_are_moved_into_their_bounds() -> None:
    assert _filled("limit 900", "limit", limit={"type": "integer", "maximum": 100}) == {"limit": 100}
    assert _filled("ratio 0.25", "ratio", ratio={"type": "number"}) == {"ratio": 0.25}


def test_a_recursive_schema_ends() -> None:
    node: dict[str, Any] = {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": []}
    assert fill(node, Pool("go", "go")) == ({}, 0)


def _bounded_integers(low: int, width: int, step: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": low, "maximum": low + max(width, step), "multipleOf": step}


LEAVES = st.one_of(
    st.just({}),
    st.just({"type": "boolean"}),
    st.just({"type": "null"}),
    st.just({"type": ["string", "null"]}),
    st.builds(_bounded_integers, st.integers(-50, 50), st.integers(0, 50), st.integers(1, 9)),
    st.builds(lambda low, width: {"type": "number", "minimum": low, "maximum": low + width}, st.integers(-9, 9), st.integers(0, 3)),
    st.builds(lambda low, width: {"type": "string", "minLength": low, "maxLength": low + width}, st.integers(0, 9), st.integers(0, 9)),
    st.builds(lambda name: {"type": "string", "format": name}, st.sampled_from(["date", "email", "uri", "uuid", "ipv4"])),
    st.builds(lambda options: {"enum": options}, st.lists(st.sampled_from(["a", "high", 3, None, True, 2.5]), min_size=1)),
    st.builds(lambda value: {"const": value}, st.sampled_from(["x", 1, None, [1], {"k": 2}])),
)  # fmt: skip
NAMES = st.sampled_from("path city count limit tags filter when enabled query to from items value".split())


def _objects(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    def build(properties: dict[str, Any], required: list[str], closed: bool) -> dict[str, Any]:
        asked = [name for name in required if name in properties or not closed]
        out: dict[str, Any] = {"type": "object", "properties": properties, "required": asked}
        return out | {"additionalProperties": False} if closed else out

    return st.builds(
        build, st.dictionaries(NAMES, inner, max_size=4), st.lists(NAMES, unique=True, max_size=3), st.booleans()
    )


def _arrays(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    def build(items: dict[str, Any], low: int, width: int) -> dict[str, Any]:
        return {"type": "array", "items": items, "minItems": low, "maxItems": low + width}

    return st.builds(build, inner, st.integers(0, 3), st.integers(0, 3))


def _either(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(lambda options: {"anyOf": options}, st.lists(inner, min_size=1, max_size=3))


SCHEMA = _objects(
    st.recursive(LEAVES, lambda inner: st.one_of(_objects(inner), _arrays(inner), _either(inner)), max_leaves=8)
)


@settings(max_examples=80)
@given(schema=SCHEMA, prompt=st.sampled_from([PROMPT, "limit 12, high, tags: a and b, path src/x.py, to Rome", ""]))
def test_any_schema_is_met(schema: dict[str, Any], prompt: str) -> None:
    arguments, _ = fill(schema, Pool(prompt, prompt))
    jsonschema.validate(arguments, schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
