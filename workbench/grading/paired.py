"""Two targets over the same cases. Pairing by case takes difficulty out; clusters keep families of cases honest."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from workbench.grading.counts import fisher, newcombe
from workbench.grading.distributions import t_quantile
from workbench.grading.rates import Z95, Rate
from workbench.grading.resampling import sign_flip
from workbench.grading.suite import clustered_error

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVEL = 0.05


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


class PairedDifference(NamedTuple):
    """B against A, as shares of 1."""

    value: float
    low: float
    high: float
    p: float
    cases: int
    """Cases that both were judged on."""
    clusters: int
    up: int
    down: int
    method: str
    """How the interval was made: `t over N clusters`, `run noise` where no case tells another story, `newcombe`."""
    error: float = 0.0
    """Standard error that the interval was made of; 0 for Newcombe's."""
    freedom: int = 0
    """Degrees of freedom of Student's t; 0: normal."""

    def shown(self, p: float | None = None) -> bool:
        """Interval and test agree that there is a difference; `p` may be adjusted for many comparisons."""
        return not self.low <= 0 <= self.high and (self.p if p is None else p) < LEVEL


def paired_difference(pairs: Sequence[CasePair], seed: int = 0) -> PairedDifference | None:
    """Mean difference over cases with its 95 % interval and exact or drawn sign-flip p; None without a common case."""
    common = [pair for pair in pairs if pair.before.runs and pair.after.runs]
    if not common:
        return None
    moves = [pair.difference for pair in common]
    up, down = sum(move > 0 for move in moves), sum(move < 0 for move in moves)
    clusters = len({pair.cluster for pair in common})
    if len(common) == 1:
        found = newcombe(common[0].before, common[0].after)
        p = fisher(common[0].before, common[0].after)
        return PairedDifference(*found, p, 1, 1, up, down, "newcombe")
    value = math.fsum(moves) / len(moves)
    error = clustered_error(moves, [pair.cluster for pair in common])
    method, freedom = f"t over {clusters} clusters", clusters - 1
    if clusters < 2 or error < 1e-12:  # an interval of no width would claim what nobody can know
        error, method, freedom = _noise_error(common), "run noise", 0
    factor = t_quantile(0.975, freedom) if freedom else Z95
    low, high = max(-1.0, value - factor * error), min(1.0, value + factor * error)
    p = sign_flip(_cluster_sums(common), seed=seed)
    return PairedDifference(value, low, high, p, len(common), clusters, up, down, method, error, freedom)


def _cluster_sums(pairs: Sequence[CasePair]) -> list[Fraction]:
    sums: dict[str, Fraction] = defaultdict(Fraction)
    for pair in pairs:
        before, after = pair.before, pair.after
        sums[pair.cluster] += Fraction(after.passed, after.runs) - Fraction(before.passed, before.runs)
    return list(sums.values())


def _noise_error(pairs: Sequence[CasePair]) -> float:
    """Standard error from the runs alone, each rate drawn a little to the middle so that 10 of 10 is not certain."""
    return math.sqrt(sum(_noise(pair.before) + _noise(pair.after) for pair in pairs)) / len(pairs)


def _noise(rate: Rate) -> float:
    share = (rate.passed + 1) / (rate.runs + 2)
    return share * (1 - share) / rate.runs


def sentence(found: PairedDifference | None, a: str = "A", b: str = "B", *, p: float | None = None) -> str:
    """`B better than A by 6 points (paired, 95 %: -1 to +13) – not shown. 9 cases moved up, 4 down.`"""
    if found is None:
        return f"{b} and {a} have no judged case in common."
    points = round(found.value * 100)
    word = "better" if found.value > 0 else "worse"
    head = f"{b} {word} than {a} by {abs(points)} point{'' if abs(points) == 1 else 's'}"
    if found.value == 0:
        head = f"{b} and {a} are level"
    bounds = f"{_signed(found.low)} to {_signed(found.high)}"
    moved = f"{found.up} case{'' if found.up == 1 else 's'} moved up, {found.down} down."
    verdict = "shown" if found.shown(p) else "not shown"
    if verdict == "not shown" and not found.low <= 0 <= found.high:
        # the interval alone would say otherwise: tell which of the two demands was not met
        verdict += f", p = {found.p if p is None else p:.2g}" + (
            " after adjustment" if p not in (None, found.p) else ""
        )
    return f"{head} (paired, 95 %: {bounds}) – {verdict}. {moved}"


def _signed(share: float) -> str:
    points = round(share * 100)
    return f"{points:+d}" if points else "0"
