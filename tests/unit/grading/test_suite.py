"""Expected values by numpy, which is no dependency of the program:
python -c "import numpy as n; p=n.array([1,.9,.5,.2,.7]); print(p.std(ddof=1)/n.sqrt(5))"   # 0.14352700094407325
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.grading.rates import Rate, wilson
from workbench.grading.suite import (
    CaseRate,
    bounded,
    clustered_error,
    design_effect,
    noise_floor,
    pooled_rate,
    run_variance,
    spread,
    standard_error,
    suite_score,
    variance_split,
)

VALUES = [1, 0.9, 0.5, 0.2, 0.7]


def rates(*counts: tuple[int, int], clusters: str = "") -> list[CaseRate]:
    names = clusters or "abcdefghijklmnopqrstuvwxyz"
    return [CaseRate(f"c{place}", names[place], Rate(*count)) for place, count in enumerate(counts)]


def test_standard_error_over_cases() -> None:
    assert standard_error(VALUES) == pytest.approx(0.14352700094407325)
    assert standard_error([0.5]) == 0


def test_clusters_of_one_case_change_nothing() -> None:
    assert clustered_error(VALUES, list("abcde")) == pytest.approx(standard_error(VALUES))


def test_copies_of_a_case_are_no_new_evidence() -> None:
    twice = clustered_error([value for value in VALUES for _ in range(2)], list("aabbccddee"))

    assert twice == pytest.approx(standard_error(VALUES))
    assert clustered_error([0.2, 0.4], ["a", "a"]) == 0


def test_a_score_is_the_mean_over_cases_not_over_runs() -> None:
    found = suite_score(rates((10, 10), (0, 2), (0, 0)))

    assert found is not None
    assert (found.value, found.cases, found.runs) == (0.5, 2, 12)
    assert suite_score(rates((0, 0))) is None


def test_an_interval_never_collapses() -> None:
    found = suite_score(rates(*[(10, 10)] * 12))

    assert found is not None
    assert found.error == 0
    assert found.interval == pytest.approx(wilson(12, 12))


@given(st.lists(st.integers(0, 5).map(lambda passed: (passed, 5)), min_size=1, max_size=20))
def test_an_interval_holds_its_score_inside_0_and_1(counts: list[tuple[int, int]]) -> None:
    found = suite_score(rates(*counts))

    assert found is not None
    assert 0 <= found.interval.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.interval.high <= 1
    assert found.interval.high - found.interval.low > 0.01
    assert found.effective_runs <= found.runs + 1e-9


def test_fifty_cases_by_ten_carry_as_much_as_ninety_one_runs() -> None:
    assert design_effect(10, 0.5) == 5.5
    assert round(500 / design_effect(10, 0.5)) == 91


def test_difficulty_and_noise_are_split() -> None:
    hard = variance_split(rates((10, 10), (0, 10), (10, 10), (0, 10)))
    noisy = variance_split(rates(*[(5, 10)] * 6))

    assert hard is not None
    assert hard.within == 0
    assert hard.correlation == 1
    assert noisy is not None
    assert noisy.between == 0
    assert noisy.within == pytest.approx(25 / 90)
    assert variance_split(rates((1, 1), (0, 1))) is None


def test_within_variance_is_unbiased() -> None:
    """Mean over all outcomes of two runs at p = 0.3 is p(1 − p)."""
    expected = sum(chance * run_variance(Rate(passed, 2)) for passed, chance in ((0, 0.49), (1, 0.42), (2, 0.09)))

    assert expected == pytest.approx(0.3 * 0.7)


def test_noise_floor() -> None:
    """Ten cases at half: 1.96·√(2·10·25/90)/10."""
    assert noise_floor(rates(*[(5, 10)] * 10)) == pytest.approx(1.959964 * (20 * 25 / 90) ** 0.5 / 10, rel=1e-6)
    assert noise_floor(rates((1, 1))) is None


def test_spread_over_formats() -> None:
    assert spread([0.5, 0.7, 0.9]) == pytest.approx((0.4, 0.2))
    assert spread([]) == (0, 0)


def test_a_fault_never_raises_the_lower_end() -> None:
    """78 of 80 began at 91 %, and 78 of 78 of the same 20 cases at 84 %."""
    names = [str(place) for place in range(20)]
    faults = pooled_rate([(3, 4), (3, 4), *[(4, 4)] * 18], names)
    clean = pooled_rate([*[(4, 4)] * 18, (3, 3), (3, 3)], names)
    assert faults is not None
    assert clean is not None
    assert (faults.passed, faults.of, clean.passed, clean.of) == (78, 80, 78, 78)
    assert faults.interval.low <= clean.interval.low == pytest.approx(wilson(20, 20).low)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=25))
def test_no_rate_is_surer_of_an_end_than_one_that_is_there(passed: list[int]) -> None:
    found = suite_score(rates(*((count, 4) for count in passed)))
    best, worst = suite_score(rates(*[(4, 4)] * len(passed))), suite_score(rates(*[(0, 4)] * len(passed)))
    assert found is not None
    assert best is not None
    assert worst is not None
    assert found.interval.low <= best.interval.low + 1e-12
    assert found.interval.high >= worst.interval.high - 1e-12
    assert found.interval.low <= found.value + 1e-12
    assert found.value <= found.interval.high + 1e-12


def test_the_ends_of_a_rate_without_surprise_stay() -> None:
    wide = wilson(5, 10)
    assert bounded(wide, 10) == wide
