from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.grading.rates import Interval, Rate, percent, whole_percent, wilson, with_errors


@pytest.mark.parametrize(
    ("passed", "runs", "low", "high"),
    [
        (3, 3, 0.44, 1.00),
        (5, 5, 0.57, 1.00),
        (10, 10, 0.72, 1.00),
        (9, 10, 0.60, 0.98),
        (7, 10, 0.40, 0.89),
        (18, 20, 0.70, 0.97),
        (90, 100, 0.83, 0.94),
    ],
)
def test_known_intervals(passed: int, runs: int, low: float, high: float) -> None:
    found = wilson(passed, runs)

    assert (round(found.low, 2), round(found.high, 2)) == (low, high)


@given(st.integers(1, 500).flatmap(lambda runs: st.tuples(st.integers(0, runs), st.just(runs))))
def test_an_interval_holds_its_rate_and_mirrors(counts: tuple[int, int]) -> None:
    passed, runs = counts
    low, high = wilson(passed, runs)

    assert 0 <= low <= passed / runs <= high <= 1
    assert low < high
    mirror = wilson(runs - passed, runs)
    assert mirror == pytest.approx((1 - high, 1 - low))


def test_nothing_is_known_without_runs() -> None:
    assert wilson(0, 0) == Interval(0.0, 1.0)
    assert Rate(0, 0).value is None
    assert str(Rate(0, 0)) == "0/0"


@pytest.mark.parametrize(("passed", "runs"), [(-1, 3), (4, 3)])
def test_impossible_counts_are_refused(passed: int, runs: int) -> None:
    with pytest.raises(ValueError, match="no count"):
        wilson(passed, runs)


def test_few_runs_are_called_few() -> None:
    assert Rate(2, 2).too_few
    assert not Rate(3, 3).too_few
    assert str(Rate(9, 10)) == "9/10 (95 %: 0.60–0.98)"


def test_errors_widen_the_bounds() -> None:
    assert with_errors(6, 8, 2) == Interval(0.6, 0.8)
    assert with_errors(0, 0, 0) == Interval(0.0, 1.0)


def test_percents_round_as_every_format_does() -> None:
    for share in (0.0, 0.004, 0.125, 0.625, 0.725, 0.995, 1.0):
        assert percent(share) == f"{100 * share:.0f} %" == f"{whole_percent(share)} %"
