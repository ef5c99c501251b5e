from __future__ import annotations

from pathlib import Path

from sqlalchemy import update

from tests.kit import runs
from workbench.core.events import ChunkReceived
from workbench.store import Store
from workbench.store import schema as tables
from workbench.store.choose_database import database_at
from workbench.store.rows import OpaqueEvent
from workbench.store.run_reader import digest_of, numbered_events


def test_a_digest_is_the_same_from_the_tables_as_from_the_events(store: Store) -> None:
    events = runs.make_run(planner="plain")
    run_id = runs.run_id_of(events)
    store.record(run_id, events)

    with store._reading.connect() as connection:
        read = digest_of(connection, run_id)
        numbers = [seq for seq, _ in numbered_events(connection, 1)]

    assert read is not None
    assert read.next_seq == len(events)
    assert read.indexed
    assert read.texts().prompt == "Be brief.\nWeather in Rome?"
    assert numbers == list(range(len(events)))


def test_an_unknown_run_has_none(store: Store) -> None:
    with store._reading.connect() as connection:
        assert digest_of(connection, "nobody") is None


def test_events_of_a_later_program_are_counted_but_not_read(store: Store, records: Path | str) -> None:
    events = runs.make_run()
    run_id = runs.run_id_of(events)
    store.record(run_id, events)
    engine = database_at(records).writing_engine()
    with engine.begin() as connection:
        last = update(tables.events).where(tables.events.c.seq == len(events) - 1)
        assert connection.execute(last.values(kind="told_by_a_later_program")).rowcount == 1
    engine.dispose()

    with store._reading.connect() as connection:
        read = digest_of(connection, run_id)

    assert read is not None
    assert read.next_seq == len(events)


def test_an_event_whose_body_is_gone_is_not_understood(store: Store, database: object) -> None:
    store.record("r", runs.make_run("r"))
    with store._writing.begin() as connection:
        gone = tables.events.c.kind == "step_finished"
        connection.execute(update(tables.events).where(gone).values(body=None, blob_id=None))
    with store._reading.connect() as connection:
        opaque = [event for _, event in numbered_events(connection, 1) if isinstance(event, OpaqueEvent)]
        assert [(event.kind, event.body) for event in opaque] == [("step_finished", "")] * 2
        assert [seq for seq, event in numbered_events(connection, 1) if isinstance(event, OpaqueEvent)] == [
            event.seq for event in opaque
        ]
        without = numbered_events(connection, 1, chunks=False)
    assert not [event for _, event in without if isinstance(event, ChunkReceived)]
    assert [seq for seq, _ in without] == sorted(seq for seq, _ in without)


def test_a_digest_knows_whether_the_run_is_over_and_takes_no_step_twice(store: Store, database: object) -> None:
    store.record("open", runs.make_run("open", verdict=None))
    store.record("whole", runs.make_run("whole"))
    with store._reading.connect() as connection:
        for run_id, number, indexed in (("open", 1, False), ("whole", 2, True)):
            found = digest_of(connection, run_id)
            assert found is not None
            assert (found.number, found.indexed, found.new_steps, found.run_id) == (number, indexed, [], run_id)
