from __future__ import annotations

from typing import Any

import pytest

from workbench.core.tools import ToolSpec
from workbench.simulate.choose import plan, rank


def _tool(name: str, about: str, required: str = "", **properties: Any) -> ToolSpec:
    return ToolSpec(name, about, {"type": "object", "properties": properties, "required": required.split()})


STRING = {"type": "string"}
TOOLS = (
    _tool("web_search", "Search the Internet and return top results.", "query", query=STRING, recency_days={"type": "integer"}),
    _tool("read_file", "Read a project file from the filesystem.", "path", path=STRING, max_lines={"type": "integer"}),
    _tool("write_file", "Write content to a project file.", "path content", path=STRING, content=STRING),
    _tool("list_directory", "List contents of a directory.", "path", path=STRING),
    _tool("execute_command", "Execute a shell command in the project directory.", "command", command=STRING),
    _tool("get_weather", "Current weather and forecast for a city", "city", city=STRING, days={"type": "integer"}),
    _tool("calculator", "Evaluate an arithmetic expression", "expression", expression=STRING),
)  # fmt: skip


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        (
            "Does config/app.toml still point at the staging database? If it does, tell me the line. Do not change anything.",
            [("read_file", {"path": "config/app.toml"})],
        ),
        ("What's the weather in Rome for 3 days?", [("get_weather", {"city": "Rome", "days": 3})]),
        (
            "What's the weather in Rome and Oslo?",
            [("get_weather", {"city": "Rome"}), ("get_weather", {"city": "Oslo"})],
        ),
        ("What is 12 + 30?", [("calculator", {"expression": "12 + 30"})]),
        ("Is it raining in Oslo?", [("get_weather", {"city": "Oslo"})]),
        ("Run `ls -la`", [("execute_command", {"command": "ls -la"})]),
        (
            "List the files in src and then read README.md, first 40 lines",
            [("list_directory", {"path": "src"}), ("read_file", {"path": "README.md", "max_lines": 40})],
        ),
        (
            "Read a.txt and then read b.txt",
            [("read_file", {"path": "a.txt"}), ("read_file", {"path": "b.txt"})],
        ),
        ("Write 'hello' into out/hello.txt", [("write_file", {"path": "out/hello.txt", "content": "hello"})]),
        ("Tell me a joke about cats", []),
        ("Hello, how are you?", []),
    ],
)
def test_tools_and_arguments_come_from_the_prompt(prompt: str, wanted: list[tuple[str, dict[str, Any]]]) -> None:
    assert [(step.tool.name, step.arguments) for step in plan(prompt, TOOLS)] == wanted


def test_dependent_step_waits_for_its_result() -> None:
    first, second = plan("Search the web for the population of Iceland, then write it to notes.md", TOOLS)
    assert (first.waits, second.waits) == (False, True)
    assert second.tool.name == "write_file"
    again = plan("Search the web for Iceland, then write it to notes.md", TOOLS, results=("368,000",))
    assert again[1].arguments == {"path": "notes.md", "content": "368,000"}


def test_tool_choice_is_honoured() -> None:
    named = {"type": "function", "function": {"name": "calculator"}}
    assert plan("What's the weather in Rome?", TOOLS, choice="none") == ()
    assert [step.tool.name for step in plan("What's the weather in Rome?", TOOLS, choice=named)] == ["calculator"]
    assert len(plan("Hello", TOOLS, choice="required")) == 1
    assert plan("Hello", ()) == ()


def test_guidance_names_the_tools() -> None:
    guidance = '1. list_directory path="config"\n2. read_file path="config/app.toml"\nNever call write_file.'
    steps = plan("Hello", TOOLS, guidance=guidance)
    assert [(step.tool.name, step.arguments) for step in steps] == [
        ("list_directory", {"path": "config"}),
        ("read_file", {"path": "config/app.toml"}),
    ]


def test_a_tool_named_in_the_prompt_comes_first() -> None:
    assert rank("Use execute_command to see the weather", TOOLS)[0][0].name == "execute_command"


def test_never_seen_tools_are_used_from_their_definition_alone() -> None:
    blorp = _tool("polish_brass", "Polish a brass instrument to a given shine", "instrument shine",
                  instrument={"enum": ["tuba", "horn"]}, shine={"type": "integer", "minimum": 1, "maximum": 10})  # fmt: skip
    kiln = _tool("fire_kiln", "Fire pottery in a kiln", "temperature_c", temperature_c={"type": "number"}, glaze=STRING)
    assert [(step.tool.name, step.arguments) for step in plan("Please polish my horn to shine 7", (kiln, blorp))] == [
        ("polish_brass", {"instrument": "horn", "shine": 7})
    ]
    assert [(step.tool.name, step.arguments) for step in plan("Fire the pottery at 980 degrees", (kiln, blorp))] == [
        ("fire_kiln", {"temperature_c": 980})
    ]
