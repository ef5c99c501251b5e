"""The fixtures are the tables of the literature, and exact values made by rational arithmetic.

A 2 × 2 table by the hypergeometric distribution, as in `fisher_exact`:
    python -c "from fractions import Fraction as F; from math import comb as c; w={k:c(10,k)*c(10,15-k) for k in range(5,11)};
    print(float(F(sum(v for v in w.values() if v<=w[10]), c(20,15))))"
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.grading.counts import fisher, mcnemar, needed_line, runs_needed
from workbench.grading.rates import Rate

RATES = st.integers(1, 25).flatmap(lambda runs: st.builds(Rate, st.integers(0, runs), st.just(runs)))


@pytest.mark.parametrize(
    ("one", "other", "p"),
    [(5, 0, 0.0625), (6, 0, 0.03125), (8, 1, 0.0390625), (12, 4, 0.076812744140625), (3, 3, 1.0), (0, 0, 1.0)],
)
def test_mcnemar_is_a_fair_coin(one: int, other: int, p: float) -> None:
    assert mcnemar(one, other) == mcnemar(other, one) == p


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        (Rate(3, 3), Rate(2, 3), 1.0),
        (Rate(10, 10), Rate(7, 10), 0.21052631578947367),
        (Rate(10, 10), Rate(5, 10), 0.03250773993808049),
        (Rate(20, 20), Rate(15, 20), 0.04712404712404712),
        (Rate(3, 4), Rate(1, 4), 0.4857142857142857),
    ],
)
def test_fisher(first: Rate, second: Rate, p: float) -> None:
    """The last one is Fisher's own tea tasting, two-sided."""
    assert fisher(first, second) == pytest.approx(p, abs=1e-15)


@given(RATES, RATES)
def test_fisher_against_exact_sums(first: Rate, second: Rate) -> None:
    passed, total = first.passed + second.passed, first.runs + second.runs
    chances = [
        Fraction(math.comb(first.runs, k) * math.comb(second.runs, passed - k), math.comb(total, passed))
        for k in range(max(0, passed - second.runs), min(first.runs, passed) + 1)
    ]
    seen = Fraction(
        math.comb(first.runs, first.passed) * math.comb(second.runs, second.passed), math.comb(total, passed)
    )

    assert sum(chances) == 1
    assert fisher(first, second) == pytest.approx(float(sum(chance for chance in chances if chance <= seen)))
    assert fisher(first, second) == fisher(second, first)


def test_runs_needed_to_claim_a_rate() -> None:
    assert [runs_needed(rate) for rate in (0.9, 0.95, 0.99)] == [29, 59, 299]
    for rate in (0, 1):
        with pytest.raises(ValueError, match="no number"):
            runs_needed(rate)


def test_interval_of_clean_runs() -> None:
    assert needed_line(Rate(10, 10)) == "10 of 10 shows at least 72 %. To claim 90 %: 29 clean runs, 19 more."
    assert needed_line(Rate(30, 30)).endswith("that is reached.")
    assert needed_line(Rate(9, 10)) == "9 of 10 shows at least 59 %. To claim 90 %: 29 runs without a failure."
    assert needed_line(Rate(0, 0)) == "To claim 90 %: 29 clean runs."
