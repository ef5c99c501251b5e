"""Many comparisons at once: Holm over pairs shown together, Benjamini–Hochberg over lists of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def holm(chances: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p values, in the order given: no false finding among all of them, 95 times in 100."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    adjusted = [1.0] * len(chances)
    least = 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(chances) - rank) * chances[place]))
        adjusted[place] = least
    return tuple(adjusted)


def holm_levels(chances: Sequence[float], level: float = 0.05) -> tuple[float, ...]:
    """The level that each p value is held against by Holm, in the order given.

    The k-th smallest of m is held against level / (m - k + 1), until the first that is not reached; that one's level holds
    for all behind it. So a p value is at most its level exactly where Holm rejects, and an interval drawn at this level
    says the same as the procedure.
    """
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    levels = [level] * len(chances)
    reached, held = True, level
    for rank, place in enumerate(order):
        if reached:
            held = level / (len(chances) - rank)
            reached = chances[place] <= held
        levels[place] = held
    return tuple(levels)


def benjamini_hochberg(chances: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p values, in the order given: of what stays under 0.05, one in twenty is false, in the mean."""
    order = sorted(range(len(chances)), key=lambda place: chances[place], reverse=True)
    adjusted = [1.0] * len(chances)
    most = 1.0
    for rank, place in enumerate(order):
        most = min(most, chances[place] * len(chances) / (len(chances) - rank))
        adjusted[place] = most
    return tuple(adjusted)
