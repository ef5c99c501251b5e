"""Differences between endpoints, each with a test whose inversion is its interval (`grading.paired_tests.DifferenceTest`).

Everything is paired by request and clustered by it: repeats of one request are no independent evidence.

- `ShareDifference`: two shares of sums, such as valid calls of all calls. Newcombe's interval for paired shares (1998,
  method 10) over the two Wilson intervals, each at the sample size that its clusters are worth, joined by the correlation
  of the clusters' residuals. It does not collapse where nothing ever failed, which is the common case here.
- `MedianDifference`: the median of paired differences with the sign test's interval over clusters; for times and tokens.
- `RatioDifference`: two ratios without an upper end, such as money for a success; Student's t over linearised clusters.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from workbench.grading.distributions import normal_cdf, normal_quantile, t_cdf, t_quantile
from workbench.grading.resampling import quantile
from workbench.grading.suite import effective_runs, share_interval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_WIDEST_Z = 38.0
_HALVINGS = 60


class PairShare(NamedTuple):
    """What one pair adds to a share or ratio: so much of so much."""

    cluster: str
    amount: float
    of: float


@dataclass(frozen=True, slots=True)
class Share:
    """A share with what its clusters are worth."""

    value: float
    effective: float
    """Independent units with the same error; more than 0."""
    clusters: int

    def p_at(self, value: float) -> float:
        """Return the level at which this value is an end of the interval."""
        return _level_at(self.ends, value, self.clusters - 1) if self.clusters > 1 else 1.0

    def scaled(self, factor: float) -> Share:
        """The same share seen in so many times as many pairs; Student's factor stays, which is a little too wide."""
        return replace(self, effective=self.effective * factor)

    def interval(self, level: float) -> tuple[float, float]:
        """Wilson's interval of the share by itself."""
        return self.ends(_factor(level, self.clusters - 1))

    def widened(self, level: float, widen: float) -> tuple[float, float]:
        """The same with a larger factor."""
        return self.ends(_factor(level, self.clusters - 1) + widen)

    def ends(self, factor: float) -> tuple[float, float]:
        """The same at a factor, such as 1.96."""
        low, high = share_interval(self.value, self.effective, factor)
        return low, high


@cache
def _factor(level: float, freedom: int) -> float:
    """Student's factor; with a single cluster, one that bounds nothing."""
    return t_quantile(1 - level / 2, freedom) if freedom > 0 and level > 0 else _WIDEST_Z


def _level_at(ends: Callable[[float], tuple[float, float]], value: float, freedom: int) -> float:
    """The level at which a value is an end of an interval, found by halving the factor."""
    low, high = 0.0, _WIDEST_Z
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        least, most = ends(middle)
        low, high = (low, middle) if least <= value <= most else (middle, high)
    return 2 * t_cdf(-low, freedom)


def share_of(parts: Sequence[PairShare], unit: float = 1.0) -> Share | None:
    """The share over all parts; None where there is nothing. `unit`: what one cluster is worth where nothing varies."""
    known = [part for part in parts if part.of]
    total = math.fsum(part.of for part in known)
    if not total:
        return None
    value = math.fsum(part.amount for part in known) / total
    residuals = _residuals(known, value)
    groups = len(residuals)
    spread = math.fsum(rest**2 for rest in residuals.values())
    error = math.sqrt(groups / (groups - 1) * spread) / total if groups > 1 else 0.0
    if error <= 0 or not 0 < value < 1:
        return Share(value, groups * unit, groups)
    return Share(value, effective_runs(value, error, groups, math.ceil(total)), groups)


def _residuals(parts: Sequence[PairShare], value: float) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for part in parts:
        if part.of:
            found[part.cluster] += part.amount - value * part.of
    return found


@dataclass(frozen=True, slots=True)
class ShareDifference:
    """The second share minus the first, −1 to 1."""

    before: Share
    after: Share
    correlation: float = 0.0
    """Of the clusters' residuals; 0 where one of them has none."""
    name: str = "Newcombe, paired, over clusters"

    @property
    def value(self) -> float:
        """The difference."""
        return self.after.value - self.before.value

    @property
    def freedom(self) -> int:
        """Of Student's factor: that of the side with fewer clusters."""
        return min(self.before.clusters, self.after.clusters) - 1

    def p_at(self, difference: float) -> float:
        """Return the level at which this difference is an end of the interval."""
        if difference == self.value or self.freedom < 1:
            return 1.0
        return _level_at(self._ends, difference, self.freedom)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the ends."""
        return self.widened(level, 0.0)

    def scaled(self, factor: float) -> ShareDifference:
        """What so many times as many pairs of this kind would show."""
        return replace(self, before=self.before.scaled(factor), after=self.after.scaled(factor))

    def widened(self, level: float, widen: float) -> tuple[float, float]:
        """The interval with a larger factor: what is inside of it now will likely still be."""
        if self.freedom < 1 or level <= 0:
            return -1.0, 1.0
        return self._ends(_factor(level, self.freedom) + widen)

    def _ends(self, factor: float) -> tuple[float, float]:
        p, q = self.before.value, self.after.value
        old, new = self.before.ends(factor), self.after.ends(factor)
        down = _joined(q - new[0], old[1] - p, self.correlation)
        up = _joined(new[1] - q, p - old[0], self.correlation)
        return max(-1.0, q - p - down), min(1.0, q - p + up)


def _joined(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(0.0, one * one - 2 * correlation * one * other + other * other))


def share_difference(
    before: Sequence[PairShare], after: Sequence[PairShare], unit: float = 1.0
) -> ShareDifference | None:
    """Compare two shares over the same requests; None where one of them has nothing."""
    old, new = share_of(before, unit), share_of(after, unit)
    if old is None or new is None:
        return None
    return ShareDifference(old, new, _correlation(_residuals(before, old.value), _residuals(after, new.value)))


def _correlation(one: dict[str, float], other: dict[str, float]) -> float:
    both = math.fsum(value * other.get(cluster, 0.0) for cluster, value in one.items())
    size = math.sqrt(math.fsum(v * v for v in one.values()) * math.fsum(v * v for v in other.values()))
    return max(-1.0, min(1.0, both / size)) if size > 0 else 0.0


@dataclass(frozen=True, slots=True)
class MedianDifference:
    """The median of paired differences, one a cluster, in their own unit."""

    values: tuple[float, ...]
    """Sorted; the median difference of each cluster."""
    copies: float = 1.0
    """How often each is taken to have been seen: 1, except where more pairs are imagined."""
    name: str = "sign test over clusters"

    @property
    def value(self) -> float:
        """The median."""
        return quantile(self.values, 0.5)

    def p_at(self, difference: float) -> float:
        """Return twice the smaller tail of a fair coin; values that equal the difference speak for it."""
        below = bisect_right(self.values, difference)
        above = len(self.values) - bisect_left(self.values, difference)
        return min(1.0, 2 * _coin_tail(round(len(self.values) * self.copies), round(min(below, above) * self.copies)))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the order statistics that bound what is not rejected; no bounds where there are too few clusters."""
        count = round(len(self.values) * self.copies)
        rank = _rank(count, level)
        if rank < 0:
            return -math.inf, math.inf
        place = min(len(self.values) - 1, int(rank / self.copies))
        return self.values[place], self.values[len(self.values) - 1 - place]

    def scaled(self, factor: float) -> MedianDifference:
        """What so many times as many pairs of this kind would show."""
        return replace(self, copies=self.copies * factor)

    def widened(self, level: float, widen: float) -> tuple[float, float]:
        """The interval with a larger factor: here at the smaller level that belongs to it."""
        return self.interval(2 * normal_cdf(-normal_quantile(1 - level / 2) - widen) if level > 0 else 0.0)


@cache
def _coin_tail(throws: int, heads: int) -> float:
    """Chance of at most so many heads."""
    if throws > 2000:
        z = (heads + 0.5 - throws / 2) / math.sqrt(throws / 4)
        return 0.5 * math.erfc(-z / math.sqrt(2))
    return float(Fraction(sum(math.comb(throws, k) for k in range(heads + 1)), 2**throws))


@cache
def _rank(count: int, level: float) -> int:
    """The largest place (from 0) whose tail is at most half of the level; −1 where there is none."""
    low, high = -1, count // 2
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if 2 * _coin_tail(count, middle) <= level else (low, middle - 1)
    return low


def median_difference(pairs: Sequence[tuple[str, float]]) -> MedianDifference | None:
    """`(cluster, difference)` of each pair; None without any."""
    clusters: dict[str, list[float]] = defaultdict(list)
    for cluster, value in pairs:
        clusters[cluster].append(value)
    if not clusters:
        return None
    return MedianDifference(tuple(sorted(quantile(values, 0.5) for values in clusters.values())))


@dataclass(frozen=True, slots=True)
class RatioDifference:
    """The second ratio minus the first, in their own unit."""

    value: float
    error: float
    freedom: int
    name: str = "t over clusters"

    def p_at(self, difference: float) -> float:
        """Return twice the tail."""
        if self.error <= 0:
            return 1.0 if difference == self.value else self._least
        return min(1.0, 2 * t_cdf(-abs(self.value - difference) / self.error, self.freedom))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the ends."""
        return self.widened(level, 0.0)

    def scaled(self, factor: float) -> RatioDifference:
        """What so many times as many pairs of this kind would show."""
        if self.error <= 0:
            return replace(self, freedom=round((self.freedom + 1) * factor) - 1)
        return replace(self, error=self.error / math.sqrt(factor))

    @property
    def _least(self) -> float:
        """The least p value where no cluster moved: a sign test's, since no spread was seen."""
        return math.ldexp(1.0, -self.freedom)

    def widened(self, level: float, widen: float) -> tuple[float, float]:
        """The interval with a larger factor."""
        if level <= 0 or (self.error <= 0 and self._least > level):
            return -math.inf, math.inf
        half = (_factor(level, self.freedom) + widen) * self.error
        return self.value - half, self.value + half


def ratio_difference(before: Sequence[PairShare], after: Sequence[PairShare]) -> RatioDifference | None:
    """Compare two ratios of sums over the same requests; None where one cannot be formed or there is a single cluster."""
    parts = [[part for part in side if part.of or part.amount] for side in (before, after)]
    totals = [math.fsum(part.of for part in side) for side in parts]
    if not all(totals):
        return None
    values = [math.fsum(part.amount for part in side) / total for side, total in zip(parts, totals, strict=True)]
    moves: dict[str, float] = defaultdict(float)
    for sign, side, total, value in zip((-1, 1), parts, totals, values, strict=True):
        for part in side:
            moves[part.cluster] += sign * (part.amount - value * part.of) / total
    groups = len(moves)
    if groups < 2:
        return None
    error = math.sqrt(groups / (groups - 1) * math.fsum(move**2 for move in moves.values()))
    return RatioDifference(values[1] - values[0], error, groups - 1)


Difference = ShareDifference | MedianDifference | RatioDifference
