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
        ("[1", {"type": "array"}, "[1", False),
        ("[1] and more", {"type": "array"}, "[1] and more", False),
        ("1e999", {"type": "number"}, "1e999", False),
        (
            {"a": "1", "b": "x"},
            {"type": "object", "additionalProperties": {"type": "integer"}},
            {"a": 1, "b": "x"},
            True,
        ),
        (
            ["1", "x"],
            {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}},
            [1, "x"],
            True,
        ),
        (["x"], {"type": "array", "items": {"type": "string"}}, ["x"], False),
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
        ("None", {"type": ["null", "string"]}, None, "py_literal"),
        ("None", {"type": "string"}, "None", ""),
        ("None", {"type": ["null", "integer"]}, None, "py_literal"),
        ("1", {"type": "boolean"}, True, "schema_coerced"),
        ("0", {"type": "boolean"}, False, "schema_coerced"),
        ("2", {"type": "boolean"}, "2", "schema_coerced"),
        ("FALSE", {"type": "boolean"}, False, "py_literal"),
        ("007", {"type": "integer"}, 7, "schema_coerced"),
        ('"[1]"', {"type": "array"}, [1], "double_encoded"),
        ('{\\"a\\": 1}', {"type": "object"}, {"a": 1}, "double_encoded"),
        ('"{1: 2"', {"type": "object"}, '"{1: 2"', "schema_coerced"),
        ("[1", {"type": "array"}, "[1", "schema_coerced"),
        ("[1]", {"type": "object"}, "[1]", "schema_coerced"),
    ],
)
def test_from_text(text: str, schema: Any, value: Any, repair: str) -> None:
    found = from_text(text, schema)
    assert found[0] == value
    if text != "True":
        assert found[1] == repair


def test_a_whole_number_stays_one_where_any_number_is_wanted() -> None:
    found = from_text("3", {"type": "number"})[0], from_text("3.0", {"type": "number"})[0]
    assert list(map(type, found)) == [int, float]


def test_a_bool_is_no_number() -> None:
    assert not fits(True, ("integer",))
    assert fits(1.0, ("integer",))


@pytest.mark.parametrize("text", ['["a", b""]', "[{1, 2}]", "[1j]", "{(1, 2): 3}", "[...]"])
def test_what_no_json_holds_stays_text(text: str) -> None:
    for kind in ("array", "object"):
        assert from_text(text, {"type": kind}) == (text, "schema_coerced")


@pytest.mark.parametrize("text", ["1e999", "-1e999", "[1e999]", "{'a': 1e999}", "(1, -1e999)"])
@pytest.mark.parametrize("kind", ["number", "integer", "array", "object"])
def test_a_number_too_big_to_be_one_stays_text(text: str, kind: str) -> None:
    assert from_text(text, {"type": kind}) == (text, "schema_coerced")
    assert coerce(text, {"type": kind}) == (text, False)


NUMBERS = {"type": "array", "items": {"type": "number"}}
OPTIONS = {"type": "object", "properties": {"mode": {"type": "string"}, "depth": {"type": "integer"}, "at": NUMBERS}}


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("<item>46.6</item>\n<item>-1</item>", NUMBERS, [46.6, -1]),
        ("<number>3</number>", NUMBERS, [3]),
        ("<0>349</0><1>493</1>", NUMBERS, [349, 493]),
        ("<mode> 7 </mode>\n<depth>2</depth>", OPTIONS, {"mode": "7", "depth": 2}),
        ("<at><x>1</x><x>2</x></at>", OPTIONS, {"at": [1, 2]}),
        ("<at>1</at><at>2</at>", OPTIONS, {"at": [1, 2]}),
        ("<a><a>x</a></a>", {"type": "object"}, {"a": {"a": "x"}}),
        ("<mode><b>bold</b></mode>", OPTIONS, {"mode": "<b>bold</b>"}),
        ("<item><mode>x</mode></item>", {"type": "array", "items": OPTIONS}, [{"mode": "x"}]),
        ("<a>1</a><b>2</b>", NUMBERS, "<a>1</a><b>2</b>"),
        ("<a>1</a>x", {"type": "object"}, "<a>1</a>x"),
    ],
)
def test_tags_become_what_the_schema_wants(text: str, schema: object, value: object) -> None:
    assert from_text(text, schema) == (value, "schema_coerced")


def test_a_string_keeps_its_tags() -> None:
    assert from_text("<a>1</a>", {"type": ["object", "string"]}) == ("<a>1</a>", "")


def test_deep_tags_end_as_text() -> None:
    value = from_text("<a>" * 90 + "</a>" * 90, {"type": "object"})[0]
    while isinstance(value, dict):
        value = value["a"]
    assert value.startswith("<a>")
