"""Real locks of real processes: one that sleeps is told from one that works."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from workbench.store import lock_holders
from workbench.store.lock_holders import Holder, have_worked, write_holders
from workbench.store.sqlite import lock_holder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux tells who holds a lock")
_HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
{then}
"""
_SLEEPS = "sys.stdin.read()"
_COMPUTES = """
import time
end = time.process_time() + 0.6
while time.process_time() < end:
    pass
connection.execute("ROLLBACK")
sys.stdin.read()
"""


@pytest.fixture(params=["WAL", "DELETE"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "some.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {request.param}")
        connection.execute("CREATE TABLE t (x)")
    return path


@contextmanager
def _holding(path: Path, then: str) -> Iterator[int]:
    command = [sys.executable, "-c", _HOLD.format(then=then), str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process.pid
        process.kill()


def test_nobody_holds_a_free_file(database: Path) -> None:
    assert write_holders(database) == []
    assert write_holders(database.with_name("none.db")) == []


def test_a_holder_that_sleeps_is_named(database: Path) -> None:
    with _holding(database, _SLEEPS) as process, closing(sqlite3.connect(database)) as reading:
        reading.execute("SELECT * FROM t").fetchall()  # readers' locks are none
        (holder,) = write_holders(database)
        assert holder.process == process
        assert lock_holder(database, 0.2) == (
            f"another program keeps the database locked: {holder.name} (process {process})."
        )


def test_a_holder_that_computes_is_waited_for(database: Path) -> None:
    with _holding(database, _COMPUTES):
        assert lock_holder(database, 0.25) == ""  # several times: until it is done


def test_our_own_lock_is_one_too(database: Path) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert [holder.process for holder in write_holders(database)] == [os.getpid()]


def test_work_is_a_twentieth_of_the_time_or_a_wait_for_the_disk() -> None:
    second = os.sysconf("SC_CLK_TCK")
    idle = Holder(7, "a b) c", 100, False)
    assert not have_worked([], [], 1)
    assert not have_worked([idle], [idle._replace(ticks=100 + second // 20 - 1)], 1)
    assert have_worked([idle], [idle._replace(ticks=100 + second // 20)], 1)
    assert have_worked([idle], [idle._replace(waits_for_disk=True)], 1)
    assert have_worked([idle], [idle._replace(process=8)], 1)


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system on which two processes run: 7 works, 8 waits for the disk."""
    for process, name, state in ((7, "a b) c", "S"), (8, "d", "D")):
        (tmp_path / str(process)).mkdir()
        fields = f"{state} 1 2 3 4 5 6 7 8 9 10 {process} 40 13"
        (tmp_path / str(process) / "stat").write_text(f"{process} ({name}) {fields}\n")
    monkeypatch.setattr(lock_holders, "_PROCESSES", tmp_path)
    monkeypatch.setattr(lock_holders, "_LOCKS", tmp_path / "locks")
    return tmp_path


@pytest.mark.parametrize(
    ("lock", "processes"),
    [
        ("POSIX ADVISORY WRITE 7 fe:00:{file} 1073741825 1073741825", [7]),
        ("POSIX ADVISORY WRITE 8 fe:00:{shm} 120 120", [8]),
        ("POSIX ADVISORY WRITE 8 fe:00:{shm} 0 EOF", [8]),
        ("POSIX ADVISORY WRITE 9 fe:00:{shm} 120 120", []),
        ("POSIX ADVISORY WRITE 8 fe:00:{file} 120 120", []),
        ("POSIX ADVISORY WRITE 8 fe:00:{shm} 121 EOF", []),
        ("POSIX ADVISORY WRITE 8 fe:00:{shm} 100 119", []),
        ("POSIX ADVISORY READ 8 fe:00:{shm} 120 120", []),
        ("FLOCK ADVISORY WRITE 8 fe:00:{shm} 120 120", []),
        ("POSIX ADVISORY WRITE -1 fe:00:{shm} 120 120", []),
        ("POSIX ADVISORY WRITE 8 fe:00:{shm} x 120", []),
        ("odd", []),
    ],
)
def test_a_lock_counts_that_covers_the_byte_of_its_file(system: Path, lock: str, processes: list[int]) -> None:
    database, shared = system / "some.db", system / "some.db-shm"
    database.touch()
    shared.touch()
    line = lock.format(file=database.stat().st_ino, shm=shared.stat().st_ino)
    (system / "locks").write_text(f"1: {line}\n2: {line}\n")
    held = {7: Holder(7, "a b) c", 47, False), 8: Holder(8, "d", 48, True)}
    assert write_holders(database) == [held[process] for process in processes]


def test_where_the_system_tells_nothing_nobody_is_found(system: Path) -> None:
    (system / "some.db").touch()
    assert write_holders(system / "some.db") == []


def test_odd_lines_of_the_system_are_passed_over(system: Path) -> None:
    database = system / "some.db"
    database.touch()
    here = f"fe:00:{database.stat().st_ino} 1073741825 1073741825"
    lines = [b"1: \xff\xfe", f"2: POSIX ADVISORY WRITE x {here}".encode(), f"3: POSIX ADVISORY WRITE 7 {here}".encode()]
    (system / "locks").write_bytes(b"\n".join(lines) + b"\n")
    assert [holder.process for holder in write_holders(database)] == [7]
