from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.tools import NOWHERE, CallPlace, ToolMode, ToolResult
from workbench.tools.python_tools import PythonTools

FILE = '''
import os, subprocess, sys, time
from workbench.tools import tool

@tool
def add(a: float, b: float = 0) -> float:
    """Add."""
    print("a log line")
    return a + b

@tool
def fail(): raise KeyError("city")

@tool
def says(): return {"success": False, "result": None, "error": "closed today"}

@tool(seconds=0.5)
def hang(): time.sleep(60)

@tool
def die(): os._exit(7)

@tool(environment=("TOOL_TEST_KEY",))
def key(): return [os.environ.get("TOOL_TEST_KEY"), os.environ.get("OTHER_TEST_KEY")]

@tool
def where(): return os.getcwd()

@tool
def module(): import json; return json.__file__
'''


@pytest.fixture
def place(tmp_path: Path) -> str:
    (tmp_path / "own.py").write_text(FILE)
    return str(tmp_path / "own.py")


def call(place: str, name: str, arguments: dict[str, Any] | None = None, run: CallPlace = NOWHERE) -> ToolResult:
    async def main() -> ToolResult:
        tools = PythonTools(lambda: None)
        setups = {one.setup.spec.name: one.setup for one in await tools.describe(place)}
        return await tools.execute(setups[name], arguments or {}, run)

    return asyncio.run(main())


def test_a_function_is_called_and_its_prints_are_a_log(place: str) -> None:
    assert call(place, "add", {"a": 2, "b": 3}) == ToolResult(True, 5, None, ToolMode.RUN, trace="a log line\n")


def test_function_may_return_a_failure(place: str) -> None:
    assert call(place, "says").error == "closed today"


def test_a_failure_is_short_for_the_model(place: str) -> None:
    result = call(place, "fail")
    assert result.error == "KeyError: 'city'"
    assert "Traceback" in result.trace


def test_hanging_or_dying_function_is_a_failed_result(place: str) -> None:
    assert call(place, "hang").error == "Stopped after 0.5 seconds."
    assert call(place, "die").error == "The function ended the process with status 7."


def test_function_gets_only_named_variables(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_TEST_KEY", "mine")
    monkeypatch.setenv("OTHER_TEST_KEY", "not mine")
    assert call(place, "key").result == ["mine", None]


def test_a_function_runs_in_the_workspace_but_imports_nothing_from_it(place: str, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "json.py").write_text("raise RuntimeError('planted')")
    run = CallPlace(workspace=str(tmp_path / "work"))
    assert call(place, "where", run=run).result == str(tmp_path / "work")
    assert "work/json.py" not in call(place, "module", run=run).result


def test_definitions_follow_the_file(place: str) -> None:
    async def main() -> list[list[str]]:
        tools = PythonTools(lambda: None)
        seen = [[one.setup.spec.name for one in await tools.describe(place)]]
        Path(place).write_text("def only(): ...")
        os.utime(place, (1, 1))
        seen.append([one.setup.spec.name for one in await tools.describe(place)])
        return seen

    before, after = asyncio.run(main())
    assert len(before) == 8
    assert after == ["only"]


def test_a_file_with_a_fault_names_it(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import no_such_module")
    with pytest.raises(InvalidInput, match="no_such_module"):
        asyncio.run(PythonTools(lambda: None).describe(str(tmp_path / "bad.py")))
    with pytest.raises(InvalidInput, match="cannot be read"):
        asyncio.run(PythonTools(lambda: None).describe(str(tmp_path / "none.py")))
