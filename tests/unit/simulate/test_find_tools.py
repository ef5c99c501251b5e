from __future__ import annotations

import json

import pytest

from tests.kit.timing import growth
from workbench.core.tools import ToolSpec
from workbench.simulate.find_tools import json_values, tools_in_text

WEATHER = ToolSpec(
    "get_weather",
    "Weather of a city",
    {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]},
)
NOW = ToolSpec("now", "Time of day", {"type": "object", "properties": {}})


def _flat(tool: ToolSpec, key: str) -> dict[str, object]:
    return {"name": tool.name, "description": tool.description, key: tool.parameters}


@pytest.mark.parametrize(
    "text",
    [
        "<tools>\n" + "\n".join(json.dumps(tool.to_openai()) for tool in (WEATHER, NOW)) + "\n</tools>",
        "[AVAILABLE_TOOLS]" + json.dumps([tool.to_openai() for tool in (WEATHER, NOW)]) + "[/AVAILABLE_TOOLS]",
        json.dumps([_flat(tool, "parameters") for tool in (WEATHER, NOW)], indent=2),
        json.dumps({"tools": [_flat(tool, "input_schema") for tool in (WEATHER, NOW)]}),
        json.dumps([{"functionDeclarations": [_flat(tool, "parametersJsonSchema") for tool in (WEATHER, NOW)]}]),
        "".join(f"- {tool.name}: {tool.description}\n  parameters: {json.dumps(tool.parameters)}\n" for tool in (WEATHER, NOW)),
        "".join(f"### {tool.name}\nDescription: {tool.description}\nParameters:\n```json\n{json.dumps(tool.parameters)}\n```\n\n" for tool in (WEATHER, NOW)),
        "".join(f"{i}. **{tool.name}** - {tool.description}\n   Input: {json.dumps(tool.parameters)}\n\n" for i, tool in enumerate((WEATHER, NOW), 1)),
    ],
)  # fmt: skip
def test_json_definitions_are_found_however_they_are_written(text: str) -> None:
    assert tools_in_text(f"You are helpful.\n\n{text}\n\nBe brief.") == (WEATHER, NOW)


def test_example_calls_are_no_definitions() -> None:
    text = (
        '{"name": "get_weather", "arguments": {"city": "Rome"}} {"name": "get_weather", "parameters": {"city": "Rome"}}'
        ' {"tool": "x", "arguments": {}} {"name": "Ann", "age": 4}'
    )
    assert tools_in_text(text) == ()


def test_signatures_are_read() -> None:
    (tool,) = tools_in_text("Tools:\n- `get_weather(city: str, days: int = 3, unit: 'c' | 'f')`: Weather of a city")
    assert (tool.name, tool.description, tool.required) == ("get_weather", "Weather of a city", ("city", "unit"))
    assert tool.properties == {
        "city": {"type": "string"},
        "days": {"type": "integer"},
        "unit": {"type": "string", "enum": ["c", "f"]},
    }


def test_typescript_is_read() -> None:
    text = "namespace functions {\n// Weather of a city\ntype get_weather = (_: {\n// where\ncity: string,\ntags?: string[],\n}) => any;\n}"
    (tool,) = tools_in_text(text)
    assert (tool.name, tool.description, tool.required) == ("get_weather", "Weather of a city", ("city",))
    assert tool.properties["tags"] == {"type": "array", "items": {"type": "string"}}


def test_a_bare_list_of_names_is_the_last_resort() -> None:
    found = tools_in_text("Available tools:\n- `web_search`: Search the Internet.\n- `read_file`: Read a file.")
    assert [(tool.name, tool.description) for tool in found] == [
        ("web_search", "Search the Internet."),
        ("read_file", "Read a file."),
    ]


def test_json_values_give_places() -> None:
    text = 'a {"x": [1]} b [2] {broken'
    assert [text[start:end] for start, end, _ in json_values(text)] == ['{"x": [1]}', "[2]"]


@pytest.mark.parametrize("unit", ["{", "[", '{"a":', "(", "- `a"])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    def work(count: int) -> None:
        assert tools_in_text(unit * count) == ()

    assert growth(work, 12_000) < 10
