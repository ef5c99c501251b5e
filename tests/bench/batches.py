"""What a large batch costs: matrix, comparisons and scores over 200 cases × 8 targets × 10 repeats, and its table.

    python tests/bench/batches.py [CASES]

The yardstick is `json.dumps` of the same verdicts, measured in the same run.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.kit.batches import batch
from workbench.core.batch import Batch
from workbench.grading.comparison import compare_all
from workbench.grading.matrix import matrix
from workbench.grading.scores import decisions, format_tax, funnel, latency, ranks, reliability
from workbench.store import Store

TARGETS, REPEATS = 8, 10
Result = TypeVar("Result")


def made(cases: int) -> Batch:
    dice = random.Random(1)
    word = lambda chance: "".join("s" if dice.random() < chance else "f" for _ in range(REPEATS))  # noqa: E731
    return batch({f"case-{case}": [word(0.5 + 0.05 * target) for target in range(TARGETS)] for case in range(cases)})


def timed(what: str, yardstick: float, work: Callable[[], Result]) -> Result:
    begun = time.perf_counter()
    result = work()
    taken = time.perf_counter() - begun
    print(f"{what:28} {taken * 1e3:9.1f} ms   {taken / yardstick:6.1f} × yardstick")
    return result


def main() -> None:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    big = made(cases)
    begun = time.perf_counter()
    json.dumps([item.result.verdict.reason for item in big.items if item.result])
    yardstick = time.perf_counter() - begun
    print(f"{len(big.items)} runs, yardstick {yardstick * 1e3:.1f} ms")
    timed("matrix", yardstick, lambda: matrix(big))
    timed("compare all pairs", yardstick, lambda: compare_all(big))
    timed("format tax", yardstick, lambda: format_tax(big))
    timed("reliability curves", yardstick, lambda: reliability(big))
    timed("ranks", yardstick, lambda: ranks(big))
    timed(
        "funnel, decisions, latency",
        yardstick,
        lambda: [(funnel(big, t), decisions(big, t), latency(big, t)) for t in range(TARGETS)],
    )
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "workbench.db")
        timed("write to SQLite", yardstick, lambda: store.batches.add(big))
        timed("list", yardstick, store.batches.list)
        timed("read from SQLite", yardstick, lambda: store.batches.load("last"))
        store.close()


if __name__ == "__main__":
    main()
