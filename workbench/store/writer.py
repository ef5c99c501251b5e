"""The single thread that writes. Commits that wait for each other share one transaction."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from workbench.core.errors import StoreError
from workbench.core.masking import Secrets
from workbench.store.database_errors import said_plainly
from workbench.store.journal import Fact, Journal, make_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection, Engine

    from workbench.core.events import RunEvent

Result = TypeVar("Result")


@dataclass(eq=False, slots=True)
class _Waiting:
    """One piece of work, written by its own turn of the thread or by an earlier one."""

    work: Callable[[Connection], Any]
    written: bool = False
    result: Any = None


class Writer:
    """Runs pieces of writing work in order, as many in one transaction as are waiting."""

    def __init__(self, engine: Engine, journal: Journal, place: str, begin: Callable[[], None] = lambda: None) -> None:
        """`place` is told where writing fails. `begin` is called before each transaction: it makes this process known as a writer."""
        self._engine, self._place, self._begin = engine, place, begin
        self.mask: Callable[[], Secrets] = Secrets
        """For what stands beside the runs: batches, verifications, opinions, tool sets. Events come masked."""
        self._journal = journal
        self._waiting: deque[_Waiting] = deque()
        self._order = threading.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store-writer")

    def submit(self, work: Callable[[Connection], Result]) -> Future[Result]:
        """Queue work; the future is done when it is on disk."""
        item = _Waiting(work)
        with self._order:  # those who wait and the thread's turns stand in the same order
            try:
                turn = self._thread.submit(self._serve, item)
            except RuntimeError as error:
                raise StoreError("The store is closed.", hint="Open it again.") from error
            self._waiting.append(item)
        return turn

    def close(self) -> None:
        """Write what waits, then end the thread."""
        self._thread.shutdown(wait=True)

    def _serve(self, item: _Waiting) -> Any:
        """One turn of the thread: its exceptions reach whoever waits for `item`."""
        with self._order:
            first = bool(self._waiting) and self._waiting[0] is item
            batch = [self._waiting.popleft() for _ in range(len(self._waiting))] if first else []
        self._write_together(batch)
        if not item.written:
            with said_plainly(f"Recording in {self._place!r} failed."):
                self._write([item])
        return item.result

    def _write_together(self, batch: Sequence[_Waiting]) -> None:
        """Where that fails, nobody's work is taken: the one at fault fails by itself when its turn comes."""
        if len(batch) > 1:
            with suppress(SQLAlchemyError, StoreError):
                self._write(batch)

    def _write(self, batch: Sequence[_Waiting]) -> None:
        done = False
        self._begin()
        try:
            with self._engine.begin() as connection:
                results = [item.work(connection) for item in batch]
                self._journal.finish(connection)
            done = True
        finally:
            if not done:  # what was remembered of these runs may be ahead of the tables
                self._journal.forget()
        for item, result in zip(batch, results, strict=True):
            item.written, item.result = True, result


class StoreRecorder:
    """Where events are kept; implements `core.protocols.Recorder`."""

    def __init__(self, writer: Writer, journal: Journal) -> None:
        self._writer = writer
        self._journal = journal

    async def commit(self, run_id: str, events: Sequence[RunEvent]) -> None:
        """Keep events of a run. When this returns, they are on disk; StoreError if they could not be written."""
        if events:
            written = asyncio.wrap_future(self._submit(run_id, make_facts(events)))
            written.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be left to ask
            await asyncio.shield(written)  # whoever is cancelled here has committed all the same

    def commit_now(self, run_id: str, events: Sequence[RunEvent], user: str | None = None) -> int:
        """The same for callers without an event loop; return the run's display number. `user` recorded it elsewhere."""
        return self._submit(run_id, make_facts(events), user).result()

    def _submit(self, run_id: str, facts: list[Fact], user: str | None = None) -> Future[int]:
        return self._writer.submit(lambda connection: self._journal.append(connection, run_id, facts, user))
