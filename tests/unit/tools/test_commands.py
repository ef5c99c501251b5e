from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from workbench.core.errors import ToolError
from workbench.tools import commands
from workbench.tools.commands import CommandFailed, CommandRules, execute_command, read_command
from workbench.tools.fence import Fence, find_fence
from workbench.tools.workspace import Workspace


def run(folder: Path, line: Any, rules: CommandRules) -> dict[str, Any]:
    (folder / "a.txt").write_text("alpha\nbeta\n")
    with Workspace.open(folder) as workspace:
        return asyncio.run(execute_command(line, workspace, rules))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ls -la notes", ["ls", "-la", "notes"]),
        ("grep 'a|b;c' data.csv", ["grep", "a|b;c", "data.csv"]),
        ('grep "$HOME > x" data.csv', ["grep", "$HOME > x", "data.csv"]),
        ("grep a\\ b data.csv", ["grep", "a b", "data.csv"]),
    ],
)
def test_a_plain_command_is_split_as_a_shell_would(line: str, words: list[str]) -> None:
    assert read_command(line, ("ls", "grep")) == words


def test_commands_are_off_by_default(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="switched off"):
        run(tmp_path, "ls", CommandRules())


def test_without_a_whole_fence_a_command_needs_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "find_fence", lambda: Fence(""))
    with pytest.raises(ToolError, match="bubblewrap"):
        run(tmp_path, "ls", CommandRules(True))
    assert run(tmp_path, "grep beta a.txt", CommandRules(True, unfenced=True))["stdout"] == "beta\n"


@pytest.mark.skipif(find_fence().kind != "bubblewrap", reason="bubblewrap does not work on this system")
def test_behind_bubblewrap_a_command_works_in_the_workspace(tmp_path: Path) -> None:
    assert run(tmp_path, "wc -l a.txt", CommandRules(True)) == {"exit": 0, "stdout": "2 a.txt\n", "stderr": ""}


def test_failing_command_keeps_its_output(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match="status 2") as caught:
        run(tmp_path, "ls none.txt", CommandRules(True, unfenced=True))
    assert "none.txt" in caught.value.result["stderr"]


def test_missing_program_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="not installed"):
        run(tmp_path, "nosuchprogram", CommandRules(True, ("nosuchprogram",)))
