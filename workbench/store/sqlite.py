"""What only SQLite can do, part one of two: opening a file safely, copying it while in use, checking it.

Write-ahead logging with `synchronous=NORMAL`: what was committed survives the death of the process (a power cut may
take the last moments, never the file). Every transaction that writes says so when it begins, so that two programs on
one file wait for each other instead of failing half-way.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.pool import NullPool

from workbench.core.atomic_files import replaced_file
from workbench.core.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection

APPLICATION_ID = 0x57424348
"""Marks the file as ours in its header: `WBCH`."""
WAIT_MS = 10_000
"""How long to wait for another program's transaction."""
CACHE_KB = 16_384
"""Pages that one connection keeps; the system's own file cache does the rest."""
STEPS_BETWEEN_QUESTIONS = 20_000
"""Steps of a query after which its caller is asked whether to go on; some milliseconds."""


class FileState(NamedTuple):
    """What stands at a path before it is opened for work."""

    new: bool
    """Nothing there, or an empty database."""
    revision: str | None
    """The schema's revision."""


def examine(path: Path) -> FileState:
    """Look at a file without changing it; raise StoreError if it is not a database of this program."""
    try:
        if not path.exists() or path.stat().st_size == 0:
            return FileState(True, None)
        return _look_inside(path)
    except OSError as error:
        raise StoreError(f"The database {str(path)!r} cannot be read: {error.strerror}.") from error
    except sqlite3.DatabaseError as error:
        cause = str(error).lower()
        if "not a database" in cause:
            raise StoreError(
                f"{str(path)!r} is not a database.", hint="Give another data folder, or move the file away."
            ) from error
        if "malformed" in cause:
            raise StoreError(
                f"The database {str(path)!r} is damaged; it was left as it is.",
                hint="Copies are in the folder `backups` beside it.",
            ) from error
        raise StoreError(
            f"The database {str(path)!r} cannot be opened: {error}.", hint="Check its permissions."
        ) from error


def _look_inside(path: Path) -> FileState:
    with closing(
        sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=WAIT_MS / 1000)
    ) as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not tables:
            return FileState(True, None)
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        if mark != APPLICATION_ID or "alembic_version" not in tables:
            raise StoreError(
                f"{str(path)!r} is a database of another program.", hint="Give another data folder for the records."
            )
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return FileState(False, row[0] if row else None)


def writing_engine(path: Path) -> Engine:
    """Engine whose transactions take the write lock when they begin."""
    return _engine(
        path, "BEGIN IMMEDIATE", "PRAGMA page_size = 8192", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL"
    )


def reading_engine(path: Path) -> Engine:
    """Engine that cannot write; its transactions see one moment of the database."""
    return _engine(path, "BEGIN", "PRAGMA query_only = ON")


def _engine(path: Path, begin: str, *pragmas: str) -> Engine:
    settings: dict[str, Any] = {"check_same_thread": False, "timeout": WAIT_MS / 1000}
    pooling: dict[str, Any] = {"poolclass": NullPool} if "IMMEDIATE" in begin else {"pool_size": 4, "max_overflow": 16}
    engine = create_engine(URL.create("sqlite", database=str(path)), connect_args=settings, **pooling)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin when we say so, not when Python guesses
        for pragma in ("PRAGMA foreign_keys = ON", f"PRAGMA cache_size = -{CACHE_KB}", *pragmas):
            connection.execute(pragma).fetchall()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def mark_as_ours(connection: Connection) -> None:
    """Write the program's mark into the header of a new file."""
    connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")


def copy_file(source: Path, target: Path) -> None:
    """Copy a database that may be in use; raise StoreError. The target appears only when it is complete."""
    with replaced_file(target, error=StoreError) as part:
        try:
            with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
                old.backup(new, pages=4096)
                new.execute("PRAGMA journal_mode = DELETE").fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"The copy {str(target)!r} could not be written: {error}.") from error


def integrity_problems(connection: Connection) -> list[str]:
    """Sentences of SQLite's own check; empty if the file is sound."""
    found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
    orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(20)
    return [line for line in found if line != "ok"] + [f"{row[0]} row {row[1]} has no {row[2]} row" for row in orphans]


@contextmanager
def stoppable(connection: Connection, stop: Callable[[], bool] | None) -> Iterator[None]:
    """Ask `stop` now and then while queries run inside the block; True interrupts them."""
    raw: Any = connection.connection.dbapi_connection
    if stop is None or raw is None:
        yield
        return
    raw.set_progress_handler(stop, STEPS_BETWEEN_QUESTIONS)
    try:
        yield
    finally:
        raw.set_progress_handler(None, 0)
