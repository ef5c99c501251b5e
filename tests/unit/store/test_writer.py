from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from pathlib import Path

import pytest
from sqlalchemy import Connection, select, text

from tests.kit import runs
from tests.kit.waiting import LIMIT_S
from workbench.core.errors import StoreError
from workbench.store import Store
from workbench.store.schema import runs as runs_table


def blocked(store: Store) -> tuple[threading.Event, Future[None]]:
    """Keep the writer busy until the event is set, so that others have to wait together."""
    go, begun = threading.Event(), threading.Event()

    def wait(_connection: Connection) -> None:
        begun.set()
        go.wait(LIMIT_S)

    waiting = store._writer.submit(wait)
    assert begun.wait(LIMIT_S)  # what comes now cannot share its transaction
    return go, waiting


def test_waiting_commits_share_a_transaction(store: Store) -> None:
    seen: list[int] = []

    def note(connection: Connection) -> None:
        raw = connection.connection.dbapi_connection
        assert raw is not None
        seen.append(id(connection))

    go, _ = blocked(store)
    waiting = [store._writer.submit(note) for _ in range(5)]
    go.set()
    for future in waiting:
        future.result(LIMIT_S)

    assert len(set(seen)) == 1


def test_one_bad_commit_does_not_take_others_with_it(store: Store) -> None:
    good, other = runs.make_run("good"), runs.make_run("other")
    go, _ = blocked(store)

    async def commit_all() -> list[object]:
        asyncio.get_running_loop().call_later(0.05, go.set)
        return list(
            await asyncio.gather(
                store.recorder.commit("good", good),
                store.recorder.commit("nobody", [runs.finished()]),
                store.recorder.commit("other", other),
                return_exceptions=True,
            )
        )

    first, bad, second = asyncio.run(commit_all())

    assert first is None
    assert second is None
    assert isinstance(bad, StoreError)
    assert store.load("good").events == tuple(good)
    assert store.load("other").events == tuple(other)


def test_order_stays_after_one_failure(store: Store) -> None:
    written: list[int] = []
    later: list[Future[None]] = []

    def note(number: int) -> None:
        def work(_connection: Connection) -> None:
            if number == 1 and len(later) < 3:  # others queue up while the failed ones are written singly
                later.extend(note_all(5, 6, 7))
            written.append(number)
            if number == 2:
                raise StoreError("bad")

        later_or_now.append(store._writer.submit(work))

    def note_all(*numbers: int) -> list[Future[None]]:
        start = len(later_or_now)
        for number in numbers:
            note(number)
        return later_or_now[start:]

    later_or_now: list[Future[None]] = []
    go, _ = blocked(store)
    note_all(1, 2, 3, 4)
    go.set()
    for future in later_or_now:
        future.exception(10)
    store._writer.submit(lambda _connection: None).result(LIMIT_S)

    alone = written[written.index(2) + 1 :]  # behind the attempt to write all in one transaction
    assert [number for number in alone if number != 2] == [1, 3, 4, 5, 6, 7]


def test_a_bug_reaches_the_caller_and_the_writer_lives_on(store: Store) -> None:
    def bug(_connection: Connection) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store._writer.submit(bug).result(LIMIT_S)
    store.record("good", runs.make_run("good"))

    assert store.count() == 1


def test_a_cancelled_commit_is_written_all_the_same(store: Store) -> None:
    events = runs.make_run("mine")
    go, _ = blocked(store)

    async def cancel_while_waiting() -> None:
        task = asyncio.get_running_loop().create_task(store.recorder.commit("mine", events))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go.set()

    asyncio.run(cancel_while_waiting())
    store._writer.submit(lambda _connection: None).result(LIMIT_S)

    assert store.load("mine").events == tuple(events)


def test_a_full_disk_is_said_and_nothing_half_written_stays(store: Store, database: Path) -> None:
    store.record("first", runs.make_run("first"))
    engine = store._writing

    from sqlalchemy import event

    @event.listens_for(engine, "connect")
    def _small(connection: object, _record: object) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # type: ignore[attr-defined]

    big = runs.make_run("big", text="x" * 2_000_000)
    with pytest.raises(StoreError, match="disk is full") as caught:
        store.record("big", big)
    assert "Free some space" in caught.value.hint
    event.remove(engine, "connect", _small)

    assert store.count() == 1
    store.record("big", big)
    assert store.load("big").events == tuple(big)


def test_permanent_lock_is_reported(store: Store, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from workbench.store import sqlite

    monkeypatch.setattr(sqlite, "WAIT_MS", 50)
    impatient = Store.open(database)
    holder = store._writing.connect()
    holder.execute(text("SELECT 1"))  # the transaction takes the lock when it begins
    try:
        with pytest.raises(StoreError, match="locked"):
            impatient.record("mine", runs.make_run("mine"))
    finally:
        holder.close()
    impatient.record("mine", runs.make_run("mine"))
    impatient.close()

    assert store.count() == 1


def test_an_empty_commit_is_fine(store: Store) -> None:
    asyncio.run(store.recorder.commit("nobody", []))

    with store._reading.connect() as connection:
        assert connection.execute(select(runs_table)).all() == []


def test_what_is_closed_or_fails_is_named(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "w.db")
    with pytest.raises(StoreError) as failed:
        store._writer.submit(lambda connection: connection.execute(text("SELECT 1 FROM nowhere"))).result(LIMIT_S)
    assert failed.value.message == (
        f"Recording in {str(tmp_path / 'w.db')!r} failed. The database says: no such table: nowhere."
    )
    store.close()
    with pytest.raises(StoreError) as closed:
        store._writer.submit(lambda _connection: None)
    assert (closed.value.message, closed.value.hint) == ("The store is closed.", "Open it again.")


def test_what_waits_is_written_before_the_thread_ends(store: Store, database: Path) -> None:
    go, _ = blocked(store)
    waiting = [store._writer.submit(lambda _connection: None) for _ in range(3)]
    threading.Timer(0.05, go.set).start()
    store._writer.close()
    assert all(future.done() for future in waiting)


def test_each_work_gives_back_its_own_result(store: Store, database: Path) -> None:
    go, _ = blocked(store)
    waiting = [store._writer.submit(lambda _connection, number=number: number) for number in range(5)]
    go.set()
    assert [future.result(LIMIT_S) for future in waiting] == list(range(5))


def test_the_sign_of_life_comes_before_each_transaction(store: Store, database: Path) -> None:
    begun: list[bool] = []
    store._writer._begin = lambda: begun.append(store._journal._running == {})
    for name in ("a", "b"):
        store.record(name, runs.make_run(name))
    assert begun == [True, True]
