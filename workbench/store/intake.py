"""Recording runs of another history: each whole or not at all, many in one transaction."""

from __future__ import annotations

from concurrent.futures import wait
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from workbench.core.verdict import VerdictState
from workbench.store.journal import make_facts
from workbench.store.opinions import write_opinion
from workbench.store.schema import runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from workbench.store.journal import Fact, Journal
    from workbench.store.opinions import Opinion
    from workbench.store.rows import RunRow, StoredRun
    from workbench.store.writer import Writer


class Intake:
    """Takes runs as they were recorded elsewhere: their events, what was said of them, that they are in the bin."""

    def __init__(self, writer: Writer, journal: Journal) -> None:
        self._writer, self._journal = writer, journal

    def take(self, taken: Sequence[tuple[StoredRun, Sequence[Opinion]]]) -> None:
        """Record some runs; raise StoreError for the first that cannot be written, its neighbours stand all the same."""
        works = [partial(self._record, run.run, make_facts(run.events), said) for run, said in taken]
        written = [self._writer.submit(work) for work in works]
        wait(written)
        without_end = [run.run.id for (run, _), turn in zip(taken, written, strict=True) if not turn.result()]
        for run_id in without_end:  # a program that dies here leaves that to the next one
            self._writer.submit(partial(self._journal.close_run, run_id=run_id)).result()

    def _record(self, row: RunRow, facts: Sequence[Fact], said: Sequence[Opinion], connection: Connection) -> bool:
        """Return whether the events tell the run's end."""
        number = self._journal.append(connection, row.id, facts, row.user)
        for one in said:
            write_opinion(connection, number, one)
        place = runs.c.number == number
        if row.deleted_us is not None:
            connection.execute(update(runs).where(place).values(deleted_us=row.deleted_us))
        return bool(connection.execute(select(runs.c.verdict).where(place)).scalar_one() != VerdictState.RUNNING)
