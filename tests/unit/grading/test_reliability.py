from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.grading.rates import Rate
from workbench.grading.reliability import flakiness, pass_hat_k, reliability_curve, suite_flakiness

RATES = st.integers(1, 7).flatmap(lambda runs: st.builds(Rate, st.integers(0, runs), st.just(runs)))


@given(RATES, st.integers(1, 7))
def test_it_is_the_share_of_all_choices_of_k_runs(rate: Rate, k: int) -> None:
    if k > rate.runs:
        with pytest.raises(ValueError, match="attempts"):
            pass_hat_k(rate, k)
        return
    runs = [place < rate.passed for place in range(rate.runs)]
    chosen = list(combinations(runs, k))

    assert pass_hat_k(rate, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))


def test_the_unbiased_form_is_unbiased_and_the_plain_power_is_not() -> None:
    """At p = 0.8, k = 8, n = 10 the truth is 0.168; plugging in averages 0.287."""
    chances = [math.comb(10, c) * 0.8**c * 0.2 ** (10 - c) for c in range(11)]

    ours = sum(chance * pass_hat_k(Rate(c, 10), 8) for c, chance in enumerate(chances))
    plugged = sum(chance * (c / 10) ** 8 for c, chance in enumerate(chances))
    assert ours == pytest.approx(0.8**8)
    assert (round(ours, 3), round(plugged, 3)) == (0.168, 0.287)


def test_nine_of_ten_is_one_in_five_for_eight() -> None:
    assert pass_hat_k(Rate(9, 10), 8) == pytest.approx(0.2)


def test_reliability_curve_falls_and_ends() -> None:
    curve = reliability_curve([Rate(9, 10), Rate(5, 8), Rate(0, 0)], ["a", "b", "c"])

    assert [point.k for point in curve] == list(range(1, 9))
    values = [point.value for point in curve]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx((0.9 + 0.625) / 2)
    assert all(point.low <= point.value <= point.high for point in curve)


def test_no_runs_no_curve() -> None:
    assert reliability_curve([Rate(0, 0)], ["a"]) == ()


@pytest.mark.parametrize(
    ("rate", "value"), [(Rate(5, 10), 5 / 9), (Rate(0, 4), 0.0), (Rate(1, 2), 1.0), (Rate(1, 1), None)]
)
def test_flakiness_is_the_disagreement_of_two_runs(rate: Rate, value: float | None) -> None:
    assert flakiness(rate) == (None if value is None else pytest.approx(value))


def test_suite_flakiness_is_the_mean_of_known_cases() -> None:
    assert suite_flakiness([Rate(1, 2), Rate(2, 2), Rate(1, 1)]) == 0.5
    assert suite_flakiness([Rate(1, 1)]) is None
