"""Reliability over k attempts, and how flaky a case is. Unbiased forms: plugging p̂ into pᵏ flatters (0.287 for 0.168)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from workbench.grading.resampling import bootstrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.grading.rates import Rate


_DRAWS = 500_000
"""Values drawn for one curve, about: many cases need fewer rounds each, and nobody wants to wait."""


class CurvePoint(NamedTuple):
    """One point of a reliability curve."""

    k: int
    value: float
    low: float
    high: float


def pass_hat_k(rate: Rate, k: int) -> float:
    """Chance that all k attempts work. Raise ValueError for more attempts than there were runs."""
    _fits(rate, k)
    return math.comb(rate.passed, k) / math.comb(rate.runs, k)


def _fits(rate: Rate, k: int) -> None:
    if not 1 <= k <= rate.runs:
        raise ValueError(f"{k} attempts cannot be judged from {rate.runs} runs")


def reliability_curve(rates: Sequence[Rate], clusters: Sequence[str], seed: int = 0) -> tuple[CurvePoint, ...]:
    """All-k-pass for every k that the case with the fewest runs allows, mean over cases, bootstrapped over clusters."""
    asked = [(rate, cluster) for rate, cluster in zip(rates, clusters, strict=True) if rate.runs]
    most = min((rate.runs for rate, _ in asked), default=0)
    rounds = max(200, min(1000, _DRAWS // max(1, most * len(asked))))
    points = []
    for k in range(1, most + 1):
        values = [pass_hat_k(rate, k) for rate, _ in asked]
        low, high = bootstrap(values, [cluster for _, cluster in asked], seed=seed, rounds=rounds)
        points.append(CurvePoint(k, sum(values) / len(values), low, high))
    return tuple(points)


def flakiness(rate: Rate) -> float | None:
    """Chance that two runs of a case disagree; None where there are no two."""
    if rate.runs < 2:
        return None
    return 2 * rate.passed * (rate.runs - rate.passed) / (rate.runs * (rate.runs - 1))


def suite_flakiness(rates: Sequence[Rate]) -> float | None:
    """Mean flakiness of the cases that were run twice or more."""
    known = [value for rate in rates if (value := flakiness(rate)) is not None]
    return sum(known) / len(known) if known else None
