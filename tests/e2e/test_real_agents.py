"""Claude Code, Codex and opencode, installed from npm, at the gateway without any other network: only with `--live`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(shutil.which("npm") is None or shutil.which("unshare") is None, reason="needs npm and unshare"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the agents are installed, once."""
    found = tmp_path_factory.mktemp("agents")
    yield found
    shutil.rmtree(found, ignore_errors=True)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("target", ["native", "emulated", "boosted", "repair", "llama.cpp"])
@pytest.mark.parametrize("agent", ["claude", "codex", "opencode"])
def test_an_agent_reads_a_file_and_answers_with_its_content(agent: str, target: str, folder: Path) -> None:
    command = [sys.executable, str(ROOT / "packaging" / "try_agents.py"), "--folder", str(folder)]
    done = subprocess.run(
        [*command, "--agents", agent, "--targets", target], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["ok"]
    assert told["called"]
