"""Reading runs for the page: recorded ones whole, live ones from where they are. Nothing here touches a widget."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.events import ChunkReceived
from workbench.formats.sanitize import sanitize
from workbench.ui.run.argument_regions import argument_regions
from workbench.ui.run.run_fold import RunFold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.app import Workbench
    from workbench.core.calls import FieldSpan, Region
    from workbench.core.events import RunEvent
    from workbench.ui.run.run_view import StepView

READ_UP_TO = 200_000
"""Characters of a reply up to which the roles of its characters are read."""


class StepReading(NamedTuple):
    """What the characters of one step's reply are."""

    regions: tuple[Region, ...] = ()
    fields: tuple[Sequence[FieldSpan], ...] = ()


def reading_of(wb: Workbench, step: StepView) -> StepReading:
    """Read the roles of a finished step; nothing for a reply that is too long, or whose format is gone."""
    if step.planner is not None:
        return StepReading(tuple(wb.planner_regions(step.planner)))
    if step.reply is None or len(step.reply.text) > READ_UP_TO:
        return StepReading()
    try:
        fields = tuple(wb.fields(step.reply))
        return StepReading((*wb.regions(step.reply), *argument_regions(step, fields)), fields)
    except UnknownName:
        return StepReading()


def readings_of(wb: Workbench, fold: RunFold) -> dict[int, StepReading]:
    """The readings of all finished steps."""
    return {number: reading_of(wb, step) for number, step in fold.view.steps.items() if not step.state.live}


class LiveTail:
    """One live run: what was recorded before somebody looked, and what comes since, each event once.

    Batches come after they are on disk, so what the record holds is a beginning of the run; it may hold more than came before
    the look. Events that stand in it are known by their number, chunks by their place.
    """

    def __init__(self, run_id: str, delivered: int) -> None:
        """`delivered`: events beside chunks that came before the look."""
        self.run_id = run_id
        self._delivered = delivered
        self._waiting: list[RunEvent] = []
        self._chunks: set[tuple[int, int, int]] = set()
        self._skip = 0
        self._begun = False

    async def begin(self, wb: Workbench) -> tuple[Sequence[RunEvent], list[RunEvent]]:
        """Return what the record holds, and what has come since."""
        stored: Sequence[RunEvent] = ()
        if self._delivered:  # else all of it is still to come, or waits here
            with suppress(InvalidInput):
                stored = (await wb.load(self.run_id)).events
        self._chunks = {_place(event) for event in stored if isinstance(event, ChunkReceived)}
        self._skip = sum(not isinstance(event, ChunkReceived) for event in stored) - self._delivered
        self._begun = True
        waiting, self._waiting = self._waiting, []
        return stored, self._new(waiting)

    def take(self, events: Sequence[RunEvent]) -> list[RunEvent]:
        """Take a batch; return what is new in it, nothing before `begin` has returned."""
        if not self._begun:
            self._waiting += events
            return []
        return self._new(events)

    def _new(self, events: Sequence[RunEvent]) -> list[RunEvent]:
        found = []
        for event in events:
            if isinstance(event, ChunkReceived):
                if _place(event) in self._chunks:
                    continue
            elif self._skip > 0:
                self._skip -= 1
                continue
            found.append(event)
        return found


def _place(chunk: ChunkReceived) -> tuple[int, int, int]:
    return chunk.step, chunk.exchange, chunk.index


def show_what_was_given(fold: RunFold) -> None:
    """Fill in what went to the agent of live steps that were read from the record, which holds no shown text.

    It may differ by a few characters from what was really held back; when the step ends it is put right.
    """
    for step in fold.view.steps.values():
        if step.state.live and not step.shown.length:
            step.shown.append("text", sanitize(step.raw.source("text")))


async def read_recorded(wb: Workbench, run_id: str) -> tuple[RunFold, dict[int, StepReading]]:
    """Load and fold a recorded run; raise InvalidInput if it is gone."""
    stored = await wb.load(run_id)

    def work() -> tuple[RunFold, dict[int, StepReading]]:
        fold = RunFold()
        fold.apply(stored.events)
        fold.close()
        return fold, readings_of(wb, fold)

    return await asyncio.to_thread(work)
