from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool, QueuePool

from tests.kit import runs
from workbench.core.errors import StoreError
from workbench.store import Store
from workbench.store.choose_database import database_at
from workbench.store.database import DatabaseState
from workbench.store.database_errors import COPIES
from workbench.store.sqlite import (
    APPLICATION_ID,
    WAIT_MS,
    SqliteFile,
    _execute_patiently,
    _seen_of,
    copy_file,
    examine,
    lock_holder,
    reading_engine,
    shrink,
    stoppable,
)


def test_nothing_and_an_empty_file_are_new(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()

    assert examine(tmp_path / "none.db") == DatabaseState(True, None)
    assert examine(tmp_path / "empty.db") == DatabaseState(True, None)
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize(
    "content", [b"hello, I am a text file\n" * 50, b"\0" * 4096, b"SQLite format 3\0" + b"\xff" * 4080]
)
def test_non_database_file_is_refused_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "workbench.db"
    path.write_bytes(content)

    with pytest.raises(StoreError) as caught:
        Store.open(path)

    assert caught.value.hint
    assert path.read_bytes() == content
    assert [item.name for item in tmp_path.iterdir()] == ["workbench.db"]


def test_a_damaged_database_is_refused_and_untouched(store: Store, database: Path) -> None:
    store.close()
    content = bytearray(database.read_bytes())
    content[100:3000] = b"\xaa" * 2900
    database.write_bytes(content)

    with pytest.raises(StoreError, match="damaged"):
        Store.open(database)

    assert database.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "workbench.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE songs (title)")
        other.commit()
    content = path.read_bytes()

    with pytest.raises(StoreError, match="another program"):
        Store.open(path)

    assert path.read_bytes() == content


def test_damage_inside_is_found_by_the_check(store: Store, database: Path) -> None:
    from tests.kit import runs

    for _ in range(20):
        events = runs.make_run(text="y" * 5000)
        store.record(runs.run_id_of(events), events)
    store.close()
    content = bytearray(database.read_bytes())
    place = content.index(b"y" * 3000)
    content[place - place % 4096 : place - place % 4096 + 8] = b"\xff" * 8
    database.write_bytes(content)

    opened = Store.open(database)
    try:
        with_problems = opened.check().problems
    except StoreError as error:
        with_problems = (error.message,)
    finally:
        opened.close()
    assert with_problems


def test_readers_cannot_write(store: Store, database: Path) -> None:
    engine = reading_engine(database)
    with engine.connect() as connection, pytest.raises(Exception, match="readonly"):
        connection.execute(text("DELETE FROM runs"))
    engine.dispose()


def test_failed_copy_leaves_no_file(store: Store, database: Path, tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("a file, no folder")

    with pytest.raises(StoreError, match="cannot be written"):
        copy_file(database, tmp_path / "blocked" / "copy.db")
    assert (tmp_path / "blocked").read_text() == "a file, no folder"


def test_files_are_readable_for_their_owner_alone(store: Store, database: Path, tmp_path: Path) -> None:
    assert database.parent.stat().st_mode & 0o077 == 0
    assert database.stat().st_mode & 0o077 == 0
    assert store.backup(tmp_path / "copy.db").stat().st_mode & 0o077 == 0


def test_the_file_and_its_tables_have_sizes(store: Store, database: Path) -> None:
    store.record("one", runs.make_run("one"))
    assert store.size() >= database.stat().st_size > 0
    kept = database_at(database)
    engine = kept.reading_engine()
    with engine.connect() as connection:
        sizes = kept.table_sizes(connection)
    engine.dispose()
    if sizes:  # not every SQLite is built to tell
        assert {"events", "runs", "run_text"} <= sizes.keys()
        assert all(size > 0 for size in sizes.values())
    assert isinstance(sizes, dict)


def test_a_folder_that_cannot_be_made_is_told_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be made") as caught:
        database_at(tmp_path / "file" / "workbench.db").make()
    assert caught.value.hint == "Give another data folder."


def test_a_log_beside_a_file_that_cannot_be_read_is_read_from_a_copy(
    store: Store, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = runs.make_run()
    store.record(runs.run_id_of(made), made)
    assert database.with_name(f"{database.name}-wal").stat().st_size

    def refuse(uri: str) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr("workbench.store.sqlite._try_to_read", refuse)
    engine = reading_engine(database)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM runs")).scalar() == 1
        (_, _, place) = connection.execute(text("PRAGMA database_list")).one()
    engine.dispose()
    assert Path(place).resolve() != database.resolve()


def test_a_file_whose_disk_takes_no_notes_is_read_as_it_is(
    store: Store, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite wants to write beside a file in write-ahead logging; told that nobody changes it, it does not."""
    made = runs.make_run()
    store.record(runs.run_id_of(made), made)
    store.close()
    connect = sqlite3.connect

    def on_a_read_only_disk(place: str, **settings: Any) -> sqlite3.Connection:
        if "immutable=1" not in str(place):
            raise sqlite3.OperationalError("unable to open database file")
        return connect(place, **settings)

    monkeypatch.setattr(sqlite3, "connect", on_a_read_only_disk)
    looked = Store.look(database)
    assert [row.id for row in looked.list_runs()] == [runs.run_id_of(made)]
    looked.close()


def test_a_stop_holds_for_its_queries_and_for_no_later_one(tmp_path: Path) -> None:
    Store.open(tmp_path / "workbench.db").close()
    engine = reading_engine(tmp_path / "workbench.db")
    long = text("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT max(i) FROM n")
    with engine.connect() as connection:
        with stoppable(connection, lambda: True), pytest.raises(OperationalError, match="interrupted"):
            connection.execute(long)
        assert connection.execute(long).scalar() == 50_000
    engine.dispose()


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        ("file is not a database", "is not a database"),
        ("database disk image is malformed", "is damaged"),
        ("unable to open database file", "cannot be opened: unable"),
    ],
)
def test_what_keeps_a_file_from_being_opened_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cause: str, words: str
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise sqlite3.DatabaseError(cause)

    path = tmp_path / "w.db"
    path.write_bytes(b"x")
    monkeypatch.setattr("workbench.store.sqlite.sqlite3.connect", fails)
    with pytest.raises(StoreError, match=words):
        examine(path)


@pytest.mark.parametrize(("working", "waits"), [(False, 1), (True, 5)])
def test_a_lock_is_waited_for_while_its_holder_works_and_no_longer_than_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, working: bool, waits: int
) -> None:
    tried: list[float] = []

    def locked(*_: object, **__: object) -> None:
        tried.append(0)
        raise sqlite3.OperationalError("database is locked")

    module = "workbench.store.sqlite"
    monkeypatch.setattr(f"{module}.sqlite3.connect", locked)
    monkeypatch.setattr(f"{module}.write_holders", lambda _: [])
    monkeypatch.setattr(f"{module}.have_worked", lambda *_: working)
    monkeypatch.setattr(f"{module}.time.monotonic", lambda: len(tried) * WAIT_MS / 1000 / 4.5)
    assert lock_holder(tmp_path / "w.db", 0) == "another program keeps the database locked."
    assert len(tried) == waits


@pytest.mark.parametrize(
    ("cause", "message", "hint"),
    [
        (sqlite3.DatabaseError("file is not a database"), "{} is not a database.", "Give another data folder, or move the file away."),
        (sqlite3.DatabaseError("Image is Malformed"), "The database {} is damaged.", COPIES),
        (sqlite3.DatabaseError("odd"), "The database {} cannot be opened: odd.", "Check the disk and its permissions."),
        (OSError(5, "Input/output error"), "The database {} cannot be read: Input/output error.", ""),
    ],
)  # fmt: skip
def test_what_keeps_a_file_from_being_read_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cause: Exception, message: str, hint: str
) -> None:
    def fails(_path: Path) -> None:
        raise cause

    path = tmp_path / "w.db"
    path.write_bytes(b"x")
    monkeypatch.setattr("workbench.store.sqlite._look_inside", fails)
    with pytest.raises(StoreError) as caught:
        examine(path)
    assert (caught.value.message, caught.value.hint) == (message.format(repr(str(path))), hint)


@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
def test_a_folder_in_a_files_place_is_told(tmp_path: Path, end: str) -> None:
    (tmp_path / f"w.db{end}").mkdir()
    with pytest.raises(StoreError) as caught:
        examine(tmp_path / "w.db")
    assert caught.value.message == f"{str(tmp_path / f'w.db{end}')!r} is no regular file, as a database's must be."
    assert caught.value.hint == "Move it away, or give another data folder."


def test_another_programs_database_is_told_by_its_mark_or_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    Store.open(path).close()
    for statement in (
        "PRAGMA application_id = 7",
        f"PRAGMA application_id = {APPLICATION_ID}; DROP TABLE alembic_version",
    ):
        with closing(sqlite3.connect(path)) as other:
            other.executescript(statement)
        with pytest.raises(StoreError) as caught:
            examine(path)
        assert caught.value.message == f"{str(path)!r} is a database of another program."
        assert caught.value.hint == "Give another data folder for the records."


def test_a_new_file_is_taken_away_again_and_an_older_one_stays(tmp_path: Path) -> None:
    new = SqliteFile(tmp_path / "a" / "new.db")
    new.make()
    assert new.path.exists()
    for end in ("-wal", "-shm"):
        new.path.with_name(f"new.db{end}").touch()
    new.unmake()
    assert list(new.path.parent.iterdir()) == []
    (tmp_path / "mine.db").touch()
    mine = SqliteFile(tmp_path / "mine.db")
    mine.make()
    mine.unmake()
    assert mine.path.exists()
    made = SqliteFile(tmp_path / "made.db")
    made.make()
    Store.open(made.path).close()
    made.unmake()
    assert made.path.exists(), "something came into it"


def test_engines_are_set_up_for_their_work(store: Store, database: Path) -> None:
    asked = ("journal_mode", "synchronous", "foreign_keys", "page_size", "query_only", "cache_size")
    found = []
    for engine in (store._writing, store._reading):
        with engine.connect() as connection:
            found.append([connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in asked])
    assert found == [["wal", 1, 1, 8192, 0, -16_384], ["wal", found[1][1], 1, 8192, 1, -16_384]]
    assert isinstance(store._writing.pool, NullPool)
    assert isinstance(store._reading.pool, QueuePool)


def test_damage_and_rows_without_their_run_are_told(store: Store, database: Path) -> None:
    store.record("r", runs.make_run("r"))
    assert store.check().problems == ()
    with closing(sqlite3.connect(database)) as raw, raw:
        raw.execute("INSERT INTO steps VALUES (77, 0, 0, 'executor', 'f', 0, 0)")
        row = raw.execute("SELECT max(rowid) FROM steps").fetchone()[0]
    assert store.check().problems == (f"steps row {row} has no runs row",)


def test_room_that_cannot_be_given_back_says_what_it_takes(
    store: Store, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("workbench.store.sqlite.sqlite3.connect", full)
    with pytest.raises(StoreError) as caught:
        shrink(database)
    assert caught.value.message == "The room could not be given back. The disk is full."
    assert caught.value.hint == (
        "Free some space; nothing that was recorded before is lost."
        " The file is written anew, which takes its size on the disk once more."
    )
    with pytest.raises(StoreError) as uncopied:
        copy_file(database, database.with_name("copy.db"))
    assert (
        uncopied.value.message
        == f"The copy {str(database.with_name('copy.db'))!r} could not be written. The disk is full."
    )
    assert not database.with_name("copy.db").exists()


@pytest.mark.parametrize(("cause", "tries"), [("database is LOCKED", 4), ("odd", 1)])
def test_a_pragma_waits_for_a_lock_alone_and_not_for_ever(
    monkeypatch: pytest.MonkeyPatch, cause: str, tries: int
) -> None:
    class Busy:
        tried = 0

        def execute(self, _pragma: str) -> None:
            self.tried += 1
            raise sqlite3.OperationalError(cause)

    busy, slept = Busy(), list[float]()
    monkeypatch.setattr("workbench.store.sqlite.time.monotonic", lambda: len(slept) * WAIT_MS / 1000 / 2.5)
    monkeypatch.setattr("workbench.store.sqlite.time.sleep", slept.append)
    with pytest.raises(sqlite3.OperationalError):
        _execute_patiently(busy, "PRAGMA x")
    assert (busy.tried, set(slept)) == (tries, {0.02} if tries > 1 else set())


def test_a_copy_stands_alone_and_holds_what_its_log_held(store: Store, database: Path, tmp_path: Path) -> None:
    store.record("r", runs.make_run("r"))
    copy_file(database, tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir() if "copy" in path.name] == ["copy.db"]
    with closing(sqlite3.connect(tmp_path / "copy.db")) as raw:
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert raw.execute("SELECT count(*) FROM runs").fetchone() == (1,)


def test_somebody_who_writes_is_seen_in_the_file_or_its_log(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    assert _seen_of(path) == []
    path.write_bytes(b"a")
    one = _seen_of(path)
    (tmp_path / "w.db-wal").write_bytes(b"b")
    two = _seen_of(path)
    (tmp_path / "w.db-wal").write_bytes(b"bc")
    three = _seen_of(path)
    assert [len(seen) for seen in (one, two, three)] == [1, 2, 2]
    assert two != three
