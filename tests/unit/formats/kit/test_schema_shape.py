"""Composition in a tool's schema is followed when text becomes typed arguments."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.formats.kit.schema_shape import plain_schema, root_branches
from workbench.formats.kit.types import wanted_types

RANGE = {"type": "object", "properties": {"max": {"type": "integer"}, "on": {"type": "boolean"}}, "required": ["max"]}
SCHEMAS: dict[str, Any] = {
    "ref": {"$ref": "#/$defs/Range"},
    "definitions": {"$ref": "#/definitions/Range"},
    "allOf": {"allOf": [{"$ref": "#/$defs/Range"}, {"properties": {"min": {"type": "integer"}}}]},
    "anyOf": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Range"}]},
    "oneOf": {"oneOf": [RANGE, {"type": "object", "properties": {"name": {"const": "all"}}}]},
    "nested ref": {"$ref": "#/$defs/Alias"},
}
DEFS = {"Range": RANGE, "Alias": {"$ref": "#/$defs/Range"}}
WANTED = {"limit": {"max": 10, "on": True}}
TEXTS = {
    "qwen3_coder_xml": '<tool_call>\n<function=find>\n<parameter=limit>\n{"max": 10, "on": true}\n</parameter>\n</function>\n</tool_call>',
    "glm45": '<tool_call>find\n<arg_key>limit</arg_key>\n<arg_value>{"max": 10, "on": true}</arg_value>\n</tool_call>',
    "minimax_m2": '<minimax:tool_call>\n<invoke name="find">\n<parameter name="limit">{"max": 10, "on": true}</parameter>\n</invoke>\n</minimax:tool_call>',
    "minimax_m3": (
        ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="find">]<]minimax[>[<limit>]<]minimax[>[<max>10]<]minimax[>[</max>'
        "]<]minimax[>[<on>true]<]minimax[>[</on>]<]minimax[>[</limit>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>"
    ),
    "qwen_xml": '<tool_call>{"name": "find", "arguments": {"limit": "{\\"max\\": 10, \\"on\\": true}"}}</tool_call>',
    "solar_open2": '<|tool_call:start|>find<|tool_arg:start|>limit<|tool_arg:value|>{"max": 10, "on": true}<|tool_arg:end|><|tool_call:end|>',
}  # fmt: skip


def tool(schema: Any) -> ToolSpec:
    return ToolSpec("find", "", {"type": "object", "properties": {"limit": schema}, "$defs": DEFS, "definitions": DEFS})


def read(name: str, schema: Any) -> ParsedCall:
    (call,) = get_format(name).parse(TEXTS[name], (tool(schema),)).calls
    return call


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("how", SCHEMAS)
def test_an_object_behind_composition_is_typed(name: str, how: str) -> None:
    assert read(name, SCHEMAS[how]).arguments == WANTED


def test_a_typed_object_of_a_text_format_is_strict() -> None:
    for name in ("qwen3_coder_xml", "glm45", "minimax_m2", "minimax_m3", "solar_open2"):
        assert read(name, SCHEMAS["ref"]).outcome is Outcome.STRICT, name


@pytest.mark.parametrize("place", [0, 1])
def test_what_may_be_null_in_one_of_several_shapes_may_be(place: int) -> None:
    shapes: list[dict[str, Any]] = [{"type": "integer"}, {"type": "boolean"}]
    shapes[place]["nullable"] = True
    schema = {"properties": {"limit": {"anyOf": shapes}}}
    limit = plain_schema(schema)["properties"]["limit"]
    assert (limit["type"], limit["nullable"]) == (["integer", "boolean"], True)
    assert wanted_types(limit) == ("null", "boolean", "integer")


def test_a_schema_without_composition_is_the_same_object() -> None:
    assert plain_schema(RANGE) is RANGE


def test_const_names_a_type() -> None:
    found = plain_schema({"properties": {"n": {"const": 3}, "mode": {"oneOf": [{"const": "a"}, {"const": None}]}}})
    assert found["properties"]["n"]["type"] == "integer"
    assert found["properties"]["mode"]["type"] == ["string", "null"]


def test_required_keys_of_all_of_and_any_of() -> None:
    a, b = {"required": ["x", "y"], "type": "object"}, {"required": ["y", "z"], "type": "object"}
    assert plain_schema({"allOf": [a, b]})["required"] == ["x", "y", "z"]
    assert plain_schema({"anyOf": [a, b]})["required"] == ["y"]


def test_the_whole_schema_may_be_a_reference() -> None:
    spec = ToolSpec("find", "", {"$ref": "#/$defs/Range", "$defs": DEFS})
    text = "<tool_call>\n<function=find>\n<parameter=max>\n10\n</parameter>\n</function>\n</tool_call>"
    (call,) = get_format("qwen3_coder_xml").parse(text, (spec,)).calls
    assert call.arguments == {"max": 10}
    lost = get_format("qwen3_coder_xml").parse("<tool_call>\n<function=find>\n</function>\n</tool_call>", (spec,)).lost
    assert [problem.code for problem in lost] == ["missing_argument"]


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/none"},
        {"$ref": "https://example.org/schema.json"},
        {
            "$ref": "#/$defs/Tree",
            "$defs": {"Tree": {"properties": {key: {"$ref": "#/$defs/Tree"} for key in "abcdef"}}},
        },
        {"allOf": "x", "anyOf": [1, None], "oneOf": {}},
    ],
)
def test_odd_and_endless_schemas_do_no_harm(schema: Any) -> None:
    assert isinstance(plain_schema(schema), dict)


def _typed(parameters: Any, name: str = "glm47", **arguments: Any) -> dict[str, Any]:
    spec = ToolSpec("find", "", {"type": "object", **parameters})
    form = get_format(name)
    call = ParsedCall("find", arguments, "", Outcome.STRICT, (), *[Span(0, 0)] * 3, "")
    (found,) = form.parse(form.render_call(call), (spec,)).calls
    return found.arguments


def test_members_of_a_condition_are_typed() -> None:
    count, flag = {"n": {"type": "integer"}}, {"b": {"type": "boolean"}}
    kind = {"properties": {"k": {"type": "string"}}}
    assert _typed({**kind, "if": kind, "then": {"properties": count}}, k="1", n=4) == {"k": "1", "n": 4}
    assert _typed({**kind, "else": {"properties": flag}}, k="1", b=True) == {"k": "1", "b": True}
    assert _typed({**kind, "dependentSchemas": {"k": {"properties": count}}}, k="1", n=4) == {"k": "1", "n": 4}
    assert plain_schema({"then": {"properties": count, "required": ["n"]}}).get("required") is None


def test_further_members_are_typed() -> None:
    number = {"type": "integer"}
    assert _typed({"additionalProperties": number}, n=4) == {"n": 4}
    assert _typed({"patternProperties": {"^n": number}}, n=4) == {"n": 4}


def test_references_to_an_anchor_and_an_id() -> None:
    defs = {"$defs": {"A": {"$anchor": "count", "type": "integer"}, "B": {"$id": "flag", "type": "boolean"}}}
    parameters = {**defs, "properties": {"n": {"$ref": "#count"}, "b": {"$ref": "flag"}}}
    assert _typed(parameters, n=4, b=True) == {"n": 4, "b": True}


def test_items_of_a_tuple_are_typed() -> None:
    parameters = {"properties": {"t": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}}}
    assert _typed(parameters, "minimax_m3", t=[1, "2"]) == {"t": [1, "2"]}


def test_objects_in_objects_are_written_out_to_a_depth() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(400):
        schema = {"type": "object", "properties": {"a": schema}}
    shape, depth = plain_schema({**schema, "$ref": "#/$defs/leaf", "$defs": {"leaf": {"title": "x"}}}), 0
    assert shape["title"] == "x"
    while shape.get("properties"):
        shape, depth = shape["properties"]["a"], depth + 1
    assert 8 <= depth <= 24


@pytest.mark.parametrize("keys", [("then",), ("else",), ("dependentSchemas", "k")])
def test_members_that_a_condition_adds_join_the_declared_ones(keys: tuple[str, ...]) -> None:
    added: dict[str, Any] = {"properties": {"n": {"type": "integer"}, "k": {"type": "boolean"}, "free": {}}}
    for key in reversed(keys):
        added = {key: added}
    found = plain_schema({"properties": {"k": {"type": "string"}, "n": {}}, **added})
    assert found == {"properties": {"n": {"type": "integer"}, "k": {"type": "string"}, "free": {}}}


def test_members_of_two_conditions_allow_both_types() -> None:
    integer, flag = {"properties": {"n": {"type": "integer"}}}, {"properties": {"n": {"type": "boolean"}}}
    found = plain_schema({"title": "t", "then": integer, "else": flag})
    assert found == {"title": "t", "properties": {"n": {"type": ["integer", "boolean"], "required": []}}}


def test_a_condition_without_members_changes_nothing() -> None:
    assert plain_schema({"type": "object", "if": {}, "then": {"required": ["n"]}}) == {"type": "object"}


@pytest.mark.parametrize("group", ["$defs", "definitions"])
@pytest.mark.parametrize(("key", "name"), [("$anchor", "#x"), ("$dynamicAnchor", "#x"), ("$id", "x")])
def test_a_definition_is_found_by_each_of_its_names(group: str, key: str, name: str) -> None:
    schema = {
        group: {"Other": {"type": "null"}, "A": {key: "x", "type": "integer"}},
        "properties": {"n": {"$ref": name}},
    }
    assert plain_schema(schema)["properties"]["n"]["type"] == "integer"


@pytest.mark.parametrize("word", ["$ref", "$dynamicRef", "$recursiveRef"])
def test_each_kind_of_reference_is_followed(word: str) -> None:
    assert plain_schema({"items": {word: "#/$defs/A"}, "$defs": {"A": {"type": "string"}}}) == {
        "items": {"type": "string"}
    }


@pytest.mark.parametrize("pointer", ["#/$defs/a~1b", "#/$defs/a%2Fb", "#/$defs/a~1b/", "#//$defs/a~1b"])
def test_escapes_of_a_pointer_are_read(pointer: str) -> None:
    schema = {"$defs": {"a/b": {"type": "integer"}}, "properties": {"n": {"$ref": pointer}}}
    assert plain_schema(schema)["properties"] == {"n": {"type": "integer"}}


def test_a_tilde_of_a_pointer_is_read_last() -> None:
    schema = {"$defs": {"a~1b": {"type": "integer"}, "a/b": {}}, "properties": {"n": {"$ref": "#/$defs/a~01b"}}}
    assert plain_schema(schema)["properties"] == {"n": {"type": "integer"}}


def test_the_root_may_refer_to_itself() -> None:
    schema = {"type": "object", "properties": {"child": {"$ref": "#"}, "n": {"type": "integer"}}}
    child = plain_schema(schema)["properties"]["child"]
    assert child["properties"]["child"]["properties"]["n"] == {"type": "integer"}


@pytest.mark.parametrize(
    ("one", "other", "type_"),
    [
        ({"type": ["integer", "null"]}, {"type": ["null", "string"]}, ["null"]),
        ({"type": "integer"}, {"type": "string"}, ["integer"]),
        ({"type": "integer"}, {"title": "t"}, ["integer"]),
        ({"title": "t"}, {"enum": [1, True, "a", 2.5, None, {}, []]}, ["integer", "boolean", "string", "number", "null", "object", "array"]),
        ({"title": "t"}, {"properties": {"a": {}}}, ["object"]),
        ({"type": ["integer", 3]}, {"type": "integer"}, ["integer"]),
    ],
)  # fmt: skip
def test_type_of_what_must_hold_together(one: Any, other: Any, type_: list[str]) -> None:
    assert plain_schema({"allOf": [one, other]})["type"] == type_


def test_all_of_without_a_type_has_none() -> None:
    assert plain_schema({"allOf": [{"title": "t"}, {"description": "d"}]}) == {"title": "t", "description": "d"}
    assert plain_schema({"allOf": [{}, {"title": "t", "required": ["a"]}]}) == {"title": "t", "required": ["a"]}


def test_own_words_win_over_those_of_a_part() -> None:
    assert plain_schema({"title": "own", "allOf": [{"title": "part", "type": "string"}]}) == {
        "title": "own",
        "type": ["string"],
    }


def test_shared_members_are_joined() -> None:
    a = {"properties": {"x": {"type": "integer"}, "y": {"type": "null"}}, "items": {"type": "integer"}}
    b = {
        "properties": {"x": {"type": "string"}, "z": {}},
        "items": {"type": "null"},
        "additionalProperties": {"title": "t"},
    }
    found = plain_schema({"anyOf": [a, b]})
    assert list(found["properties"]) == ["x", "y", "z"]
    assert found["properties"]["x"]["type"] == ["integer", "string"]
    assert found["items"]["type"] == ["integer", "null"]
    assert found["additionalProperties"] == {"title": "t"}


def test_three_branches_allow_three_types() -> None:
    found = plain_schema({"oneOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]})
    assert found == {"type": ["integer", "string", "null"], "required": []}


def test_members_by_pattern_join_the_further_ones() -> None:
    parts = {"^n": {"type": "integer"}, "^b": {"type": "boolean"}}
    found = plain_schema({"patternProperties": parts, "additionalProperties": {"type": "string"}})
    assert found["additionalProperties"]["type"] == ["string", "integer", "boolean"]
    assert plain_schema({"patternProperties": {"^n": {"type": "integer"}}})["additionalProperties"] == {
        "type": "integer"
    }
    closed = {"patternProperties": {"^n": {"type": "integer"}}, "additionalProperties": False}
    assert plain_schema(closed)["additionalProperties"] == {"type": "integer"}


def test_const_is_the_one_value() -> None:
    assert plain_schema({"const": 3}) == {"enum": [3], "type": "integer"}
    assert plain_schema({"const": 3, "type": "number"}) == {"enum": [3], "type": "number"}


def test_definitions_are_left_out() -> None:
    assert plain_schema({"$defs": {"A": {}}, "definitions": {"B": {}}, "const": None}) == {
        "enum": [None],
        "type": "null",
    }


def test_composition_is_seen_in_lists_and_to_a_depth() -> None:
    for wrap in ("items", "list"):
        deep: Any = {"const": 1}
        for _ in range(8):
            deep = {"items": deep} if wrap == "items" else {"prefixItems": [deep]}
        assert plain_schema(deep) is not deep
    deep = {"const": 1}
    for _ in range(24):
        deep = {"items": deep}
    assert plain_schema(deep) is not deep
    deep = {"items": deep}
    assert plain_schema(deep) is deep


def test_a_wide_schema_is_written_out_up_to_a_number_of_nodes() -> None:
    wide = {"const": 1, "properties": {str(number): {"type": "integer"} for number in range(3100)}}
    found = plain_schema(wide)["properties"]
    assert [found["0"], found["900"], found["3099"]] == [{"type": "integer"}, {"type": "integer"}, {}]


def test_branches_of_the_root_with_what_holds_for_all() -> None:
    schema = {
        "properties": {"a": {"type": "string"}},
        "anyOf": [{"properties": {"b": {"const": 1}}}, {"$ref": "#/$defs/c"}],
        "$defs": {"c": {"properties": {"c": {"type": "null"}}}},
    }
    found = [branch["properties"] for branch in root_branches(schema)]
    assert found == [
        {"a": {"type": "string"}, "b": {"enum": [1], "type": "integer"}},
        {"a": {"type": "string"}, "c": {"type": "null"}},
    ]
    assert root_branches({"type": "object"}) == []
