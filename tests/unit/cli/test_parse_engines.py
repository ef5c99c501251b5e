from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.kit.fake_engines import fake_engines
from tests.kit.tree import ROOT

TEXT = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'


def parse(*given: str, home: Path) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "workbench", "parse", "--home", str(home), *given]
    return subprocess.run(argv, input=TEXT, capture_output=True, text=True, cwd=ROOT, check=False)


def test_what_a_server_loses_is_the_first_thing_that_is_told(tmp_path: Path) -> None:
    python = fake_engines(tmp_path)
    found = parse("--format", "qwen_xml", "--external", python, home=tmp_path)
    assert found.stdout.startswith("sglang 9.9 qwen25, streamed: the call get_weather is lost.\n")
    found = parse("--format", "qwen_xml", "--external", python, "--chunk", "9", "--json", home=tmp_path)
    document = json.loads(found.stdout)
    assert document["engines"][0]["told"] == ["sglang 9.9 qwen25 reads the same, whole and streamed."]
    assert document["engines"][0]["format"] == "qwen_xml"
    assert len(document["readings"]) == 1


def test_the_environments_of_the_settings_are_asked(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(f'[engines]\npythons = ["{fake_engines(tmp_path)}"]\n')
    found = parse("--format", "all", "--external", home=tmp_path)
    assert "sglang 9.9 qwen25, streamed" in found.stdout


def test_how_to_add_one_is_told(tmp_path: Path) -> None:
    found = parse("--format", "qwen_xml", "--external", home=tmp_path)
    assert found.returncode == 2
    assert "[engines] pythons" in found.stderr
