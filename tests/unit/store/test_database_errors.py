from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy.exc import DatabaseError, IntegrityError, OperationalError

from workbench.core.errors import StoreError
from workbench.store.database_errors import no_room, read_plainly, said_plainly, store_error


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        ("database or disk is full", "The disk is full."),
        ("database is locked", "Another program keeps the database locked."),
        ("attempt to write a readonly database", "The database cannot be written."),
        ("unable to open database file", "The database cannot be opened."),
        ("disk I/O error", "The disk is full or reports an error."),
        ("database disk image is malformed", "The database is damaged."),
        ("something new", "something new"),
    ],
)
def test_causes_are_said_in_plain_words(cause: str, said: str) -> None:
    error = store_error(OperationalError("INSERT …", None, sqlite3.OperationalError(cause)), "Recording in 'x' failed.")

    assert error.message.startswith("Recording in 'x' failed. ") or "locked" in said  # then nothing failed yet
    assert said in error.message
    assert "INSERT" not in str(error)


def test_where_the_lock_is_kept_nothing_failed_yet() -> None:
    error = store_error(OperationalError("", None, sqlite3.OperationalError("database is locked")), "Recording failed.")
    assert (error.message, error.hint) == (
        "Another program keeps the database locked.", "Close it or wait; then try again.",
    )  # fmt: skip


def test_copies_are_only_promised_for_damage() -> None:
    """A disk that is full may never have had room for one."""
    for cause in ("disk I/O error", "database or disk is full"):
        assert "backups" not in store_error(OperationalError("", None, sqlite3.OperationalError(cause)), "").hint
    damaged = store_error(OperationalError("", None, sqlite3.OperationalError("database disk image is malformed")), "")
    assert "copies, if any were made" in damaged.hint


def test_errors_of_the_library_do_not_leave_the_block() -> None:
    with pytest.raises(StoreError, match="Reading failed"), said_plainly("Reading failed."):
        raise DatabaseError("SELECT", None, sqlite3.DatabaseError("x"))


def test_a_row_of_something_else_is_damage() -> None:
    with (
        pytest.raises(StoreError, match=r"could not be read\. The database is damaged: KeyError: 'x'"),
        read_plainly("It could not be read."),
    ):
        raise KeyError("x")


@pytest.mark.parametrize(
    ("cause", "full"), [("database or disk is full", True), ("Disk I/O error", True), ("database is locked", False)]
)
def test_a_full_disk_is_told_from_other_trouble(cause: str, full: bool) -> None:
    assert no_room(OperationalError("INSERT …", None, sqlite3.OperationalError(cause))) is full


@pytest.mark.parametrize(
    "cause",
    ["UNIQUE constraint failed: run_details.id", 'duplicate key value violates unique constraint "uq_run_details_id"'],
    ids=["sqlite", "postgresql"],
)
def test_a_run_recorded_twice_is_named(cause: str) -> None:
    error = store_error(IntegrityError("INSERT …", None, Exception(cause)), "Recording in 'x' failed.")
    assert error.message == "Recording in 'x' failed. A run with this id is recorded already."
