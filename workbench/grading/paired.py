"""Two targets over the same cases: one test gives the p value, the interval and the word.

Pairing by case takes difficulty out; clusters keep families of cases honest. The words are four:

    better, worse   0 lies outside the interval
    same            the interval at twice the level lies within the margin (two one-sided tests)
    cannot tell     neither; told with the cases or runs that would decide
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from workbench.grading.distributions import normal_quantile
from workbench.grading.paired_tests import ClusterT, DifferenceTest, RunNoise, SignFlip, Stricter
from workbench.grading.rates import Rate
from workbench.grading.suite import clustered_error

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVEL = 0.05
MARGIN = 0.05
"""Targets whose scores are this close are called the same; a share of 1, and always told beside the word."""
POWER = 0.8
FEW_CLUSTERS, MANY_CLUSTERS = 6, 20
"""Under six no sign-flip test can reject at 5 %; from twenty on Student's t is as good."""


class Word(StrEnum):
    """What may be said of B against A."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    CANNOT_TELL = "cannot tell"


class CasePair(NamedTuple):
    """One case through both targets."""

    case_id: str
    cluster: str
    before: Rate
    """Target A."""
    after: Rate
    """Target B."""

    @property
    def difference(self) -> float:
        """Rate of B minus rate of A; both have runs."""
        return self.after.passed / self.after.runs - self.before.passed / self.before.runs


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """B against A, as shares of 1."""

    value: float
    test: DifferenceTest
    cases: int
    """Cases that both were judged on."""
    clusters: int
    runs: int
    """The fewest runs that a case has on one side."""
    up: int
    down: int
    error: float
    """Standard error that a plan for more cases stands on."""
    level: float = LEVEL
    """Chance of a false finding that decides; smaller than 0.05 where many comparisons are shown together."""
    margin: float = MARGIN

    @property
    def interval(self) -> tuple[float, float]:
        """The interval that decides whether a difference is shown."""
        return self.test.interval(self.level)

    @property
    def inner(self) -> tuple[float, float]:
        """The interval at twice the level, which decides whether both are the same within the margin."""
        return self.test.interval(min(1.0, 2 * self.level))

    @property
    def low(self) -> float:
        """Lower end of the deciding interval."""
        return self.interval[0]

    @property
    def high(self) -> float:
        """Upper end of the deciding interval."""
        return self.interval[1]

    @property
    def p(self) -> float:
        """The p value that there is no difference, not adjusted."""
        return self.test.p_at(0.0)

    @property
    def shown(self) -> bool:
        """0 lies outside the interval, which is the same as p being at most the level."""
        low, high = self.interval
        return not low <= 0 <= high

    @property
    def word(self) -> Word:
        """What may be said."""
        if self.shown:
            return Word.BETTER if self.value > 0 else Word.WORSE
        low, high = self.inner
        return Word.SAME if -self.margin <= low and high <= self.margin else Word.CANNOT_TELL

    def at(self, level: float) -> PairedDifference:
        """The same data held against another level."""
        return replace(self, level=level)

    def chance_below(self, difference: float) -> float:
        """How sure it is that the true difference is smaller than this one: 1 minus the one-sided p value."""
        tail = self.test.p_at(difference) / 2
        return tail if difference < self.value else 1 - tail

    def needed(self) -> int:
        """Cases of this kind (with few clusters: runs of each case) in all that would decide, with a chance of 80 %."""
        by_runs = self.clusters < FEW_CLUSTERS
        have = self.runs if by_runs else self.cases
        spare = self.margin - abs(self.value)
        power = normal_quantile(POWER)
        wanted = [
            ((normal_quantile(1 - share) + power) * self.error / abs(gap)) ** 2 * have
            for gap, share in ((self.value, self.level / 2), (max(spare, 0.0), self.level))
            if gap
        ]
        least = 0 if by_runs else math.ceil(self.cases / self.clusters * math.ceil(math.log2(2 / self.level)))
        return max(have + 1, least, math.ceil(min(wanted)))


def paired_difference(
    pairs: Sequence[CasePair], *, level: float = LEVEL, margin: float = MARGIN, seed: int = 0
) -> PairedDifference | None:
    """Compare over the cases that both have runs of; None without one."""
    common = [pair for pair in pairs if pair.before.runs and pair.after.runs]
    if not common:
        return None
    moves = [pair.difference for pair in common]
    clusters = len({pair.cluster for pair in common})
    error = clustered_error(moves, [pair.cluster for pair in common])
    value = math.fsum(moves) / len(moves)
    noise = clusters < FEW_CLUSTERS or error < 1e-12
    return PairedDifference(
        value, _test(common, value, clusters, error, seed), len(common), clusters,
        min(runs for pair in common for runs in (pair.before.runs, pair.after.runs)),
        sum(move > 0 for move in moves), sum(move < 0 for move in moves),
        _noise_error(common) if noise else error, level, margin,
    )  # fmt: skip


def _test(common: Sequence[CasePair], value: float, clusters: int, error: float, seed: int) -> DifferenceTest:
    noise = RunNoise(tuple((pair.before, pair.after) for pair in common))
    if clusters < FEW_CLUSTERS:
        return noise
    if error < 1e-12:  # an interval of no width would claim what nobody can know
        return Stricter(noise, _flips(common, seed)) if clusters < MANY_CLUSTERS else noise
    return _flips(common, seed) if clusters < MANY_CLUSTERS else ClusterT(value, error, clusters - 1)


def _flips(pairs: Sequence[CasePair], seed: int) -> SignFlip:
    sums: dict[str, Fraction] = defaultdict(Fraction)
    sizes: dict[str, int] = defaultdict(int)
    for pair in pairs:
        before, after = pair.before, pair.after
        sums[pair.cluster] += Fraction(after.passed, after.runs) - Fraction(before.passed, before.runs)
        sizes[pair.cluster] += 1
    scale = math.lcm(*(total.denominator for total in sums.values()))
    return SignFlip(tuple(int(total * scale) for total in sums.values()), tuple(sizes.values()), scale, seed)


def _noise_error(pairs: Sequence[CasePair]) -> float:
    """Standard error from the runs alone, each rate drawn a little to the middle so that 10 of 10 is not certain."""
    return math.sqrt(sum(_noise(pair.before) + _noise(pair.after) for pair in pairs)) / len(pairs)


def _noise(rate: Rate) -> float:
    share = (rate.passed + 1) / (rate.runs + 2)
    return share * (1 - share) / rate.runs


def sentence(found: PairedDifference | None, a: str = "A", b: str = "B") -> str:
    """`B is better than A by 6 points (paired, 95 %: +1 to +11). 9 cases moved up, 4 down.`

    Other words: `B and A are the same within ±5 points (…)`, `B against A: cannot tell, +6 points (…). About 60 cases
    like these would decide.` Numbers are rounded so that they never say anything else than the word. Where the runs alone
    decide, the bracket says that only these cases are spoken of.
    """
    if found is None:
        return f"{b} and {a} have no judged case in common."
    moved = f"{found.up} case{'' if found.up == 1 else 's'} moved up, {found.down} down."
    moved = moved if found.up or found.down else "No case moved."
    of = ""
    if found.clusters < FEW_CLUSTERS:
        of = f"; on {'this one case' if found.cases == 1 else f'these {found.cases} cases'} alone"
    match found.word:
        case Word.BETTER | Word.WORSE:
            points = signed_points(abs(found.value)).lstrip("+")
            head = f"{b} is {found.word} than {a} by {points} point{'' if points == '1' else 's'}"
            return f"{head} ({_span(found.interval, found.level)}{of}). {moved}"
        case Word.SAME:
            head = f"{b} and {a} are the same within ±{signed_points(found.margin).lstrip('+')} points"
            return f"{head} ({_span(found.inner, 2 * found.level)}{of}). {moved}"
        case Word.CANNOT_TELL:
            what = "runs of each case" if found.clusters < FEW_CLUSTERS else "cases like these"
            head = f"{b} against {a}: cannot tell, {signed_points(found.value)} points"
            told = f"About {found.needed():,} {what} would decide. {moved}"
            return f"{head} ({_span(found.interval, found.level)}{of}). {told}"


def _span(ends: tuple[float, float], level: float) -> str:
    share = f"{100 * (1 - level):.4g}"
    return f"paired, {share} %: {signed_points(ends[0])} to {signed_points(ends[1])}"


def signed_points(share: float) -> str:
    """Whole points with a sign, or as many digits as it takes to tell it from 0; plain 0 for none."""
    for digits in (0, 1, 2, 4):
        text = f"{100 * share:+.{digits}f}"
        if float(text):
            return text.replace("-", "−")
    return f"{100 * share:+.1e}".replace("-", "−") if share else "0"
