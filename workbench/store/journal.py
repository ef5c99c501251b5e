"""Writing a run's events into the tables, inside a transaction that somebody else opened."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import bindparam, insert, select, update

from workbench.core.errors import StoreError
from workbench.core.events import ChunkReceived
from workbench.store import run_reader
from workbench.store.chain import BEGINS, ChainedRow, Link, Seal, append_links, chunk_kind, resumed
from workbench.store.choose_database import index_of
from workbench.store.codec import encode_event, pack_chunks, to_json
from workbench.store.digest import RunDigest
from workbench.store.names import NameBook, id_list, new_number
from workbench.store.rows import REPLY
from workbench.store.schema import blobs, chunks, events, run_details, runs, steps, toolsets
from workbench.store.storable import storable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from workbench.core.events import RunEvent, RunStarted
    from workbench.core.verdict import Verdict

BLOB_FROM = 262_144
"""Characters of JSON from which an event's body stands apart, so that its table stays quick to walk."""

_NEW_RUN, _NEW_DETAILS, _NEW_BLOB = insert(runs), insert(run_details), insert(blobs)
_NEW_EVENTS, _NEW_CHUNKS, _NEW_STEPS = insert(events), insert(chunks), insert(steps)
_RUN = update(runs).where(runs.c.number == bindparam("of"))
_DETAILS = update(run_details).where(run_details.c.number == bindparam("of"))
"""Made once, and their values handed over apart: making a statement takes longer than executing it."""


class Fact(NamedTuple):
    """One event ready to be written; chunks that follow each other are one fact."""

    events: tuple[RunEvent, ...]
    kind: str
    body: str
    """JSON; of chunks their layout."""
    data: bytes = b""


def make_facts(batch: Sequence[RunEvent]) -> list[Fact]:
    """Encode a batch. Done by whoever commits, so that a value that cannot be encoded is that caller's error."""
    facts: list[Fact] = []
    together: list[ChunkReceived] = []
    for event in batch:
        if together and not (isinstance(event, ChunkReceived) and _follows(together[-1], event)):
            facts.append(Fact(tuple(together), "chunks", *pack_chunks(together)))
            together = []
        if isinstance(event, ChunkReceived):
            together.append(event)
        else:
            facts.append(Fact((event,), *encode_event(event)))
    if together:
        facts.append(Fact(tuple(together), "chunks", *pack_chunks(together)))
    return facts


def _follows(one: ChunkReceived, other: ChunkReceived) -> bool:
    return (other.step, other.exchange, other.index) == (one.step, one.exchange, one.index + 1)


class Journal:
    """Appends events of any number of runs; remembers those that are still running."""

    def __init__(self, owner: str, user: str = "") -> None:
        """`owner` marks the runs of this process while they run; `user` is who records them."""
        self._owner, self._user = owner, user
        self._running: dict[str, tuple[RunDigest, Seal]] = {}
        self._links: list[Link] = []
        self._names = NameBook()

    def forget(self) -> None:
        """Drop what is remembered: a transaction was rolled back. The tables tell it again."""
        self._running.clear()
        self._links.clear()
        self._names.forget()

    def finish(self, connection: Connection) -> None:
        """End a transaction: what it recorded gets its place in the chain."""
        links, self._links = self._links, []
        append_links(connection, links)

    def append(self, connection: Connection, run_id: str, facts: Sequence[Fact], user: str | None = None) -> int:
        """Write the next events of a run; return its display number. `user` is who recorded it elsewhere."""
        digest, seal = self._running.get(run_id) or self._known(connection, run_id)
        first = digest.next_seq
        for fact in facts:
            digest.add_all(fact.events)
        if digest.run.started is None:
            raise StoreError(f"There is no run {run_id!r} to add events to.")
        if not digest.number:
            digest.number = self._insert_run(connection, digest.run.started, self._user if user is None else user)
        seal = seal or Seal(digest.number, run_id)
        self._insert_facts(connection, digest.number, first, facts)
        self._seal_facts(seal, first, facts)
        self._insert_steps(connection, digest)
        if any(fact.kind != "chunks" for fact in facts):
            self._update_run(connection, digest, digest.verdict, digest.over)
        if digest.over and not digest.indexed:
            index_of(connection).add(connection, digest.number, digest.texts())
            digest.indexed = True
        if digest.over:
            self._cut(seal)
            self._running.pop(run_id, None)
        else:
            self._running[run_id] = digest, seal
        return digest.number

    def _known(self, connection: Connection, run_id: str) -> tuple[RunDigest, Seal | None]:
        """What the tables tell of a run; without a seal where they know nothing of it."""
        digest = run_reader.digest_of(connection, run_id)
        if digest is None:
            return RunDigest(run_id), None
        return digest, resumed(connection, digest.number, run_id, digest.next_seq, old=digest.indexed)

    def close_run(self, connection: Connection, run_id: str) -> int:
        """Give a verdict to a run whose process ended; its events stay as they are. Return its number."""
        digest = run_reader.digest_of(connection, run_id)
        if digest is None:
            raise StoreError(f"There is no run {run_id!r}.")
        self._update_run(connection, digest, digest.cut_short(), True)
        index_of(connection).add(connection, digest.number, digest.texts())
        self._cut(resumed(connection, digest.number, run_id, digest.next_seq, old=False))
        return digest.number

    def _seal_facts(self, seal: Seal, first: int, facts: Sequence[Fact]) -> None:
        """Hash what was just written; each exchange is a link of its own."""
        seq = first
        for fact in facts:
            head, end = fact.events[0], seq + len(fact.events)
            if fact.kind == BEGINS:
                self._cut(seal)
            if isinstance(head, ChunkReceived):
                kind = chunk_kind(head.step, head.exchange, head.index, fact.body)
                seal.take(ChainedRow(seal.number, seq, kind, fact.data), end)
            else:
                seal.take(ChainedRow(seal.number, seq, fact.kind, fact.body.encode()), end)
            seq = end

    def _cut(self, seal: Seal) -> None:
        link = seal.cut(time.time_ns() // 1000)
        if link is not None:
            self._links.append(link)

    def _insert_run(self, connection: Connection, started: RunStarted, user: str) -> int:
        executor, target = started.executor, started.target
        parent = started.parent
        planner = started.planner
        result = connection.execute(
            _NEW_RUN,
            {
                "started_us": started.started_us,
                "mode": target.mode,
                "provider_id": self._names.add(connection, "provider", executor.provider),
                "model_id": self._names.add(connection, "model", executor.model),
                "planner_id": self._names.add(connection, "model", planner.model) if planner else None,
                "format_id": self._names.add(connection, "format", executor.format),
                "wire_id": self._names.add(connection, "wire", executor.wire),
                "origin_id": self._names.add(connection, "origin", started.origin),
                "user_id": self._names.add(connection, "user", user) if user else None,
                "simulated": executor.simulated or bool(planner and planner.simulated),
                "edit_of": _number(connection, parent.run_id) if parent and parent.edits == (REPLY,) else None,
            },
        )
        number = new_number(result)
        connection.execute(
            _NEW_DETAILS,
            {
                "number": number,
                "id": started.run_id,
                "title": storable(started.title),
                "target": storable(target.label),
                "target_id": started.target_id,
                "policy": str(target.policy),
                "parser_version": started.parser_version,
                "toolset_id": _toolset(connection, started),
            },
        )
        return number

    def _insert_facts(self, connection: Connection, number: int, first: int, facts: Sequence[Fact]) -> None:
        event_rows: list[dict[str, Any]] = []
        chunk_rows: list[dict[str, Any]] = []
        seq = first
        for fact in facts:
            head = fact.events[0]
            row: dict[str, Any] = {"number": number, "seq": seq}
            if isinstance(head, ChunkReceived):
                place = {"step": head.step, "exchange": head.exchange, "first": head.index}
                chunk_rows.append(row | place | {"layout": fact.body, "data": fact.data})
            elif len(fact.body) > BLOB_FROM:
                blob = connection.execute(_NEW_BLOB, {"number": number, "data": fact.body})
                event_rows.append(row | {"kind": fact.kind, "body": None, "blob_id": new_number(blob)})
            else:
                event_rows.append(row | {"kind": fact.kind, "body": fact.body, "blob_id": None})
            seq += len(fact.events)
        if event_rows:
            connection.execute(_NEW_EVENTS, event_rows)
        if chunk_rows:
            connection.execute(_NEW_CHUNKS, chunk_rows)

    def _insert_steps(self, connection: Connection, digest: RunDigest) -> None:
        rows = [
            {
                "number": digest.number,
                "step": row.step,
                "seq": row.seq,
                "role": str(row.role),
                "format": row.format,
                "think_open": row.flags.think_open,
                "calls_in_reasoning": row.flags.calls_in_reasoning,
            }
            for row in digest.new_steps
        ]
        digest.new_steps.clear()
        if rows:
            connection.execute(_NEW_STEPS, rows)

    def _update_run(self, connection: Connection, digest: RunDigest, verdict: Verdict, over: bool) -> None:
        codes = verdict.codes or (digest.run.finished.codes if digest.run.finished and not digest.over else ())
        connection.execute(
            _RUN,
            {
                "of": digest.number,
                "verdict": str(verdict.state),
                "basis": str(verdict.basis),
                "stop": str(digest.run.finished.stop) if digest.run.finished else "",
                "codes": id_list(self._names.add(connection, "code", code) for code in dict.fromkeys(codes)),
                "tools": id_list(self._names.add(connection, "tool", name) for name in digest.tools),
                "duration_us": digest.run.duration_us,
                "steps": digest.run.step_count,
                "calls": digest.calls,
                "input_tokens": digest.run.input_tokens,
                "output_tokens": digest.run.output_tokens,
            },
        )
        reason = verdict.reason or (digest.run.finished.reason if digest.run.finished else "")
        owner = None if over else self._owner
        connection.execute(
            _DETAILS,
            {"of": digest.number, "prompt": storable(digest.prompt), "reason": storable(reason), "owner": owner},
        )


def _number(connection: Connection, run_id: str) -> int | None:
    found = connection.execute(select(run_details.c.number).where(run_details.c.id == run_id)).scalar_one_or_none()
    return None if found is None else int(found)


def _toolset(connection: Connection, started: RunStarted) -> int | None:
    if not started.tools:
        return None
    body = to_json([setup.spec for setup in started.tools])
    mark = hashlib.sha256(body.encode()).hexdigest()
    found = connection.execute(select(toolsets.c.id).where(toolsets.c.hash == mark)).scalar_one_or_none()
    if found is not None:
        return int(found)
    return new_number(connection.execute(insert(toolsets).values(hash=mark, body=body)))
