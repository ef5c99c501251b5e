from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from workbench.core.tools import SourceKind, ToolMode, ToolSetup, ToolSource, ToolSpec
from workbench.tools.preview import Effect, effect_of


def effect(kind: SourceKind, name: str, arguments: dict[str, Any], folder: Path | None) -> Effect:
    source = ToolSource(kind, "/x/own.py", "notes", name)
    return effect_of(ToolSetup(ToolSpec(name), ToolMode.ASK, source=source), arguments, folder)


def test_a_write_shows_what_would_change_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Rome, time unknown\nsame\n")
    found = effect("builtin", "write_file", {"path": "a.md", "content": "Rome 05:41\nsame\n"}, tmp_path)
    assert found.facts[0] == f"Replaces a.md in {tmp_path}: 24 bytes become 16."
    assert found.diff == ("-Rome, time unknown", "+Rome 05:41")
    assert found.undo
    assert (tmp_path / "a.md").read_text().startswith("Rome, time")
    new = effect("builtin", "write_file", {"path": "b.md", "content": "x"}, tmp_path)
    assert new.facts[0].startswith("Makes b.md")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("write_file", {"path": "../x"}), ("read_file", {"path": "/etc/passwd"}), ("write_file", {})],
)
def test_what_the_tool_would_refuse_is_said(name: str, arguments: dict[str, Any], tmp_path: Path) -> None:
    assert effect("builtin", name, arguments, tmp_path).refused
    assert effect("builtin", name, arguments, None).refused == "No workspace folder is chosen."


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        ("builtin", "read_file", "Reads"),
        ("builtin", "list_directory", "Lists"),
        ("builtin", "execute_command", "Runs"),
        ("builtin", "web_search", "Looks for"),
        ("python", "f", "own.py"),
        ("mcp", "f", "MCP server notes"),
        ("openapi", "f", "request"),
        ("", "f", "mock"),
    ],
)
def test_every_kind_of_tool_has_a_sentence(kind: SourceKind, name: str, said: str, tmp_path: Path) -> None:
    assert said in effect(kind, name, {}, tmp_path).facts[0]
