"""Which of the two databases stands behind a place or a connection; each is imported when it is used."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from workbench.store.database import Database
    from workbench.store.search import SearchIndex


def database_at(place: Path | str) -> Database:
    """The database at a path, or behind an address such as `postgresql+psycopg://user@host/name`; raise SettingsError."""
    if isinstance(place, Path):
        from workbench.store.sqlite import SqliteFile

        return SqliteFile(place)
    from workbench.store.postgres import PostgresServer

    return PostgresServer(place)


def index_of(bind: Connection | Engine) -> SearchIndex:
    """The index of a database."""
    if bind.dialect.name == "postgresql":
        from workbench.store.postgres_search import PostgresSearch

        return PostgresSearch()
    from workbench.store.sqlite_search import SqliteSearch

    return SqliteSearch()
