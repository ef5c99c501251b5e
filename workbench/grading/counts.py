"""Exact tests on counts: McNemar on disagreements, Fisher on a 2 × 2 table, Newcombe's interval for a difference."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from workbench.grading.distributions import normal_quantile
from workbench.grading.rates import Z95, Rate, wilson


class RateDifference(NamedTuple):
    """A difference of two rates with its interval, −1 to 1."""

    value: float
    low: float
    high: float


def mcnemar(one: int, other: int) -> float:
    """Two-sided exact p of `one` against `other` disagreements: a fair coin's tails, doubled."""
    total, less = one + other, min(one, other)
    tail = Fraction(sum(math.comb(total, k) for k in range(less + 1)), 2**total)
    return float(min(Fraction(1), 2 * tail))


def fisher(first: Rate, second: Rate) -> float:
    """Two-sided exact p of two independent rates: all tables that are no likelier than the one seen."""
    passed, runs = first.passed + second.passed, first.runs + second.runs
    weights = {
        k: math.comb(first.runs, k) * math.comb(second.runs, passed - k)
        for k in range(max(0, passed - second.runs), min(first.runs, passed) + 1)
    }
    seen = weights[first.passed]
    return float(Fraction(sum(weight for weight in weights.values() if weight <= seen), math.comb(runs, passed)))


def newcombe(first: Rate, second: Rate, z: float = Z95) -> RateDifference:
    """Newcombe's interval for second − first, made of the two Wilson intervals; without runs on a side, −1 to 1."""
    if not first.runs or not second.runs:
        return RateDifference(0.0, -1.0, 1.0)
    one, other = first.passed / first.runs, second.passed / second.runs
    a, b = wilson(first.passed, first.runs, z), wilson(second.passed, second.runs, z)
    down = math.hypot(other - b.low, a.high - one)
    up = math.hypot(b.high - other, one - a.low)
    return RateDifference(other - one, other - one - down, other - one + up)


def runs_needed(rate: float, confidence: float = 0.95) -> int:
    """How many clean runs in a row show at least `rate`, one-sided. Raise ValueError for a rate that none can show."""
    if not 0 < rate < 1:
        raise ValueError(f"no number of runs shows a rate of {rate}")
    return math.ceil(math.log(1 - confidence) / math.log(rate) - 1e-12)


def planned_runs(one: float, other: float, power: float = 0.8, level: float = 0.05) -> int:
    """Roughly how many single runs each of two independent targets needs so that rates this far apart are told apart."""
    if one == other:
        raise ValueError("equal rates are never told apart")
    mean = (one + other) / 2
    by_chance = normal_quantile(1 - level / 2) * math.sqrt(2 * mean * (1 - mean))
    in_truth = normal_quantile(power) * math.sqrt(one * (1 - one) + other * (1 - other))
    return round(((by_chance + in_truth) / (one - other)) ** 2)


def needed_line(rate: Rate, goal: float = 0.9) -> str:
    """What clean runs show, and how many are needed: `10 of 10 shows at least 72 %. To claim 90 %: 29 clean runs, …`"""
    if not rate.runs:
        return f"To claim {goal:.0%}: {runs_needed(goal)} clean runs.".replace("%", " %")
    shown = f"{rate.passed} of {rate.runs} shows at least {math.floor(rate.interval.low * 100)} %."
    needed = runs_needed(goal)
    if rate.passed < rate.runs:
        return f"{shown} To claim {round(goal * 100)} %: {needed} runs without a failure."
    more = needed - rate.runs
    tail = f", {more} more." if more > 0 else "; that is reached."
    return f"{shown} To claim {round(goal * 100)} %: {needed} clean runs{tail}"
