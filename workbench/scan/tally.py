"""Counts of a scan: what was read and what was found, by kind, model, server, format and day."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from workbench.grading.rates import wilson
from workbench.scan.finding import TITLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.scan.finding import Finding
    from workbench.scan.reply import FoundReply

UNKNOWN_MODEL = "unknown model"
_DAY_US = 86_400_000_000


class TallyColumn(NamedTuple):
    """A column of the matrix: a model at a server, a format, or a day."""

    title: str
    under: str = ""


LEAST_TOLD = 0.001
"""What is rarer is not called 0.0 %: it did happen."""


class TallyCell(NamedTuple):
    """How often one kind was found in one column."""

    times: int
    read: int
    """Replies of the column."""
    low: float
    """Lower end of the rate's 95 % interval."""

    @property
    def rate(self) -> float:
        """Findings a reply."""
        return self.times / self.read if self.read else 0.0

    @property
    def often(self) -> str:
        """The rate in words: no share is above one, but a reply may hold several findings of a kind."""
        if self.times > self.read:
            return f"{self.rate:.1f} a reply"
        return f"{self.rate:.1%}" if not 0 < self.rate < LEAST_TOLD else f"< {LEAST_TOLD:.1%}"


class Tally:
    """All counts, exact however many findings there are."""

    def __init__(self) -> None:
        self.read: Counter[tuple[str, str, str]] = Counter()
        """Replies by model, server and day."""
        self.found: Counter[tuple[str, str, str, str, str]] = Counter()
        """Findings by kind, model, server, format and day."""

    def copy(self) -> Tally:
        """The counts as they are now."""
        made = Tally()
        made.read, made.found = self.read.copy(), self.found.copy()
        return made

    def take(self, other: Tally) -> None:
        """Add the counts of another."""
        self.read.update(other.read)
        self.found.update(other.found)

    def add_reply(self, reply: FoundReply) -> None:
        """Count a reply."""
        self.read[reply.model, reply.server, day_of(reply.at_us)] += 1

    def add_finding(self, finding: Finding) -> None:
        """Count a finding."""
        self.found[finding.kind, finding.model, finding.server, finding.format, day_of(finding.at_us)] += 1

    @property
    def replies(self) -> int:
        """All that were read."""
        return sum(self.read.values())

    @property
    def findings(self) -> int:
        """All that were found."""
        return sum(self.found.values())

    @property
    def kinds(self) -> dict[str, int]:
        """Findings by kind, the most frequent first."""
        total: Counter[str] = Counter()
        for (kind, *_), count in self.found.items():
            total[kind] += count
        order = {kind: place for place, kind in enumerate(TITLES)}
        return dict(sorted(total.items(), key=lambda pair: (-pair[1], order.get(pair[0], len(order)))))

    def columns(self, by: str) -> list[TallyColumn]:
        """The columns of the matrix by `server`, `format` or `day`; the ones with most findings first, days in order."""
        found: Counter[TallyColumn] = Counter({column_of(by, key): 0 for key in self._reads(by)})
        for (_, model, server, form, day), count in self.found.items():
            found[column_of(by, (model, server, form, day))] += count
        ordered = sorted(found, key=lambda one: (-found[one], one))
        return sorted(ordered, reverse=True) if by == "day" else ordered

    def _reads(self, by: str) -> Iterable[tuple[str, str, str, str]]:
        return () if by == "format" else ((model, server, "", day) for model, server, day in self.read)

    def cells(self, by: str) -> dict[tuple[str, TallyColumn], TallyCell]:
        """The cells with a finding, by kind and column."""
        read: Counter[TallyColumn] = Counter()
        for (model, server, day), count in self.read.items():
            if by != "format":
                read[column_of(by, (model, server, "", day))] += count
        found: Counter[tuple[str, TallyColumn]] = Counter()
        for (kind, model, server, form, day), count in self.found.items():
            found[kind, column_of(by, (model, server, form, day))] += count
        total = self.replies
        made = {}
        for (kind, column), count in found.items():
            base = max(total if by == "format" else read[column], 1)
            made[kind, column] = TallyCell(count, base, wilson(min(count, base), base).low)
        return made


def column_of(by: str, key: tuple[str, str, str, str]) -> TallyColumn:
    """Return the column that `(model, server, format, day)` belongs to."""
    model, server, form, day = key
    if by == "format":
        return TallyColumn(form or "no format")
    if by == "day":
        return TallyColumn(day or "no date")
    return TallyColumn(model or UNKNOWN_MODEL, server)


def day_of(at_us: int) -> str:
    """Return the day of a moment in UTC; empty where it is not known."""
    return _day(at_us // _DAY_US) if at_us else ""


@lru_cache(maxsize=4_096)
def _day(number: int) -> str:
    return datetime.fromtimestamp(number * _DAY_US // 1_000_000, UTC).strftime("%Y-%m-%d")
