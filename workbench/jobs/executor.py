"""The one seam for big jobs: `map` over pieces, results in the order of the pieces, a bounded number under way."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol, TypeVar

from workbench.core.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType

Piece = TypeVar("Piece")
Done = TypeVar("Done")


class PieceExecutor(Protocol):
    """Does the pieces of a job. Use it in a `with` block: what is still under way at its end is dropped."""

    workers: int
    """How many pieces are done at the same time."""
    own_homes: bool
    """The workers may be on other machines: each has settings and keys of its own."""

    def submit(self, work: Callable[[Piece], Done], piece: Piece) -> Future[Done]:
        """Do one piece, whoever of the workers is lost meanwhile; the future holds what `work` gives or raises."""

    def map(self, work: Callable[[Piece], Done], pieces: Iterable[Piece]) -> Iterator[Done]:
        """Do `work`, a function of a module, on each piece; raise whatever it raises."""

    def __enter__(self) -> PieceExecutor: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class InProcess:
    """One piece after the other, here."""

    workers = 1
    own_homes = False

    def submit(self, work: Callable[[Piece], Done], piece: Piece) -> Future[Done]:
        """Do it at once."""
        with ThreadPoolExecutor(1) as now:
            return now.submit(work, piece)

    def map(self, work: Callable[[Piece], Done], pieces: Iterable[Piece]) -> Iterator[Done]:
        """Do each piece when its result is asked for."""
        return map(work, pieces)

    def __enter__(self) -> InProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


def stopped() -> WorkbenchError:
    """What is told of a piece that was given up with its job."""
    return WorkbenchError("The job was stopped.")
