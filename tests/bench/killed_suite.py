"""A large comparison that is killed in the middle and resumed has the numbers of one that nobody disturbed.

    python -m tests.bench.killed_suite [CASES [REPEATS]]

200 cases × 4 targets × 5 repeats through simulated models by default, killed by SIGKILL after a third and again after two
thirds. The yardstick is the same comparison undisturbed; every figure but times and ids must be equal.
"""

from __future__ import annotations

import json
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.e2e.test_suite_killed import numbers
from tests.kit.batch_progress import done_in
from tests.kit.command import kill, start, workbench
from tests.kit.waiting import wait_until
from workbench.cases.files import load_suite
from workbench.cases.writing import write_suite

LONGEST_S = 3600
TARGETS = tuple(
    part
    for target in (
        "provider=Simulator,model=mistral-steady", "provider=Simulator,model=qwen-hasty,format=qwen_xml",
        "provider=Simulator,model=gemma-tiny,format=gemma_function", "provider=Simulator,model=qwen-hasty,format=react",
    )
    for part in ("--target", target)
)  # fmt: skip


def fill(folder: Path, count: int) -> None:
    """The built-in cases, again and again under other names."""
    from dataclasses import replace

    built_in = load_suite("demo", folder).cases
    cases = [replace(built_in[at % len(built_in)], id=f"case-{at:03}", title="") for at in range(count)]
    write_suite(cases, folder / "many", replace=True)


def run(order: tuple[str, ...], home: Path, stops: tuple[int, ...], folder: Path) -> dict[str, object]:
    """Run to the end, killed whenever so many runs are done; return the last report."""
    command = order
    for stop in stops:
        process = start(*command, out=folder / "out", err=folder / "err", WORKBENCH_HOME=str(home))
        wait_until(lambda: done_in(home / "workbench.db") >= stop or process.poll() is not None, LONGEST_S)  # noqa: B023
        kill(process, signal.SIGKILL)
        (row,) = workbench("suite", "list", "--json", WORKBENCH_HOME=str(home)).json()["batches"]
        print(f"  killed with {row['done']:,} of {row['total']:,} runs done", flush=True)
        command = ("suite", "run", "--resume", str(row["id"]), "--parallel", "8")
    process = start(*command, "--json", out=folder / "out", err=folder / "err", WORKBENCH_HOME=str(home))
    process.wait()
    found: dict[str, object] = json.loads((folder / "out").read_text())
    return found


def main() -> int:
    cases, repeats = (int(value) for value in (*sys.argv[1:], *("200", "5")[len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder, cases)
        total = cases * 4 * repeats
        order = ("suite", "run", str(folder / "many"), *TARGETS, "--repeat", str(repeats), "--seed", "7", "--parallel", "8",
                 "--min-rate", "0")  # fmt: skip
        reports = []
        for words, stops in (("undisturbed", ()), ("killed twice", (total // 3, 2 * total // 3))):
            begun = time.perf_counter()
            reports.append(numbers(run(order, folder / words.split()[0], stops, folder)))
            print(f"{words}: {total:,} runs in {time.perf_counter() - begun:.0f} s", flush=True)
        same = reports[0] == reports[1]
        print(f"numbers of {cases} × 4 × {repeats} runs: {'the same' if same else 'DIFFERENT'}")
        return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
