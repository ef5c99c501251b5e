from __future__ import annotations

from pathlib import Path

from sqlalchemy import update

from tests.kit import runs
from workbench.store import Store
from workbench.store import schema as tables
from workbench.store.choose_database import database_at
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
