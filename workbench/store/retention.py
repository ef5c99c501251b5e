"""What recorded runs take, and which of them are removed for good when that is too old or too much."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import case, func, select

from workbench.store.chain import BEGUN, EXCHANGE, REST
from workbench.store.schema import blobs, chain, chunks, events, names, run_details, runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Table

_AT_ONCE = 200
"""Runs of one transaction, so that nobody waits long who wants to write."""
_DAY_S = 86_400


class Retention(NamedTuple):
    """How long runs are kept, and how much of them."""

    days: int = 0
    """0: however old, here and below."""
    megabytes: int = 0

    @property
    def words(self) -> str:
        """`14 days, 1,000 MB`."""
        parts = [f"{self.days} days" if self.days else "", f"{self.megabytes:,} MB" if self.megabytes else ""]
        return ", ".join(part for part in parts if part) or "for ever"

    @property
    def before_us(self) -> int:
        """Runs begun before this moment are too old."""
        return int((time.time() - self.days * _DAY_S) * 1e6) if self.days else 0

    @property
    def most_bytes(self) -> int:
        """What all may take together; 0: however much."""
        return self.megabytes * 1_000_000


class Kept(NamedTuple):
    """How much is recorded of something."""

    runs: int
    bytes: int
    """Of events, received bytes and large documents; about."""


class Size(NamedTuple):
    """One recorded run."""

    number: int
    id: str
    started_us: int
    bytes: int
    binned: bool = False


def sizes(connection: Connection, origin: str = "") -> list[Size]:
    """Return the runs of an origin (empty: all) that are over, oldest first, binned ones included.

    The chain of hashes knows what runs take; of older ones each event is read.
    """
    begun = select(chain.c.number).where(chain.c.kind == BEGUN).limit(1).scalar_subquery()
    linked = _sum(chain, chain.c.bytes, chain.c.kind.in_((EXCHANGE, REST)))
    read = sum((_sum(table, func.length(table.c[column])) for table, column in _HELD), start=0)
    query = (
        select(
            runs.c.number,
            run_details.c.id,
            runs.c.started_us,
            case((runs.c.number > begun, linked), else_=read),
            runs.c.deleted_us.is_not(None),
        )
        .join(run_details, run_details.c.number == runs.c.number)
        .where(run_details.c.owner.is_(None))
        .order_by(runs.c.number)
    )
    if origin:
        own = select(names.c.id).where(names.c.kind == "origin", names.c.name == origin)
        query = query.where(runs.c.origin_id.in_(own))
    return [
        Size(number, run_id, started_us, int(taken), bool(binned))
        for number, run_id, started_us, taken, binned in connection.execute(query)
    ]


_HELD = ((events, "body"), (chunks, "data"), (blobs, "data"))


def _sum(table: Table, what: Any, *wanted: Any) -> Any:
    total = func.coalesce(func.sum(what), 0)
    return select(total).where(table.c.number == runs.c.number, *wanted).scalar_subquery()


def in_pieces(ids: Sequence[str]) -> list[Sequence[str]]:
    """Ids in pieces of a transaction each."""
    return [ids[at : at + _AT_ONCE] for at in range(0, len(ids), _AT_ONCE)]


def too_much(found: Sequence[Size], before_us: int, most_bytes: int) -> list[Size]:
    """Return the runs to be removed: those begun before a time, and the oldest that are too much.

    `most_bytes` 0: however much it is.
    """
    left = sum(one.bytes for one in found)
    gone = []
    for one in found:
        if one.started_us >= before_us and not (most_bytes and left > most_bytes):
            break
        left -= one.bytes
        gone.append(one)
    return gone
