"""Expected values by numpy: python -c "import numpy as n; d=n.array([.2,.1,-.1,.3,0]); print(d.mean(), d.std(ddof=1)/n.sqrt(5))"
→ 0.1 0.07071067811865475; Student's factor with four degrees is 2.7764.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.grading.paired import CasePair, PairedDifference, paired_difference, sentence
from workbench.grading.rates import Rate

COUNTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=10)


def pairs(*counts: tuple[int, int], runs: int = 10, clusters: str = "abcdefghijklmnop") -> list[CasePair]:
    return [
        CasePair(f"c{place}", clusters[place], Rate(before, runs), Rate(after, runs))
        for place, (before, after) in enumerate(counts)
    ]


def found(*counts: tuple[int, int], **more: object) -> PairedDifference:
    made = paired_difference(pairs(*counts, **more))  # type: ignore[arg-type]
    assert made is not None
    return made


def test_mean_and_interval_over_cases() -> None:
    made = found((5, 7), (5, 6), (5, 4), (5, 8), (5, 5))

    assert made.value == pytest.approx(0.1)
    assert (made.low, made.high) == pytest.approx((0.1 - 2.7764451 * 0.0707107, 0.1 + 2.7764451 * 0.0707107), abs=1e-6)
    assert (made.up, made.down, made.cases) == (3, 1, 5)
    assert not made.shown()


def test_pairing_takes_difficulty_out() -> None:
    """Cases from hopeless to easy, each a little better: no unpaired test would see it."""
    made = found(*[(passed, passed + 1) for passed in range(1, 9)], (3, 5), (2, 3), (4, 6), (5, 6))

    assert made.shown()


def test_cases_of_one_family_are_one_piece_of_evidence() -> None:
    apart = found((2, 8), (3, 9), (2, 7), (5, 5), (5, 4), (6, 6))
    family = found((2, 8), (3, 9), (2, 7), (5, 5), (5, 4), (6, 6), clusters="aaabcd")

    assert family.clusters == 4
    assert family.value == pytest.approx(apart.value)
    assert family.high - family.low > apart.high - apart.low
    assert family.p > apart.p


def test_five_cases_are_too_few_to_show_anything() -> None:
    made = found(*[(0, 10), (1, 10), (0, 9), (0, 10), (2, 10)])

    assert made.low > 0
    assert made.p == 2 / 32
    assert not made.shown()


def test_an_interval_without_any_spread_still_has_a_width() -> None:
    made = found(*[(10, 10)] * 6)

    assert made.method == "run noise"
    assert made.low < -0.01
    assert made.high > 0.01
    assert not made.shown()


def test_one_case_alone_is_compared_by_newcombe_and_fisher() -> None:
    made = found((10, 5))

    assert (made.method, round(made.p, 2), made.value) == ("newcombe", 0.03, -0.5)


def test_cases_that_one_target_was_not_judged_on_are_left_out() -> None:
    made = paired_difference([*pairs((5, 6), (5, 7)), CasePair("x", "x", Rate(0, 0), Rate(9, 9))])

    assert made is not None
    assert made.cases == 2
    assert paired_difference([CasePair("x", "x", Rate(0, 0), Rate(9, 9))]) is None


@given(COUNTS)
def test_turned_round_it_is_the_mirror(counts: list[tuple[int, int]]) -> None:
    there, back = found(*counts, runs=5), found(*[(after, before) for before, after in counts], runs=5)

    assert (there.value, there.low, there.high) == pytest.approx((-back.value, -back.high, -back.low))
    assert there.p == pytest.approx(back.p)
    assert -1 <= there.low <= there.value <= there.high <= 1


def test_the_sentence() -> None:
    made = PairedDifference(0.06, -0.01, 0.13, 0.2, 20, 20, 9, 4, "t")

    assert (
        sentence(made) == "B better than A by 6 points (paired, 95 %: -1 to +13) – not shown. 9 cases moved up, 4 down."
    )


@pytest.mark.parametrize(
    ("made", "start"),
    [
        (PairedDifference(-0.30, -0.4, -0.2, 0.001, 9, 9, 0, 1, "t"), "new worse than old by 30 points (paired, 95 %: -40 to -20) – shown. 0 cases"),
        (PairedDifference(0.01, 0.0, 0.02, 0.5, 9, 9, 1, 0, "t"), "new better than old by 1 point (paired, 95 %: 0 to +2) – not shown. 1 case moved"),
        (PairedDifference(0.0, -0.1, 0.1, 1.0, 9, 9, 0, 0, "t"), "new and old are level (paired, 95 %: -10 to +10) – not shown."),
        (None, "new and old have no judged case in common."),
    ],
)  # fmt: skip
def test_other_sentences(made: PairedDifference | None, start: str) -> None:
    assert sentence(made, "old", "new").startswith(start)


def test_an_adjusted_p_takes_a_finding_back() -> None:
    made = PairedDifference(-0.3, -0.5, -0.1, 0.02, 9, 9, 0, 6, "t")

    assert "– shown" in sentence(made)
    assert "– not shown" in sentence(made, p=0.12)
