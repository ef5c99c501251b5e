from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit import runs
from workbench.core.errors import StoreError
from workbench.core.events import ChunkReceived, LoopStarted, RunEvent
from workbench.store import Store
from workbench.store.choose_database import database_at
from workbench.store.journal import Journal, make_facts


def chunk(index: int, step: int = 0) -> ChunkReceived:
    return ChunkReceived(step, 0, index, b"%d" % index, index)


def test_consecutive_chunks_are_one_fact() -> None:
    batch: list[RunEvent] = [chunk(0), chunk(1), LoopStarted(0, 1), chunk(2), chunk(4), chunk(5), chunk(6, step=1)]

    facts = make_facts(batch)

    assert [[getattr(event, "index", None) for event in fact.events] for fact in facts] == [
        [0, 1],
        [None],
        [2],
        [4, 5],
        [6],
    ]
    assert facts[0].data == b"01"


def test_chunks_of_two_exchanges_are_two_facts() -> None:
    retried = ChunkReceived(0, 1, 1, b"x", 1)
    assert [len(fact.events) for fact in make_facts([chunk(0), retried])] == [1, 1]


def test_no_event_is_lost() -> None:
    events = runs.make_run()

    assert [event for fact in make_facts(events) for event in fact.events] == events
    assert make_facts([]) == []


def test_a_run_that_nobody_knows_cannot_be_closed(store: Store, records: Path | str) -> None:
    engine = database_at(records).reading_engine()
    with engine.connect() as connection, pytest.raises(StoreError, match="There is no run 'nobody'"):
        Journal("test").close_run(connection, "nobody")
    engine.dispose()
    assert store.count("") == 0
