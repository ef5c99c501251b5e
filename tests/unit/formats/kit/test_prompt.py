"""Prompt pieces made from real tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.core.tools import ToolSpec
from workbench.formats.kit.prompt import choice_sentence, definitions, sample_call, sample_value, shown

SPECS = tuple(TOOLS.values())


def test_definitions_are_one_json_line_each() -> None:
    lines = definitions(SPECS).splitlines()
    assert len(lines) == len(SPECS)
    assert '"name": "get_weather"' in lines[0]


def test_choices() -> None:
    assert choice_sentence(None) == choice_sentence("auto") == ""
    assert "at least one" in choice_sentence("required")
    assert "`now`" in choice_sentence({"type": "function", "function": {"name": "now"}})


def test_samples_fit_their_schema() -> None:
    assert sample_call(TOOLS["get_weather"]).arguments == {"city": "some city"}
    assert sample_call(TOOLS["now"]).arguments == {"zone": "some zone"}
    assert sample_value("x", {"enum": ["a", "b"]}) == "a"
    assert sample_value("x", {"type": "integer"}) == 1
    assert sample_value("x", {"type": "array", "items": {"type": "integer"}}) == [1]
    assert sample_value("x", {"type": "object", "properties": {"y": {"type": "boolean"}}}) == {"y": True}
    assert sample_value("x", {"default": 7, "type": "integer"}) == 7
    assert sample_value("x", {"default": False, "type": "boolean"}) is False


def test_shown_lists_are_counted() -> None:
    assert "Several calls" in shown(SPECS, "EXAMPLE", several=True)
    assert "only one call" in shown(SPECS, "EXAMPLE", several=False)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"enum": [], "examples": ["e"], "default": 1}, "e"),
        ({"enum": ["a"], "examples": ["e"]}, "a"),
        ({"enum": "a", "type": "string"}, "some x"),
        ({"example": "e", "const": "c"}, "e"),
        ({"const": "c"}, "c"),
        ({"default": None, "example": 2}, 2),
        ({"type": "string"}, "some x"), ({"type": "number"}, 1.5), ({"type": "boolean"}, True), ({"type": "array"}, []),
        ({"type": "object"}, {}), ({"type": "null"}, None), ({}, "some x"), (None, "some x"), (True, "some x"),
        ({"type": "object", "properties": {"a": {}, "b": {"type": "integer"}}}, {"a": "some a"}),
        ({"type": "object", "properties": {"a": {}, "b": {"type": "integer"}}, "required": ["b", "c"]}, {"b": 1, "c": "some c"}),
        ({"type": "object", "properties": 1}, {}),
        ({"type": "array", "items": {"enum": ["q"]}}, ["q"]),
        ({"type": "array", "items": True}, []),
        ({"type": "string", "items": {"type": "integer"}, "properties": {"a": {}}}, "some x"),
    ],
)  # fmt: skip
def test_sample_of_a_schema(schema: Any, value: object) -> None:
    assert sample_value("x", schema) == value


def test_a_sample_call_has_what_is_required_or_the_first_argument() -> None:
    both = {"properties": {"a": {}, "b": {"type": "integer"}, "c": {}}}
    call = sample_call(ToolSpec("t", "", {**both, "required": ["b", "c"]}), 3)
    assert call == ParsedCall("t", {"b": 1, "c": "some c"}, "call_3", Outcome.STRICT, (), *[Span(0, 0)] * 3, "")
    assert sample_call(ToolSpec("t", "", both)).arguments == {"a": "some a"}
    assert (sample_call(ToolSpec("t", "", {})).arguments, sample_call(ToolSpec("t", "", {})).id) == ({}, "call_1")


def test_whole_texts() -> None:
    tool = ToolSpec("get_zürich", "Ü.", {})
    one = json.dumps(tool.to_openai(), ensure_ascii=False)
    assert "get_zürich" in one
    assert definitions([tool, tool]) == f"{one}\n{one}"
    assert choice_sentence("any") == choice_sentence("required") != ""
    assert choice_sentence("none") == ""
    named = {"type": "function", "function": {"name": "now"}}
    assert choice_sentence(named) == "You must call the tool `now` in this reply, and no other tool."
    assert shown([tool], "EXAMPLE", several=False) == (
        f"# Tools\n\nYou have access to the following tools, defined in JSON:\n\n{definitions([tool])}\n\n"
        "When you need a tool, write the call in exactly this form, with the tool's own name and arguments:\n\n"
        "EXAMPLE\n\nMake only one call per reply. Stop after the call and wait for the result."
    )
    assert "\n\nSeveral calls may follow each other in the same form. Stop" in shown([tool], "", several=True)


def test_the_first_type_of_a_sample_decides_about_its_members() -> None:
    assert sample_value("x", {"type": ["integer", "object"], "properties": {"a": {}}}) == {}
    assert sample_value("x", {"type": ["integer", "array"], "items": {"type": "null"}}) == []
