"""What only PostgreSQL can do, part one of two: reaching a server that several people write to at once.

Each transaction that writes takes one lock of the database's when it begins, as SQLite does with its file: programs wait for each other
instead of failing half-way, and runs get their numbers in the order in which they are committed.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from workbench.core.errors import InvalidInput, MissingLibrary, SettingsError, StoreError
from workbench.store.database import DatabaseState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import URL, Connection, Engine

WRITERS = 0x57424348
"""The lock of those who write; the other half of its key is this database."""
ASKED_EVERY_S = 0.05
WAIT_S = 10.0
MEMORY = "32MB"
"""Of a step of a query: the numbers of a million matches fit, which else go to the server's disk and back."""
_IDLE = text(
    "SELECT count(*) > 0 FROM pg_locks JOIN pg_stat_activity USING (pid)"
    f" WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = {WRITERS} AND objsubid = 1 AND datname = current_database()"
    " AND state LIKE 'idle in transaction%' AND clock_timestamp() - state_change >= make_interval(secs => :wait_s)"
)
"""Whether who holds the lock of those who write has done nothing for so many seconds."""


class PostgresServer:
    """A database on a server; implements `database.Database`."""

    def __init__(self, address: str) -> None:
        """Raise SettingsError for an address that cannot be one, MissingLibrary without the extra `postgres`."""
        self._url = _read(address)
        self.name = self._url.render_as_string(hide_password=True)
        try:
            import psycopg  # noqa: F401
        except ImportError as error:
            text = "The library for PostgreSQL is not installed."
            raise MissingLibrary.of_extra(text, "postgres") from error

    def examine(self) -> DatabaseState:
        """Look at the tables."""
        engine = create_engine(self._url, poolclass=NullPool, connect_args={"connect_timeout": int(WAIT_S)})
        try:
            with engine.connect() as connection:
                return self._state(connection)
        except OperationalError as error:
            cause = re.sub(r"\[Errno -?\d+\] ", "", str(error.orig).strip().splitlines()[0])
            raise StoreError(
                f"The database {self.name!r} cannot be reached: {cause}.",
                hint="Does the server run, are user and password right?",
            ) from error
        finally:
            engine.dispose()

    def _state(self, connection: Connection) -> DatabaseState:
        tables = set(inspect(connection).get_table_names())
        if not tables & {"alembic_version", "runs"}:
            return DatabaseState(True, None)
        if not tables >= {"alembic_version", "runs", "run_text"}:
            raise StoreError(
                f"{self.name!r} is a database of another program.", hint="Give another one for the records."
            )
        row = connection.execute(text("SELECT version_num FROM alembic_version")).first()
        return DatabaseState(False, row[0] if row else None)

    def make(self) -> None:
        """Databases are made by those who run the server."""

    def unmake(self) -> None:
        """Nothing was made."""

    def held_by(self, wait_s: float) -> str:
        """Try the lock of those who write. Users of whom the server does not tell what they do are taken for busy."""
        end = time.monotonic() + WAIT_S
        engine = create_engine(self._url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            while not connection.execute(text(f"SELECT pg_try_advisory_xact_lock({WRITERS})")).scalar_one():
                if connection.execute(_IDLE, {"wait_s": wait_s}).scalar_one() or time.monotonic() > end:
                    return "another program keeps the database locked."
                time.sleep(ASKED_EVERY_S)
        return ""

    def writing_engine(self) -> Engine:
        """Each transaction waits for those of others."""
        engine = create_engine(self._url, pool_size=1, max_overflow=2, pool_pre_ping=True)

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITERS})")

        return engine

    def reading_engine(self) -> Engine:
        """Transactions that see one moment and write nothing. Each query is planned for its own values: a plan for any word is none."""
        return create_engine(
            self._url, pool_size=4, max_overflow=16, pool_pre_ping=True, isolation_level="REPEATABLE READ",
            connect_args={"options": f"-c default_transaction_read_only=on -c jit=off -c work_mem={MEMORY}", "prepare_threshold": None},
        )  # fmt: skip

    def life_sign(self) -> ServerLifeSign:
        """A lock of this process's session."""
        return ServerLifeSign(self._url)

    def keep_copy(self, revision: str | None, head: str) -> None:
        """Nothing: an upgrade is one transaction, and copies are the server's business."""

    def copy_elsewhere(self) -> None:
        """A server is not copied."""

    def mark(self, connection: Connection) -> None:
        """Nothing: the tables say whose they are."""

    def copy_to(self, path: Path) -> None:
        """The server has its own ways; a file of SQLite is another command's."""
        raise InvalidInput(
            f"{self.name!r} cannot be copied to {str(path)!r} as it is.",
            hint="Use pg_dump, or `workbench db copy` into a file.",
        )

    def problems(self, connection: Connection) -> list[str]:
        """Every foreign key is checked by the server; what is left are events without their run's first."""
        query = (
            "SELECT number FROM runs WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.number = runs.number) LIMIT 20"
        )
        return [f"run {row[0]} has no events" for row in connection.execute(text(query))]

    def size(self) -> int:
        """Bytes of the whole database."""
        engine = create_engine(self._url, poolclass=NullPool)
        with engine.connect() as connection:
            return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())

    def table_sizes(self, connection: Connection) -> dict[str, int]:
        """As the server counts them, indexes and large values included."""
        query = (
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        )
        return {str(name): int(size) for name, size in connection.execute(text(query))}

    def free(self, connection: Connection) -> int:  # noqa: ARG002  as SQLite needs it
        """The server tells nobody without an extension of its own."""
        return 0

    def shrink(self) -> int:
        """Let the server use the room again; files keep their size, others go on working."""
        before = self.size()
        engine = create_engine(self._url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                connection.execute(text("VACUUM (ANALYZE)"))
        except SQLAlchemyError as error:
            raise StoreError(f"The room could not be given back: {str(error).splitlines()[0]}.") from error
        return max(before - self.size(), 0)

    @contextmanager
    def stoppable(self, connection: Connection, stop: Callable[[], bool] | None) -> Iterator[None]:
        """A thread asks, and tells the server to cancel the query."""
        raw: Any = connection.connection.dbapi_connection
        if stop is None or raw is None:
            yield
            return
        over = threading.Event()

        def watch() -> None:
            while not over.wait(ASKED_EVERY_S):
                if stop():  # said again: what arrives before a query begins cancels nothing
                    raw.cancel()

        watcher = threading.Thread(target=watch, name="store-stop", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()


class ServerLifeSign:
    """A lock that the server gives back when the session ends; implements `database.LifeSign`."""

    def __init__(self, url: URL) -> None:
        self.owner = f"{secrets.randbits(62):016x}"
        self._engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        self._session: Connection | None = None
        self._order = threading.Lock()

    def begin(self) -> None:
        """Take the lock, also anew where the server was restarted."""
        with self._order:
            if self._session is not None:
                with suppress(SQLAlchemyError):
                    self._session.execute(text("SELECT 1"))
                    return
                self._session.invalidate()
                self._session = None
            session = self._engine.connect()
            session.execute(text("SELECT pg_advisory_lock(:key)"), {"key": int(self.owner, 16)})
            self._session = session

    def is_alive(self, owner: str) -> bool:
        """Try the owner's lock in a session of its own; files of SQLite have other marks, which nobody holds here."""
        if owner == self.owner:
            return True
        key = int(owner[:16], 16) & (2**63 - 1)
        with self._engine.connect() as session:
            return not session.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": key}).scalar_one()

    def sweep(self) -> None:
        """The server keeps nothing of the dead."""

    def end(self) -> None:
        """Give the lock back."""
        with self._order:
            if self._session is not None:
                self._session.close()
                self._session = None


def _read(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError) as error:
        raise SettingsError(
            "The address of the database cannot be read.", hint="Write postgresql+psycopg://USER@HOST/NAME."
        ) from error
    if url.get_backend_name() != "postgresql":
        raise SettingsError(
            f"{url.drivername!r} is no kind of database that is known here.",
            hint="Write postgresql+psycopg://USER@HOST/NAME, or leave `database` out for a file of SQLite.",
        )
    return url.set(drivername="postgresql+psycopg")
