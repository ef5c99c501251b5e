"""A place for records: a file of SQLite, or a server of PostgreSQL that several people share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from sqlalchemy import Connection, Engine


class DatabaseState(NamedTuple):
    """What stands at a place before it is opened for work."""

    new: bool
    """Nothing there, or an empty database."""
    revision: str | None
    """The schema's revision."""


class LifeSign(Protocol):
    """Which processes are still writing: a lock that the system gives back when a process dies, whatever killed it.

    So a run whose owner's lock can be taken was left behind, and a run of another living program is left alone.
    """

    owner: str
    """What running runs of this process are marked with."""

    def begin(self) -> None:
        """Make the sign, before anything is written under this owner's name; raise StoreError."""

    def is_alive(self, owner: str) -> bool:
        """Whether the process behind an owner mark still runs."""

    def sweep(self) -> None:
        """Remove what dead processes left behind."""

    def end(self) -> None:
        """Give the lock back."""


class Database(Protocol):
    """What differs between the two. Everything else of the store is the same SQL."""

    name: str
    """How messages name it; without a password."""

    def examine(self) -> DatabaseState:
        """Look without changing anything; raise StoreError if it cannot be reached or belongs to another program."""

    def make(self) -> None:
        """Prepare the place for a new database; raise StoreError."""

    def unmake(self) -> None:
        """Take away what `make` prepared, as far as nothing came into it."""

    def held_by(self, wait_s: float) -> str:
        """Why nobody can write now, as a sentence; empty if somebody can. Others are waited for while they are at work.

        `wait_s` is how long who holds the lock may do nothing.
        """

    def writing_engine(self) -> Engine:
        """Engine whose transactions wait for each other when they begin, also for those of other programs."""

    def reading_engine(self) -> Engine:
        """Engine that cannot write; its transactions see one moment of the database."""

    def life_sign(self) -> LifeSign:
        """This process's sign of life."""

    def keep_copy(self, revision: str | None, head: str) -> None:
        """Keep what is there before an upgrade from `revision` to `head`; raise StoreError."""

    def copy_elsewhere(self) -> Database | None:
        """A copy that may be upgraded to be read, gone when the program ends; None if there is no such way. Raise StoreError."""

    def mark(self, connection: Connection) -> None:
        """Mark a new database as this program's."""

    def copy_to(self, path: Path) -> None:
        """Copy the database while it is in use; raise StoreError or InvalidInput."""

    def problems(self, connection: Connection) -> list[str]:
        """Damage, as sentences; empty if it is sound."""

    def size(self) -> int:
        """Bytes that it takes."""

    def table_sizes(self, connection: Connection) -> dict[str, int]:
        """Bytes of each table with its indexes, the search index as `run_text`; empty where nobody can tell."""

    def free(self, connection: Connection) -> int:
        """Bytes that stand empty inside, to be used again."""

    def shrink(self) -> int:
        """Give room that stands empty back, as far as the place can, and leave nothing of what was removed; raise StoreError.

        Return how many bytes the records take less.
        """

    def stoppable(self, connection: Connection, stop: Callable[[], bool] | None) -> AbstractContextManager[None]:
        """Ask `stop` now and then while queries run inside the block; True interrupts them."""
