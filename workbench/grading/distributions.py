"""The few distributions that the statistics stand on, in plain Python: exact where counts allow it."""

from __future__ import annotations

import math
from statistics import NormalDist

_TINY = 1e-300
_STEPS = 400
"""Terms of the continued fraction, at most."""


def normal_quantile(share: float) -> float:
    """The value below which a share of the standard normal distribution lies."""
    return NormalDist().inv_cdf(share)


def normal_cdf(value: float) -> float:
    """Chance that a standard normal value is at most `value`."""
    return NormalDist().cdf(value)


def beta_cdf(x: float, a: float, b: float) -> float:
    """Chance that a Beta(a, b) value is at most x: the regularised incomplete beta function."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    scale = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return scale * _fraction(x, a, b) / a
    return 1.0 - scale * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """Lentz's way through the continued fraction of the incomplete beta function."""
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > _TINY else _TINY)
    result = d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 + term * d
            d = 1 / (d if abs(d) > _TINY else _TINY)
            c = 1 + term / c
            c = c if abs(c) > _TINY else _TINY
            result *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return result


def t_cdf(value: float, freedom: float) -> float:
    """Chance that a Student t value is at most `value`."""
    tail = 0.5 * beta_cdf(freedom / (freedom + value * value), freedom / 2, 0.5)
    return 1 - tail if value > 0 else tail


def t_quantile(share: float, freedom: float) -> float:
    """The value below which a share of Student's t distribution lies."""
    if share < 0.5:
        return -t_quantile(1 - share, freedom)
    low, high = 0.0, 2.0
    while t_cdf(high, freedom) < share and high < 1e12:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if t_cdf(middle, freedom) < share else (low, middle)
    return (low + high) / 2
