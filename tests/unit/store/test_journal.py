from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select

from tests.kit import runs
from workbench.core.errors import StoreError
from workbench.core.events import ChunkReceived, LoopStarted, ParentRun, RunEvent, RunStarted, VerdictGiven
from workbench.core.verdict import VerdictState
from workbench.store import Store, journal
from workbench.store.choose_database import database_at
from workbench.store.journal import Journal, make_facts
from workbench.store.schema import blobs, chain, events, run_details


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


@pytest.mark.parametrize("beginning", [6, None])
def test_what_was_rolled_back_is_forgotten(store: Store, database: Path, beginning: int | None) -> None:
    """A run's place, its links and its names: all that is remembered may be ahead of the tables."""
    told = runs.make_run("r", model="never-seen")

    with pytest.raises(ZeroDivisionError):
        store._writer.submit(
            lambda connection: store._journal.append(connection, "r", make_facts(told[:beginning])) // 0
        ).result()
    store.record("other", runs.make_run("other"))
    store.record("r", told)

    assert store.load("r").events == tuple(told)
    assert (store.find("r").model, store.find("other").model) == ("never-seen", "qwen-hasty")
    assert store.check().problems == ()


def test_runs_are_remembered_while_they_run(store: Store, database: Path) -> None:
    told = runs.make_run("r")
    store.record("r", told[:6])
    assert set(store._journal._running) == {"r"}
    store.record("r", told[6:])
    assert store._journal._running == {}


def test_a_run_is_somebodys_until_it_is_over(store: Store, database: Path) -> None:
    def owner() -> str | None:
        with store._reading.connect() as connection:
            return connection.execute(select(run_details.c.owner)).scalar_one()

    told = runs.make_run("r")
    store.record("r", told[:-1])
    assert owner() == store._life.owner
    store.record("r", told[-1:])
    assert owner() is None


def test_a_run_that_is_not_judged_yet_says_how_it_stopped(store: Store, database: Path) -> None:
    store.record("r", runs.make_run("r", verdict=None))
    row = store.find("r")
    assert (row.stop, row.verdict.reason, row.verdict.state) == ("answer", "stopped: answer", VerdictState.RUNNING)


def test_a_planner_that_is_simulated_makes_its_run_simulated(store: Store, database: Path) -> None:
    begun = runs.started("r", planner="plain")
    real, made_up = runs.party(simulated=False), runs.party("plain", simulated=True)
    for run_id, executor, planner in (("a", real, made_up), ("b", real, real), ("c", made_up, real), ("d", real, None)):
        store.record(run_id, [replace(begun, run_id=run_id, executor=executor, planner=planner)])
    assert [(row.id, row.simulated) for row in store.list_runs()] == [("d", False), ("c", True), ("b", False), ("a", True)]  # fmt: skip
    assert [row.planner for row in store.list_runs()] == ["", "qwen-hasty", "qwen-hasty", "plain"]


def test_only_an_edited_reply_stands_under_another_run(store: Store, database: Path) -> None:
    store.record("first", runs.make_run("first"))
    begun, *rest = runs.make_run("again")
    assert isinstance(begun, RunStarted)
    store.record("again", [replace(begun, parent=ParentRun("first", edits=("prompt",))), *rest])
    assert store.find("again").edit_of is None
    assert store.find("first").edited is None


def test_equal_tool_sets_are_stored_once(store: Store, database: Path) -> None:
    other = replace(runs.WEATHER, name="get_rain")
    for run_id, tools in (("a", (runs.WEATHER,)), ("b", (runs.WEATHER,)), ("c", (other,)), ("d", ())):
        store.record(run_id, [runs.started(run_id, tools=tools)])
    with store._reading.connect() as connection:
        used = connection.execute(select(run_details.c.toolset_id).order_by(run_details.c.number)).scalars().all()
    assert used[0] == used[1] is not None
    assert used[2] not in (None, used[0])
    assert used[3] is None


def test_what_a_run_began_with_is_kept_beside_its_line(store: Store, database: Path) -> None:
    begun = replace(runs.started("r"), title="odd \ud800", target_id="t-1", parser_version="2026.7")
    store.record("r", [begun])
    row = store.find("r")
    assert (row.title, row.target_id, row.parser_version) == ("odd \ufffd", "t-1", "2026.7")
    assert row.target == begun.target.label
    with store._reading.connect() as connection:
        assert connection.execute(select(run_details.c.policy)).scalar_one() == str(begun.target.policy)


def test_an_event_stands_apart_from_a_size_on(store: Store, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = runs.make_run("r1")
    longest = max(len(fact.body) for fact in make_facts(told))
    for run_id, limit, apart in (("r1", longest, 0), ("r2", longest - 1, 1)):
        monkeypatch.setattr(journal, "BLOB_FROM", limit)
        number = store.record(run_id, runs.make_run(run_id))
        with store._reading.connect() as connection:
            assert connection.execute(select(func.count()).where(blobs.c.number == number)).scalar_one() == apart
            inside = select(func.count()).where(events.c.number == number, events.c.body.is_(None))
            assert connection.execute(inside).scalar_one() == apart
        assert store.load(run_id).events[1:] == tuple(told[1:])


def test_links_say_when_they_were_made(store: Store, database: Path) -> None:
    before = time.time_ns() // 1000
    store.record("r", runs.make_run("r"))
    after = time.time_ns() // 1000
    with store._reading.connect() as connection:
        made = connection.execute(select(chain.c.at_us).where(chain.c.run_id == "r")).scalars().all()
    assert len(made) == 3
    assert all(before <= at <= after for at in made)


def test_the_search_gets_a_run_when_it_is_over_and_whole(store: Store, database: Path) -> None:
    told = runs.make_run("r", answer="zanzibar", text="quux plain")
    store.record("r", told[:12])
    assert store.count("quux") == 0
    store.record("r", told[12:])
    assert (store.count("quux"), store.count("zanzibar")) == (1, 1)
    store.record("r", [VerdictGiven(runs.failed("parse.x"))])
    assert store.count("zanzibar") == 1
