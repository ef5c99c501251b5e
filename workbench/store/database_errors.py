"""The database library's errors in words that a user can act on."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from workbench.core.atomic_files import not_written
from workbench.core.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ANOTHER = "Give another data folder with --home or WORKBENCH_HOME."
COPIES = "The file was left as it is; copies, if any were made, are in the folder `backups`."
_KNOWN = (
    ("disk is full", "The disk is full.", "Free some space; nothing that was recorded before is lost."),
    ("is locked", "Another program keeps the database locked.", "Close it or wait; then try again."),
    ("busy", "Another program keeps the database locked.", "Close it or wait; then try again."),
    (
        "readonly",
        "The database cannot be written.",
        "Check the permissions of the file, of its -wal and -shm, and of the folder.",
    ),
    ("unable to open", "The database cannot be opened.", "Check the path and the permissions of its folder."),
    ("i/o error", "The disk is full or reports an error.", "Free some space, or check the disk."),
    ("malformed", "The database is damaged.", COPIES),
    ("not a database", "The file is not a database.", "Give another data folder, or move the file away."),
    ("interrupted", "The query was stopped.", ""),
    ("canceling statement", "The query was stopped.", ""),
    ("server closed the connection", "The database server went away.", "Is it running? Then try again."),
    ("connection is lost", "The database server went away.", "Is it running? Then try again."),
    ("terminating connection", "The database server went away.", "Is it running? Then try again."),
    ("connection refused", "The database server does not answer.", "Is it running? Then try again."),
    ("no such file or directory", "The database server does not answer.", "Is it running? Then try again."),
    ("permission denied", "The database user may not do that.", "Ask whoever runs the server."),
)


def unwritable(database: Path, problem: OSError) -> StoreError:
    """Say what keeps a file from being written; where its place is not the user's to change, how to take another."""
    error = not_written(database, problem)
    own = problem.errno in (errno.EROFS, errno.EACCES, errno.EPERM)
    return StoreError(error.message, hint=ANOTHER if own else error.hint)


def store_error(error: Exception, what: str) -> StoreError:
    """Say what could not be done and why; `what` is a sentence such as `Recording in 'workbench.db' failed.`"""
    cause = _cause(error)
    if isinstance(error, IntegrityError) and ("run_details.id" in cause or "uq_run_details_id" in cause):
        return StoreError(f"{what} A run with this id is recorded already.")
    for sign, reason, hint in _KNOWN:
        if sign in cause.lower():
            if "locked" in reason:  # nothing failed: it cannot even begin
                return StoreError(reason, hint=hint)
            return StoreError(f"{what} {reason}", hint=hint)
    return StoreError(f"{what} The database says: {cause}.")


def no_room(error: SQLAlchemyError) -> bool:
    """Whether a disk that is full is the reason; SQLite calls it an error of input or output where its own notes found no room."""
    return any(sign in _cause(error).lower() for sign in ("disk is full", "i/o error"))


def _cause(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error)


@contextmanager
def said_plainly(what: str) -> Iterator[None]:
    """Turn errors of the database library inside the block into StoreError."""
    try:
        yield
    except SQLAlchemyError as error:
        raise store_error(error, what) from error


@contextmanager
def read_plainly(what: str) -> Iterator[None]:
    """The same for reading: a row that holds something else than this program writes is damage, too."""
    try:
        with said_plainly(what):
            yield
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise StoreError(f"{what} The database is damaged: {type(error).__name__}: {error}.", hint=COPIES) from error
