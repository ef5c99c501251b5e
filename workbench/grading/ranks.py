"""Ranks as ranges: clusters of cases are drawn anew, and each target's place is looked at every time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.grading.resampling import draws, quantile

if TYPE_CHECKING:
    from collections.abc import Sequence


class RankRange(NamedTuple):
    """Places that a target takes in 95 of 100 draws; 1 is best."""

    low: int
    high: int

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


def rank_ranges(
    scores: Sequence[Sequence[float]], clusters: Sequence[str], *, seed: int = 0, rounds: int = 1000
) -> tuple[RankRange, ...]:
    """Ranges for targets with one score per case each, the same cases for all; equals share all their places."""
    if not scores or not clusters:
        return tuple(RankRange(1, len(scores)) for _ in scores)
    best: list[list[float]] = [[] for _ in scores]
    worst: list[list[float]] = [[] for _ in scores]
    for drawn in draws(clusters, seed=seed, rounds=rounds):
        sums = [round(sum(values[place] for place in drawn), 9) for values in scores]
        for target, own in enumerate(sums):
            best[target].append(1 + sum(other > own for other in sums))
            worst[target].append(sum(other >= own for other in sums))
    return tuple(
        RankRange(round(quantile(low, 0.025)), round(quantile(high, 0.975)))
        for low, high in zip(best, worst, strict=True)
    )
