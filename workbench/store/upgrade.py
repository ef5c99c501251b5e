"""Bringing a database to this version's schema: numbered steps, never edited, after a copy of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import StoreError

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection, Engine

    from workbench.store.database import Database

HEAD = "r0008"
"""The newest step; a test holds it against the folder of migrations."""
MIGRATIONS = Path(__file__).parent / "migrations"


def alembic_config() -> Config:
    """Alembic's settings, made here: no file to find in a frozen build."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    return config


def bring_up_to_date(database: Database, engine: Engine, *, keep: bool = True) -> None:
    """Create or upgrade a database; raise StoreError for a newer, foreign or damaged one, leaving it alone.

    What stood there is copied first; without `keep` it is a copy itself.
    """
    if _is_current(database):
        return
    with engine.begin() as connection:  # the write lock: a second program waits here and then finds nothing to do
        state = database.examine()
        if state.revision == HEAD:
            return
        if keep and not state.new:
            database.keep_copy(state.revision, HEAD)
        _upgrade(connection)
        database.mark(connection)


def _is_current(database: Database) -> bool:
    state = database.examine()
    if not state.new and state.revision != HEAD:
        _refuse_newer(database.name, state.revision)
    return state.revision == HEAD


def is_known(revision: str | None) -> bool:
    """Whether a revision is this version's or an older one's."""
    from alembic.script import ScriptDirectory

    return revision in {script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()}


def _refuse_newer(name: str, revision: str | None) -> None:
    if not is_known(revision):
        raise StoreError(
            f"The database {name!r} was written by a newer version (schema {revision}).",
            hint="Install that version, or give another data folder.",
        )


def _upgrade(connection: Connection) -> None:
    from alembic import command

    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
