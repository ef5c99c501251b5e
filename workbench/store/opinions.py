"""What people and judges say of a run, beside the machine's verdict. Nothing is ever changed: the last word holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, insert, select

from workbench.core.errors import InvalidInput
from workbench.core.verdict import VerdictState
from workbench.store.database_errors import read_plainly
from workbench.store.schema import batch_items, opinions, run_details
from workbench.store.storable import storable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection, Engine, Select

    from workbench.store.writer import Writer

HAND, JUDGE = "hand", "judge"
"""Kinds of opinion: a person's word, which overrides; a judging model's, which only stands beside."""

UNKNOWN = "unknown"
"""Who speaks where neither the settings nor the system know a name."""


class Opinion(NamedTuple):
    """One word on one run."""

    run_id: str
    made_us: int
    kind: str
    who: str
    state: VerdictState | None
    """None: what this one said before is taken back."""
    why: str
    transcript: str = ""
    """Id of the run in which a judge came to it."""


class Opinions:
    """Reads are plain calls, safe from any thread; writes go through the store's one thread."""

    def __init__(self, reading: Engine, writer: Writer) -> None:
        self._reading, self._writer = reading, writer

    def add(self, opinion: Opinion) -> None:
        """Append an opinion; raise InvalidInput where the run is unknown."""
        opinion = self._writer.mask().mask_value(opinion)

        def work(connection: Connection) -> bool:
            number = connection.execute(select(run_details.c.number).where(run_details.c.id == opinion.run_id)).scalar()
            if number is not None:
                write_opinion(connection, number, opinion)
            return number is not None

        if not self._writer.submit(work).result():
            raise InvalidInput(f"There is no run {opinion.run_id!r}.", hint="`workbench history` lists the runs.")

    def of_run(self, run_id: str) -> tuple[Opinion, ...]:
        """Everything that was said of a run, the oldest first."""
        return self._read(run_details.c.id == run_id)

    def of_batch(self, batch_id: str) -> tuple[Opinion, ...]:
        """Everything that was said of a batch's runs, the oldest first."""
        of_it = select(batch_items.c.run_id).where(batch_items.c.batch_id == batch_id)
        return self._read(run_details.c.id.in_(of_it))

    def of_runs(self, run_ids: Sequence[str]) -> tuple[Opinion, ...]:
        """Everything that was said of a page of runs, the oldest first."""
        return self._read(run_details.c.id.in_(run_ids)) if run_ids else ()

    def _read(self, where: ColumnElement[bool]) -> tuple[Opinion, ...]:
        kept = [opinions.c[name] for name in ("made_us", "kind", "who", "state", "why", "transcript")]
        query = (
            select(run_details.c.id, *kept)
            .join(opinions, opinions.c.number == run_details.c.number)
            .where(where)
            .order_by(opinions.c.id)
        )
        with read_plainly("The opinions could not be read."), self._reading.connect() as connection:
            return tuple(_opinion(*row) for row in connection.execute(query))


def write_opinion(connection: Connection, number: int, opinion: Opinion) -> None:
    """Append an opinion to those on a run."""
    row = {
        "number": number, "made_us": opinion.made_us, "kind": opinion.kind, "who": storable(opinion.who),
        "state": str(opinion.state or ""), "why": storable(opinion.why), "transcript": opinion.transcript,
    }  # fmt: skip
    connection.execute(insert(opinions).values(row))


def _opinion(run_id: str, made_us: int, kind: str, who: str, state: str, why: str, transcript: str) -> Opinion:
    return Opinion(run_id, made_us, kind, who, VerdictState(state) if state else None, why, transcript)


def numbers_by_hand() -> Select[tuple[int]]:
    """The numbers of the runs on which a verdict set by hand holds."""
    last = select(func.max(opinions.c.id)).where(opinions.c.kind == HAND).group_by(opinions.c.number)
    return select(opinions.c.number).where(opinions.c.id.in_(last), opinions.c.state != "")


def in_force(said: Sequence[Opinion], kind: str = HAND) -> dict[str, Opinion]:
    """The opinion that holds of each run: the last one of its kind, unless that took it back."""
    last = {one.run_id: one for one in said if one.kind == kind}
    return {run_id: one for run_id, one in last.items() if one.state is not None}
