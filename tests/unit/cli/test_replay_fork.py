"""A recorded run gone another way, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.history import Terminal
from workbench.cli.replay_fork import KNOWN

FAST = '{"simulate": {"tokens_per_second": 0}}'
TOOLS = [
    {
        "name": "get_weather",
        "description": "Weather.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path) -> Terminal:
    """A home with one run that called a tool."""
    made = Terminal(capsys)
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps(TOOLS))
    made("run", "Weather in Rome?", "--model", "qwen-hasty", "--extra", FAST, "--tools", str(tools), "--quiet")
    return made


def shown(terminal: Terminal, number: int) -> dict:
    return terminal.json("show", str(number))


def begun(terminal: Terminal, number: int) -> dict:
    return next(event for event in shown(terminal, number)["events"] if event["event"] == "run_started")


def test_a_fork_names_its_parent_and_what_was_changed(terminal: Terminal) -> None:
    terminal("replay", "1", "--from-iteration", "2", "--set", 'result.1={"sky": "hail"}', "--quiet")
    parent = begun(terminal, 2)["parent"]
    assert parent == {"run_id": shown(terminal, 1)["id"], "iteration": 2, "edits": ["result 1.1"]}
    assert shown(terminal, 2)["origin"] == "fork"
    assert "hail" in json.dumps(begun(terminal, 2)["messages"])
    assert "forked at iteration 2 with another result 1.1: run " in terminal("show", "2")


def test_a_prompt_from_a_file_and_other_tools(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("Weather in Oslo?")
    terminal(
        "replay",
        "1",
        "--from-iteration",
        "1",
        "--set",
        f"prompt=@{tmp_path / 'prompt.txt'}",
        "--set",
        f"tools={tmp_path / 'tools.json'}",
        "--json",
    )
    assert begun(terminal, 2)["parent"]["edits"] == ["prompt", "tools"]
    assert shown(terminal, 2)["prompt"] == "Weather in Oslo?"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--from-iteration", "9"], "There is no iteration 9."),
        (["--from-iteration", "2", "--set", "colour=red"], "--set knows no 'colour'."),
        (["--from-iteration", "2", "--set", "prompt"], "--set 'prompt' has no value."),
        (["--from-iteration", "2", "--set", "error.1.7=no"], "There is no result 1.7 before iteration 2."),
    ],
)
def test_what_cannot_be_done_is_said(terminal: Terminal, given: list[str], told: str) -> None:
    terminal("replay", "1", *given, code=2)
    assert told in terminal.err
    assert len(terminal.json("history")) == 1


def test_one_run_at_a_time(terminal: Terminal) -> None:
    terminal("replay", "1", "1", "--from-iteration", "2", code=2)
    assert "One run can be forked at a time" in terminal.err


def test_the_names_that_are_known_are_told() -> None:
    assert "result.2.3=VALUE" in KNOWN
