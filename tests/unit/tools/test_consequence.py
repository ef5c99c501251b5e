from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.tools import ToolSetup, ToolSource, ToolSpec
from workbench.tools.consequence import consequences


def told(tool: str, arguments: dict, workspace: Path | str = "", kind: str = "builtin", **source: str) -> list[str]:
    setup = ToolSetup(ToolSpec(tool), source=ToolSource(kind, **source))  # type: ignore[arg-type]
    return [f"{one.kind} {one.text}" for one in consequences(setup, arguments, str(workspace))]


def test_a_write_tells_sizes_and_the_changed_lines(tmp_path: Path) -> None:
    (tmp_path / "today.md").write_text("one\ntwo\n", encoding="utf-8")
    lines = told("write_file", {"path": "today.md", "content": "one\n2\n"}, tmp_path)

    assert lines[0] == f"does Replaces today.md in {tmp_path}: 8 B become 6 B"
    assert lines[2:4] == ["removed two", "added 2"]
    assert (
        told("write_file", {"path": "new.md", "content": "x"}, tmp_path)[0] == f"does Creates new.md in {tmp_path}: 1 B"
    )
    assert told("write_file", {"path": "today.md", "content": "3", "mode": "append"}, tmp_path)[0].endswith(
        "8 B become 9 B"
    )


def test_a_long_difference_is_cut_and_counted(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("\n".join(map(str, range(50))), encoding="utf-8")
    lines = told("write_file", {"path": "a", "content": "nothing"}, tmp_path)
    assert "… " in lines[-2]
    assert len(lines) <= 8


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "link"])
def test_nothing_outside_of_the_workspace_is_read(tmp_path: Path, path: str) -> None:
    (tmp_path.parent / "secret").write_text("hidden words", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path.parent / "secret")
    assert not any("hidden words" in line for line in told("write_file", {"path": path, "content": "x"}, tmp_path))


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        ("builtin", "execute_command", "without a shell"),
        ("builtin", "web_search", "search service"),
        ("builtin", "list_directory", "changes nothing"),
        ("python", "f", "your rights"),
        ("mcp", "f", "outside of all limits"),
        ("openapi", "f", "over the network"),
        ("", "f", "Nothing executes this tool"),
    ],
)
def test_tool_kinds_have_descriptions(kind: str, name: str, said: str) -> None:
    lines = told(name, {"command": "ls", "query": "x"}, "/w", kind, name="srv", place="a.py")
    assert any(said in line for line in lines)
    assert lines[-1] == "undo Your decision is recorded and replayed offline"
