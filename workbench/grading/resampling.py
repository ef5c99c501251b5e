"""Drawing again from what was seen: bootstrap over clusters, sign flips. Seeded: the same data give the same numbers."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from fractions import Fraction

GRID = 500_000
"""Steps of an exact sign-flip test, at most: some tenths of a second."""


def quantile(values: Sequence[float], share: float) -> float:
    """Quantile with linear interpolation. Raise ValueError for no values."""
    if not values:
        raise ValueError("no values have no quantile")
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean; 0 for no values."""
    return sum(values) / len(values) if values else 0.0


def draws(clusters: Sequence[str], *, seed: int, rounds: int) -> Iterator[list[int]]:
    """Places of the members, clusters drawn with replacement as wholes."""
    members: dict[str, list[int]] = defaultdict(list)
    for place, cluster in enumerate(clusters):
        members[cluster].append(place)
    groups = list(members.values())
    dice = random.Random(seed)
    for _ in range(rounds):
        yield [place for group in dice.choices(groups, k=len(groups)) for place in group]


def bootstrap(
    values: Sequence[float],
    clusters: Sequence[str],
    statistic: Callable[[Sequence[float]], float] = mean,
    *,
    seed: int = 0,
    rounds: int = 2000,
    level: float = 0.95,
) -> tuple[float, float]:
    """Percentile interval of a statistic over clusters; the value itself where there is one cluster. Raise ValueError."""
    if not values:
        raise ValueError("nothing to draw from")
    if len(set(clusters)) == 1:
        found = [statistic(values)]
    else:
        found = [statistic([values[place] for place in drawn]) for drawn in draws(clusters, seed=seed, rounds=rounds)]
    return quantile(found, (1 - level) / 2), quantile(found, (1 + level) / 2)


def sign_flip(sums: Sequence[Fraction], *, seed: int = 0) -> float:
    """Two-sided p that the sums of the clusters fall so far to one side by chance; zeros carry no sign.

    Exact where the sums stand on a grid that can be walked, as they do with some hundred cases and ten repeats;
    else drawn.
    """
    moved = [value for value in sums if value]
    scale = math.lcm(*(value.denominator for value in moved)) if moved else 1
    steps = [abs(int(value * scale)) for value in moved]
    seen = abs(int(sum(moved) * scale))
    if len(steps) * sum(steps) <= GRID:
        return _walked(steps, seen)
    dice, rounds = random.Random(seed), max(1999, min(9999, GRID // len(steps)))
    hits = sum(abs(_drawn(steps, dice.getrandbits(len(steps)))) >= seen for _ in range(rounds))
    return (hits + 1) / (rounds + 1)


def _walked(steps: Sequence[int], seen: int) -> float:
    """Chance of every sum, step by step, each to either side."""
    chances = {0: 1.0}
    for step in steps:
        following: dict[int, float] = defaultdict(float)
        for total, chance in chances.items():
            following[total + step] += chance / 2
            following[total - step] += chance / 2
        chances = following
    return min(1.0, math.fsum(chance for total, chance in chances.items() if abs(total) >= seen))


def _drawn(steps: Sequence[int], signs: int) -> int:
    return sum(step if signs >> place & 1 else -step for place, step in enumerate(steps))
