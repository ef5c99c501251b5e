from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.grading.distributions import beta_cdf, normal_cdf, normal_quantile, t_cdf, t_quantile


@pytest.mark.parametrize(
    ("freedom", "value"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (5, 2.5706), (10, 2.2281), (30, 2.0423), (120, 1.9799)],
)
def test_table_of_students_t(freedom: int, value: float) -> None:
    """Two-sided 95 %, as printed in any table of the distribution."""
    assert round(t_quantile(0.975, freedom), 4) == value
    assert t_quantile(0.025, freedom) == pytest.approx(-t_quantile(0.975, freedom))


@pytest.mark.parametrize("value", [-3.0, -0.5, 0.0, 1.0, 7.0])
def test_t_with_one_and_two_degrees_has_a_closed_form(value: float) -> None:
    assert t_cdf(value, 1) == pytest.approx(0.5 + math.atan(value) / math.pi)
    assert t_cdf(value, 2) == pytest.approx(0.5 + value / (2 * math.sqrt(2 + value * value)))


def test_normal_quantiles() -> None:
    assert round(normal_quantile(0.975), 6) == 1.959964
    assert round(normal_quantile(0.8), 6) == 0.841621
    assert round(normal_cdf(-1.959964), 6) == 0.025


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 20))
def test_beta_of_whole_numbers_is_a_binomial_tail(a: int, b: int, twentieths: int) -> None:
    """Exact by rational arithmetic: P(Beta(a, b) ≤ x) = P(Binomial(a + b − 1, x) ≥ a)."""
    x, n = Fraction(twentieths, 20), a + b - 1
    exact = sum(math.comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1))

    assert beta_cdf(float(x), a, b) == pytest.approx(float(exact), abs=1e-12)
