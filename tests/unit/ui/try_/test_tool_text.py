"""The tools document: read, checked in place, changed without losing anything."""

from __future__ import annotations

import json

import pytest

from workbench.core.tools import ArgumentRule, MockRule, ToolMode, ToolSetup, ToolSource, ToolSpec
from workbench.ui.try_.tool_text import check_tools, place_of, tools_text, with_how, with_skeleton

TWO = json.dumps([{"type": "function", "function": {"name": name, "strict": True}} for name in ("a", "b")], indent=2)


def test_empty_means_no_tools() -> None:
    assert check_tools("  ") == ((), None)


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ('[\n  {"name": "a"}\n  {"name": "b"}\n]', 2, "comma expected"),
        ('[\n  {"name": "a"},\n  {"name": "a"}\n]', 3, "repeats the name"),
        ('[\n  {"name": "a"},\n  {}\n]', 3, "no usable name"),
        ('{"tools": [\n  {"name": "9"}\n]}', 2, "no usable name"),
        ("7", 1, "not a JSON list"),
    ],
)
def test_faults_name_their_line(text: str, line: int, part: str) -> None:
    setups, fault = check_tools(text)
    assert setups == ()
    assert fault is not None
    assert (fault.line, part in fault.message) == (line, True)


def test_a_wrong_schema_is_found_at_its_place() -> None:
    tool = {"name": "a", "parameters": {"type": "object", "properties": {"x": {"type": "strnig"}}}}
    text = json.dumps([tool], indent=1)
    _, fault = check_tools(text)
    assert fault is not None
    assert "strnig" in text.split("\n")[fault.line - 1]


def test_a_way_to_run_is_written_into_the_text_and_nothing_is_lost() -> None:
    rule = MockRule("fixed", {"lines": 3}, "", 250)
    text = with_how(with_how(TWO, "a", ToolMode.RECORD, MockRule()), "b", ToolMode.MOCK, rule)
    (first, second), fault = check_tools(text)
    assert fault is None
    assert (first.mode, second.mode, second.mock) == (ToolMode.RECORD, ToolMode.MOCK, rule)
    assert '"strict": true' in text
    back = with_how(with_how(text, "a", ToolMode.MOCK, MockRule()), "b", ToolMode.MOCK, MockRule())
    assert [one.mode for one in check_tools(back)[0]] == [ToolMode.MOCK, ToolMode.MOCK]
    assert "modes" not in json.loads(back)


def test_a_mode_inside_the_tool_is_overruled() -> None:
    text = '[{"name": "a", "mode": "record", "mock": {"error": "no"}}]'
    assert check_tools(text)[0][0].mode is ToolMode.RECORD
    changed = with_how(text, "a", ToolMode.MOCK, MockRule())
    (setup,), _ = check_tools(changed)
    assert (setup.mode, setup.mock) == (ToolMode.MOCK, MockRule())


@pytest.mark.parametrize(
    "rule",
    [MockRule(), MockRule("template", "{{ x }}"), MockRule("failing", None, "no"), MockRule("echo", None, "", 9)],
)
def test_parameters_round_trip(rule: MockRule) -> None:
    setups, _ = check_tools(with_how(TWO, "b", ToolMode.MOCK, rule))
    assert setups[1].mock == rule
    assert check_tools(tools_text(setups))[0] == setups


def test_everything_said_of_a_tool_comes_back() -> None:
    """Tools of a recorded run, opened in Try, still know who executes them."""
    rules = MockRule("rules", rules=(ArgumentRule({"city": "Rome"}, MockRule("fixed", 1, recorded=True)),))
    steps = MockRule("sequence", steps=(MockRule("failing", None, "no"), rules))
    setups = (
        ToolSetup(ToolSpec("read_file"), ToolMode.RUN, source=ToolSource("builtin", tool="read_file"), ask_seconds=9.0),
        ToolSetup(ToolSpec("weather", extra={"strict": True}), mock=steps),
        ToolSetup(ToolSpec("now"), ToolMode.ASK, source=ToolSource("mcp", "mcp.json", "time", "now", True)),
    )
    assert check_tools(tools_text(setups)) == (setups, None)
    text = with_how(tools_text(setups), "weather", ToolMode.MOCK, rules)
    (first, second, third), _ = check_tools(text)
    assert (first, second.mock, third) == (setups[0], rules, setups[2])


def test_skeletons_have_free_names() -> None:
    text = with_skeleton(with_skeleton(""))
    setups, fault = check_tools(text)
    assert fault is None
    assert [one.spec.name for one in setups] == ["my_tool", "my_tool_2"]
    assert with_skeleton("[") == "["
    assert text[place_of(text, 1) :].startswith("{")
    assert "my_tool_2" in text[place_of(text, 1) :]
