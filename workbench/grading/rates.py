"""One rate with its interval."""

from __future__ import annotations

import math
from typing import NamedTuple

Z95 = 1.959963984540054
"""Two-sided 95 %."""
TOO_FEW = 3
"""Below this many runs a rate is not shown as one."""


class Interval(NamedTuple):
    """A closed interval inside 0–1."""

    low: float
    high: float


class Rate(NamedTuple):
    """`passed` of `runs`; errors and cancelled runs are not among them."""

    passed: int
    runs: int

    @property
    def value(self) -> float | None:
        """The rate itself; None without any run."""
        return self.passed / self.runs if self.runs else None

    @property
    def too_few(self) -> bool:
        """Not enough runs to show a percentage."""
        return self.runs < TOO_FEW

    @property
    def interval(self) -> Interval:
        """95 % Wilson interval."""
        return wilson(self.passed, self.runs)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.passed}/{self.runs} (95 %: {low:.2f}–{high:.2f})" if self.runs else "0/0"


def whole_percent(share: float) -> int:
    """A share in whole percent, rounded as Python's formats do: every sentence, table and chart says the same."""
    return round(100 * share)


def percent(share: float) -> str:
    """`72 %`."""
    return f"{whole_percent(share)} %"


def wilson(passed: int, runs: int, z: float = Z95) -> Interval:
    """Wilson's interval for `passed` of `runs`: never leaves 0–1, does not collapse at either end.

    Without any run nothing is known: 0–1. Raise ValueError for counts that cannot be.
    """
    if not 0 <= passed <= runs:
        raise ValueError(f"{passed} of {runs} is no count")
    if runs == 0:
        return Interval(0.0, 1.0)
    share, spread = passed / runs, z * z / runs
    centre = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / runs + spread / (4 * runs)) / (1 + spread)
    low = 0.0 if passed == 0 else max(0.0, centre - half)
    high = 1.0 if passed == runs else min(1.0, centre + half)
    return Interval(low, high)


def with_errors(passed: int, runs: int, errors: int) -> Interval:
    """Bounds of the rate if all errors had failed, and if all had passed."""
    total = runs + errors
    return Interval(passed / total, (passed + errors) / total) if total else Interval(0.0, 1.0)
