from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.grading.multiplicity import benjamini_hochberg, holm, holm_levels

CHANCES = st.lists(st.floats(0, 1), max_size=12)
HOCHBERG_1995 = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0,
]  # fmt: skip
"""The fifteen p values of Benjamini and Hochberg's own example."""


def test_the_example_of_1995() -> None:
    """At 0.05 Bonferroni's family of methods finds three, theirs finds four."""
    assert sum(p <= 0.05 for p in holm(HOCHBERG_1995)) == 3
    assert sum(p <= 0.05 for p in benjamini_hochberg(HOCHBERG_1995)) == 4


def test_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert benjamini_hochberg([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.04, 0.04))


@given(CHANCES)
def test_nothing_gets_smaller_and_order_is_kept(chances: list[float]) -> None:
    for method in (holm, benjamini_hochberg):
        adjusted = method(chances)
        assert len(adjusted) == len(chances)
        for chance, one in zip(chances, adjusted, strict=True):
            assert chance <= one + 1e-12 <= 1 + 1e-9
            for other, two in zip(chances, adjusted, strict=True):
                assert not (chance < other and one > two)


@given(CHANCES)
def test_holm_is_the_stricter(chances: list[float]) -> None:
    assert all(one >= two - 1e-12 for one, two in zip(holm(chances), benjamini_hochberg(chances), strict=True))


def test_holm_levels_by_hand() -> None:
    assert holm_levels([0.01, 0.04, 0.03]) == pytest.approx((0.05 / 3, 0.025, 0.025))  # 0.03 is not under 0.025
    assert holm_levels([0.01, 0.04, 0.02]) == pytest.approx((0.05 / 3, 0.05, 0.025))


@given(CHANCES)
def test_adjusted_p_value_agrees_with_holm(chances: list[float]) -> None:
    for p, adjusted, level in zip(chances, holm(chances), holm_levels(chances), strict=True):
        assert (p <= level) == (adjusted <= 0.05) or adjusted == pytest.approx(0.05)
