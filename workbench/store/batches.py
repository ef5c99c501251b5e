"""Batches on disk: the plan when it begins, each item when its run starts and when it is graded."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import case, delete, func, insert, select, update

from workbench.core.batch import (
    NO_SAMPLE,
    Batch,
    BatchItem,
    BatchRow,
    BatchSpec,
    BatchState,
    CaseVerdict,
    ItemState,
    RunSample,
    StoppingRule,
)
from workbench.core.case import Case
from workbench.core.errors import InvalidInput, StoreError
from workbench.core.target import Target
from workbench.core.variations import varied
from workbench.store.codec import from_json, to_json
from workbench.store.database_errors import read_plainly
from workbench.store.schema import batch_items, batches, verifications
from workbench.store.storable import storable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Future

    from sqlalchemy import ColumnElement, Connection, Engine, Row

    from workbench.store.database import LifeSign
    from workbench.store.writer import Writer


class Batches:
    """Reads are plain calls, safe from any thread; writes go through the store's one thread."""

    def __init__(self, reading: Engine, writer: Writer, life: LifeSign) -> None:
        self._reading, self._writer, self._life = reading, writer, life

    def add(self, batch: Batch, verification: object | None = None) -> None:
        """Write a new batch with all its items, and the verification that it is, in one go; it belongs to this process.

        Keys in its cases and targets become stars.
        """
        mask = self._writer.mask()
        spec = mask.mask_value(batch.spec)
        row = {
            "id": spec.id,
            "created_us": spec.created_us,
            "title": storable(spec.title),
            "suite": storable(spec.suite),
            "seed": spec.seed,
            "repeats": spec.repeats,
            "parallel": spec.parallel,
            "state": str(batch.state),
            "owner": self._life.owner,
            "cases": to_json(spec.cases),
            "targets": to_json(spec.targets),
            "stopping": to_json(spec.stopping) if spec.stopping else None,
        }
        items = [{"batch_id": spec.id, **_item_row(mask.mask_value(item))} for item in batch.items]
        told = None if verification is None else to_json(mask.mask_value(verification))

        def work(connection: Connection) -> None:
            connection.execute(insert(batches).values(row))
            if items:
                connection.execute(insert(batch_items), items)
            if told is not None:
                connection.execute(insert(verifications).values(batch_id=spec.id, body=told))

        self._writer.submit(work).result()

    async def keep(self, batch_id: str, items: Sequence[BatchItem]) -> None:
        """Write items as they stand now; when this returns, they are on disk."""
        await asyncio.shield(asyncio.wrap_future(self._submit_items(batch_id, items)))

    def keep_now(self, batch_id: str, items: Sequence[BatchItem]) -> None:
        """The same for callers without an event loop."""
        self._submit_items(batch_id, items).result()

    def _submit_items(self, batch_id: str, items: Sequence[BatchItem]) -> Future[None]:
        mask = self._writer.mask()
        rows = [_item_row(mask.mask_value(item)) for item in items]

        def work(connection: Connection) -> None:
            for row in rows:
                place = (batch_items.c.batch_id == batch_id) & (batch_items.c.position == row["position"])
                connection.execute(update(batch_items).where(place).values(row))

        return self._writer.submit(work)

    def claim(self, batch_id: str, parallel: int | None = None) -> Batch:
        """Take a batch over and return it, runs that were cut short waiting again.

        Raise StoreError if another program works on it, InvalidInput if there is none.
        """
        found = self._find(batch_id)
        taken = StoreError(
            f"Batch {found.id!r} is being run by another program.", hint="Stop it there, or wait for its end."
        )
        if found.owner is not None and found.owner != self._life.owner and self._life.is_alive(found.owner):
            raise taken
        values: dict[str, Any] = {"owner": self._life.owner, "state": str(BatchState.RUNNING)}
        if parallel is not None:
            values["parallel"] = parallel

        def work(connection: Connection) -> None:
            as_found = (batches.c.id == found.id) & batches.c.owner.is_not_distinct_from(found.owner)
            if not connection.execute(update(batches).where(as_found).values(values)).rowcount:
                raise taken  # by somebody who looked at the same time
            cut = (batch_items.c.batch_id == found.id) & (batch_items.c.state == str(ItemState.RUNNING))
            connection.execute(update(batch_items).where(cut).values(state=str(ItemState.WAITING)))

        self._writer.submit(work).result()
        return self.load(found.id)

    def is_known(self, batch_id: str) -> bool:
        """Whether this history holds a batch."""
        query = select(batches.c.id).where(batches.c.id == batch_id)
        with read_plainly("The batches could not be read."), self._reading.connect() as connection:
            return connection.execute(query).first() is not None

    def is_going(self, batch_id: str) -> bool:
        """Whether somebody who is alive works on a batch; its workers ask, to stop with whoever sent them."""
        query = select(batches.c.state, batches.c.owner).where(batches.c.id == batch_id)
        with read_plainly("The batches could not be read."), self._reading.connect() as connection:
            row = connection.execute(query).first()
        if row is None or row.owner is None or row.state in (BatchState.STOPPED, BatchState.DONE):
            return False
        return self._life.is_alive(row.owner)

    def set_state(self, batch_id: str, state: BatchState) -> None:
        """Note where a batch stands; stopped and done ones belong to nobody."""
        values: dict[str, Any] = {"state": str(state)}
        if state in (BatchState.STOPPED, BatchState.DONE):
            values["owner"] = None
        self._writer.submit(
            lambda connection: connection.execute(update(batches).where(batches.c.id == batch_id).values(values))
        ).result()

    def delete(self, batch_id: str) -> None:
        """Remove a batch; its runs stay in the history."""
        found = self._find(batch_id)
        self._writer.submit(
            lambda connection: connection.execute(delete(batches).where(batches.c.id == found.id))
        ).result()

    def list(self, limit: int = 200, *, verified: bool = False) -> list[BatchRow]:
        """The newest batches first: those of suites, or those that are verifications."""
        done = func.sum(case((batch_items.c.state == str(ItemState.DONE), 1), else_=0))
        trimmed = func.sum(case((batch_items.c.state == str(ItemState.TRIMMED), 1), else_=0))
        kept = [batches.c[name] for name in ("id", "title", "suite", "created_us", "state", "owner", "repeats")]
        shape = (
            func.count(batch_items.c.position),
            done,
            trimmed,
            func.count(batch_items.c.case_id.distinct()),
            func.count(batch_items.c.target.distinct()),
        )
        query = (
            select(*kept, *shape)
            .select_from(batches.outerjoin(batch_items, batch_items.c.batch_id == batches.c.id))
            .where(_is_verification() if verified else ~_is_verification())
            .group_by(batches.c.id)
            .order_by(batches.c.created_us.desc(), batches.c.id.desc())
            .limit(limit)
        )
        with read_plainly("The batches could not be read."), self._reading.connect() as connection:
            return [self._row(row) for row in connection.execute(query)]

    def models(self, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The models that were asked in each of these batches, in the order of their targets, each once."""
        query = select(batches.c.id, batches.c.targets).where(batches.c.id.in_(ids))
        with read_plainly("The batches could not be read."), self._reading.connect() as connection:
            found = connection.execute(query).all()
        return {number: _models(text) for number, text in found}

    def _row(self, row: Any) -> BatchRow:
        number, title, suite, created_us, state, owner, repeats, total, done, trimmed, cases, targets = row
        alive = owner is not None and self._life.is_alive(owner)
        return BatchRow(
            number, title, suite, created_us, BatchState(state), cases, targets, repeats,
            total - int(trimmed or 0), int(done or 0), alive,
        )  # fmt: skip

    def load(self, batch_id: str) -> Batch:
        """A batch by id, the unique beginning of one, or `last`; raise InvalidInput."""
        found = self._find(batch_id)
        query = select(batch_items).where(batch_items.c.batch_id == found.id).order_by(batch_items.c.position)
        with read_plainly("The batch could not be read."), self._reading.connect() as connection:
            items = tuple(_item(row) for row in connection.execute(query))
        targets = _read_list(found.targets, Target)
        spec = BatchSpec(
            found.id,
            found.title,
            found.suite,
            _cases(found.cases),
            tuple(targets),
            found.repeats,
            found.seed,
            found.parallel,
            found.created_us,
            from_json(found.stopping, StoppingRule) if found.stopping else None,
        )
        return Batch(spec, items, BatchState(found.state))

    def case_of(self, run_id: str) -> Case | None:
        """The case that a run was a repeat of, as it was asked; None if no batch made it. A later judgement needs it."""
        query = (
            select(batches.c.cases, batches.c.targets, batch_items.c.case_id, batch_items.c.target)
            .join(batch_items, batch_items.c.batch_id == batches.c.id)
            .where(batch_items.c.run_id == run_id)
        )
        with read_plainly("The batches could not be read."), self._reading.connect() as connection:
            row = connection.execute(query).first()
        if row is None or not run_id:
            return None
        case = next((found for found in _cases(row.cases) if found.id == row.case_id), None)
        return None if case is None else varied(case, _targets(row.targets)[row.target].variation)

    def result_of(self, run_id: str) -> CaseVerdict | None:
        """How a run was graded in its batch; None if no batch made it."""
        query = select(batch_items.c.result).where(batch_items.c.run_id == run_id).limit(1)
        with read_plainly("The batches could not be read."), self._reading.connect() as connection:
            text = connection.execute(query).scalar() if run_id else None
        found: CaseVerdict | None = from_json(text, CaseVerdict) if text else None
        return found

    def _find(self, batch_id: str) -> Row[Any]:
        whole_id_first = batches.c.id != batch_id
        query = select(batches).order_by(whole_id_first, batches.c.created_us.desc(), batches.c.id.desc()).limit(2)
        if batch_id == "last":
            query = query.where(~_is_verification())
        else:
            query = query.where(batches.c.id.startswith(batch_id, autoescape=True))
        with read_plainly("The batches could not be read."), self._reading.connect() as connection:
            found = connection.execute(query).all()
        if not found or not batch_id:
            raise InvalidInput(f"There is no batch {batch_id!r}.", hint="`workbench suite list` shows all of them.")
        if len(found) > 1 and batch_id not in (found[0].id, "last"):
            raise InvalidInput(f"Several batches begin with {batch_id!r}.", hint="Give more of its id.")
        return found[0]


def _is_verification() -> ColumnElement[bool]:
    return batches.c.id.in_(select(verifications.c.batch_id))


def _item_row(item: BatchItem) -> dict[str, Any]:
    return {
        "position": item.position,
        "case_id": storable(item.case_id),
        "target": item.target,
        "repeat": item.repeat,
        "seed": item.seed,
        "state": str(item.state),
        "run_id": item.run_id,
        "verdict": str(item.result.verdict.state) if item.result else "",
        "result": to_json(item.result) if item.result else None,
        "sample": to_json(item.sample) if item.result else None,
    }


def _item(row: Row[Any]) -> BatchItem:
    """An item; what a later version wrote and this one cannot read waits to be run again."""
    result = from_json(row.result, CaseVerdict) if row.result else None
    sample = from_json(row.sample, RunSample) if row.sample else None
    state = ItemState(row.state)
    if state is ItemState.DONE and result is None:
        state = ItemState.WAITING
    return BatchItem(
        row.position, row.case_id, row.target, row.repeat, row.seed, state, row.run_id, result, sample or NO_SAMPLE
    )


@lru_cache(8)
def _cases(text: str) -> tuple[Case, ...]:
    """The cases of a batch; whoever asks for one run after the other asks for the same ones."""
    return tuple(_read_list(text, Case))


@lru_cache(8)
def _targets(text: str) -> tuple[Target, ...]:
    return tuple(_read_list(text, Target))


def _models(text: str) -> tuple[str, ...]:
    """None of a batch that a later version wrote: a list of batches shows it all the same."""
    try:
        return tuple(dict.fromkeys(one.executor.model for one in _targets(text)))
    except StoreError:
        return ()


def _read_list(text: str, shape: Any) -> list[Any]:
    found = from_json(text, list[shape])
    if found is None:
        raise StoreError("This batch was written by a later version and cannot be read.", hint="Use that version.")
    return list(found)
