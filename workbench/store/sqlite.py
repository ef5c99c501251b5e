"""What only SQLite can do, part one of two: opening a file safely, copying it while in use, checking it.

Write-ahead logging with `synchronous=NORMAL`: what was committed survives the death of the process (a power cut may
take the last moments, never the file). Every transaction that writes says so when it begins, so that two programs on
one file wait for each other instead of failing half-way.
"""

from __future__ import annotations

import atexit
import shutil
import sqlite3
import tempfile
import time
from collections import Counter
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool, QueuePool

from workbench.core.atomic_files import check_folder, replaced_file
from workbench.core.errors import InvalidInput, StoreError
from workbench.store.database import DatabaseState
from workbench.store.database_errors import COPIES, store_error, unwritable
from workbench.store.lifesign import FileLifeSign
from workbench.store.lock_holders import have_worked, write_holders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from sqlalchemy import Connection

APPLICATION_ID = 0x57424348
"""Marks the file as ours in its header: `WBCH`."""
WAIT_MS = 10_000
"""How long to wait for another program's transaction."""
CACHE_KB = 16_384
"""Pages that one connection keeps; the system's own file cache does the rest."""
STEPS_BETWEEN_QUESTIONS = 20_000
"""Steps of a query after which its caller is asked whether to go on; some milliseconds."""


class SqliteFile:
    """A database in a file; implements `database.Database`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)
        self._made = False

    def examine(self) -> DatabaseState:
        """Look at the file."""
        return examine(self.path)

    def make(self) -> None:
        """Make the folder, and a new file for this user alone."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if examine(self.path).new:
                self._made = not self.path.exists()
                self.path.touch(mode=0o600)
        except OSError as error:
            raise StoreError(
                f"The database {self.name!r} cannot be made: {error.strerror}.", hint="Give another data folder."
            ) from error

    def unmake(self) -> None:
        """Remove the new file and SQLite's notes beside it."""
        with suppress(OSError, StoreError):
            if self._made and examine(self.path).new:
                for file in _files_of(self.path):
                    file.unlink(missing_ok=True)

    def held_by(self, wait_s: float) -> str:
        """Try the file's write lock."""
        return lock_holder(self.path, wait_s)

    def writing_engine(self) -> Engine:
        """Transactions take the write lock when they begin."""
        return writing_engine(self.path)

    def reading_engine(self) -> Engine:
        """Transactions see one moment."""
        return reading_engine(self.path)

    def life_sign(self) -> FileLifeSign:
        """A locked file beside the database."""
        return FileLifeSign(self.path)

    def keep_copy(self, revision: str | None, head: str) -> None:
        """Copy the file into the folder of backups."""
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        name = f"{self.path.stem}-before-{head}-from-{revision}-{moment}.db"
        copy_file(self.path, self.path.parent / "backups" / name)

    def copy_elsewhere(self) -> SqliteFile:
        """A copy in the system's folder for such files; it keeps the name."""
        try:
            copy = SqliteFile(_folder_for_copies() / self.path.name)
        except OSError as error:  # none of the system's folders can be written
            raise StoreError(f"There is no folder for a copy: {error.strerror}.") from error
        copy_file(self.path, copy.path)
        copy.name = self.name
        return copy

    def mark(self, connection: Connection) -> None:
        """Write the program's mark into the header of a new file."""
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")

    def copy_to(self, path: Path) -> None:
        """Copy the file; raise InvalidInput if something stands at the path."""
        if path.exists():
            raise InvalidInput(f"{str(path)!r} exists already.", hint="Give the copy another name.")
        copy_file(self.path, path)

    def problems(self, connection: Connection) -> list[str]:
        """Sentences of SQLite's own check."""
        return integrity_problems(connection)

    def size(self) -> int:
        """Bytes of the file and its log."""
        files = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def table_sizes(self, connection: Connection) -> dict[str, int]:
        """Pages by table, where this SQLite was built to tell."""
        owners = {
            str(name): str(table)
            for name, table in connection.exec_driver_sql("SELECT name, tbl_name FROM sqlite_master")
        }
        try:
            pages = connection.exec_driver_sql("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE").all()
        except OperationalError:  # an option of its build
            return {}
        found = Counter[str]()
        for name, size in pages:
            table = owners.get(str(name), str(name))
            found["run_text" if table.startswith("run_text") else table] += int(size)
        return dict(found)

    def free(self, connection: Connection) -> int:
        """Pages on the list of free ones."""
        pages, size = (
            connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("freelist_count", "page_size")
        )
        return int(pages) * int(size)

    def shrink(self) -> int:
        """Write the file anew: only so nothing of what was removed is left in it, the words of the search included."""
        try:
            check_folder(self.path.parent)
        except OSError as error:
            raise unwritable(self.path, error) from error
        settle(self.path)  # the log of what was just removed took no room before
        before = self.size()
        shrink(self.path)
        return max(before - self.size(), 0)

    def stoppable(self, connection: Connection, stop: Callable[[], bool] | None) -> AbstractContextManager[None]:
        """Ask now and then between a query's steps."""
        return stoppable(connection, stop)


def examine(path: Path) -> DatabaseState:
    """Look at a file without changing it; raise StoreError if it is not a database of this program."""
    try:
        for file in _files_of(path):
            if file.exists() and not file.is_file():
                raise StoreError(
                    f"{str(file)!r} is no regular file, as a database's must be.",
                    hint="Move it away, or give another data folder.",
                )
        if not path.exists() or path.stat().st_size == 0:
            return DatabaseState(True, None)
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
            raise StoreError(f"The database {str(path)!r} is damaged.", hint=COPIES) from error
        raise StoreError(
            f"The database {str(path)!r} cannot be opened: {error}.", hint="Check the disk and its permissions."
        ) from error


def _files_of(path: Path) -> list[Path]:
    """The file and SQLite's notes beside it."""
    return [path.with_name(path.name + end) for end in ("", "-wal", "-shm")]


def _look_inside(path: Path) -> DatabaseState:
    with closing(sqlite3.connect(_reading_uri(path), uri=True, timeout=WAIT_MS / 1000)) as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not tables:
            return DatabaseState(True, None)
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        if mark != APPLICATION_ID or "alembic_version" not in tables:
            raise StoreError(
                f"{str(path)!r} is a database of another program.", hint="Give another data folder for the records."
            )
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return DatabaseState(False, row[0] if row else None)


def writing_engine(path: Path) -> Engine:
    """Engine whose transactions take the write lock when they begin."""
    return _engine(
        path, "BEGIN IMMEDIATE", "PRAGMA page_size = 8192", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL"
    )


def reading_engine(path: Path) -> Engine:
    """Engine that cannot write; its transactions see one moment of the database."""
    uri = _reading_uri(path)
    return _engine(path if uri == _plain_uri(path) else uri, "BEGIN", "PRAGMA query_only = ON")


def _plain_uri(path: Path) -> str:
    return f"{path.absolute().as_uri()}?mode=ro"


def _reading_uri(path: Path) -> str:
    """How a file can be read: where its disk is full or read-only, SQLite cannot keep its own notes beside it.

    Then nobody can be writing either: without a log the file is read as it is, with one from a copy in the system's
    folder for such files. Raise sqlite3.DatabaseError where nothing helps.
    """
    try:
        _try_to_read(_plain_uri(path))
        return _plain_uri(path)
    except sqlite3.OperationalError as error:
        cause = str(error).lower()
        if not any(sign in cause for sign in ("unable to open", "i/o error", "readonly", "disk is full")):
            raise
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size:
            path = _copied(path, log)
            return _plain_uri(path)
        uri = f"{path.absolute().as_uri()}?immutable=1"
        _try_to_read(uri)
        return uri


def _try_to_read(uri: str) -> None:
    with closing(sqlite3.connect(uri, uri=True, timeout=WAIT_MS / 1000)) as connection:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()


@cache
def _copied(path: Path, log: Path) -> Path:
    """A copy of a file and its log, gone when the program ends; one a program."""
    folder = _folder_for_copies()
    shutil.copyfile(log, folder / log.name)
    return Path(shutil.copyfile(path, folder / path.name))


def _folder_for_copies() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="workbench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def lock_holder(path: Path, wait_s: float) -> str:
    """Why nobody can write now, as a sentence; empty if the write lock is free. Others that are at work are waited for."""
    end = time.monotonic() + WAIT_MS / 1000
    while True:
        before, holders = _seen_of(path), write_holders(path)
        try:
            with closing(sqlite3.connect(path, timeout=wait_s, isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error).lower():
                return ""  # whoever writes is told of everything else
            after = write_holders(path)
            at_work = _seen_of(path) != before or have_worked(holders, after, wait_s)
            if not at_work or time.monotonic() > end:
                names = ", ".join(f"{holder.name} (process {holder.process})" for holder in after)
                return f"another program keeps the database locked{names and ': '}{names}."
        else:
            return ""


def _seen_of(path: Path) -> list[tuple[int, int]]:
    """What changes when somebody writes."""
    files = (path, path.with_name(f"{path.name}-wal"))
    return [(file.stat().st_mtime_ns, file.stat().st_size) for file in files if file.exists()]


def _engine(place: Path | str, begin: str, *pragmas: str) -> Engine:
    settings: dict[str, Any] = {"check_same_thread": False, "timeout": WAIT_MS / 1000}
    pooling: dict[str, Any] = (
        {"poolclass": NullPool}
        if "IMMEDIATE" in begin
        else {"poolclass": QueuePool, "pool_size": 4, "max_overflow": 16}
    )
    if isinstance(place, str):
        engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(place, uri=True, **settings), **pooling)
    else:
        engine = create_engine(URL.create("sqlite", database=str(place)), connect_args=settings, **pooling)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin when we say so, not when Python guesses
        for pragma in ("PRAGMA foreign_keys = ON", f"PRAGMA cache_size = -{CACHE_KB}", *pragmas):
            _execute_patiently(connection, pragma)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _execute_patiently(connection: Any, pragma: str) -> None:
    """Execute a pragma; SQLite does not wait for another program where the journal's mode changes, so this does."""
    end = time.monotonic() + WAIT_MS / 1000
    while True:
        try:
            connection.execute(pragma).fetchall()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error).lower() or time.monotonic() > end:
                raise
            time.sleep(0.02)


def copy_file(source: Path, target: Path) -> None:
    """Copy a database that may be in use; raise StoreError. The target appears only when it is complete."""
    with replaced_file(target, error=StoreError) as part:
        try:
            with closing(sqlite3.connect(_reading_uri(source), uri=True)) as old, closing(sqlite3.connect(part)) as new:
                old.backup(new, pages=4096)
                new.execute("PRAGMA journal_mode = DELETE").fetchall()
        except sqlite3.Error as error:
            raise store_error(error, f"The copy {str(target)!r} could not be written.") from error


def settle(path: Path) -> None:
    """Move what stands in the write-ahead log into the file, as far as nobody reads there."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=WAIT_MS / 1000)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def shrink(path: Path) -> None:
    """Write a file anew without its empty pages; raise StoreError, as where another program is at work in it."""
    try:
        with closing(sqlite3.connect(path, timeout=WAIT_MS / 1000, isolation_level=None)) as connection:
            connection.execute("INSERT INTO run_text(run_text) VALUES('optimize')")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:
        told = store_error(error, "The room could not be given back.")
        told.hint = f"{told.hint} The file is written anew, which takes its size on the disk once more."
        raise told from error


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
