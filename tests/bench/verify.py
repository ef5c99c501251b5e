"""How often a verification is right: simulated vendors with one planted fault each, and the reference against itself.

    python tests/bench/verify.py [VERIFICATIONS] [PAIRS]

Replies are made as the simulated server makes them, without HTTP, and times are computed. A verification of a vendor with a
fault is right where a metric that the fault breaks fails and none that it leaves alone does; that of a clean vendor, where none
fails. The yardstick of speed is `json.dumps` of the observations, measured in the same run.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.kit.verifying import BREAKS, TOUCHES, virtual_pairs
from workbench.verify.policy import load_policy
from workbench.verify.verdicts import Judgement, Verdicts, verdicts

MODEL = "main-70b"


def failed(found: Verdicts, candidate: int = 0) -> set[str]:
    return {result.metric.id for result in found.results[candidate] if result.judgement is Judgement.FAIL}


def right(kind: str, metrics: set[str]) -> bool:
    """Whether these failed metrics are the right answer to a planted fault; an empty kind is a clean vendor."""
    if not kind:
        return not metrics
    return bool(metrics & BREAKS[kind]) and metrics <= BREAKS[kind] | TOUCHES[kind]


def main() -> None:
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 244
    policy, kinds = load_policy(), ["", *BREAKS]
    counts: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    open_metrics = judged = 0
    spent = yardstick = 0.0
    for number in range(total):
        kind = kinds[number % len(kinds)]
        pairs = virtual_pairs([f"{MODEL}+{kind}" if kind else MODEL], count, seed=number)
        begun = time.perf_counter()
        found = verdicts(pairs, 1, policy)
        spent += time.perf_counter() - begun
        begun = time.perf_counter()
        json.dumps([asdict(seen) for pair in pairs for seen in (*pair.reference, *pair.candidates) if seen])
        yardstick += time.perf_counter() - begun
        metrics = failed(found)
        counts[kind] += 1
        if not right(kind, metrics):
            wrong[kind] += 1
            print(f"wrong: {kind or 'clean'}, seed {number}: failed {sorted(metrics)}")
        if not kind:
            verdict = [result.judgement for result in found.results[0] if result.judgement]
            judged, open_metrics = judged + len(verdict), open_metrics + verdict.count(Judgement.INCONCLUSIVE)
    for kind in kinds:
        print(f"{kind or 'clean':10} right {counts[kind] - wrong[kind]:3} of {counts[kind]}")
    print(f"right {total - sum(wrong.values())} of {total}, {count} pairs each")
    print(
        f"reference against itself: alarms in {wrong['']} of {counts['']}; {open_metrics} of {judged} metrics inconclusive"
    )
    print(f"verdicts {spent / total * 1e3:.0f} ms each, {spent / yardstick:.1f} × yardstick")


if __name__ == "__main__":
    main()
