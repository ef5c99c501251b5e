"""Values of scipy and statsmodels stand in tests/data/statistics/verify.json; the script beside it made them."""

from __future__ import annotations

import json
import math
import random

import pytest

from tests.kit.tree import ROOT
from workbench.verify.intervals import (
    MedianDifference,
    PairShare,
    Share,
    ShareDifference,
    median_difference,
    ratio_difference,
    share_difference,
    share_of,
)

KNOWN = json.loads((ROOT / "tests/data/statistics/verify.json").read_text(encoding="utf-8"))


def parts(rows: list[list[float]]) -> list[PairShare]:
    return [PairShare(str(cluster), amount, of) for cluster, amount, of in rows]


@pytest.mark.parametrize("known", KNOWN["shares"])
def test_differences_of_shares_are_those_of_other_libraries(known: dict) -> None:
    found = share_difference(parts(known["before"]), parts(known["after"]))
    assert found is not None
    for share, wanted in zip((found.before, found.after), known["shares"], strict=True):
        assert share.value == pytest.approx(wanted["value"], abs=1e-9)
        assert share.effective == pytest.approx(wanted["effective"], rel=1e-9)
        assert share.clusters == wanted["clusters"]
    assert found.correlation == pytest.approx(known["correlation"], abs=1e-9)
    assert found.interval(known["level"]) == pytest.approx(known["interval"], abs=1e-9)


@pytest.mark.parametrize("known", KNOWN["independent"])
def test_without_correlation_it_is_newcombes_plain_interval(known: dict) -> None:
    (a, n), (b, m) = known["before"], known["after"]
    found = ShareDifference(Share(a / n, n, 10**9), Share(b / m, m, 10**9))
    assert found.interval(0.05) == pytest.approx(known["interval"], abs=1e-7)


@pytest.mark.parametrize("known", KNOWN["medians"])
def test_medians_are_those_of_scipy(known: dict) -> None:
    found = median_difference([(str(place), value) for place, value in enumerate(known["values"])])
    assert found is not None
    assert found.p_at(0.0) == pytest.approx(known["p"], abs=1e-9)
    assert found.interval(known["level"]) == pytest.approx(known["interval"], abs=1e-9)


@pytest.mark.parametrize("known", KNOWN["ratios"])
def test_differences_of_ratios_are_those_of_statsmodels(known: dict) -> None:
    found = ratio_difference(parts(known["before"]), parts(known["after"]))
    assert found is not None
    assert found.interval(0.05) == pytest.approx(known["interval"], abs=1e-9)
    assert found.p_at(0.0) == pytest.approx(known["p"], abs=1e-9)


def test_an_interval_holds_what_its_test_does_not_reject() -> None:
    dice = random.Random(5)
    for _ in range(200):
        before = [PairShare(str(at), dice.random() < 0.9, 1) for at in range(60)]
        after = [PairShare(str(at), dice.random() < 0.8, 1) for at in range(60)]
        found = share_difference(before, after)
        assert found is not None
        level, difference = dice.choice([0.05, 0.01, 0.2]), dice.uniform(-0.4, 0.3)
        low, high = found.interval(level)
        assert (low <= difference <= high) == (found.p_at(difference) >= level)


def test_nothing_ever_failed_is_no_certainty() -> None:
    clean = [PairShare(str(at), 1, 1) for at in range(400)]
    found = share_difference(clean, clean)
    assert found is not None
    assert found.value == 0
    assert found.interval(0.05)[1] == pytest.approx(0.0136 / math.sqrt(2), abs=3e-4)


def test_repeats_of_one_request_are_one_cluster() -> None:
    single = share_of([PairShare(str(at), at % 2, 1) for at in range(40)])
    repeated = share_of([PairShare(str(at), at % 2, 1) for at in range(40) for _ in range(5)])
    assert single is not None
    assert repeated is not None
    assert repeated.effective == pytest.approx(single.effective)
    clean = share_of([PairShare(str(at), 1, 1) for at in range(40) for _ in range(5)])
    assert clean is not None
    assert clean.effective == 40


def test_nothing_is_known_of_nothing() -> None:
    some = [PairShare("a", 1, 1), PairShare("b", 1, 1)]
    assert share_of([PairShare("a", 0, 0)]) is None
    assert share_difference([], some) is None
    assert median_difference([]) is None
    assert ratio_difference([PairShare("a", 1, 0)], some) is None
    single = share_difference(some[:1], some[:1])
    assert single is not None
    assert single.interval(0.05) == (-1.0, 1.0)
    assert single.p_at(0.5) == 1.0


def test_too_few_clusters_bound_no_ratio_that_never_moved() -> None:
    """Three requests that cost the same at both say as little as a sign test of three."""
    rows = [PairShare(str(at), 2.0, 1.0) for at in range(3)]
    found = ratio_difference(rows, rows)
    assert found is not None
    assert found.interval(0.05) == (-math.inf, math.inf)
    assert found.scaled(3).interval(0.05) == (0.0, 0.0)
    assert found.p_at(1.0) == 0.25


def test_too_few_clusters_bound_no_median() -> None:
    found = MedianDifference((1.0, 2.0, 3.0))
    assert found.interval(0.05) == (-math.inf, math.inf)
    assert found.scaled(4).interval(0.05)[0] >= 1.0


def test_more_pairs_of_the_kind_narrow_the_interval() -> None:
    before = [PairShare(str(at), at % 3 > 0, 1) for at in range(30)]
    after = [PairShare(str(at), at % 2, 1) for at in range(30)]
    for found in (share_difference(before, after), ratio_difference(before, after)):
        assert found is not None
        low, high = found.interval(0.05)
        less = found.scaled(4).interval(0.05)
        assert (less[1] - less[0]) == pytest.approx((high - low) / 2, rel=0.1)
        wide = found.widened(0.05, 0.84)
        assert wide[0] < low
        assert wide[1] > high


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    dice = random.Random(9)
    for first, second in ((0.98, 0.9), (0.6, 0.6)):
        held = 0
        for _ in range(600):
            before = [PairShare(str(at), dice.random() < first, 1) for at in range(150)]
            after = [PairShare(str(at), dice.random() < second, 1) for at in range(150)]
            found = share_difference(before, after)
            assert found is not None
            low, high = found.interval(0.05)
            held += low <= second - first <= high
        assert held / 600 > 0.92
