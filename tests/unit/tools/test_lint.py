from __future__ import annotations

import json
from typing import Any

import pytest

from workbench.core.tools import ToolSpec
from workbench.schema import check_schema
from workbench.tools.lint import LintNote, _arrives, lint_tools, token_costs

GOOD = ToolSpec(
    "get_weather",
    "Current weather of a city",
    {"type": "object", "properties": {"city": {"type": "string", "description": "Where."}}, "required": ["city"]},
)


def tool(properties: dict[str, Any], name: str = "f", **more: Any) -> ToolSpec:
    return ToolSpec(name, "Does it.", {"type": "object", "properties": properties, **more})


def codes(*specs: ToolSpec, **where: Any) -> list[tuple[str, str]]:
    return [(note.code, note.tool) for note in lint_tools(specs, **where)]


def test_a_good_tool_has_no_notes() -> None:
    assert codes(GOOD, formats=["qwen_xml"], wires=["openai_chat"]) == []


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        (ToolSpec("f", "", GOOD.parameters), "no_description"),
        (tool({"a": {"type": "string"}}), "no_description"),
        (tool({"a": {"type": "array", "description": "x", "items": {"type": "object", "properties": {"b": {"type": "string"}}}}}), "no_description"),
        (tool({"a": {"description": "x"}}), "no_type"),
        (tool({"a": {"type": "text", "description": "x"}}), "schema"),
        (tool({}, required=["a"]), "required_unknown"),
        (tool({"a": {"type": "string", "description": "x", "enum": ["b"], "default": "c"}}), "bad_default"),
    ],
)  # fmt: skip
def test_each_weakness_is_named(spec: ToolSpec, code: str) -> None:
    assert code in [found for found, _ in codes(spec)]


@pytest.mark.parametrize(
    ("spec", "parameters"),
    [
        (tool({}, required=["a"]), {"type": "object", "properties": {}}),
        (
            tool({"a": {"enum": [1, 2], "description": "x"}}),
            {"type": "object", "properties": {"a": {"type": "integer", "enum": [1, 2], "description": "x"}}},
        ),
        (
            tool({"a": {"type": "string", "description": "x", "enum": ["b"], "default": "c"}}),
            {"type": "object", "properties": {"a": {"type": "string", "description": "x", "enum": ["b"]}}},
        ),
    ],
)
def test_a_fix_mends_what_it_is_for(spec: ToolSpec, parameters: dict[str, Any]) -> None:
    (fix,) = [note.fix for note in lint_tools([spec]) if note.fix]
    assert fix.parameters == parameters
    assert check_schema(fix.parameters) == []
    assert lint_tools([fix]) == ()


def test_keywords_that_do_not_arrive_are_named_by_format() -> None:
    spec = tool({"a": {"type": "string", "description": "x", "pattern": "^[a-z]+$", "minLength": 3}})
    notes = [note for note in lint_tools([spec], formats=["qwen_xml", "gemma_function"]) if note.code == "not_carried"]
    assert all("qwen_xml" not in note.message for note in notes)
    assert lint_tools([spec], wires=["openai_chat", "anthropic_messages"]) == ()


def test_alike_names_and_huge_sets_are_named() -> None:
    found = codes(GOOD, ToolSpec("getWeather", "x", GOOD.parameters), ToolSpec("get_weathers", "x", GOOD.parameters))
    assert ("alike_names", "getWeather") in found
    many = [ToolSpec(f"tool_{'abcdefghij'[n % 10] * 6}_{n}", "y" * 2000, GOOD.parameters) for n in range(41)]
    large = [code for code, name in codes(*many, formats=["qwen_xml"]) if not name]
    assert large == ["many_tools", "many_tokens"]


def test_costs_are_guesses_by_target_and_grow() -> None:
    small = token_costs([GOOD], ["qwen_xml", "gemma_function"], ["openai_chat"])
    assert [cost.target for cost in small] == ["qwen_xml", "gemma_function", "openai_chat"]
    assert all(cost.guess and cost.tokens > 10 for cost in small)
    assert token_costs([GOOD, tool({})], ["qwen_xml"])[0].tokens > small[0].tokens
    assert token_costs([], ["qwen_xml"]) == ()


def test_a_note_knows_its_line_and_column() -> None:
    spec = tool({"a": {"type": "text", "description": "x"}})
    text = json.dumps({"tools": [GOOD.to_openai(), spec.to_openai()]}, indent=1)
    (note,) = [one for one in lint_tools([spec]) if one.code == "schema"]
    line, column = note.place(text, 1)
    assert text.splitlines()[line - 1][column - 1 :].startswith('"text"')
    assert LintNote("x", "f", "", "").place(text, 0)[0] == 5


def test_a_hundred_thousand_choices_are_looked_at_in_linear_time() -> None:
    """Each of them was looked for in every format's text: minutes."""
    asked = 0

    class Text(str):
        def __contains__(self, what: object) -> bool:
            nonlocal asked
            asked += 1
            return super().__contains__(what)  # type: ignore[operator]

    assert not _arrives(Text("a b c"), "enum", list(range(100_000)))
    assert _arrives(Text('"enum"'), "enum", [1])
    assert _arrives(Text("one of: 1, 2"), "enum", [1, 2])
    assert asked < 200
