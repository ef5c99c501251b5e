"""What all commands of the tree have in common."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import typer

import workbench
from workbench.cli import tree


def test_subcommands_of_groups_have_home_too() -> None:
    found = tree.command_tree(["db", "providers"], {"parse": "Read."})
    for group in ("db", "providers"):
        for command in found.commands[group].commands.values():
            assert any(param.name == "home" for param in command.params)


def test_home_reaches_children_through_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_HOME", "before")
    assert tree.use_home(None) is None
    assert os.environ["WORKBENCH_HOME"] == "before"
    tree.use_home(Path("after"))
    assert os.environ["WORKBENCH_HOME"] == "after"


def test_version_stops(capsys: pytest.CaptureFixture[str]) -> None:
    assert tree.show_version(False) is False
    with pytest.raises(typer.Exit):
        tree.show_version(True)
    assert capsys.readouterr().out == f"workbench {workbench.__version__}\n"
