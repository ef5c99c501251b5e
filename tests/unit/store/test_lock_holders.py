"""Real locks of real processes: one that sleeps is told from one that works."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

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
end = time.process_time() + 2.5
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
        assert lock_holder(database, 1.5) == ""


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
