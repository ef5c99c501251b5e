"""Copying a history into another one, or merging two: runs by their ids, which are unique over all machines.

A run is its events. They are recorded anew where it goes, and get the numbers of that place; what is there already stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import BatchState
from workbench.core.events import RunStarted
from workbench.core.verdict import VerdictState

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.store.repository import Store
    from workbench.store.rows import RunRow

PAGE = 256
EVERY = 1_000_000_000
_EVERY_RUN = ("", "is:binned", "is:edit", "is:binned is:edit")
"""Filters that leave each run once; what was given in place of a reply comes after the run that it stands under."""
_TOLD = ("started_us", "model", "format", "prompt", "steps", "calls", "duration_us")
"""What of two runs with one id must agree."""


class Copied(NamedTuple):
    """What a copy came to."""

    runs: int
    there: int
    """Runs that were there already."""
    left_out: tuple[tuple[str, str], ...]
    """Ids of runs that could not be copied, each with the reason."""
    batches: int
    tool_sets: int


def copy_history(source: Store, target: Store, advance: Callable[[int], None] = lambda _runs: None) -> Copied:
    """Copy runs, comparisons and tool sets that the target lacks; `advance` hears of each run that is done.

    May be stopped at any moment and done again: each run is one transaction. Raise StoreError.
    """
    rows = [row for wanted in _EVERY_RUN for row in _oldest_first(source, wanted)]
    copied = 0
    left_out: list[tuple[str, str]] = []
    for row in rows:
        held = target.held(row.id)
        if held is None:
            reason = _copy_run(source, target, row)
            copied += not reason
        else:
            reason = "" if _same(row, held) else "it stands there with other events"
        if reason:
            left_out.append((row.id, reason))
        advance(1)
    there = len(rows) - copied - len(left_out)
    return Copied(copied, there, tuple(left_out), _copy_batches(source, target), _copy_tool_sets(source, target))


def _oldest_first(source: Store, wanted: str) -> list[RunRow]:
    rows: list[RunRow] = []
    while page := source.list_runs(wanted, rows[-1].id if rows else None, PAGE):
        rows += page
    return rows[::-1]


def _same(one: RunRow, other: RunRow) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in _TOLD)


def _copy_run(source: Store, target: Store, row: RunRow) -> str:
    """Record a run's events where it goes; return why that cannot be done."""
    stored = source.load(row.id)
    if row.verdict.state is VerdictState.RUNNING:
        return "it is still running"
    if stored.opaque:
        return "a later version recorded it"
    if not any(isinstance(event, RunStarted) for event in stored.events):
        return "its first event is missing"
    target.take(stored, source.opinions.of_run(row.id))
    return ""


def _batch_ids(store: Store) -> list[str]:
    """Suites and verifications alike."""
    return [row.id for verified in (False, True) for row in store.batches.list(EVERY, verified=verified)]


def _copy_batches(source: Store, target: Store) -> int:
    known, verified = set(_batch_ids(target)), source.verifications.ids()
    missing = [number for number in _batch_ids(source) if number not in known]
    for number in reversed(missing):
        batch = source.batches.load(number)
        target.batches.add(batch)
        if number in verified:
            target.verifications.take(
                number, source.verifications.load(number), source.verifications.observations(number)
            )
        target.batches.set_state(number, BatchState.DONE if batch.state is BatchState.DONE else BatchState.STOPPED)
    return len(missing)


def _copy_tool_sets(source: Store, target: Store) -> int:
    """Versions that the target lacks are saved after its own; nothing of its own changes."""
    copied = 0
    held = {row.name for row in target.tool_sets.rows()}
    for row in source.tool_sets.rows():
        there = [one.tools for one in target.tool_sets.versions(row.name)] if row.name in held else []
        lacking = [one for one in source.tool_sets.versions(row.name) if one.tools not in there]
        for one in lacking:
            target.tool_sets.save(row.name, one.tools, one.note)
        copied += bool(lacking)
    return copied
