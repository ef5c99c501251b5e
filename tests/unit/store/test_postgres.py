"""What only PostgreSQL does: addresses, locks, life signs, stopped queries."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from tests.kit import runs
from tests.kit.postgres import PostgresCluster
from tests.kit.waiting import LIMIT_S, wait_until
from workbench.core.errors import InvalidInput, MissingLibrary, SettingsError, StoreError
from workbench.store import Store
from workbench.store.postgres import PostgresServer, ServerLifeSign, _read

HOLDER = """
import sys
from workbench.store.postgres import ServerLifeSign, _read
sign = ServerLifeSign(_read(sys.argv[1]))
sign.begin()
print(sign.owner, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("address", ["mysql://host/name", "no address", "postgresql+psycopg://host:port/name"])
def test_address_that_cannot_be_read(address: str) -> None:
    with pytest.raises(SettingsError, match="postgresql"):
        PostgresServer(address)


def test_password_is_not_named() -> None:
    server = PostgresServer("postgresql://me:very-secret@host/history")
    assert server.name == "postgresql+psycopg://me:***@host/history"


def test_missing_driver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingLibrary, match=r"tool-calling-workbench\[postgres\]"):
        PostgresServer("postgresql://host/history")


def test_unreachable_server_is_named(tmp_path) -> None:
    with pytest.raises(StoreError, match="cannot be reached") as caught:
        Store.open(f"postgresql://me:very-secret@/history?host={tmp_path}")
    assert "very-secret" not in str(caught.value)


def test_server_without_an_address_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_args: object, **_options: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(StoreError, match=r"name\.invalid") as caught:
        PostgresServer("postgresql+psycopg://user@name.invalid/history").examine()
    assert "Errno" not in caught.value.message


def test_database_of_another_program_is_left_alone(cluster: PostgresCluster) -> None:
    address = cluster.address()
    engine = create_engine(address)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE runs (name text)"))
    engine.dispose()
    with pytest.raises(StoreError, match="another program"):
        Store.open(address)


def test_readers_cannot_write(cluster: PostgresCluster) -> None:
    address = cluster.address()
    Store.open(address).close()
    engine = PostgresServer(address).reading_engine()
    with engine.connect() as connection, pytest.raises(SQLAlchemyError, match="read-only"):
        connection.execute(text("DELETE FROM runs"))
    engine.dispose()


def test_query_is_cancelled(cluster: PostgresCluster) -> None:
    server = PostgresServer(cluster.address())
    engine = server.reading_engine()
    with (
        engine.connect() as connection,
        server.stoppable(connection, lambda: True),
        pytest.raises(SQLAlchemyError, match="canceling statement"),
    ):
        connection.execute(text(f"SELECT pg_sleep({LIMIT_S * 10})"))
    engine.dispose()


def test_cancelling_before_a_query_begins_still_cancels_it(cluster: PostgresCluster) -> None:
    server = PostgresServer(cluster.address())
    engine = server.reading_engine()
    asked = threading.Semaphore(0)

    def stop() -> bool:
        asked.release()
        return True

    with engine.connect() as connection, server.stoppable(connection, stop):
        for _ in range(2):
            asked.acquire()  # when it is asked a second time, the first word was said, to nobody
        with pytest.raises(SQLAlchemyError, match="canceling statement"):
            connection.execute(text(f"SELECT pg_sleep({LIMIT_S * 10})"))
    engine.dispose()


def test_nobody_is_asked_any_more_once_the_query_is_over(cluster: PostgresCluster) -> None:
    server = PostgresServer(cluster.address())
    engine = server.reading_engine()
    asked, answered = threading.Event(), threading.Event()

    def stop() -> bool:
        asked.set()
        time.sleep(0.2)
        answered.set()
        return False

    with engine.connect() as connection:
        with server.stoppable(connection, stop):
            assert asked.wait(LIMIT_S)
        assert answered.is_set()  # a late answer would cancel whatever the connection does next
    engine.dispose()


def test_held_lock_is_told(cluster: PostgresCluster) -> None:
    server = PostgresServer(cluster.address())
    engine = server.writing_engine()
    assert server.held_by(0.0) == ""
    with engine.begin():
        assert "locked" in server.held_by(0.0)
    engine.dispose()


def test_who_is_at_work_with_the_lock_is_waited_for(cluster: PostgresCluster) -> None:
    server = PostgresServer(cluster.address())
    engine = server.writing_engine()
    working = threading.Event()

    def work() -> None:
        with engine.begin() as connection:
            working.set()
            connection.execute(text("SELECT pg_sleep(1.5)"))

    worker = threading.Thread(target=work)
    worker.start()
    assert working.wait(LIMIT_S)
    assert server.held_by(1.0) == ""  # between its lock and its work it is idle, for a moment
    worker.join()
    engine.dispose()


def test_a_lock_that_nobody_works_with_is_told_at_the_first_write(cluster: PostgresCluster) -> None:
    address = cluster.address()
    Store.open(address).close()
    engine = PostgresServer(address).writing_engine()
    with closing(Store.look(address)) as store:
        with engine.begin():
            begun = time.monotonic()
            with pytest.raises(StoreError, match="another program keeps the database locked"):
                store.record("mine", runs.make_run("mine"))
            assert time.monotonic() - begun < 8
        store.record("mine", runs.make_run("mine"))
    engine.dispose()


def test_owner_lives_as_long_as_its_process(cluster: PostgresCluster) -> None:
    address = cluster.address()
    sign = ServerLifeSign(_read(address))
    command = [sys.executable, "-c", HOLDER, address]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        owner = process.stdout.readline().strip()
        assert sign.is_alive(owner)
        process.kill()
    assert wait_until(lambda: not sign.is_alive(owner))  # the server notices in its own time
    assert sign.is_alive(sign.owner)


def test_life_sign_is_taken_anew_after_a_lost_session(cluster: PostgresCluster) -> None:
    address = cluster.address()
    sign, other = ServerLifeSign(_read(address)), ServerLifeSign(_read(address))
    sign.begin()
    other.begin()
    assert other._session is not None
    query = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()"
    other._session.execute(text(query))
    assert not other.is_alive(sign.owner)
    sign.begin()
    assert other.is_alive(sign.owner)
    sign.end()
    other.end()


def test_writers_wait_for_each_other(cluster: PostgresCluster) -> None:
    address = cluster.address()
    Store.open(address).close()

    def write(name: str) -> None:
        with closing(Store.open(address)) as store:
            for number in range(20):
                store.record(f"{name}{number}", runs.make_run(f"{name}{number}", model=f"model-{number}"))

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT_S * 4)
    with closing(Store.look(address)) as store:
        assert store.count() == 60
        assert len(store.names("model")) == 20
        assert store.check().problems == ()
        assert store.size() > 100_000
        with pytest.raises(InvalidInput, match="pg_dump"):
            store.backup(Path("copy.db"))
