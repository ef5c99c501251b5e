"""Reading one run back: its events in order, and the digest made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from workbench.store.codec import decode_event, unpack_chunks
from workbench.store.digest import RunDigest
from workbench.store.rows import OpaqueEvent
from workbench.store.schema import blobs, chunks, events, run_details

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from workbench.core.events import ChunkReceived, RunEvent

Numbered = tuple[int, "RunEvent | OpaqueEvent"]


def numbered_events(connection: Connection, number: int, *, chunks: bool = True) -> list[Numbered]:
    """All events of a run with their sequence numbers, chunks (if wanted) in their place."""
    found = [*_structural(connection, number), *(_chunks(connection, number) if chunks else ())]
    found.sort(key=lambda pair: pair[0])
    return found


def _structural(connection: Connection, number: int) -> Iterator[Numbered]:
    query = (
        select(events.c.seq, events.c.kind, events.c.body, blobs.c.data)
        .join(blobs, blobs.c.id == events.c.blob_id, isouter=True)
        .where(events.c.number == number)
    )
    for seq, kind, body, data in connection.execute(query):
        text = data if body is None else body
        yield seq, decode_event(kind, text or "") or OpaqueEvent(seq, kind, text or "")


def _chunks(connection: Connection, number: int) -> Iterator[tuple[int, ChunkReceived]]:
    table = chunks.c
    query = select(table.seq, table.step, table.exchange, table.first, table.layout, table.data).where(
        table.number == number
    )
    for seq, step, exchange, first, layout, data in connection.execute(query):
        for offset, chunk in enumerate(unpack_chunks(step, exchange, first, layout, data)):
            yield seq + offset, chunk


def digest_of(connection: Connection, run_id: str) -> RunDigest | None:
    """The digest of a recorded run, made of its events; None if there is no such run."""
    row = connection.execute(
        select(run_details.c.number, run_details.c.owner).where(run_details.c.id == run_id)
    ).one_or_none()
    if row is None:
        return None
    digest = RunDigest(run_id)
    digest.number, digest.indexed = int(row[0]), row[1] is None
    for seq, event in numbered_events(connection, digest.number):
        if not isinstance(event, OpaqueEvent):
            digest.add(event, seq)
        digest.next_seq = seq + 1
    digest.new_steps.clear()
    return digest
