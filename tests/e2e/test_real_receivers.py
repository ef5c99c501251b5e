"""Inspect, promptfoo and har-validator from PyPI and npm take what is exported: only with `--live`.

They are installed into a folder of the test's own; `WORKBENCH_RECEIVERS=DIR` keeps them there for the next time.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.command import workbench

pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm"),
]
TARGETS = (
    "provider=Simulator,model=mistral-steady,format=native_openai",
    "provider=Simulator,model=qwen-hasty,format=qwen_xml",
)
HAR = """
const fs = require("fs"), {har} = require(process.argv[1] + "/node_modules/har-validator");
har(JSON.parse(fs.readFileSync(process.argv[2]))).then(
  found => console.log(found.log.entries.length), error => { console.error(error.errors || error); process.exit(1) });
"""
INSPECT = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import task
from inspect_ai.log import read_eval_log
logs = [read_eval_log(str(path)) for path in sorted(Path(sys.argv[2]).glob("*.json"))]
recorded = task.recorded_cases().dataset
print(json.dumps({"samples": len(recorded), "logs": [[log.status, len(log.samples), log.eval.model] for log in logs]}))
"""


def told(*command: str | Path, **environment: str) -> str:
    """What a program printed; it must end well."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def receivers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the receivers are installed."""
    kept = os.environ.get("WORKBENCH_RECEIVERS")
    folder = Path(kept) if kept else tmp_path_factory.mktemp("receivers")
    if not (folder / "venv").exists():
        told(sys.executable, "-m", "venv", folder / "venv")
        told(folder / "venv" / "bin" / "pip", "install", "--quiet", "inspect-ai", "openai")
    if not (folder / "node_modules").exists():
        told(
            "npm",
            "install",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--prefix",
            folder,
            "har-validator",
            "promptfoo",
        )
    return folder


@pytest.fixture
def exports(home: Path, tmp_path: Path) -> Path:
    """A batch of the built-in suite in every form that somebody here reads."""
    done = workbench(
        "suite", "run", "demo", *(part for target in TARGETS for part in ("--target", target)), "--seed", "3",
        "--report", f"inspect={tmp_path / 'logs'}", "-q",
    )  # fmt: skip
    assert done.code in (0, 1), done.err
    for kind in ("har", "promptfoo", "inspect"):
        made = workbench("export", "--to", kind, "--out", str(tmp_path / kind), "--filter", "origin:suite")
        assert made.code == 0, made.err
    return tmp_path


def test_each_receiver_takes_its_export(receivers: Path, exports: Path) -> None:
    entries = json.loads((exports / "har").read_text(encoding="utf-8"))["log"]["entries"]
    assert int(told("node", "-e", HAR, receivers, exports / "har")) == len(entries) > 10

    promptfoo = ("node", receivers / "node_modules" / "promptfoo" / "dist" / "src" / "entrypoint.js")
    quiet = {"HOME": str(exports), "PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1"}
    for name in ("promptfooconfig.yaml", "recorded.yaml"):
        assert "Configuration is valid" in told(*promptfoo, "validate", "-c", exports / "promptfoo" / name, **quiet)

    script = exports / "read.py"
    script.write_text(INSPECT, encoding="utf-8")
    read = json.loads(told(receivers / "venv" / "bin" / "python", script, exports / "inspect", exports / "logs"))
    assert read["samples"] > 10
    assert [(status, samples > 10) for status, samples, _ in read["logs"]] == [("success", True)] * len(TARGETS)
