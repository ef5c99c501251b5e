"""Verifications on disk, beside their batches: what was decided before, and what was seen in each run.

Both are JSON whose shape belongs to `verify`, which stands above the store.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select, update

from workbench.core.errors import InvalidInput
from workbench.store.codec import to_json
from workbench.store.database_errors import read_plainly
from workbench.store.schema import batch_items, batches, observations, verifications

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from sqlalchemy import Connection, Engine

    from workbench.core.batch import BatchItem
    from workbench.store.writer import Writer


class Verifications:
    """Reads are plain calls, safe from any thread; writes go through the store's one thread."""

    def __init__(self, reading: Engine, writer: Writer) -> None:
        self._reading, self._writer = reading, writer

    def keep(self, batch_id: str, document: Any) -> None:
        """Write what a verification is, for the first time or anew; its batch is there already."""
        body = to_json(self._writer.mask().mask_value(document))

        def work(connection: Connection) -> None:
            connection.execute(delete(verifications).where(verifications.c.batch_id == batch_id))
            connection.execute(insert(verifications).values(batch_id=batch_id, body=body))

        self._writer.submit(work).result()

    def extend(self, batch_id: str, items: Sequence[BatchItem], repeats: int) -> None:
        """Add waiting items to the end of a batch's plan."""
        rows = [
            {"batch_id": batch_id, "position": item.position, "case_id": item.case_id, "target": item.target,
             "repeat": item.repeat, "seed": item.seed, "state": str(item.state)} for item in items
        ]  # fmt: skip

        def work(connection: Connection) -> None:
            if rows:
                connection.execute(insert(batch_items), rows)
            connection.execute(update(batches).where(batches.c.id == batch_id).values(repeats=repeats))

        self._writer.submit(work).result()

    async def observe(self, batch_id: str, position: int, document: Any) -> None:
        """Write what was seen in one item's run; when this returns, it is on disk."""
        body = to_json(self._writer.mask().mask_value(document))

        def work(connection: Connection) -> None:
            place = (observations.c.batch_id == batch_id) & (observations.c.position == position)
            connection.execute(delete(observations).where(place))
            connection.execute(insert(observations).values(batch_id=batch_id, position=position, body=body))

        await asyncio.shield(asyncio.wrap_future(self._writer.submit(work)))

    def take(self, batch_id: str, body: str, seen: Mapping[int, str]) -> None:
        """Write what another store holds of a verification, whole; its batch is there already."""
        rows = [{"batch_id": batch_id, "position": position, "body": text} for position, text in seen.items()]

        def work(connection: Connection) -> None:
            connection.execute(insert(verifications).values(batch_id=batch_id, body=body))
            if rows:
                connection.execute(insert(observations), rows)

        self._writer.submit(work).result()

    def load(self, batch_id: str) -> str:
        """The JSON text of a verification; raise InvalidInput where the batch is none."""
        query = select(verifications.c.body).where(verifications.c.batch_id == batch_id)
        with read_plainly("The verification could not be read."), self._reading.connect() as connection:
            found = connection.execute(query).scalar()
        if found is None:
            raise InvalidInput(f"Batch {batch_id!r} is no verification.", hint="`workbench suite show` reports it.")
        return str(found)

    def observations(self, batch_id: str) -> dict[int, str]:
        """JSON texts of what was seen, by position."""
        query = select(observations.c.position, observations.c.body).where(observations.c.batch_id == batch_id)
        with read_plainly("The verification could not be read."), self._reading.connect() as connection:
            return {int(position): str(body) for position, body in connection.execute(query)}

    def ids(self) -> frozenset[str]:
        """The batches that are verifications."""
        with read_plainly("The verifications could not be read."), self._reading.connect() as connection:
            return frozenset(connection.execute(select(verifications.c.batch_id)).scalars())

    def find(self, ref: str) -> str:
        """Id of a verification by its unique beginning, or `last`; raise InvalidInput."""
        query = select(batches.c.id).join(verifications, verifications.c.batch_id == batches.c.id)
        query = query.order_by(batches.c.id != ref, batches.c.created_us.desc(), batches.c.id.desc()).limit(2)
        if ref != "last":
            query = query.where(batches.c.id.startswith(ref, autoescape=True))
        with read_plainly("The verifications could not be read."), self._reading.connect() as connection:
            found = [str(one) for one in connection.execute(query).scalars()]
        if not found or not ref:
            raise InvalidInput(
                f"There is no verification {ref!r}.", hint="`workbench verify --list` shows all of them."
            )
        if len(found) > 1 and ref not in (found[0], "last"):
            raise InvalidInput(f"Several verifications begin with {ref!r}.", hint="Give more of its id.")
        return found[0]
