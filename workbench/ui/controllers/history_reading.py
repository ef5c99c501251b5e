"""From stored runs to what lists and previews show. Everything here may run in a thread: it touches no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.events import PlannerRead, StepFinished
from workbench.replay.parse import RunReparse, rejudge, reparse
from workbench.ui.models.history_facets import Day
from workbench.ui.models.history_glance import Glance
from workbench.ui.models.history_rows import HistoryLine
from workbench.ui.models.run_fold import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.app import Workbench
    from workbench.core.calls import Region
    from workbench.store import StoredRun
    from workbench.store.rows import DayCount, Facet, RunRow

FACETS = ("verdict", "code", "model", "format", "tool")
"""Facets in the order of the list; what the store counts beyond these is not listed."""
MOST = 8
"""Values of a facet that are listed."""
REGIONS_UP_TO = 200_000
"""Characters of a reply up to which its roles are read for a preview."""


def line_of(row: RunRow) -> HistoryLine:
    """A row of the store as a line of the table."""
    return HistoryLine(
        id=row.id,
        number=row.number,
        started_us=row.started_us,
        state=row.verdict.state.value,
        reason=row.verdict.reason,
        prompt=row.title or row.prompt,
        provider=row.provider,
        model=row.model,
        format=row.format,
        mode=row.mode,
        codes=row.verdict.codes,
        seconds=row.duration_us / 1_000_000,
        simulated=row.simulated,
    )


def glance_of(wb: Workbench, stored: StoredRun) -> Glance:
    """Fold a run and read the roles of its texts."""
    regions: dict[int, Sequence[Region]] = {}
    for event in stored.events:
        match event:
            case StepFinished(step, reply) if len(reply.text) <= REGIONS_UP_TO:
                regions[step] = wb.regions(reply)
            case PlannerRead(step, reply=plan):
                regions[step] = wb.planner_regions(plan)
            case _:
                pass
    return Glance(fold(stored.events), regions)


def facet_groups(counted: Mapping[str, Sequence[Facet]]) -> dict[str, list[tuple[str, int]]]:
    """The store's facets in the order of the list, the most frequent values of each."""
    return {name: [(one.value, one.runs) for one in counted[name][:MOST]] for name in FACETS if counted.get(name)}


def days_of(counted: Sequence[DayCount]) -> list[Day]:
    """The store's days as the chart takes them."""
    return [Day(one.day, one.runs, one.failed) for one in counted]


def reparsed(wb: Workbench, stored: StoredRun) -> RunReparse | None:
    """Read one run's replies again with today's parsers; None where it has none."""
    replies = wb.store.runs_for_reparse(f"id:{stored.number}")
    for found in reparse(replies):
        return rejudge(found, stored.events, stored.verdict, wb.check)
    return None


def changes_of(found: RunReparse) -> list[tuple[str, str, str]]:
    """Each place that differs: where, before, after."""
    return [
        (f"step {change.step}: {one.path}", _short(one.before), _short(one.after))
        for change in found.changes
        for one in change.difference.changes
    ]


def sentence_of(found: RunReparse) -> str:
    """What reading again has found, in one sentence."""
    if found.note:
        return found.note
    if not found.changes:
        return f"All {found.replies} replies are read as they were (then: parser {found.parser_version})."
    flip = ""
    if found.before is not None and found.after is not None and found.before.state is not found.after.state:
        flip = f" The verdict would be {found.after.state.value}, it was {found.before.state.value}."
    return f"{len(found.changes)} of {found.replies} replies are read differently.{flip}"


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


class Stop:
    """Says to a running count that nobody waits for it any more."""

    def __init__(self) -> None:
        self._stopped = False

    def stop(self) -> None:
        """End the count at its next look."""
        self._stopped = True

    def __call__(self) -> bool:
        return self._stopped
