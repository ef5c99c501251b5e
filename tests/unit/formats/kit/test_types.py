"""Types against schemas: coercions that lose nothing."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.formats.kit.types import coerce, fits, from_text, item_schema, member_schema, wanted_types


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
        ("NULL", {"type": ["null", "integer"]}, None, True),
        ("NULL", {"type": ["null", "string"]}, "NULL", False),
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
        ("NULL", {"type": ["integer", "null"]}, None, "py_literal"),
        (" Null ", {"anyOf": [{"type": "object"}, {"type": "null"}]}, None, "py_literal"),
        ("NULL", {"type": ["integer", "null", "string"]}, "NULL", ""),
        ("NULL", {"type": "integer"}, "NULL", "schema_coerced"),
        ("1", {"type": "boolean"}, True, "schema_coerced"),
        ("0", {"type": "boolean"}, False, "schema_coerced"),
        ("2", {"type": "boolean"}, "2", "schema_coerced"),
        ("FALSE", {"type": "boolean"}, False, "py_literal"),
        ("007", {"type": "integer"}, 7, "schema_coerced"),
        ("010", {"type": "integer"}, 10, "schema_coerced"),
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


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"type": "INTEGER"}, ("integer",)),
        ({"type": "Int64"}, ("integer",)),
        ({"type": "list[int]"}, ("array",)),
        ({"type": "unsigned"}, ("integer",)),
        ({"type": "decimal(3)"}, ("number",)),
        ({"type": "Varchar"}, ("string",)),
        ({"type": "any"}, ()),
        ({"type": "enum"}, ("string",)),
        ({"type": ["integer", 3, "null"]}, ("null", "integer")),
        ({"type": None}, ()),
        ({"oneOf": [{"type": "integer"}, {"enum": ["a"]}]}, ("integer", "string")),
        ({"anyOf": [{"type": "integer"}, None]}, ()),
        ({"anyOf": "x", "type": "string"}, ("string",)),
        ({"enum": [1, 2.5, True, None, "a", [], {}]}, ("null", "boolean", "integer", "number", "object", "array", "string")),
        ({"enum": []}, ()),
        ({"enum": [1], "type": "string"}, ("string",)),
        ({"properties": {}, "enum": ["a"]}, ("string",)),
        ({"nullable": True}, ()),
        ({"nullable": 1, "type": "string"}, ("string",)),
        ({"type": "string", "anyOf": [{"type": "integer"}]}, ("integer", "string")),
        ("string", ()),
    ],
)  # fmt: skip
def test_types_that_a_schema_allows(schema: Any, found: Any) -> None:
    assert repr(wanted_types(schema)) == repr(found)


@pytest.mark.parametrize(
    ("value", "types", "found"),
    [
        (1, (), True),
        (True, ("integer",), False),
        (True, ("boolean",), True),
        (1.0, ("integer",), True),
        (1.5, ("integer",), False),
        (1.0, ("string",), False),
        (1, ("number",), True),
        (None, ("null",), True),
        ("", ("null", "string"), True),
        ([], ("object",), False),
        ({}, ("object", "array"), True),
        (1.5, ("number",), True),
        (1, ("boolean",), False),
        (False, ("null", "string"), False),
    ],
)  # fmt: skip
def test_values_that_fit(value: Any, types: tuple[str, ...], found: Any) -> None:
    assert repr(fits(value, types)) == repr(found)


@pytest.mark.parametrize(
    ("schema", "key", "index", "found"),
    [
        ({"properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "string"}, "items": {"type": "boolean"}, "prefixItems": [{"type": "number"}]}, "a", 0, ({"type": "integer"}, {"type": "number"})),
        ({"properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "string"}, "items": {"type": "boolean"}, "prefixItems": [{"type": "number"}]}, "b", 1, ({"type": "string"}, {"type": "boolean"})),
        ({"properties": [], "prefixItems": {}}, "a", 0, (None, None)),
        (None, "a", 0, (None, None)),
        (True, "a", 0, (None, None)),
        ({"properties": {"a": {"type": "integer"}}}, "b", 0, (None, None)),
    ],
)  # fmt: skip
def test_schemas_of_members_and_items(schema: Any, key: str, index: int, found: Any) -> None:
    assert repr((member_schema(schema, key), item_schema(schema, index))) == repr(found)


@pytest.mark.parametrize(
    ("value", "schema", "found"),
    [
        ("-0", {"type": "integer"}, (0, True)),
        ("01", {"type": "integer"}, ("01", False)),
        ("1 ", {"type": "integer"}, ("1 ", False)),
        ("+1", {"type": "integer"}, ("+1", False)),
        ("1.0", {"type": "integer"}, ("1.0", False)),
        ("-1.5e-3", {"type": "number"}, (-0.0015, True)),
        ("1.", {"type": "number"}, (1.0, True)),
        ("1e400", {"type": "number"}, ("1e400", False)),
        ("TRUE", {"type": "boolean"}, (True, True)),
        ("None", {"type": "null"}, (None, True)),
        ("null", {"type": "null"}, (None, True)),
        ("", {"type": "null"}, ("", False)),
        ("{}", {"type": "object"}, ({}, True)),
        (" [1] ", {"type": "array"}, ([1], True)),
        ("[1] x", {"type": "array"}, ("[1] x", False)),
        ("{}", {"type": "array"}, ("{}", False)),
        ("{'a': 1}", {"type": "object"}, ({"a": 1}, True)),
        ('{"a": 1,}', {"type": "object"}, ({"a": 1}, True)),
        (5, {"type": ["string", "null"]}, ("5", True)),
        (5.5, {"type": "string"}, (5.5, False)),
        (True, {"type": "string"}, (True, False)),
        (None, {"type": "string"}, (None, False)),
        ([1], {"type": "string"}, ([1], False)),
        ("5", {"type": ["string", "integer"]}, ("5", False)),
        ("x", {"type": ["null", "integer"]}, ("x", False)),
        (["1", 2], {"type": "array", "items": {"type": "integer"}}, ([1, 2], True)),
        (["1"], {"type": "array"}, (["1"], False)),
        ({"a": "1"}, {"type": "object"}, ({"a": "1"}, False)),
        ({"a": "1"}, {"type": "object", "properties": {"a": {"type": "integer"}}}, ({"a": 1}, True)),
        ({"a": "1"}, {"type": "object", "additionalProperties": {"type": "integer"}}, ({"a": 1}, True)),
        ({"a": "1"}, {"type": "object", "additionalProperties": False}, ({"a": "1"}, False)),
        ({"a": ["1"]}, {"type": "object", "properties": {"a": {"type": "array", "prefixItems": [{"type": "integer"}]}}}, ({"a": [1]}, True)),
        ('["1"]', {"type": "array", "items": {"type": "integer"}}, ([1], True)),
        ({"a": 1}, {"type": "object", "properties": {"a": {"type": "integer"}}}, ({"a": 1}, False)),
    ],
)  # fmt: skip
def test_values_that_are_coerced(value: Any, schema: Any, found: Any) -> None:
    assert repr(coerce(value, schema)) == repr(found)


@pytest.mark.parametrize(
    ("text", "schema", "found"),
    [
        (" 5 ", {"type": "integer"}, (5, "")),
        ("\u200b5\ufeff", {"type": "integer"}, (5, "")),
        ("5", {"type": "number"}, (5, "")),
        ("5.0", {"type": "number"}, (5.0, "")),
        ("abc", {"type": "number"}, ("abc", "schema_coerced")),
        (" null ", {"type": "null"}, (None, "")),
        ("None", {"type": "null"}, (None, "py_literal")),
        ("None", {"type": ["null", "string"]}, (None, "py_literal")),
        ("none", {"type": "null"}, ("none", "schema_coerced")),
        ("true ", {"type": "boolean"}, (True, "")),
        ("tRue", {"type": "boolean"}, (True, "py_literal")),
        ("1", {"type": "boolean"}, (True, "schema_coerced")),
        ("yes", {"type": "boolean"}, ("yes", "schema_coerced")),
        ("-007", {"type": "integer"}, (-7, "schema_coerced")),
        ("0x1", {"type": "integer"}, (1, "py_literal")),
        ("[1]", {"type": "array"}, ([1], "")),
        ("[1] ", {"type": "array"}, ([1], "")),
        ("[1, ]", {"type": "array"}, ([1], "py_literal")),
        ("['a']", {"type": "array"}, (["a"], "py_literal")),
        ("(1, 2)", {"type": "array"}, ([1, 2], "py_literal")),
        ("{'a': 1}", {"type": "object"}, ({"a": 1}, "py_literal")),
        ('{"a": 1,}', {"type": "object"}, ({"a": 1}, "py_literal")),
        ("{'a': true}", {"type": "object"}, ({"a": True}, "single_quotes")),
        ('"{\\"a\\": 1}"', {"type": "object"}, ({"a": 1}, "double_encoded")),
        ('[\\"a\\"]', {"type": "array"}, (["a"], "double_encoded")),
        ('"x"', {"type": "object"}, ('"x"', "schema_coerced")),
        ('"[1]" x', {"type": "array"}, ('"[1]" x', "schema_coerced")),
        ("[1e999]", {"type": "array"}, ("[1e999]", "schema_coerced")),
        ("{'a': 1e999}", {"type": "object"}, ("{'a': 1e999}", "schema_coerced")),
        ("{'a': {3}}", {"type": "object"}, ("{'a': {3}}", "schema_coerced")),
        ("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", {"type": "array"}, ("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "schema_coerced")),
        ("{'a': None}", {"type": "object"}, ({"a": None}, "py_literal")),
        ("1_000", {"type": "integer"}, (1000, "py_literal")),
        ("", {"type": "integer"}, ("", "schema_coerced")),
        ("", {"type": "string"}, ("", "")),
        ("", {"type": "array"}, ("", "schema_coerced")),
        ("x", {"type": "any"}, ("x", "")),
        ("5", {}, ("5", "")),
        ("5", {"enum": ["5"]}, ("5", "")),
        ("5", {"enum": [5]}, (5, "")),
        ("<item>1</item><item>2</item>", {"type": "array", "items": {"type": "integer"}}, ([1, 2], "schema_coerced")),
        ("<item>1</item>", {"type": "array"}, (["1"], "schema_coerced")),
        ("<a>1</a><b>x</b>", {"type": "object"}, ({"a": "1", "b": "x"}, "schema_coerced")),
        ("<a>1</a><b>x</b>", {"type": "object", "properties": {"a": {"type": "integer"}}}, ({"a": 1, "b": "x"}, "schema_coerced")),
        ("<a>1</a><a>2</a>", {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}}, ({"a": [1, 2]}, "schema_coerced")),
        ("<a>1</a><a>2</a>", {"type": "object"}, ({"a": ["1", "2"]}, "schema_coerced")),
        ("<a>1</a><b>2</b>", {"type": "array"}, ("<a>1</a><b>2</b>", "schema_coerced")),
        ("<0>x</0><1>y</1>", {"type": "array"}, (["x", "y"], "schema_coerced")),
        ("<0>x</0><1>y</1>", {"type": "object"}, ({"0": "x", "1": "y"}, "schema_coerced")),
        ("<a><b>1</b><c>2</c></a>", {"type": "object"}, ({"a": {"b": "1", "c": "2"}}, "schema_coerced")),
        ("<a><item>1</item></a>", {"type": "object"}, ({"a": ["1"]}, "schema_coerced")),
        ("<a><x>1</x><x>2</x></a>", {"type": "object"}, ({"a": ["1", "2"]}, "schema_coerced")),
        ("<a><x>1</x></a>", {"type": "object", "properties": {"a": {"type": "string"}}}, ({"a": "<x>1</x>"}, "schema_coerced")),
        ("<a>1</a>", {"type": "integer"}, ("<a>1</a>", "schema_coerced")),
        ("<a>1", {"type": "object"}, ("<a>1", "schema_coerced")),
        ("x <a>1</a>", {"type": "object"}, ("x <a>1</a>", "schema_coerced")),
        ("<a> 5 </a>", {"type": "object", "properties": {"a": {"type": "integer"}}}, ({"a": 5}, "schema_coerced")),
    ],
)  # fmt: skip
def test_texts_of_a_type(text: str, schema: Any, found: Any) -> None:
    assert repr(from_text(text, schema)) == repr(found)


LISTED = {"enum": ["7", 8, "a", "true"]}


@pytest.mark.parametrize(
    ("value", "schema", "found"),
    [
        (7, LISTED, ("7", True)),
        (8, LISTED, (8, False)),
        ("8", LISTED, (8, True)),
        (True, LISTED, ("true", True)),
        (9, LISTED, (9, False)),
        (1.5, {"type": "string", "enum": ["1.5"]}, ("1.5", True)),
        ("1", {"enum": [1, True]}, (1, True)),
        ("1", {"enum": [1, 1.0]}, (1, True)),
        ([7], {"type": "array", "items": LISTED}, (["7"], True)),
        (".5", {"type": "number"}, (0.5, True)),
        ("108.", {"type": ["number", "string"]}, ("108.", False)),
    ],
)
def test_values_of_an_enum_written_as_another_type(value: Any, schema: Any, found: Any) -> None:
    assert repr(coerce(value, schema)) == repr(found)


@pytest.mark.parametrize(
    ("text", "schema", "found"),
    [
        ("7", LISTED, ("7", "")),
        (" 8\n", LISTED, (8, "")),
        (" 7\n", LISTED, ("7", "")),
        ('"a"', LISTED, ("a", "double_encoded")),
        ("'a'", {"type": "string", "enum": ["a"]}, ("a", "double_encoded")),
        ('"b"', {"type": "string", "enum": ["a"]}, ('"b"', "")),
        ('"a"', {"type": "string"}, ('"a"', "")),
        ('"42"', {"type": "number"}, (42, "schema_coerced")),
        ("'4.5'", {"type": "number"}, (4.5, "schema_coerced")),
        ('"42"', {"type": ["integer", "string"]}, ('"42"', "")),
        ('"true"', {"type": "boolean"}, (True, "schema_coerced")),
        ('"x"', {"type": "integer"}, ('"x"', "schema_coerced")),
        ("{1: 2}", {"type": "object"}, ({"1": 2}, "single_quotes")),
        ("[{1: 2}]", {"type": "array"}, ([{"1": 2}], "single_quotes")),
    ],
)
def test_text_of_an_enum_in_quotes_or_with_other_keys(text: str, schema: Any, found: Any) -> None:
    assert repr(from_text(text, schema)) == repr(found)


@pytest.mark.parametrize(("levels", "changed"), [(1, True), (8, True), (9, True), (10, False)])
def test_so_deep_a_value_is_looked_into(levels: int, changed: bool) -> None:
    schema: Any = {"type": "integer"}
    member, item = (schema, "3"), (schema, "3")
    for _ in range(levels):
        member = {"type": "object", "properties": {"a": member[0]}}, {"a": member[1]}
        item = {"type": "array", "items": item[0]}, [item[1]]
    assert [coerce(value, inner)[1] for inner, value in (member, item)] == [changed, changed]
