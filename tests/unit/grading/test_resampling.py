from __future__ import annotations

import statistics
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.grading.counts import mcnemar
from workbench.grading.resampling import bootstrap, draws, mean, quantile, sign_flip

ONE = Fraction(1)


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=20))
def test_quantiles_as_the_standard_library_has_them(values: list[float]) -> None:
    cuts = statistics.quantiles(values, n=20, method="inclusive")

    assert [quantile(values, place / 20) for place in range(1, 20)] == pytest.approx(cuts)


def test_no_values() -> None:
    assert mean([]) == 0
    for broken in (lambda: quantile([], 0.5), lambda: bootstrap([], [])):
        with pytest.raises(ValueError, match="no"):
            broken()


def test_clusters_are_drawn_as_wholes() -> None:
    for drawn in draws(["a", "a", "b"], seed=1, rounds=20):
        assert drawn.count(0) == drawn.count(1)
        assert drawn.count(0) + drawn.count(2) == 2


def test_the_same_seed_gives_the_same_interval() -> None:
    values, names = [0.1, 0.5, 0.9, 1.0], list("abcd")

    assert bootstrap(values, names, seed=3) == bootstrap(values, names, seed=3)
    assert list(draws(names, seed=3, rounds=5)) != list(draws(names, seed=4, rounds=5))


def test_one_cluster_has_no_width() -> None:
    assert bootstrap([0.2, 0.4], ["a", "a"]) == pytest.approx((0.3, 0.3))


@given(st.integers(0, 12), st.integers(0, 12))
def test_flips_of_single_runs_are_mcnemars_test(up: int, down: int) -> None:
    assert sign_flip([ONE] * up + [-ONE] * down + [ONE * 0] * 3) == pytest.approx(mcnemar(up, down))


@given(st.lists(st.fractions(-1, 1, max_denominator=6), min_size=1, max_size=7))
def test_flips_are_counted_exactly(sums: list[Fraction]) -> None:
    every = [
        abs(sum(sign * value for sign, value in zip(signs, sums, strict=True)))
        for signs in product((1, -1), repeat=len(sums))
    ]

    assert sign_flip(sums) == pytest.approx(sum(total >= abs(sum(sums)) for total in every) / len(every))


def test_sums_on_too_fine_a_grid_are_drawn() -> None:
    """No two patterns have the same sum here, so the ties of the coarse test are mostly won."""
    coarse = [ONE] * 15 + [-ONE] * 5
    fine = [value + Fraction(1, 1_000_003 + place) / 1_000_000 for place, value in enumerate(coarse)]

    assert mcnemar(16, 4) - 0.003 < sign_flip(fine, seed=1) < mcnemar(15, 5)
    assert sign_flip(fine, seed=1) == sign_flip(fine, seed=1)
