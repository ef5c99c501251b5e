"""Exact tests on counts: McNemar on disagreements, Fisher on a 2 × 2 table, and how many clean runs show a rate."""

from __future__ import annotations

import math
from fractions import Fraction

from workbench.grading.rates import Rate


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


def runs_needed(rate: float, confidence: float = 0.95) -> int:
    """How many clean runs in a row show at least `rate`, one-sided. Raise ValueError for a rate that none can show."""
    if not 0 < rate < 1:
        raise ValueError(f"no number of runs shows a rate of {rate}")
    return math.ceil(math.log(1 - confidence) / math.log(rate) - 1e-12)


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
