from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit import runs
from workbench.core.tools import MockRule, ToolMode, ToolSetup, ToolSpec
from workbench.schema import check_schema
from workbench.tools.toolset import (
    ToolsetError,
    builtin_tools,
    load_toolset,
    mock_rule,
    parse_toolset,
    setups_from_json,
    toolset_to_json,
    write_toolset,
)

SEARCH = ToolSpec("search", "", {"type": "object", "properties": {"query": {"type": "string"}}})


def document(**more: Any) -> dict[str, Any]:
    return {"tools": [runs.WEATHER.to_openai(), SEARCH.to_openai()], **more}


def test_tools_come_with_their_modes_and_mocks() -> None:
    value = document(mocks={"search": {"error": "No network.", "delay_ms": 500}}, modes={"get_weather": "record"})

    assert setups_from_json(value) == (
        ToolSetup(runs.WEATHER, ToolMode.RECORD),
        ToolSetup(SEARCH, ToolMode.MOCK, MockRule("failing", error="No network.", delay_ms=500)),
    )


def test_a_bare_list_is_a_document() -> None:
    assert setups_from_json([SEARCH.to_openai()], mode=ToolMode.RECORD) == (ToolSetup(SEARCH, ToolMode.RECORD),)


@pytest.mark.parametrize(
    "own", [{"mock": {"result": 3}, "mode": "record"}, {"x-workbench": {"mock": 3, "mode": "record"}}]
)
def test_a_tool_may_carry_its_own(own: dict[str, Any]) -> None:
    assert setups_from_json([SEARCH.to_openai() | own]) == (ToolSetup(SEARCH, ToolMode.RECORD, MockRule("fixed", 3)),)


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ({"result": {"a": 1}}, MockRule("fixed", {"a": 1})),
        ({"result": None}, MockRule("fixed", None)),
        ({"template": "{{ call.id }}"}, MockRule("template", "{{ call.id }}")),
        ({"kind": "template", "result": "x"}, MockRule("template", "x")),
        ({"error": "no"}, MockRule("failing", error="no")),
        ({"kind": "failing"}, MockRule("failing")),
        ({"kind": "echo", "delay_ms": 5}, MockRule(delay_ms=5)),
        ({"temperature": 21}, MockRule("fixed", {"temperature": 21})),
        ({}, MockRule("fixed", {})),
        ("text", MockRule("fixed", "text")),
    ],
)
def test_mocks_are_read(value: Any, rule: MockRule) -> None:
    assert mock_rule(value) == rule


SETUPS = (
    ToolSetup(runs.WEATHER, ToolMode.RECORD, MockRule("fixed", {"result": 1, "kind": "x"}, delay_ms=3)),
    ToolSetup(SEARCH, ToolMode.MOCK, MockRule("template", "{{ arguments }}")),
    ToolSetup(ToolSpec("a"), ToolMode.RUN, MockRule("failing", error="no")),
    ToolSetup(ToolSpec("b"), ToolMode.ASK, MockRule("echo", delay_ms=9)),
    ToolSetup(ToolSpec("c", "plain")),
)


def test_toolset_round_trip() -> None:
    assert parse_toolset(write_toolset(SETUPS)) == SETUPS
    assert setups_from_json(toolset_to_json(SETUPS)) == SETUPS


def test_an_empty_editor_is_no_tools() -> None:
    assert parse_toolset(" \n") == ()


@pytest.mark.parametrize(("text", "line", "column"), [('[\n  {"a": }\n]', 2, 9), ("[", 1, 2), ("[1,]", 1, 4)])
def test_broken_json_is_named_by_line_and_column(text: str, line: int, column: int) -> None:
    with pytest.raises(ToolsetError) as caught:
        parse_toolset(text)

    assert caught.value.line == line
    assert abs(caught.value.column - column) <= 1
    assert f"line {line}" in caught.value.message


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (3, "not a JSON list"),
        ([3], r"tools\[0\] is not an object"),
        ([{"name": "a b"}], "no usable name: 'a b'"),
        ([SEARCH.to_openai()] * 2, "repeats the name 'search'"),
        (document(mocks={"serach": 1}), "'mocks' names tools that are not there: serach"),
        (document(mocks=[1]), "'mocks' is not an object"),
        (document(modes={"search": "dream"}), "'search': there is no tool mode 'dream'"),
        (document(mocks={"search": {"result": 1, "delay_ms": "long"}}), "mock of 'search': 'delay_ms'"),
        (document(mocks={"search": {"kind": "magic"}}), "no mock kind 'magic'"),
    ],
)
def test_errors_are_named(value: Any, said: str) -> None:
    with pytest.raises(ToolsetError, match=said):
        parse_toolset(json.dumps(value), "tools.json")


def test_text_nested_without_end_is_refused() -> None:
    with pytest.raises(ToolsetError, match="deeply"):
        parse_toolset("[" * 100_000)


def test_files_are_read_with_their_name_in_complaints(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text("\ufeff" + write_toolset(SETUPS), encoding="utf-8")
    (tmp_path / "broken.json").write_text("{")

    assert load_toolset(tmp_path / "tools.json") == SETUPS
    for name in ("broken.json", "nothing.json"):
        with pytest.raises(ToolsetError, match=name):
            load_toolset(tmp_path / name)


def test_the_built_in_tools_are_the_five_of_the_requirements() -> None:
    tools = builtin_tools()

    assert [setup.spec.name for setup in tools] == [
        "web_search",
        "read_file",
        "write_file",
        "list_directory",
        "execute_command",
    ]
    assert {setup.mode for setup in tools} == {ToolMode.MOCK}
    assert tools[0].spec.properties["recency_days"]["default"] == 30
    assert not [problem for setup in tools for problem in check_schema(setup.spec.parameters)]
