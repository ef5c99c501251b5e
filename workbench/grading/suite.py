"""A suite's score: mean over cases, with an error that knows that repeats of one case are no independent evidence."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from workbench.grading.distributions import t_quantile
from workbench.grading.rates import Z95, Interval, Rate

if TYPE_CHECKING:
    from collections.abc import Sequence


class CaseRate(NamedTuple):
    """One case's runs through one target."""

    case_id: str
    cluster: str
    """Cases of one family share it; else the case's own id."""
    rate: Rate


class SuiteScore(NamedTuple):
    """The mean of the cases' rates, and how sure it is."""

    value: float
    interval: Interval
    """Wilson's interval at the effective sample size, by clusters of cases."""
    error: float
    """Standard error over clusters; 0 where all cases agree, which is why the interval does not stand on it alone."""
    cases: int
    clusters: int
    runs: int
    effective_runs: float
    """How many independent runs carry as much."""


class PooledRate(NamedTuple):
    """A rate over single things that come in clusters, such as calls of cases."""

    passed: int
    of: int
    interval: Interval
    """Wilson's interval at the effective sample size, by clusters."""
    clusters: int

    @property
    def value(self) -> float:
        """The rate itself."""
        return self.passed / self.of


class VarianceSplit(NamedTuple):
    """Where the spread of runs comes from; only the second part shrinks with repeats."""

    between: float
    """Variance of the cases' true rates: difficulty."""
    within: float
    """Mean variance of one run of a case: noise."""

    @property
    def correlation(self) -> float | None:
        """Correlation of two runs of one case."""
        total = self.between + self.within
        return self.between / total if total > 0 else None


def judged(rates: Sequence[CaseRate]) -> list[CaseRate]:
    """Cases with at least one judged run."""
    return [item for item in rates if item.rate.runs]


def suite_score(rates: Sequence[CaseRate]) -> SuiteScore | None:
    """The score of a suite; None without any judged run."""
    cases = judged(rates)
    if not cases:
        return None
    values = [item.rate.passed / item.rate.runs for item in cases]
    names = [item.cluster for item in cases]
    score, runs = math.fsum(values) / len(values), sum(item.rate.runs for item in cases)
    error, clusters = clustered_error(values, names), len(set(names))
    effective = effective_runs(score, error, clusters, runs)
    factor = t_quantile(0.975, clusters - 1) if error > 0 else Z95
    interval = bounded(share_interval(score, effective, factor), clusters)
    return SuiteScore(score, interval, error, len(cases), clusters, runs, effective)


def pooled_rate(parts: Sequence[tuple[int, int]], clusters: Sequence[str]) -> PooledRate | None:
    """The rate over all `(passed, of)` parts, larger parts counting for more; None where there is nothing."""
    known = [(passed, of, cluster) for (passed, of), cluster in zip(parts, clusters, strict=True) if of]
    total = sum(of for _, of, _ in known)
    if not total:
        return None
    passed = sum(part for part, _, _ in known)
    share = passed / total
    residuals: dict[str, float] = defaultdict(float)
    for part, of, cluster in known:
        residuals[cluster] += part - share * of
    groups = len(residuals)
    spread = math.fsum(value**2 for value in residuals.values())
    error = math.sqrt(groups / (groups - 1) * spread) / total if groups > 1 else 0.0
    factor = t_quantile(0.975, groups - 1) if error > 0 else Z95
    interval = share_interval(share, effective_runs(share, error, groups, total), factor)
    return PooledRate(passed, total, bounded(interval, groups), groups)


def standard_error(values: Sequence[float]) -> float:
    """Standard error of a mean over cases; 0 for a single one."""
    count = len(values)
    if count < 2:
        return 0.0
    middle = math.fsum(values) / count
    return math.sqrt(math.fsum((value - middle) ** 2 for value in values) / (count * (count - 1)))


def clustered_error(values: Sequence[float], clusters: Sequence[str]) -> float:
    """The same where cases come in families: residuals are summed within a cluster before they are squared."""
    middle = math.fsum(values) / len(values)
    sums: dict[str, float] = defaultdict(float)
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] += value - middle
    groups = len(sums)
    if groups < 2:
        return 0.0
    return math.sqrt(groups / (groups - 1) * math.fsum(total**2 for total in sums.values())) / len(values)


def effective_runs(score: float, error: float, clusters: int, runs: int) -> float:
    """Independent runs with the same error; where nothing varies, each cluster counts once."""
    if error <= 0 or not 0 < score < 1:
        return float(clusters)
    return min(float(runs), score * (1 - score) / error**2)


def share_interval(score: float, effective: float, z: float) -> Interval:
    """Wilson's interval for a share that stands on `effective` runs, more than 0; few clusters bring Student's factor."""
    spread = z * z / effective
    centre = (score + spread / 2) / (1 + spread)
    half = z * math.sqrt(score * (1 - score) / effective + spread / (4 * effective)) / (1 + spread)
    return Interval(max(0.0, centre - half) if score > 0 else 0.0, min(1.0, centre + half) if score < 1 else 1.0)


def bounded(interval: Interval, clusters: int) -> Interval:
    """The same, no nearer to either end than if every run had gone alike: a fault never makes a rate look surer of itself.

    Where nothing varies each cluster counts once, for nobody can know how much its repeats tell. Where something does,
    repeats may count for more, and the lower end of 78 of 80 stood above that of 78 of 78.
    """
    all_alike = share_interval(1.0, clusters, Z95).low
    return Interval(min(interval.low, all_alike), max(interval.high, 1.0 - all_alike))


def run_variance(rate: Rate) -> float:
    """Unbiased p(1 − p) of one case from its repeats; 0 for a single run, which cannot show any."""
    if rate.runs < 2:
        return 0.0
    return rate.passed * (rate.runs - rate.passed) / (rate.runs * (rate.runs - 1))


def variance_split(rates: Sequence[CaseRate]) -> VarianceSplit | None:
    """Split the spread into difficulty and noise; None where no case was repeated or there is one case alone."""
    cases = [item for item in judged(rates) if item.rate.runs > 1]
    if len(cases) < 2:
        return None
    values = [item.rate.passed / item.rate.runs for item in cases]
    noise = [run_variance(item.rate) for item in cases]
    seen = standard_error(values) ** 2 * len(values)
    carried = sum(variance / item.rate.runs for variance, item in zip(noise, cases, strict=True)) / len(cases)
    return VarianceSplit(max(0.0, seen - carried), sum(noise) / len(noise))


def design_effect(repeats: float, correlation: float) -> float:
    """How much repeats of one case are worth less than independent runs."""
    return 1 + (repeats - 1) * correlation


def noise_floor(rates: Sequence[CaseRate]) -> float | None:
    """The gap that two single-run scores must exceed; None where no case was repeated."""
    cases = [item for item in judged(rates) if item.rate.runs > 1]
    if not cases:
        return None
    return Z95 * math.sqrt(2 * sum(run_variance(item.rate) for item in cases)) / len(cases)


def spread(scores: Sequence[float]) -> tuple[float, float]:
    """How much a score depends on format or tool order: largest minus smallest, and standard deviation."""
    if not scores:
        return 0.0, 0.0
    middle = math.fsum(scores) / len(scores)
    deviation = math.sqrt(math.fsum((score - middle) ** 2 for score in scores) / max(1, len(scores) - 1))
    return max(scores) - min(scores), deviation
