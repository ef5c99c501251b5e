"""Pieces done by processes of this computer."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any, TypeVar

from workbench.core.errors import WorkbenchError
from workbench.jobs.executor import stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType

Piece = TypeVar("Piece")
Done = TypeVar("Done")

AHEAD = 2
"""Pieces a process that are under way, so that none waits for the next one."""
TRIES = 3
"""How often a piece may take its process down with it."""


GRACE_S = 2
"""How long a process may still end its piece by itself once its parent is gone."""


class Processes:
    """A pool that is made anew when one of its processes dies; implements `jobs.executor.PieceExecutor`."""

    own_homes = False

    def __init__(self, workers: int = 0) -> None:
        """0: one a core."""
        self.workers = workers or os.cpu_count() or 1
        self._pool = self._start()
        self._order = threading.Lock()

    def _start(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # threads and Qt do not survive a fork
        return ProcessPoolExecutor(self.workers, mp_context=context, initializer=_belong_to_parent)

    def map(self, work: Callable[[Piece], Done], pieces: Iterable[Piece]) -> Iterator[Done]:
        """Do each piece; those that a dead process had are done again."""
        waiting: deque[tuple[Piece, Future[Done]]] = deque()
        source, lost = iter(pieces), 0
        while True:
            while len(waiting) < self.workers * AHEAD and (piece := next(source, _END)) is not _END:
                waiting.append((piece, self._submit(work, piece)))
            if not waiting:
                return
            try:
                result = waiting[0][1].result()
            except BrokenProcessPool as error:
                lost += 1
                if lost >= TRIES:
                    raise _died() from error
                self._pool.shutdown(wait=False, cancel_futures=True)
                self._pool = self._start()
                waiting = deque((piece, self._submit(work, piece)) for piece, _ in waiting)
                continue
            lost = 0
            waiting.popleft()
            yield result

    def submit(self, work: Callable[[Piece], Done], piece: Piece) -> Future[Done]:
        """Do one piece; with a dead process the others of its pool go too, and all their pieces are done again."""
        told: Future[Done] = Future()
        told.set_running_or_notify_cancel()
        self._send(work, piece, told, 1)
        return told

    def _send(self, work: Callable[[Piece], Done], piece: Piece, told: Future[Done], attempt: int) -> None:
        with self._order:
            inner = self._submit(work, piece)
            pool = self._pool

        def ended(inner: Future[Done]) -> None:
            error = stopped() if inner.cancelled() else inner.exception()
            if isinstance(error, BrokenProcessPool) and attempt < TRIES:
                with self._order:
                    if self._pool is pool:
                        self._pool = self._start()
                self._send(work, piece, told, attempt + 1)
            elif isinstance(error, BrokenProcessPool):
                told.set_exception(_died())
            elif error is not None:
                told.set_exception(error)
            else:
                told.set_result(inner.result())

        inner.add_done_callback(ended)

    def _submit(self, work: Callable[[Piece], Done], piece: Piece) -> Future[Done]:
        try:
            return self._pool.submit(work, piece)
        except BrokenProcessPool:  # one died between two pieces
            self._pool = self._start()
            return self._pool.submit(work, piece)

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=error is None, cancel_futures=True)


_END: Any = object()


def _died() -> WorkbenchError:
    return WorkbenchError(
        f"A process of the job died {TRIES} times at the same piece.", hint="Was its memory used up? Take fewer."
    )


def _belong_to_parent() -> None:
    """Ctrl+C is for the process that asked: it stops the job and tells what is done. Where that one is killed, go with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """The pool's own processes would wait for their next piece for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        time.sleep(GRACE_S)
        os._exit(1)
