from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from workbench.core.tools import CallPlace, ToolMode, ToolResult, ToolSetup, ToolSource, ToolSpec
from workbench.tools.builtin import ENCODINGS, NAMES, BuiltinRules, BuiltinTools
from workbench.tools.toolset import builtin_tools
from workbench.tools.write_journal import WriteJournal


@pytest.fixture
def tools(tmp_path: Path) -> BuiltinTools:
    (tmp_path / "work").mkdir()
    return BuiltinTools(WriteJournal(tmp_path / "journal"), BuiltinRules())


def call(tools: BuiltinTools, tmp_path: Path, name: str, **arguments: Any) -> ToolResult:
    return asyncio.run(tools.call(name, arguments, tmp_path / "work"))


def test_the_five_are_those_of_the_shipped_definitions() -> None:
    assert tuple(setup.spec.name for setup in builtin_tools()) == NAMES


def test_a_file_is_written_read_listed_and_undone(tools: BuiltinTools, tmp_path: Path) -> None:
    written = call(tools, tmp_path, "write_file", path="notes/today.md", content="# Today\n")
    assert written.to_json() == {
        "success": True,
        "result": {"path": "notes/today.md", "bytes": 8, "created": True},
        "error": None,
    }
    assert call(tools, tmp_path, "read_file", path="notes/today.md").result == "# Today\n"
    appended = call(tools, tmp_path, "write_file", path="notes/today.md", content="more", mode="append")
    assert appended.result["created"] is False
    listed = call(tools, tmp_path, "list_directory", path="notes")
    assert listed.result == {"entries": [{"name": "today.md", "kind": "file", "bytes": 12}]}

    tools.journal.undo(appended.undo)

    assert call(tools, tmp_path, "read_file", path="notes/today.md").result == "# Today\n"


@pytest.mark.parametrize(
    ("encoding", "content", "data"),
    [
        ("utf-8", "Grüße", "Grüße".encode()),
        ("latin-1", "Grüße", b"Gr\xfc\xdfe"),
        ("utf-16-le", "Aé", b"A\0\xe9\0"),
        ("base64", "AP8Q\n", b"\0\xff\x10"),
    ],
)
def test_files_are_written_and_read_in_an_encoding(
    encoding: str, content: str, data: bytes, tools: BuiltinTools, tmp_path: Path
) -> None:
    done = call(tools, tmp_path, "write_file", path="a", content=content, encoding=encoding)
    assert (done.success, done.result["bytes"]) == (True, len(data))
    assert (tmp_path / "work" / "a").read_bytes() == data
    assert call(tools, tmp_path, "read_file", path="a", encoding=encoding).result == content.strip()
    call(tools, tmp_path, "write_file", path="a", content=content, encoding=encoding, mode="append")
    assert (tmp_path / "work" / "a").read_bytes() == data * 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"encoding": "ebcdic"}, "There is no encoding 'ebcdic'"),
        ({"encoding": ["utf-8"]}, "There is no encoding"),
        ({"encoding": "ascii", "content": "Grüße"}, "which ascii has no bytes for"),
        ({"encoding": "base64", "content": "*"}, "no base64"),
        ({"content": "half \ud800"}, "half of a character"),
        ({"mode": "insert"}, "There is no mode 'insert'"),
    ],
)
def test_what_cannot_be_written_is_told(
    arguments: dict[str, Any], told: str, tools: BuiltinTools, tmp_path: Path
) -> None:
    result = call(tools, tmp_path, "write_file", **{"path": "a", "content": "x", **arguments})
    assert (result.success, told in str(result.error)) == (False, True)
    assert not (tmp_path / "work" / "a").exists()


def test_definition_names_what_is_known() -> None:
    (write,) = [setup.spec for setup in builtin_tools() if setup.spec.name == "write_file"]
    assert write.parameters["properties"]["encoding"]["enum"] == list(ENCODINGS)
    assert write.parameters["properties"]["mode"]["enum"] == ["overwrite", "append"]


def test_a_folder_is_listed_without_a_path(tools: BuiltinTools, tmp_path: Path) -> None:
    assert call(tools, tmp_path, "list_directory").result == {"entries": []}


def test_without_a_workspace_nothing_is_done(tools: BuiltinTools) -> None:
    result = asyncio.run(tools.call("read_file", {"path": "x"}, None))
    assert (result.success, result.source) == (False, ToolMode.RUN)
    assert "No workspace folder" in str(result.error)


def test_a_call_of_a_run_uses_the_workspace_of_the_run(tools: BuiltinTools, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    setup = ToolSetup(ToolSpec("put"), ToolMode.RUN, source=ToolSource("builtin", tool="write_file"))
    place = CallPlace(workspace=str(tmp_path / "other"))

    done = asyncio.run(tools.execute(setup, {"path": "x", "content": "y"}, place))

    assert done.success
    assert (tmp_path / "other" / "x").read_text() == "y"


def test_search_and_commands_are_off_at_first(tools: BuiltinTools, tmp_path: Path) -> None:
    for name, arguments in (("web_search", {"query": "x"}), ("execute_command", {"command": "ls"})):
        result = call(tools, tmp_path, name, **arguments)
        assert "switched off" in str(result.error)
