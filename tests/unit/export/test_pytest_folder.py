from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.kit.exports import CALL, SLOPPY, exported, weather_case
from tests.kit.fakes import Reply
from tests.kit.waiting import LIMIT_S
from workbench.export.files import write_export
from workbench.export.pytest_folder import export_pytest

GOOD = """
from workbench.formats import get_format
from workbench.core.tools import tools_from_json

def parse(text, tools):
    found = get_format("qwen_xml").parse(text, tools_from_json(tools))
    return [{"name": call.name, "arguments": call.arguments} for call in found.calls]
"""
WRONG = """
import json, re

def parse(text, tools):
    return [json.loads(body) for body in re.findall(r"<tool_call>(.*?)</tool_call>", text, re.S)]
"""


def run_pytest(folder: Path, parser: str, place: Path) -> subprocess.CompletedProcess[str]:
    (place / "their_parser.py").write_text(parser)
    root = Path(__file__).resolve().parents[3]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join([str(place), str(root)]),
        "PARSER": "their_parser:parse",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=LIMIT_S
    )


def test_the_folder_passes_a_right_parser_and_fails_a_wrong_one(tmp_path: Path) -> None:
    runs = [exported(Reply(list(CALL)), Reply("Sunny.")), exported(Reply(SLOPPY), Reply("Sunny."))]
    folder = tmp_path / "fixtures"
    write_export(export_pytest(runs), folder)
    good = run_pytest(folder, GOOD, tmp_path)
    assert good.returncode == 0, good.stdout
    assert "8 passed" in good.stdout
    wrong = run_pytest(folder, WRONG, tmp_path)
    assert wrong.returncode == 1
    assert "2 failed, 6 passed" in wrong.stdout


def test_missing_parser_has_a_hint(tmp_path: Path) -> None:
    folder = tmp_path / "fixtures"
    write_export(export_pytest([exported(Reply("Hi."))]), folder)
    found = run_pytest(folder, "", tmp_path)
    assert found.returncode == 1


def test_reply_whose_call_was_lost_is_tested_for_the_call(tmp_path: Path) -> None:
    """Exported from a run that read a qwen call as ReAct: a right parser passes, one that finds nothing fails."""
    lost = exported(Reply(CALL), Reply(CALL), Reply("?"), case=weather_case(), format_id="react")
    folder = tmp_path / "fixtures"
    write_export(export_pytest([lost]), folder)
    assert "4 passed" in run_pytest(folder, GOOD, tmp_path).stdout
    assert "4 failed" in run_pytest(folder, "def parse(text, tools):\n    return []\n", tmp_path).stdout


def test_lost_call_that_nobody_knows_is_skipped_with_its_reason(tmp_path: Path) -> None:
    lost = exported(Reply("<tool_call>\nthe weather, please\n</tool_call>"), Reply("I give up."))
    folder = tmp_path / "fixtures"
    write_export(export_pytest([lost]), folder)
    found = run_pytest(folder, "def parse(text, tools):\n    return []\n", tmp_path)
    assert "2 passed, 2 skipped" in found.stdout
    assert "| 1 | nothing: a call was lost" in (folder / "README.md").read_text()


def test_native_replies_are_named_as_left_out() -> None:
    native = exported(
        Reply("", calls=[("c1", "get_weather", '{"city": "Rome"}')], finish="tool_calls"), Reply("Sunny."),
        format_id="native_openai",
    )  # fmt: skip
    made = export_pytest([native])
    assert made.left_out == ("native_calls: 1 reply with calls in fields of the protocol, which no parser reads",)
    assert made.summary == "1 reply of 1 run, a pytest folder"
