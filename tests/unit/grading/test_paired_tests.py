"""Values of scipy and statsmodels stand in tests/data/statistics/paired.json; the script beside it made them."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tree import ROOT
from workbench.grading.counts import mcnemar
from workbench.grading.paired_tests import ClusterT, RunNoise, SignFlip, Stricter
from workbench.grading.rates import Rate
from workbench.grading.suite import clustered_error

KNOWN = json.loads((ROOT / "tests/data/statistics/paired.json").read_text(encoding="utf-8"))
LEVELS = st.sampled_from([0.05, 0.025, 0.01, 0.1, 0.2])
CLUSTERS = st.lists(st.integers(-9, 9), min_size=6, max_size=9)


def flips(differences: list[Fraction]) -> SignFlip:
    scale = lcm(*(one.denominator for one in differences))
    return SignFlip(tuple(int(one * scale) for one in differences), (1,) * len(differences), scale)


@pytest.mark.parametrize("known", KNOWN["sign_flip"], ids=lambda known: f"{len(known['counts'])}_cases")
def test_sign_flip_p_equals_scipy(known) -> None:
    before, after = known["runs"]
    test = flips([Fraction(new, after) - Fraction(old, before) for old, new in known["counts"]])

    assert test.p_at(0.0) == pytest.approx(known["p"], abs=1e-9)
    assert [test.p_at(shift) for shift, _ in known["p_at"]] == pytest.approx([p for _, p in known["p_at"]], abs=1e-9)


@pytest.mark.parametrize("known", KNOWN["cluster_t"], ids=lambda known: f"{len(known['counts'])}_cases")
def test_cluster_t_equals_statsmodels(known) -> None:
    moves, groups = [(after - before) / 10 for before, after in known["counts"]], [str(one) for one in known["groups"]]
    test = ClusterT(sum(moves) / len(moves), clustered_error(moves, groups), len(set(groups)) - 1)

    assert test.p_at(0.0) == pytest.approx(known["p"], abs=1e-9)
    assert test.interval(known["level"]) == pytest.approx((known["low"], known["high"]), abs=1e-9)


@pytest.mark.parametrize("known", KNOWN["newcombe"], ids=str)
def test_run_noise_of_one_case_equals_newcombe_of_statsmodels(known) -> None:
    test = RunNoise(((Rate(*known["before"]), Rate(*known["after"])),))

    assert test.interval(known["level"]) == pytest.approx((known["low"], known["high"]), abs=1e-9)


@given(CLUSTERS, st.integers(-5, 5))
def test_sign_flip_p_counts_every_choice_of_signs(sums: list[int], assumed: int) -> None:
    left = [one - assumed for one in sums]
    far = [
        abs(sum(sign * one for sign, one in zip(signs, left, strict=True)))
        for signs in product((1, -1), repeat=len(sums))
    ]
    expected = sum(one >= abs(sum(left)) for one in far) / len(far)

    assert SignFlip(tuple(sums), (1,) * len(sums), 1).p_at(assumed) == pytest.approx(expected)


@given(CLUSTERS, st.lists(st.integers(1, 3), min_size=9, max_size=9), LEVELS)
def test_sign_flip_interval_inverts_the_test(sums: list[int], sizes: list[int], level: float) -> None:
    test = SignFlip(tuple(sums), tuple(sizes[: len(sums)]), 10)
    low, high = test.interval(level)

    assert -1 <= low <= test.value <= high <= 1
    for end, out in ((low, -1e-6), (high, 1e-6)):
        if abs(end) < 1:
            assert test.p_at(end) > level
            assert test.p_at(end + out) <= level


@given(st.integers(0, 8), st.integers(0, 8))
def test_sign_flip_of_single_runs_is_the_test_of_mcnemar(up: int, down: int) -> None:
    sums = (1,) * up + (-1,) * down + (0,) * 2

    assert SignFlip(sums, (1,) * len(sums), 1).p_at(0.0) == pytest.approx(mcnemar(up, down))


def test_sign_flip_with_too_few_clusters_for_the_level_knows_nothing() -> None:
    assert SignFlip((1,) * 6, (1,) * 6, 1).interval(0.01) == (-1.0, 1.0)


def test_drawn_splits_come_near_to_all_splits() -> None:
    sums = (5, -2, 7, 3, 0, 4, -1, 6, 2, -3, 5, 1, 4, -2, 3, 6)
    walked = SignFlip(sums, (1,) * 16, 10)
    drawn = SignFlip((*sums, 0), (1,) * 16 + (1,), 10, seed=3)

    assert len(drawn._ends[0]) == len(walked._ends[0])
    assert drawn.p_at(0.0) == pytest.approx(walked.p_at(0.0), abs=0.005)
    assert drawn.interval(0.05) == SignFlip((*sums, 0), (1,) * 17, 10, seed=3).interval(0.05)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), min_size=1, max_size=5), LEVELS)
def test_run_noise_p_is_the_level_of_its_interval_end(counts: list[tuple[int, int]], level: float) -> None:
    test = RunNoise(tuple((Rate(before, 6), Rate(after, 9)) for before, after in counts))
    low, high = test.interval(level)

    for end in (low, high):
        if -1 < end < 1 and abs(end - test.value) > 1e-9:
            assert test.p_at(end) == pytest.approx(level, rel=1e-6)


def test_the_stricter_of_two_tests() -> None:
    noise, spread = RunNoise(((Rate(0, 10), Rate(10, 10)),) * 6), SignFlip((1,) * 6, (1,) * 6, 1)
    both = Stricter(noise, spread)

    assert both.p_at(0.0) == spread.p_at(0.0) == 2 / 2**6
    assert both.interval(0.05) == noise.interval(0.05)
    assert both.interval(0.01)[0] == -1.0
