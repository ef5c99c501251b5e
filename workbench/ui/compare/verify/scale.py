"""Where a row's differences stand on its strip: one scale for all candidates, worse to the right. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.verify.judgement import Reference, Result

_LEFT, _RIGHT = 0.7, 1.5
"""How much of the limit the strip shows at least on each side."""
_MOST = 6.0
"""So many times the limit at most; what lies beyond has an arrow head."""


class Strip(NamedTuple):
    """The ends of a row's strip, in the metric's unit."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Where a value stands, from 0 to 1; beyond the ends, at the end."""
        if math.isinf(value):
            return 0.0 if value < 0 else 1.0
        share = (value - self.low) / (self.high - self.low)
        return min(1.0, max(0.0, share))

    def beyond(self, value: float) -> int:
        """−1 or 1 where a value lies beyond an end, else 0."""
        return -1 if value < self.low else 1 if value > self.high else 0


def strip_of(results: Iterable[Result], reference: Reference | None = None) -> Strip:
    """The strip of a row: the limit and all values are on it, and as much of the intervals as is not too much."""
    found = [result for result in results if result.difference is not None and result.limit is not None]
    limit = max((result.limit or 0.0 for result in found), default=0.0)
    noise = reference.noise if reference is not None and reference.noise is not None else 0.0
    values = [result.difference for result in found if result.difference is not None]
    unit = limit or noise or max(map(abs, values), default=0.0) or 1.0
    ends = [end for result in found for end in (result.low, result.high) if not math.isinf(end)]
    low = min([0.0, *values, *(max(end, -_MOST * unit) for end in ends), -_LEFT * unit])
    high = max([0.0, *values, *(min(end, _MOST * unit) for end in ends), _RIGHT * unit])
    margin = (high - low) * 0.04
    return Strip(low - margin, high + margin)
