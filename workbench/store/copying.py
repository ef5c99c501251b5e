"""Copying a history into another one, or merging two: runs by their ids, which are unique over all machines.

A run is its events. They are recorded anew where it goes, and get the numbers of that place; what is there already stays as it is.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import BatchState
from workbench.core.events import RunStarted
from workbench.core.verdict import VerdictState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.store.opinions import Opinion
    from workbench.store.repository import Store
    from workbench.store.rows import RunRow, StoredRun

PAGE = 256
TOGETHER = 32
"""Runs that are read, then written in few transactions."""
MOST_EVENTS = 4_000
"""Of runs that are written together: long ones are held in memory one by one."""
EVERY = 1_000_000_000
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

    May be stopped at any moment and done again: each run is copied whole or not at all. Raise StoreError.
    """
    copied = there = 0
    left_out: list[tuple[str, str]] = []
    for page in _pages(source):
        held = target.held([row.id for row in page])
        missing = [row for row in page if row.id not in held]
        unlike = [
            (row.id, "it stands there with other events") for row in page if not _same(row, held.get(row.id, row))
        ]
        there += len(held) - len(unlike)
        left_out += unlike
        advance(len(held))
        for done, reasons in _take_page(source, target, missing):
            copied += done
            left_out += reasons
            advance(done + len(reasons))
    return Copied(copied, there, tuple(left_out), _copy_batches(source, target), _copy_tool_sets(source, target))


def _pages(source: Store) -> Iterator[list[RunRow]]:
    """All runs in the order of their numbers: what was given in place of a reply comes after the run that it stands under."""
    last = 0
    while page := source.oldest_first(last, PAGE):
        yield page
        last = page[-1].number


def _take_page(source: Store, target: Store, page: list[RunRow]) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Record the events of some runs where they go; yield how many were, and those that cannot be, each with the reason."""
    said: defaultdict[str, list[Opinion]] = defaultdict(list)
    for opinion in source.opinions.of_runs([row.id for row in page]):
        said[opinion.run_id].append(opinion)
    taken: list[tuple[StoredRun, list[Opinion]]] = []
    reasons: list[tuple[str, str]] = []
    for row in page:
        stored = source.read(row)
        if reason := _not_to_copy(stored):
            reasons.append((row.id, reason))
        else:
            taken.append((stored, said[row.id]))
        if len(taken) == TOGETHER or sum(len(run.events) for run, _ in taken) > MOST_EVENTS:
            target.intake.take(taken)
            yield len(taken), reasons
            taken, reasons = [], []
    target.intake.take(taken)
    yield len(taken), reasons


def _not_to_copy(stored: StoredRun) -> str:
    """Why a run cannot be recorded elsewhere; empty where it can."""
    if stored.run.verdict.state is VerdictState.RUNNING:
        return "it is still running"
    if stored.opaque:
        return "a later version recorded it"
    if not any(isinstance(event, RunStarted) for event in stored.events):
        return "its first event is missing"
    return ""


def _same(one: RunRow, other: RunRow) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in _TOLD)


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
