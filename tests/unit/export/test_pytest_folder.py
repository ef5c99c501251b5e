from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from tests.kit.fakes import FakeClient, FakeTools, Reply, RequiredOnly, plan
from tests.kit.waiting import LIMIT_S
from workbench.core.events import RunEvent
from workbench.engine import run
from workbench.export.files import write_export
from workbench.export.pytest_folder import export_pytest
from workbench.formats import get_format

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
SLOPPY = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome",}}\n</tool_call>'

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


def events(*replies: Reply) -> list[RunEvent]:
    async def main() -> list[RunEvent]:
        wanted = plan(FakeClient(list(replies)), get_format("qwen_xml"))
        return [event async for event in run(wanted, FakeTools(), RequiredOnly())]

    return asyncio.run(main())


def run_pytest(folder: Path, parser: str, place: Path) -> subprocess.CompletedProcess[str]:
    (place / "their_parser.py").write_text(parser)
    root = Path(__file__).resolve().parents[3]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join([str(place), str(root)]),
        "PARSER": "their_parser:parse",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:pytest-qt", "."]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=LIMIT_S
    )


def test_the_folder_passes_a_right_parser_and_fails_a_wrong_one(tmp_path: Path) -> None:
    runs = [events(Reply(list(CALL)), Reply("Sunny.")), events(Reply(SLOPPY), Reply("Sunny."))]
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
    write_export(export_pytest([events(Reply("Hi."))]), folder)
    found = run_pytest(folder, "", tmp_path)
    assert found.returncode == 1
