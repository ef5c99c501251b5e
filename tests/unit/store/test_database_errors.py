from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy.exc import DatabaseError, IntegrityError, OperationalError

from tests.kit import runs
from workbench.core.atomic_files import not_written
from workbench.core.errors import StoreError
from workbench.store import Store
from workbench.store.database_errors import no_room, read_plainly, said_plainly, store_error, unwritable


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


SPACE = "Free some space; nothing that was recorded before is lost."
WAIT = "Close it or wait; then try again."
AGAIN = "Is it running? Then try again."
LOCKED = "Another program keeps the database locked."
DAMAGED = "The file was left as it is; copies, if any were made, are in the folder `backups`."


@pytest.mark.parametrize(
    ("cause", "message", "hint"),
    [
        ("Disk is full", "W. The disk is full.", SPACE),
        ("table is locked", LOCKED, WAIT),
        ("database is busy", LOCKED, WAIT),
        ("a readonly database", "W. The database cannot be written.", "Check the permissions of the file, of its -wal and -shm, and of the folder."),
        ("unable to open it", "W. The database cannot be opened.", "Check the path and the permissions of its folder."),
        ("disk I/O error", "W. The disk is full or reports an error.", "Free some space, or check the disk."),
        ("image is malformed", "W. The database is damaged.", DAMAGED),
        ("file is not a database", "W. The file is not a database.", "Give another data folder, or move the file away."),
        ("interrupted", "W. The query was stopped.", ""),
        ("canceling statement due to user request", "W. The query was stopped.", ""),
        ("server closed the connection unexpectedly", "W. The database server went away.", AGAIN),
        ("the connection is lost", "W. The database server went away.", AGAIN),
        ("terminating connection due to a command", "W. The database server went away.", AGAIN),
        ("Connection refused", "W. The database server does not answer.", AGAIN),
        ("No such file or directory", "W. The database server does not answer.", AGAIN),
        ("permission denied for table runs", "W. The database user may not do that.", "Ask whoever runs the server."),
        ("something else", "W. The database says: something else.", ""),
    ],
)  # fmt: skip
def test_each_known_cause_says_what_to_do(cause: str, message: str, hint: str) -> None:
    error = store_error(OperationalError("INSERT …", None, sqlite3.OperationalError(cause)), "W.")
    assert (error.message, error.hint) == (message, hint)


def test_only_the_id_of_a_run_makes_it_one_that_is_recorded_already() -> None:
    other = IntegrityError("INSERT …", None, Exception("UNIQUE constraint failed: events.seq"))
    assert store_error(other, "W.").message == "W. The database says: UNIQUE constraint failed: events.seq."
    named = OperationalError("SELECT …", None, Exception("no such column: run_details.id"))
    assert store_error(named, "W.").message == "W. The database says: no such column: run_details.id."
    assert store_error(ValueError("odd"), "W.").message == "W. The database says: odd."


@pytest.mark.parametrize(
    "error", [ValueError("x"), KeyError("x"), IndexError("x"), TypeError("x"), AttributeError("x")]
)
def test_whatever_a_damaged_row_does_is_told_as_damage(error: Exception) -> None:
    with pytest.raises(StoreError) as caught, read_plainly("It could not be read."):
        raise error
    name = type(error).__name__
    assert caught.value.message == f"It could not be read. The database is damaged: {name}: {error}."
    assert caught.value.hint == DAMAGED
    with (
        pytest.raises(StoreError, match=r"^It could not be read\. The disk is full\."),
        read_plainly("It could not be read."),
    ):
        raise OperationalError("SELECT", None, sqlite3.OperationalError("disk is full"))


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (errno.EROFS, "Give another data folder with --home or WORKBENCH_HOME."),
        (errno.EACCES, "Give another data folder with --home or WORKBENCH_HOME."),
        (errno.EPERM, "Give another data folder with --home or WORKBENCH_HOME."),
        (errno.EEXIST, not_written(Path("w.db"), OSError(errno.EEXIST, "")).hint),
    ],
)
def test_what_keeps_a_file_from_being_written(number: int, hint: str) -> None:
    error = unwritable(Path("w.db"), OSError(number, "No luck"))
    assert type(error) is StoreError
    assert error.hint == hint
    assert error.message.startswith("'w.db'")


@pytest.fixture(scope="module")
def closed_book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with one run, whose database cannot be read any more."""
    store = Store.open(tmp_path_factory.mktemp("book") / "w.db")
    store.record("r", runs.make_run("r"))
    row = store.find("r")
    store._history.find = lambda _ref: row  # type: ignore[method-assign]

    def broken() -> None:
        raise OperationalError("SELECT", None, Exception("database disk image is malformed"))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store._reading, "connect", broken)
        yield store
    store.close()


@pytest.mark.parametrize(
    ("read", "what"),
    [
        (lambda store: store.batches.is_known("b"), "The batches could not be read."),
        (lambda store: store.batches.is_going("b"), "The batches could not be read."),
        (lambda store: store.batches.list(), "The batches could not be read."),
        (lambda store: store.batches.models(["b"]), "The batches could not be read."),
        (lambda store: store.batches.case_of("r"), "The batches could not be read."),
        (lambda store: store.batches.result_of("r"), "The batches could not be read."),
        (lambda store: store.batches.load("b"), "The batches could not be read."),
        (lambda store: store.list_runs("rome"), "The history could not be read."),
        (lambda store: store.count("model:x"), "The history could not be read."),
        (lambda store: store.recorded(), "The history could not be read."),
        (lambda store: store.facets(), "The history could not be read."),
        (lambda store: store.names("model"), "The history could not be read."),
        (lambda store: store.names("suite"), "The history could not be read."),
        (lambda store: store.held(["r"]), "The history could not be read."),
        (lambda store: store.load("r"), "The run could not be read."),
        (lambda store: list(store.runs_for_reparse()), "The replies could not be read."),
        (lambda store: store.empty_bin(), "The bin could not be read."),
        (lambda store: store.room(), "The records could not be measured."),
        (lambda store: store.check(), "The check could not be finished."),
        (lambda store: store.holds("ab"), "The chain could not be read."),
        (lambda store: store.opinions.of_run("r"), "The opinions could not be read."),
        (lambda store: store.tool_sets.rows(), "The tool sets could not be read."),
        (lambda store: store.tool_sets.load("mine"), "The tool set could not be read."),
        (lambda store: store.verifications.load("b"), "The verification could not be read."),
        (lambda store: store.verifications.observations("b"), "The verification could not be read."),
        (lambda store: store.verifications.ids(), "The verifications could not be read."),
        (lambda store: store.verifications.find("b"), "The verifications could not be read."),
    ],
)
def test_what_could_not_be_read_is_named(closed_book: Store, read: Callable[[Store], object], what: str) -> None:
    with pytest.raises(StoreError) as caught:
        read(closed_book)
    assert caught.value.message == f"{what} The database is damaged."
