"""A batch that is killed in the middle ends, once resumed, with the numbers of one that nobody disturbed."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen
from typing import Any

from tests.kit.batch_progress import wait_for_done
from tests.kit.command import kill, start, workbench

TARGETS = (
    "--target", "provider=Simulator,model=gemma-tiny,format=gemma_function",
    "--target", "provider=Simulator,model=qwen-hasty,format=qwen_xml",
)  # fmt: skip
ORDER = ("suite", "run", "demo", *TARGETS, "--repeat", "2", "--seed", "7")
TOTAL = 14 * 2 * 2


def numbers(document: dict[str, Any]) -> dict[str, Any]:
    """What must not depend on who was killed when: all but ids and times."""
    cases = {
        case["case"]: [{key: value for key, value in cell.items() if key != "runs"} for cell in case["cells"]]
        for case in document["cases"]
    }
    targets = [
        {key: value for key, value in target.items() if key not in ("latency_us", "performance")}
        | {key: target["performance"][key] for key in ("runs", "tool_calls")}
        for target in document["targets"]
    ]
    return {"cases": cases, "targets": targets} | {
        key: document[key] for key in ("state", "seed", "runs", "comparisons", "counts")
    }


@contextmanager
def under_way(home: Path, folder: Path) -> Iterator[Popen[bytes]]:
    process = start(*ORDER, out=folder / "out", err=folder / "err", WORKBENCH_HOME=str(home))
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def test_killed_and_resumed_batch_has_the_same_numbers(tmp_path: Path) -> None:
    disturbed, calm = tmp_path / "disturbed", tmp_path / "calm"
    with under_way(disturbed, tmp_path) as process:
        wait_for_done(disturbed, 9, process)
        kill(process, signal.SIGKILL)
    listed = workbench("suite", "list", "--json", WORKBENCH_HOME=str(disturbed)).json()
    (row,) = listed["batches"]
    assert row["resumable"]
    assert 9 <= row["done"] < row["total"] == TOTAL

    again = workbench("suite", "run", "--resume", row["id"], "--json", WORKBENCH_HOME=str(disturbed))
    whole = workbench(*ORDER, "--json", WORKBENCH_HOME=str(calm))

    assert again.code == whole.code == 1, again.err + whole.err
    assert numbers(again.json()) == numbers(whole.json())
    runs = [run for case in again.json()["cases"] for cell in case["cells"] for run in cell["runs"]]
    assert len(set(runs)) == TOTAL


def test_interrupted_batch_prints_the_resume_command(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with under_way(home, tmp_path) as process:
        wait_for_done(home, 3, process)
        assert kill(process, signal.SIGINT) == 130
    said = (tmp_path / "err").read_text()
    assert "Stopping" in said
    (line,) = [line for line in said.splitlines() if "--resume" in line]
    listed = workbench("suite", "list", "--json", WORKBENCH_HOME=str(home)).json()

    assert line.endswith(f"workbench suite run --resume {listed['batches'][0]['id']}")
    assert listed["batches"][0]["resumable"]
    running = workbench("history", "verdict:running", "--json", WORKBENCH_HOME=str(home))
    assert running.json() == []


def test_killed_batch_with_a_rule_comes_to_the_same_looks(tmp_path: Path) -> None:
    order = (*ORDER[:-4], "--until", "decided", "--repeat", "3", "--seed", "7")
    disturbed, calm = tmp_path / "disturbed", tmp_path / "calm"
    process = start(*order, out=tmp_path / "out", err=tmp_path / "err", WORKBENCH_HOME=str(disturbed))
    wait_for_done(disturbed, 9, process)
    kill(process, signal.SIGKILL)

    again = workbench("suite", "run", "--resume", "last", "--json", WORKBENCH_HOME=str(disturbed)).json()
    whole = workbench(*order, "--json", WORKBENCH_HOME=str(calm)).json()

    assert numbers(again) == numbers(whole)
    assert again["stopping"] == whole["stopping"]
    assert again["stopping"]["looks"] >= 1
