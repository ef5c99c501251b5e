from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FILE = '''
import asyncio
print("at import")

def _hidden(): ...

def double(x: int) -> int:
    """Double."""
    print("working")
    return 2 * x

async def later(x: int):
    await asyncio.sleep(0)
    return {"x": x, "set": {1}}

def fail():
    raise ValueError("no\\nway")

def leave():
    raise SystemExit(3)
'''


def ask(wanted: dict[str, Any]) -> tuple[Any, str]:
    command = [sys.executable, "-P", "-m", "workbench.tools.python_child"]
    done = subprocess.run(command, input=json.dumps(wanted), capture_output=True, text=True, check=False)
    assert done.stdout.count("\n") == 1, done.stderr
    return json.loads(done.stdout), done.stderr


@pytest.fixture
def place(tmp_path: Path) -> str:
    (tmp_path / "own.py").write_text(FILE)
    return str(tmp_path / "own.py")


def test_public_functions_are_told_and_prints_go_aside(place: str) -> None:
    answer, log = ask({"file": place})
    assert [one["name"] for one in answer["tools"]] == ["double", "later", "fail", "leave"]
    assert log == "at import\n"


def test_functions_are_called_by_name(place: str) -> None:
    assert ask({"file": place, "call": {"name": "double", "arguments": {"x": 4}}})[0] == {"result": 8}
    assert ask({"file": place, "call": {"name": "later", "arguments": {"x": 4}}})[0] == {
        "result": {"x": 4, "set": "{1}"}
    }


def test_a_failure_has_a_short_line_and_a_traceback_of_the_users_own_code(place: str) -> None:
    answer, _ = ask({"file": place, "call": {"name": "fail", "arguments": {}}})
    assert answer["error"] == "ValueError: no\nway"
    assert "own.py" in answer["trace"]
    assert "python_child.py" not in answer["trace"]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"call": {"name": "leave", "arguments": {}}}, "SystemExit: 3"),
        ({"call": {"name": "none", "arguments": {}}}, "there is no tool 'none'"),
        ({"call": {"name": "double", "arguments": {"y": 1}}}, "TypeError"),
    ],
)
def test_child_always_answers_in_json(place: str, wanted: dict[str, Any], said: str) -> None:
    assert said in ask({"file": place} | wanted)[0]["error"]


def test_unreadable_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def (")
    assert "SyntaxError" in ask({"file": str(tmp_path / "bad.py")})[0]["error"]
    assert "no entry point" in ask({"entry": "no-such-entry"})[0]["error"]
