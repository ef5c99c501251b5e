from __future__ import annotations

from typing import Any

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolMode, ToolResult, ToolSpec
from workbench.formats import get_format, list_formats
from workbench.formats.kit.given_tools import result_of, specs

SCHEMA = {"type": "object", "properties": {"street": {"type": "string"}}, "required": ["street"]}
OPENAI = {"type": "function", "function": {"name": "find_tree", "description": "d", "parameters": SCHEMA}}
SPEC = ToolSpec("find_tree", "d", SCHEMA)


@pytest.mark.parametrize(
    "tools",
    [
        [SPEC],
        (OPENAI,),
        [{"name": "find_tree", "description": "d", "parameters": SCHEMA}],
        [{"name": "find_tree", "description": "d", "input_schema": SCHEMA}],
        {"model": "m", "tools": [OPENAI]},
    ],
)
def test_tools_are_taken_as_specs_or_as_they_stand_in_a_request(tools: Any) -> None:
    assert list(specs(tools) or ()) == [SPEC]


def test_specs_and_objects_may_stand_side_by_side() -> None:
    other = ToolSpec("fell_tree")
    assert list(specs([other, OPENAI]) or ()) == [other, SPEC]


@pytest.mark.parametrize("tools", [None, [], ()])
def test_none_and_no_tools_stay_apart(tools: Any) -> None:
    assert specs(tools) is tools


def test_a_tool_without_a_name_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"tools\[1\] has no usable name"):
        specs([OPENAI, {"parameters": SCHEMA}])


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (ToolResult(False, None, "gone", ToolMode.RUN), ToolResult(False, None, "gone", ToolMode.RUN)),
        ("an oak", ToolResult(True, "an oak")),
        (None, ToolResult(True, None)),
        ([1, 2], ToolResult(True, [1, 2])),
        ({"success": False, "error": "felled"}, ToolResult(False, None, "felled")),
        ({"success": True, "result": 3, "error": None}, ToolResult(True, 3)),
        ({"success": 1, "trees": 2}, ToolResult(True, {"success": 1, "trees": 2})),
    ],
)
def test_a_result_is_taken_as_it_is_or_as_a_plain_value(value: Any, result: ToolResult) -> None:
    assert result_of(value) == result


@pytest.mark.parametrize("name", [item.id for item in list_formats()])
def test_every_format_reads_teaches_and_answers_with_plain_json(name: str) -> None:
    fmt = get_format(name)
    call = get_format("qwen_xml").parse('<tool_call>{"name": "find_tree", "arguments": {"street": "Elm Row"}}</tool_call>').calls[0]  # fmt: skip
    written = fmt.render_call(call)
    assert fmt.parse(written, [OPENAI]) == fmt.parse(written, [SPEC])
    assert [found.name for found in fmt.parse(written, [OPENAI]).calls] == ["find_tree"]
    assert fmt.prompt([OPENAI]) == fmt.prompt([SPEC])
    assert fmt.render_result(call, "an oak") == fmt.render_result(call, ToolResult(True, "an oak"))
