"""How often a verification is right: simulated vendors with one planted fault each, and the reference against itself.

    python tests/bench/verify.py [VERIFICATIONS] [PAIRS]

Replies are made as the simulated server makes them, without HTTP, and times are computed. A verification of a vendor with a
fault is right where a metric that the fault breaks fails and none that it leaves alone does; that of a clean vendor, where none
fails. A fault that the pairs cannot decide (a metric that it breaks is inconclusive, none fails) is not right either, and is
told apart. As many verifications again hold the reference against itself, and every metric that fails there is an alarm. The
yardstick of speed is `json.dumps` of the observations, measured in the same run.
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
from workbench.verify.judgement import Judgement, Verdicts
from workbench.verify.policy import load_policy
from workbench.verify.verdicts import verdicts

MODEL = "main-70b"


def failed(found: Verdicts, candidate: int = 0) -> set[str]:
    return {result.metric.id for result in found.results[candidate] if result.judgement is Judgement.FAIL}


def undecided(found: Verdicts, candidate: int = 0) -> set[str]:
    return {result.metric.id for result in found.results[candidate] if result.judgement is Judgement.INCONCLUSIVE}


def right(kind: str, metrics: set[str]) -> bool:
    """Whether these failed metrics are the right answer to a planted fault; an empty kind is a clean vendor."""
    if not kind:
        return not metrics
    return bool(metrics & BREAKS[kind]) and metrics <= BREAKS[kind] | TOUCHES[kind]


class Tally:
    """What all verifications came to."""

    def __init__(self, count: int) -> None:
        self.count, self.policy = count, load_policy()
        self.spent = self.yardstick = 0.0
        self.judged = self.open = self.done = 0
        self.undecided: set[str] = set()
        """What the last one left open."""

    def verify(self, kind: str, seed: int) -> set[str]:
        """Run one; return the metrics that failed."""
        pairs = virtual_pairs([f"{MODEL}+{kind}" if kind else MODEL], self.count, seed=seed)
        begun = time.perf_counter()
        found = verdicts(pairs, 1, self.policy)
        self.spent += time.perf_counter() - begun
        begun = time.perf_counter()
        json.dumps([asdict(seen) for pair in pairs for seen in (*pair.reference, *pair.candidates) if seen])
        self.yardstick += time.perf_counter() - begun
        self.done += 1
        if not kind:
            verdict = [result.judgement for result in found.results[0] if result.judgement]
            self.judged, self.open = self.judged + len(verdict), self.open + verdict.count(Judgement.INCONCLUSIVE)
        self.undecided = undecided(found)
        return failed(found)


def main() -> None:
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    tally, kinds = Tally(int(sys.argv[2]) if len(sys.argv) > 2 else 244), ["", *BREAKS]
    counts: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for number in range(total):
        kind = kinds[number % len(kinds)]
        metrics = tally.verify(kind, number)
        counts[kind] += 1
        if not right(kind, metrics):
            wrong[kind] += 1
            open_ = sorted(BREAKS.get(kind, set()) & tally.undecided)
            word = "cannot tell" if open_ and not metrics else "wrong"
            print(f"{word}: {kind or 'clean'}, seed {number}: failed {sorted(metrics)}, inconclusive {open_}")
    alarms = 0
    for number in range(total):
        metrics = tally.verify("", 100_000 + number)
        alarms += bool(metrics)
        if metrics:
            print(f"alarm: seed {100_000 + number}: failed {sorted(metrics)}")
    for kind in kinds:
        print(f"{kind or 'clean':10} right {counts[kind] - wrong[kind]:3} of {counts[kind]}")
    print(f"right {total - sum(wrong.values())} of {total}, {tally.count} pairs each")
    print(
        f"reference against itself: alarms in {alarms} of {total}; {tally.open} of {tally.judged} metrics inconclusive"
    )
    print(f"verdicts {tally.spent / tally.done * 1e3:.0f} ms each, {tally.spent / tally.yardstick:.1f} × yardstick")


if __name__ == "__main__":
    main()
