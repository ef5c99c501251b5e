"""The chain of hashes over what was recorded: one link an exchange of a run, one for what follows its last exchange.

    begun       the first link: runs up to this number are older than the chain, and have no hash
    exchange    events from `first` to before `end`, an exchange and what followed until the next one; `content` is the SHA-256
                of their rows as they stand in the tables
    rest        the same for what came before the first exchange, or was added later, such as another verdict
    removed     the run was removed for good; its links stay, so that the chain can be followed

Links are hashed while the rows are at hand and written once a transaction. Their order is the order of the transactions.
"""

from __future__ import annotations

import hashlib
import heapq
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import and_, func, insert, select

from workbench.core.hash_chain import START, link_hash
from workbench.store.schema import blobs, chain, chunks, events

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

BEGUN, EXCHANGE, REST, REMOVED = "begun", "exchange", "rest", "removed"
BEGINS = "exchange_started"
"""Kind of the event that begins an exchange."""
_AT_ONCE = 2_000
"""Rows that are fetched together."""


class ChainedRow(NamedTuple):
    """An event or a piece of received bytes as it stands in its table."""

    number: int
    """Of the run."""
    seq: int
    kind: str
    data: bytes


class Link(NamedTuple):
    """One link; its place and its hash come with the writing."""

    kind: str
    number: int
    """Of the run; of `begun` the last run without a hash."""
    run_id: str
    first: int
    end: int
    bytes: int
    content: str
    at_us: int
    """When it was made, UTC."""


class Seal:
    """Takes the rows of one run as they are written and cuts them into links."""

    def __init__(self, number: int, run_id: str, first: int = 0) -> None:
        self.number, self._run_id = number, run_id
        self.first = self.end = first
        self._bytes, self._hash = 0, hashlib.sha256()
        self._kind = REST

    def take(self, row: ChainedRow, end: int) -> None:
        """Take the next row; `end` is the number behind its last event."""
        if row.kind == BEGINS:
            self._kind = EXCHANGE
        add_row(self._hash, row)
        self._bytes += len(row.data)
        self.end = end

    def cut(self, at_us: int) -> Link | None:
        """Return a link of what was taken since the last one; None where that is nothing."""
        if self.end == self.first:
            return None
        content = self._hash.hexdigest()
        link = Link(self._kind, self.number, self._run_id, self.first, self.end, self._bytes, content, at_us)
        self.first, self._bytes, self._hash, self._kind = self.end, 0, hashlib.sha256(), REST
        return link


def add_row(found: Any, row: ChainedRow) -> None:
    """Add a row to a hash, so that no two lists of rows give the same bytes."""
    found.update(f"{row.seq} {row.kind} {len(row.data)}\n".encode())
    found.update(row.data)


def chunk_kind(step: int, exchange: int, first: int, layout: str) -> str:
    """What stands in a row of received bytes beside them."""
    return f"chunks {step} {exchange} {first} {layout}"


def stored_rows(connection: Connection, number: int | None = None, first: int = 0) -> Iterator[ChainedRow]:
    """Rows by run and place, read as they are asked for: of one run from `first` on, or of all runs."""
    structural = select(events.c.number, events.c.seq, events.c.kind, events.c.body, blobs.c.data).join(
        blobs, and_(blobs.c.id == events.c.blob_id), isouter=True
    )
    received = select(*(chunks.c[name] for name in ("number", "seq", "step", "exchange", "first", "layout", "data")))
    queries = [(structural, events, _event_row), (received, chunks, _chunk_row)]
    streams = []
    for query, table, read in queries:
        wanted = query if number is None else query.where(table.c.number == number, table.c.seq >= first)
        ordered = wanted.order_by(table.c.number, table.c.seq)
        found = connection.execute(ordered, execution_options={"yield_per": _AT_ONCE})
        streams.append(map(read, found))
    return heapq.merge(*streams, key=lambda row: row[:2])


def _event_row(row: Any) -> ChainedRow:
    text = row.data if row.body is None else row.body
    return ChainedRow(row.number, row.seq, row.kind, _bytes(text))


def _chunk_row(row: Any) -> ChainedRow:
    return ChainedRow(row.number, row.seq, chunk_kind(row.step, row.exchange, row.first, row.layout), _bytes(row.data))


def _bytes(value: Any) -> bytes:
    """What stands in a column as bytes; also of a damaged file, where a number or a text may stand instead."""
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    return str(value or "").encode("utf-8", "surrogatepass")


def sealed_until(connection: Connection, number: int) -> int:
    """How far the events of a run are in the chain; 0: not at all."""
    query = select(func.max(chain.c.end)).where(chain.c.number == number, chain.c.kind.in_((EXCHANGE, REST)))
    return int(connection.execute(query).scalar() or 0)


def resumed(connection: Connection, number: int, run_id: str, end: int, *, old: bool) -> Seal:
    """A seal over what of a recorded run is not in the chain yet; of an `old` run without links only what comes now."""
    first = sealed_until(connection, number) or (end if old else 0)
    seal = Seal(number, run_id, first)
    if first < end:
        for row in stored_rows(connection, number, first):
            seal.take(row, end)
    return seal


def append_links(connection: Connection, links: Sequence[Link]) -> None:
    """Write links behind the last one."""
    if not links:
        return
    last = select(chain.c.n, chain.c.hash).order_by(chain.c.n.desc()).limit(1)
    behind, head = connection.execute(last).first() or (0, START)
    rows = []
    for n, link in enumerate(links, behind + 1):
        head = link_hash(n, head, list(link))
        rows.append({"n": n, **link._asdict(), "hash": head})
    connection.execute(insert(chain), rows)
