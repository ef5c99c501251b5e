"""How much the runs of one origin take, and which of them are removed for good when that is too old or too much."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import func, select

from workbench.store.schema import blobs, chunks, events, names, run_details, runs

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

_AT_ONCE = 200
"""Runs of one transaction, so that nobody waits long who wants to write."""


class Kept(NamedTuple):
    """What is recorded of one origin."""

    runs: int
    bytes: int
    """Of events, received bytes and large documents; about."""


class Size(NamedTuple):
    """One recorded run."""

    number: int
    id: str
    started_us: int
    bytes: int


def sizes(connection: Connection, origin: str) -> list[Size]:
    """Return the runs of an origin that are over, oldest first, binned ones included."""
    own = select(names.c.id).where(names.c.kind == "origin", names.c.name == origin)
    taken = sum(
        (_sum(table, column) for table, column in ((events, "body"), (chunks, "data"), (blobs, "data"))), start=0
    )
    query = (
        select(runs.c.number, run_details.c.id, runs.c.started_us, taken)
        .join(run_details, run_details.c.number == runs.c.number)
        .where(runs.c.origin_id.in_(own), run_details.c.owner.is_(None))
        .order_by(runs.c.number)
    )
    return [Size(*row) for row in connection.execute(query)]


def _sum(table: Table, column: str) -> Any:
    total = func.coalesce(func.sum(func.length(table.c[column])), 0)
    return select(total).where(table.c.number == runs.c.number).scalar_subquery()


def too_much(found: list[Size], before_us: int, most_bytes: int) -> list[list[str]]:
    """Return the ids of runs to be removed, in pieces: those begun before a time, and the oldest that are too much.

    `most_bytes` 0: however much it is.
    """
    left = sum(one.bytes for one in found)
    gone = []
    for one in found:
        if one.started_us >= before_us and not (most_bytes and left > most_bytes):
            break
        left -= one.bytes
        gone.append(one.id)
    return [gone[at : at + _AT_ONCE] for at in range(0, len(gone), _AT_ONCE)]
