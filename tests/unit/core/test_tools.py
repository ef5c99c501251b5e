from __future__ import annotations

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolMode, ToolResult, ToolSpec, tool_from_json, tools_from_json


@pytest.mark.parametrize(
    "value",
    [
        5,
        {},
        {"name": ""},
        {"name": "a b"},
        {"name": "get$weather"},
        {"name": "a" * 129},
        {"name": "f", "parameters": []},
        {"type": "function", "function": {"name": 3}},
    ],
)
def test_invalid_tool_is_named(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"tools\[0\]"):
        tools_from_json([value])


@pytest.mark.parametrize(
    "name", ["天气", "météo", "Wetter-für-Ort", "получить_погоду", "mcp:weather", "mcp/weather.get"]
)
def test_names_in_every_script(name: str) -> None:
    assert tool_from_json({"name": name}).name == name


def test_a_document_with_tools_inside_is_read() -> None:
    assert tools_from_json({"tools": [{"name": "f"}]}) == (ToolSpec("f"),)
    with pytest.raises(InvalidInput, match="list"):
        tools_from_json("f")


def test_odd_schemas_have_no_properties_rather_than_an_error() -> None:
    spec = tool_from_json({"name": "f", "parameters": {"properties": 5, "required": "x"}})
    assert (spec.properties, spec.required) == ({}, ())


def test_a_model_sees_three_fields_of_a_result() -> None:
    assert ToolResult(True, 1, None, ToolMode.RUN).to_json() == {"success": True, "result": 1, "error": None}
