from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.grading.resampling import bootstrap, draws, mean, quantile


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
