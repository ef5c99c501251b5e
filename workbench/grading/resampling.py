"""Drawing again from what was seen: bootstrap over clusters. Seeded: the same data give the same numbers."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


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
