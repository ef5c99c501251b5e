"""The size meter: what the records take by table and by year, and what a rule of retention would free."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from workbench.store.retention import Kept, too_much

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.store.retention import Retention, Size


class Room(NamedTuple):
    """What the records take, in bytes."""

    total: int
    """On disk, write-ahead log included."""
    free: int
    """Of these, empty inside: used again for new records, given back by `workbench db shrink`."""
    tables: dict[str, int]
    """By table with its indexes, largest first; empty where the database cannot tell."""
    years: dict[int, Kept]
    """Runs and their events by the year in which they began, UTC."""
    binned: Kept
    """What waits in the bin."""
    would_go: Kept
    """What the rule would remove now."""


def by_year(found: Sequence[Size]) -> dict[int, Kept]:
    """Sum up runs by year, in order."""
    years: dict[int, Kept] = {}
    for one in found:
        year = datetime.fromtimestamp(one.started_us / 1_000_000, UTC).year
        runs, taken = years.get(year, Kept(0, 0))
        years[year] = Kept(runs + 1, taken + one.bytes)
    return dict(sorted(years.items()))


def summed(found: Sequence[Size]) -> Kept:
    """Sum up runs."""
    return Kept(len(found), sum(one.bytes for one in found))


def would_go(found: Sequence[Size], rule: Retention) -> Kept:
    """What a rule would remove."""
    return summed(too_much(found, rule.before_us, rule.most_bytes)) if any(rule) else Kept(0, 0)
