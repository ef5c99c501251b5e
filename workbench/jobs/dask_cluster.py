"""Pieces done by the workers of a Dask cluster, which must have the same version of the workbench installed."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from workbench.core.errors import InvalidInput, MissingLibrary, WorkbenchError
from workbench.jobs.executor import stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType

Piece = TypeVar("Piece")
Done = TypeVar("Done")

AHEAD = 3
"""Pieces a worker's thread that are under way."""
WAIT_S = 10
TRIES = 3


class DaskCluster:
    """A client of a scheduler; implements `jobs.executor.PieceExecutor`. The scheduler repeats the pieces of a lost worker."""

    own_homes = True

    def __init__(self, address: str) -> None:
        """Raise MissingLibrary without the extra `dask`, InvalidInput where no scheduler or no worker answers."""
        try:
            distributed: Any = import_module("distributed")
        except ImportError as error:
            raise MissingLibrary.of_extra("The library for Dask clusters is not installed.", "dask") from error
        self._distributed = distributed
        try:
            self._client: Any = distributed.Client(address, timeout=WAIT_S, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise InvalidInput(
                f"No Dask scheduler answers at {address!r}.", hint="Start one: dask scheduler."
            ) from error
        self._under_way: set[Any] = set()
        self.workers = sum(self._client.nthreads().values())
        if not self.workers:
            self._client.close()
            raise InvalidInput(
                f"The scheduler at {address!r} has no workers.", hint=f"Start some: dask worker {address}."
            )

    def submit(self, work: Callable[[Piece], Done], piece: Piece) -> Future[Done]:
        """Do one piece on some worker, and on another one if that is lost."""
        told: Future[Done] = Future()
        told.set_running_or_notify_cancel()
        remote = self._client.submit(work, piece, pure=False)
        self._under_way.add(remote)

        def ended(remote: Any) -> None:
            self._under_way.discard(remote)
            if remote.cancelled():
                told.set_exception(stopped())
            elif (error := remote.exception()) is not None:
                told.set_exception(_fatal() if isinstance(error, self._distributed.KilledWorker) else error)
            else:
                told.set_result(remote.result())

        remote.add_done_callback(ended)
        return told

    def map(self, work: Callable[[Piece], Done], pieces: Iterable[Piece]) -> Iterator[Done]:
        """Do each piece on some worker."""
        waiting: deque[Any] = deque()
        try:
            for piece in pieces:
                waiting.append(self._client.submit(work, piece, pure=False, retries=TRIES))
                if len(waiting) >= self.workers * AHEAD:
                    yield self._result(waiting.popleft())
            while waiting:
                yield self._result(waiting.popleft())
        finally:
            if waiting:
                self._client.cancel(list(waiting), force=True)

    def _result(self, future: Any) -> Any:
        try:
            return future.result()
        except self._distributed.KilledWorker as error:
            raise _fatal() from error

    def __enter__(self) -> DaskCluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError, TimeoutError):
            self._client.close(timeout=WAIT_S)


def _fatal() -> WorkbenchError:
    return WorkbenchError(
        "A piece of the job took several workers down with it.", hint="Was their memory used up? Take more of it."
    )
