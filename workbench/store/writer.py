"""The single thread that writes. Commits that wait for each other share one transaction."""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from workbench.core.errors import StoreError
from workbench.store.faults import store_error
from workbench.store.journal import Fact, Journal, make_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection, Engine

    from workbench.core.events import RunEvent

Result = TypeVar("Result")


class _Waiting(NamedTuple):
    work: Callable[[Connection], Any]
    done: Future[Any]


class Writer:
    """Runs pieces of writing work in order, as many in one transaction as are waiting."""

    def __init__(self, engine: Engine, journal: Journal) -> None:
        self._engine = engine
        self._journal = journal
        self._waiting: deque[_Waiting] = deque()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store-writer")

    def submit(self, work: Callable[[Connection], Result]) -> Future[Result]:
        """Queue work; the future is done when it is on disk. Cancelling the future does not take the work back."""
        done: Future[Result] = Future()
        done.set_running_or_notify_cancel()
        self._waiting.append(_Waiting(work, done))
        try:
            self._thread.submit(self._write_waiting)
        except RuntimeError as error:
            raise StoreError("The store is closed.", hint="Open it again.") from error
        return done

    def close(self) -> None:
        """Write what waits, then end the thread."""
        self._thread.shutdown(wait=True)

    def _write_waiting(self) -> None:
        batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
        if len(batch) < 2:
            for item in batch:
                self._settle(item)
            return
        try:
            results = self._write(batch)
        except (SQLAlchemyError, StoreError):  # of one of them: the others must not fail with it
            for item in batch:
                self._settle(item)
        except BaseException as error:
            for item in batch:
                item.done.set_exception(error)
            raise
        else:
            for item, result in zip(batch, results, strict=True):
                item.done.set_result(result)

    def _settle(self, item: _Waiting) -> None:
        """Write one piece by itself."""
        try:
            item.done.set_result(self._write([item])[0])
        except SQLAlchemyError as error:
            item.done.set_exception(store_error(error, "Recording failed."))
        except BaseException as error:
            item.done.set_exception(error)
            if not isinstance(error, StoreError):
                raise

    def _write(self, batch: Sequence[_Waiting]) -> list[Any]:
        try:
            with self._engine.begin() as connection:
                results = [item.work(connection) for item in batch]
        except BaseException:
            self._journal.forget()
            raise
        return results


class StoreRecorder:
    """Where events are kept; implements `core.protocols.Recorder`."""

    def __init__(self, writer: Writer, journal: Journal) -> None:
        self._writer = writer
        self._journal = journal

    async def commit(self, run_id: str, events: Sequence[RunEvent]) -> None:
        """Keep events of a run. When this returns, they are on disk; StoreError if they could not be written."""
        if events:
            await asyncio.wrap_future(self._submit(run_id, make_facts(events)))

    def commit_now(self, run_id: str, events: Sequence[RunEvent]) -> int:
        """The same for callers without an event loop; return the run's display number."""
        return self._submit(run_id, make_facts(events)).result()

    def _submit(self, run_id: str, facts: list[Fact]) -> Future[int]:
        return self._writer.submit(lambda connection: self._journal.append(connection, run_id, facts))
