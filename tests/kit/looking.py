"""Simulated comparisons that are looked at while they run."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from tests.kit.batches import batch
from workbench.core.batch import Batch, StoppingRule
from workbench.grading.paired import CasePair, Word, paired_difference
from workbench.grading.rates import Rate
from workbench.grading.sequential import decided

CASES, LOOKS = 12, 5


def simulate(dice: random.Random, gain: float) -> tuple[Word | None, int]:
    """Twelve cases, three more runs of each at every look; the word that ended it and the look."""
    shares = [dice.uniform(0.2, 0.7) for _ in range(CASES)]
    before, after = [0] * CASES, [0] * CASES
    for look in range(1, LOOKS + 1):
        for case, share in enumerate(shares):
            before[case] += sum(dice.random() < share for _ in range(3))
            after[case] += sum(dice.random() < share + gain for _ in range(3))
        runs = 3 * look
        pairs = [CasePair(str(at), str(at), Rate(before[at], runs), Rate(after[at], runs)) for at in range(CASES)]
        if word := decided(paired_difference(pairs), look):
            return word, look
    return None, LOOKS


def raced(
    dice: random.Random,
    gains: Sequence[float],
    *,
    cases: int = CASES,
    repeats: int = 6,
    rule: StoppingRule | None = None,
) -> Batch:
    """A whole batch as if nobody had stopped it: one target a gain, over cases of differing difficulty."""
    shares = [dice.uniform(0.2, 0.7) for _ in range(cases)]
    word = lambda chance: "".join("s" if dice.random() < chance else "f" for _ in range(repeats))  # noqa: E731
    made = batch({f"case-{at}": [word(share + gain) for gain in gains] for at, share in enumerate(shares)})
    return replace(made, spec=replace(made.spec, stopping=rule or StoppingRule(every=2)))
