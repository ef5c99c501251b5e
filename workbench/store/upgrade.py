"""Bringing a database file to this version's schema: numbered steps, never edited, after a copy of the file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import StoreError
from workbench.store import sqlite

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection, Engine

HEAD = "r0003"
"""The newest step; a test holds it against the folder of migrations."""
MIGRATIONS = Path(__file__).parent / "migrations"


def alembic_config() -> Config:
    """Alembic's settings, made here: no file to find in a frozen build."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    return config


def bring_up_to_date(path: Path, engine: Engine) -> None:
    """Create or upgrade the file at `path`; raise StoreError for a newer, foreign or damaged one, leaving it alone."""
    if _is_current(path):
        return
    with engine.begin() as connection:  # the write lock: a second program waits here and then finds nothing to do
        state = sqlite.examine(path)
        if state.revision == HEAD:
            return
        if not state.new:
            sqlite.copy_file(path, _copy_name(path, state.revision))
        _upgrade(connection)


def _is_current(path: Path) -> bool:
    state = sqlite.examine(path)
    if not state.new and state.revision != HEAD:
        _refuse_newer(path, state.revision)
    return state.revision == HEAD


def _refuse_newer(path: Path, revision: str | None) -> None:
    from alembic.script import ScriptDirectory

    known = {script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()}
    if revision not in known:
        raise StoreError(
            f"The database {str(path)!r} was written by a newer version (schema {revision}).",
            hint="Install that version, or give another data folder.",
        )


def _copy_name(path: Path, revision: str | None) -> Path:
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    return path.parent / "backups" / f"{path.stem}-before-{HEAD}-from-{revision}-{moment}.db"


def _upgrade(connection: Connection) -> None:
    from alembic import command

    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    sqlite.mark_as_ours(connection)
