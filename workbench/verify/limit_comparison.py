"""One comparison of a metric with its limit: its interval and p value, its judgement, and what would decide it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.grading.distributions import normal_quantile
from workbench.grading.paired import POWER
from workbench.grading.rates import TOO_FEW
from workbench.verify.intervals import Difference, MedianDifference, Share
from workbench.verify.judgement import Judgement
from workbench.verify.metrics import Better

if TYPE_CHECKING:
    from workbench.verify.judgement import Result
    from workbench.verify.policy import Limit

NOISE_LEVEL = 0.05
"""1 minus the confidence with which the reference's noise is told."""
_MOST_FURTHER = 64
"""So many times the pairs there are: beyond that nobody is told to go on."""
_STEP = 1.1


def noise_width(noise: Difference | Share | None, factor: float = 1.0) -> float:
    """How far the reference may differ from itself; 0 where it was not measured twice."""
    if noise is None:
        return 0.0
    seen = noise if factor == 1.0 else noise.scaled(factor)
    low, high = seen.interval(NOISE_LEVEL)
    return max(seen.value - low, high - seen.value) if isinstance(seen, Share) else max(abs(low), abs(high))


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """A metric of one candidate, with all that its judgement needs."""

    result: Result
    test: Difference | Share
    noise: Difference | Share | None
    limit: Limit
    reference: float
    turn: float
    """1 or −1: times the test's difference, more is worse."""
    shift: float = 0.0
    """Added after that."""

    def allowed(self, factor: float = 1.0) -> float:
        """The limit, where so many times as many pairs had been seen."""
        return 0.0 if self.limit.absolute else self.limit.allowed(noise_width(self.noise, factor), self.reference)

    @property
    def both_ways(self) -> bool:
        """Whether less is as bad as more."""
        return self.result.metric.better is Better.SAME and not self.limit.absolute

    @property
    def worse(self) -> float:
        """How much worse the candidate is than the reference, or than its limit where that is absolute."""
        return self.turn * self.test.value + self.shift

    def interval(self, level: float, factor: float = 1.0, widen: float = 0.0) -> tuple[float, float]:
        """The interval of `worse` at 1 minus `level`, with so many times as many pairs, and longer by `widen` standard errors."""
        test = self.test if factor == 1.0 else self.test.scaled(factor)
        low, high = test.widened(level, widen)
        ends = sorted((self.turn * low + self.shift, self.turn * high + self.shift))
        return ends[0], ends[1]

    def p(self) -> float:
        """The p value that the difference is no more than allowed."""
        limit = self.allowed()
        edge = math.copysign(limit, self.worse) if self.both_ways else limit
        if (abs(self.worse) if self.both_ways else self.worse) <= limit:
            return 1.0
        return self.test.p_at((edge - self.shift) / self.turn)

    def judge(self, level: float, alarm: float, factor: float = 1.0, widen: float = 0.0) -> Judgement:
        """`level` is the policy's, `alarm` this comparison's share of it."""
        limit = self.allowed(factor)
        if math.isinf(limit):  # too few repeats of the reference's to say how far it differs from itself
            return Judgement.INCONCLUSIVE
        low, high = self.interval(alarm, factor, widen)
        if low > limit or (self.both_ways and high < -limit):
            return Judgement.FAIL
        low, high = self.interval(min(1.0, 2 * level), factor, widen)
        passed = high <= limit and (low >= -limit or not self.both_ways)
        return Judgement.PASS if passed else Judgement.INCONCLUSIVE


def further_pairs(comparison: MetricComparison, level: float, alarm: float, pairs: int) -> int | None:
    """Pairs more after which the verdict is likely given, if the differences stay as they are."""
    widen, factor = normal_quantile(POWER), 1.0
    if isinstance(comparison.test, MedianDifference) and len(comparison.test.values) < 2:
        return None
    while factor < _MOST_FURTHER:
        factor *= _STEP
        if comparison.result.pairs * factor < TOO_FEW:
            continue
        if comparison.judge(level, alarm, factor, widen) is not Judgement.INCONCLUSIVE:
            return max(1, math.ceil(pairs * (factor - 1)))
    return None
