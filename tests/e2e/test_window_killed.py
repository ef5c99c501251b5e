"""The demo suite run from the window, the window killed in the middle, resumed in the next one: the same numbers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.e2e.test_suite_killed import numbers
from tests.kit.batch_progress import wait_for_done
from tests.kit.command import kill, workbench

REPEATS, SEED = 1, 7
TOTAL = 14 * 4 * REPEATS
ROOT = Path(__file__).resolve().parents[2]


def at_the_window(*argv: str, folder: Path) -> subprocess.Popen[bytes]:
    with (folder / "window.txt").open("wb") as out:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.kit.window_user", *argv], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
            cwd=ROOT, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        )  # fmt: skip


def test_killed_window_resumes_its_batch(tmp_path: Path) -> None:
    disturbed, calm = tmp_path / "disturbed", tmp_path / "calm"
    process = at_the_window("start", str(disturbed), str(REPEATS), str(SEED), folder=tmp_path)
    try:
        wait_for_done(disturbed, 15, process)
    finally:
        kill(process, signal.SIGKILL)
    (row,) = workbench("suite", "list", "--json", WORKBENCH_HOME=str(disturbed)).json()["batches"]
    assert row["resumable"]
    assert 15 <= row["done"] < row["total"] == TOTAL

    again = at_the_window("resume", str(disturbed), folder=tmp_path)
    try:
        assert again.wait(90) == 0, (tmp_path / "window.txt").read_text()
    finally:
        if again.poll() is None:
            kill(again)
    resumed = workbench("suite", "show", "last", "--json", WORKBENCH_HOME=str(disturbed)).json()
    order = ("suite", "run", "demo", "--repeat", str(REPEATS), "--seed", str(SEED), "--json")
    whole = workbench(*order, WORKBENCH_HOME=str(calm)).json()

    assert numbers(resumed) == numbers(whole)
    runs = [run for case in resumed["cases"] for cell in case["cells"] for run in cell["runs"]]
    assert len(set(runs)) == TOTAL
    unjudged = workbench("history", "verdict:running", "--json", WORKBENCH_HOME=str(disturbed)).json()
    assert unjudged == []
