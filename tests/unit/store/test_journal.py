from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from tests.kit import runs
from workbench.core.errors import StoreError
from workbench.core.events import ChunkReceived, LoopStarted, RunEvent, VerdictGiven
from workbench.store import Store
from workbench.store.choose_database import database_at
from workbench.store.journal import Journal, make_facts
from workbench.store.schema import chain


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


def test_a_run_that_was_judged_has_the_codes_of_its_verdict_alone(store: Store) -> None:
    events = [*runs.make_run("r", verdict=None)[:-1], runs.finished(codes=("loop.guidance_ignored",))]
    number = store.record("r", events)
    assert store.find(number).verdict.codes == ("loop.guidance_ignored",)
    for verdict, codes in ((runs.PASSED, ()), (runs.failed("parse.x"), ("parse.x",))):
        store.record("r", [VerdictGiven(verdict)])
        assert store.find(number).verdict.codes == codes


def test_runs_of_a_process_that_died_are_closed_by_their_numbers(
    store: Store, records: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        store.record(
            name, runs.make_run(name, verdict=runs.PASSED if name == "b" else None)[: None if name == "b" else 4]
        )
    monkeypatch.setattr(store._life, "is_alive", lambda _: False)
    assert store.recover() == (1, 3)


def test_each_exchange_begins_a_link_of_the_chain(store: Store, records: Path | str) -> None:
    number = store.record("r", runs.make_run("r"))
    engine = database_at(records).reading_engine()
    with engine.connect() as connection:
        kinds = (
            connection.execute(select(chain.c.kind).where(chain.c.number == number).order_by(chain.c.n)).scalars().all()
        )
    engine.dispose()
    assert kinds == ["rest", "exchange", "exchange"]
