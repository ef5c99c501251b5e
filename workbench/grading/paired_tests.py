"""Tests of a paired difference, each with the interval that is its own inversion.

An interval at level `a` holds exactly the differences that the test does not reject at `a`, so that "0 lies outside" and
"a difference is shown" are one statement at every level. Three tests, by the number of clusters of cases:

- `RunNoise`, under six clusters: no test over so few cases can show anything, so only these cases are spoken of.
  Newcombe's interval (1998) over the cases' Wilson intervals, combined by squares.
- `SignFlip`, under twenty: the exact randomisation test over clusters, or as many drawn splits as are affordable.
- `ClusterT`, else: Student's t with cluster-robust errors (Miller 2024, arXiv 2411.00640).
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from workbench.grading.distributions import normal_cdf, normal_quantile, t_cdf, t_quantile
from workbench.grading.rates import wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.grading.rates import Rate

EXACT_CLUSTERS = 16
"""Up to here all splits of the clusters are gone through (32,768)."""
DRAWN_SPLITS = 32_767
_WIDEST_Z = 38.0
"""Beyond this the normal tail is 0 in floating point."""


class DifferenceTest(Protocol):
    """A two-sided test of what the true difference may be."""

    @property
    def name(self) -> str:
        """What the report calls it."""

    def p_at(self, difference: float) -> float:
        """Return the p value of the hypothesis that the true difference is this one."""

    def interval(self, level: float) -> tuple[float, float]:
        """Return the ends of what is not rejected at `level` (0.05: the 95 % interval), within -1 to 1."""


@dataclass(frozen=True)
class SignFlip:
    """The sums of some clusters change sign together; none is likelier than another if there is no difference.

    Flipping a set of clusters brings the mean further out, for an assumed true difference, exactly where that
    difference lies between the set's own mean and the mean of the rest. So each split of the clusters contributes one
    range to every p value, all ranges hold the overall mean, and an end of an interval is a quantile of their ends.
    """

    sums: tuple[int, ...]
    """Sums of the differences of each cluster's cases, in units of 1 / `scale`."""
    sizes: tuple[int, ...]
    """Cases of each cluster."""
    scale: int
    seed: int = 0
    name: str = "sign flips"

    def p_at(self, difference: float) -> float:
        """Return the share of splits that lie at least as far out; never 0, since nothing flipped is one of them."""
        lows, highs = self._ends
        if difference <= self.value:
            return bisect_right(lows, difference) / len(lows)
        return 1 - bisect_left(highs, difference) / len(highs)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the ends; the whole range where there are too few clusters for this level."""
        lows, highs = self._ends
        most = math.floor(level * len(lows))
        value = self.value
        return max(-1.0, min(lows[most], value)), min(1.0, max(highs[-1 - most], value))

    @property
    def value(self) -> float:
        """The mean over all cases."""
        return sum(self.sums) / (sum(self.sizes) * self.scale)

    @cached_property
    def _ends(self) -> tuple[list[float], list[float]]:
        """Lower and upper ends of the ranges of all splits, each sorted; nothing flipped is as far out for any value."""
        total, cases = sum(self.sums), sum(self.sizes)
        lows, highs = [], []
        for part, size in self._splits():
            if 0 < size < cases:
                one, other = part / (size * self.scale), (total - part) / ((cases - size) * self.scale)
                lows.append(min(one, other))
                highs.append(max(one, other))
            else:
                lows.append(-math.inf)
                highs.append(math.inf)
        return sorted(lows), sorted(highs)

    def _splits(self) -> list[tuple[int, int]]:
        """Sum and size of one side of each split: all of them, or drawn ones beside the one that flips nothing."""
        if len(self.sums) <= EXACT_CLUSTERS:
            return _every_split(self.sums, self.sizes)
        dice, half = random.Random(self.seed), len(self.sums) // 2
        left = _every_split((*self.sums[:half], 0), (*self.sizes[:half], 0))
        right = _every_split((*self.sums[half:], 0), (*self.sizes[half:], 0))
        drawn = zip(dice.choices(left, k=DRAWN_SPLITS), dice.choices(right, k=DRAWN_SPLITS), strict=True)
        return [(0, 0), *((one + other, size + count) for (one, size), (other, count) in drawn)]


def _every_split(sums: Sequence[int], sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Sum and size of every subset without the last cluster, so that a split and its mirror are one."""
    found = [(0, 0)]
    for total, size in zip(sums[:-1], sizes[:-1], strict=True):
        found += [(part + total, count + size) for part, count in found]
    return found


@dataclass(frozen=True, slots=True)
class ClusterT:
    """Student's t over the clusters."""

    value: float
    error: float
    """Cluster-robust standard error, more than 0."""
    freedom: int
    name: str = "t over clusters"

    def p_at(self, difference: float) -> float:
        """Return twice the tail."""
        return min(1.0, 2 * t_cdf(-abs(self.value - difference) / self.error, self.freedom))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the ends."""
        half = t_quantile(1 - level / 2, self.freedom) * self.error
        return max(-1.0, self.value - half), min(1.0, self.value + half)


@dataclass(frozen=True, slots=True)
class RunNoise:
    """What repeats of just these cases tell: each case's two Wilson intervals, combined by squares."""

    pairs: tuple[tuple[Rate, Rate], ...]
    """Before and after, both with runs."""
    name: str = "run noise of these cases"

    @property
    def value(self) -> float:
        """The mean over cases."""
        moves = (after.passed / after.runs - before.passed / before.runs for before, after in self.pairs)
        return math.fsum(moves) / len(self.pairs)

    def p_at(self, difference: float) -> float:
        """Return the level at which this difference is an end of the interval, found by halving."""
        value = self.value
        if difference == value:
            return 1.0
        end = 0 if difference < value else 1
        low, high = 0.0, _WIDEST_Z
        for _ in range(80):
            middle = (low + high) / 2
            reached = abs(self._ends(middle)[end] - value) >= abs(difference - value)
            low, high = (low, middle) if reached else (middle, high)
        return 2 * normal_cdf(-low)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the ends."""
        low, high = self._ends(normal_quantile(1 - level / 2))
        return max(-1.0, low), min(1.0, high)

    def _ends(self, z: float) -> tuple[float, float]:
        down = up = 0.0
        for before, after in self.pairs:
            one, other = before.passed / before.runs, after.passed / after.runs
            old, new = wilson(before.passed, before.runs, z), wilson(after.passed, after.runs, z)
            down += (other - new.low) ** 2 + (old.high - one) ** 2
            up += (new.high - other) ** 2 + (one - old.low) ** 2
        value, count = self.value, len(self.pairs)
        return value - math.sqrt(down) / count, value + math.sqrt(up) / count


@dataclass(frozen=True, slots=True)
class Stricter:
    """Both tests must reject. For cases that all moved alike: their spread, which is none, must not speak alone."""

    one: DifferenceTest
    other: DifferenceTest

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.one.name} and {self.other.name}"

    def p_at(self, difference: float) -> float:
        """Return the larger p value."""
        return max(self.one.p_at(difference), self.other.p_at(difference))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the hull of both intervals."""
        ends = (self.one.interval(level), self.other.interval(level))
        return min(low for low, _ in ends), max(high for _, high in ends)
