"""From stored runs to what lists and previews show. Everything here may run in a thread: it touches no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.replay.difference import excerpts
from workbench.replay.passes import RunSelection, parse_again
from workbench.replay.result import Replayed, ReplayVerdict
from workbench.ui.history.facets import Day
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.app import Workbench
    from workbench.core.case import Case
    from workbench.store import StoredRun
    from workbench.store.rows import DayCount, Facet

FACETS = ("verdict", "code", "model", "format", "tool")
"""Facets in the order of the list; what the store counts beyond these is not listed."""
MOST = 8
"""Values of a facet that are listed."""


def facet_groups(counted: Mapping[str, Sequence[Facet]]) -> dict[str, list[tuple[str, int]]]:
    """The store's facets in the order of the list, the most frequent values of each."""
    return {name: [(one.value, one.runs) for one in counted[name][:MOST]] for name in FACETS if counted.get(name)}


def days_of(counted: Sequence[DayCount]) -> list[Day]:
    """The store's days as the chart takes them."""
    return [Day(one.day, one.runs, one.failed) for one in counted]


def reparsed(wb: Workbench, stored: StoredRun, case: Case | None = None) -> Replayed | None:
    """Read one run's replies again with today's parsers; None where it has none."""
    wanted = RunSelection((tr("id:{id}", id=stored.run.id),), cases=lambda _id: case)
    return next(parse_again(wb.store, wanted, wb.check), None)


def told_places(found: Replayed) -> list[tuple[str, str, str]]:
    """Each place that differs: where, then, today, short enough for a line."""
    return [(where, *excerpts(then, today)) for where, then, today in found.places()]


_SAME = {
    "parse": tr("The {replies} replies are read as they were (then: parser {parser})."),
    "offline": tr("Today's parsers and engine do what was recorded."),
    "live": tr("It does the same now."),
    "parity": tr("The reading does not depend on the cuts."),
}
_TOLD = {
    ReplayVerdict.FIXED: tr("What failed then passes today."),
    ReplayVerdict.REGRESSED: tr("What passed then fails today."),
    ReplayVerdict.CHANGED: tr("Another outcome, neither plainly better."),
}


def sentence_of(found: Replayed) -> str:
    """What a replay has found, in one or two sentences."""
    words = [_TOLD[found.verdict]] if found.verdict in _TOLD else []
    if found.verdict is ReplayVerdict.SAME:
        told = _SAME[found.mode].format(replies=found.replies, parser=found.parser_version)
        words.append(told.replace("The 1 replies are read as they were", "The reply is read as it was"))
    if found.note:
        words.append(found.note if found.note.endswith((".", ")")) else f"{found.note}.")
    if found.new_number is not None and found.after is not None:
        words.append(f"Run {found.new_number:,} was sent now: {found.after.reason}")
    if found.case:
        words.append(f"Judged by the case {found.case}.")
    return " ".join(words)
