from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.fakes import READ_FILE, WEATHER
from tests.kit.tree import ROOT
from workbench.app.data_folder import DataFolder
from workbench.app.tool_shelf import ToolShelf
from workbench.core.errors import InvalidInput, ToolError, UnknownName
from workbench.core.tools import ToolMode, ToolSetup
from workbench.settings.paths import Home
from workbench.settings.values import ToolSettings


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    home = Home(tmp_path / "home").make()
    (home.tools / "own.py").write_text("def greet(name: str) -> str:\n    'Greet.'\n    return f'hello {name}'\n")
    (tmp_path / "work").mkdir()
    return DataFolder(home)


@pytest.fixture
def shelf(folder: DataFolder) -> ToolShelf:
    return ToolShelf(
        folder.home,
        lambda: folder.saved_settings,
        folder.secrets,
        folder.check,
        lambda: folder.store,
        folder.has_records,
    )


def names(shelf: ToolShelf) -> dict[str, str]:
    return {one.setup.spec.name: one.shelf for one in asyncio.run(shelf.tools())[0]}


def test_all_sources_are_listed_and_a_broken_one_is_told(shelf: ToolShelf, folder: DataFolder) -> None:
    (folder.home.tools / "bad.py").write_text("1/0")
    found, faults = asyncio.run(shelf.tools())
    assert {one.shelf for one in found} == {"built-in", "own.py"}
    assert [fault.shelf for fault in faults] == ["bad.py"]
    assert "ZeroDivisionError" in faults[0].message


def test_a_function_is_found_by_name_or_shelf_and_called(shelf: ToolShelf) -> None:
    for name in ("greet", "own.py/greet"):
        one = asyncio.run(shelf.find(name))
        assert asyncio.run(shelf.call(one.setup, {"name": "you"})).result == "hello you"
    with pytest.raises(UnknownName):
        asyncio.run(shelf.find("nothing"))


def test_arguments_are_checked_before_anything_is_executed(shelf: ToolShelf) -> None:
    one = asyncio.run(shelf.find("greet"))
    result = asyncio.run(shelf.call(one.setup, {"name": 7}))
    assert (result.success, result.by) == (False, "")
    assert "name: 7 is not of type 'string'" in str(result.error)


def test_a_write_is_undone(shelf: ToolShelf, tmp_path: Path) -> None:
    one = asyncio.run(shelf.find("write_file"))
    done = asyncio.run(shelf.call(one.setup, {"path": "a", "content": "b"}, workspace=str(tmp_path / "work")))
    assert done.success
    assert shelf.undo(done.undo) == "a"
    assert not (tmp_path / "work" / "a").exists()


def test_commands_follow_the_settings(shelf: ToolShelf, folder: DataFolder, tmp_path: Path) -> None:
    one = asyncio.run(shelf.find("execute_command"))
    assert one.note == "switched off"
    work = str(tmp_path / "work")
    assert "switched off" in str(asyncio.run(shelf.call(one.setup, {"command": "ls"}, workspace=work)).error)

    chosen = ToolSettings(commands=True, unfenced=True)
    folder.save(replace(folder.saved_settings, tools=chosen))

    assert asyncio.run(shelf.find("execute_command")).note == ""
    assert asyncio.run(shelf.call(one.setup, {"command": "ls"}, workspace=work)).success


def test_the_data_folder_is_no_workspace(shelf: ToolShelf, folder: DataFolder) -> None:
    with pytest.raises(InvalidInput, match="keys and settings"):
        shelf.use_workspace(folder.home.path)


def test_saved_sets_are_on_the_shelf(shelf: ToolShelf, folder: DataFolder) -> None:
    folder.store.tool_sets.save("mine", (ToolSetup(WEATHER),))
    try:
        assert names(shelf)["get_weather"] == "set mine 1"
    finally:
        folder.close()


def test_unfenced_items_are_listed_first(shelf: ToolShelf) -> None:
    kept = [fact.kept for fact in shelf.facts()]
    assert kept == sorted(kept)
    assert kept[0] is False


def test_run_tools_get_their_executor(shelf: ToolShelf) -> None:
    given = (ToolSetup(WEATHER, ToolMode.RUN), ToolSetup(READ_FILE, ToolMode.RUN))
    weather, read = asyncio.run(shelf.with_sources(given))
    assert (weather.source.kind, read.source.kind) == ("", "builtin")
    mocked = (ToolSetup(READ_FILE),)
    assert asyncio.run(shelf.with_sources(mocked)) == mocked


def test_tools_are_chosen_by_the_name_of_a_set(shelf: ToolShelf, folder: DataFolder) -> None:
    folder.store.tool_sets.save("mine", (ToolSetup(WEATHER),))
    folder.store.tool_sets.save("mine", (ToolSetup(READ_FILE),))
    try:
        assert [setup.spec.name for setup in shelf.chosen("set:mine@1")] == ["get_weather"]
        assert [setup.spec.name for setup in shelf.chosen("set:mine")] == ["read_file"]
        assert len(shelf.chosen("builtin")) == 5
        for wrong in ("set:none", "set:mine@x", "set:mine@7"):
            with pytest.raises(InvalidInput):
                shelf.chosen(wrong)
    finally:
        folder.close()


def test_live_tools_are_asked_for_their_definition_before_a_run(shelf: ToolShelf, folder: DataFolder) -> None:
    server = {"command": sys.executable, "args": [str(ROOT / "tests" / "kit" / "mcp_server.py")]}
    folder.home.mcp.write_text(json.dumps({"mcpServers": {"odd": server}}))

    async def main() -> tuple[ToolSetup, ToolSetup]:
        try:
            echo = (await shelf.import_mcp(None, ["odd"], live=True))[0]
            old = replace(echo, spec=replace(echo.spec, description="as it was"))
            frozen = replace(old, source=replace(old.source, live=False))
            live, kept = await shelf.refreshed((old, frozen))
            return live, kept
        finally:
            await shelf.aclose()

    live, kept = asyncio.run(main())
    assert (live.spec.description, kept.spec.description) == ("Echo.", "as it was")


def test_imported_tools_are_found_from_any_folder(
    shelf: ToolShelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = {"command": sys.executable, "args": [str(ROOT / "tests" / "kit" / "mcp_server.py")]}
    (tmp_path / "mine.json").write_text(json.dumps({"mcpServers": {"odd": server}}))
    monkeypatch.chdir(tmp_path)

    async def main() -> tuple[ToolSetup, ...]:
        try:
            return await shelf.import_mcp(Path("mine.json"), [])
        finally:
            await shelf.aclose()

    assert {one.source.place for one in asyncio.run(main())} == {str(tmp_path / "mine.json")}


def test_a_server_that_cannot_be_used_is_told_and_left_out(shelf: ToolShelf, folder: DataFolder) -> None:
    good = {"command": sys.executable, "args": [str(ROOT / "tests" / "kit" / "mcp_server.py")]}
    bad = {"command": sys.executable, "args": ["-c", "raise SystemExit(3)"]}
    folder.home.mcp.write_text(json.dumps({"mcpServers": {"bad": bad, "good": good}}))
    told: list[str] = []

    async def asked(servers: list[str]) -> tuple[ToolSetup, ...]:
        return await shelf.import_mcp(None, servers, tell=told.append)

    async def main() -> tuple[ToolSetup, ...]:
        try:
            found = await asked([])
            with pytest.raises(ToolError, match="'bad'"):
                await asked(["bad", "good"])
            folder.home.mcp.write_text(json.dumps({"mcpServers": {"bad": bad}}))
            with pytest.raises(ToolError, match="'bad'"):
                await asked([])
            return found
        finally:
            await shelf.aclose()

    assert {one.source.name for one in asyncio.run(main())} == {"good"}
    assert any("'bad'" in line and line.endswith("It is left out.") for line in told)
    assert "MCP good: 4 tools" in told


def test_calls_wait_as_long_as_the_settings_say(shelf: ToolShelf, folder: DataFolder) -> None:
    assert {setup.ask_seconds for setup in shelf.chosen("builtin")} == {120.0}
    folder.save(replace(folder.saved_settings, tools=ToolSettings(ask_seconds=7)))
    assert {setup.ask_seconds for setup in shelf.chosen("builtin")} == {7.0}
