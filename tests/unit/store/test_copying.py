"""Histories copied and merged, between files and servers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, update

from tests.kit import runs
from tests.kit.batches import batch
from workbench.core.batch import BatchState, StoppingRule
from workbench.core.tools import ToolSetup, ToolSpec
from workbench.core.verdict import VerdictState
from workbench.store import Store, copying
from workbench.store.copying import copy_history
from workbench.store.opinions import HAND, Opinion
from workbench.store.schema import events


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    with closing(Store.open(tmp_path / "other" / "workbench.db")) as opened:
        yield opened


def test_copy_has_the_same_runs_and_a_second_one_adds_nothing(store: Store, other: Store) -> None:
    for name in ("one", "two", "three"):
        store.record(name, runs.make_run(name, prompt=f"prompt of {name}"))
    store.delete(["two"])
    store.tool_sets.save("mine", [ToolSetup(ToolSpec("toll"))])
    heard: list[int] = []

    done = copy_history(store, other, heard.append)

    assert (done.runs, done.there, done.left_out, done.tool_sets) == (3, 0, (), 1)
    assert sum(heard) == store.recorded() == 3
    for name in ("one", "two", "three"):
        assert other.load(name).events == store.load(name).events
    assert [row.id for row in other.list_runs("is:binned")] == ["two"]
    assert other.count('"prompt of three"') == 1
    assert other.tool_sets.load("mine").tools == store.tool_sets.load("mine").tools
    again = copy_history(store, other)
    assert (again.runs, again.there, again.tool_sets) == (0, 3, 0)
    assert other.count() == 2


def test_an_edited_reply_is_copied_with_its_run_and_stands_under_it(store: Store, other: Store) -> None:
    for name in ("one", "two"):
        store.record(name, runs.make_run(name))
        store.record(f"given {name}", runs.edit_of(f"given {name}", name))
    store.delete(["one"])

    assert copy_history(store, other).runs == 4

    assert [(row.id, bool(row.edited)) for row in other.list_runs()] == [("two", True)]
    assert [(row.id, bool(row.edited)) for row in other.list_runs("is:binned")] == [("one", True)]
    assert copy_history(store, other).there == 4


def test_a_verification_is_copied_with_what_it_saw(store: Store, other: Store) -> None:
    store.batches.add(batch({"one": ["s"]}))
    store.verifications.keep("b1", {"model": "m"})
    asyncio.run(store.verifications.observe("b1", 0, {"calls": 2}))

    assert copy_history(store, other).batches == 1

    assert [row.id for row in other.batches.list(verified=True)] == ["b1"]
    assert other.batches.list() == []
    assert other.verifications.load("b1") == store.verifications.load("b1")
    assert other.verifications.observations("b1") == store.verifications.observations("b1")
    assert copy_history(store, other).batches == 0


def test_merge_keeps_what_is_there(store: Store, other: Store) -> None:
    store.record("both", runs.make_run("both"))
    other.record("both", runs.make_run("both", model="another"))
    other.record("own", runs.make_run("own"))
    store.record("new", runs.make_run("new"))

    done = copy_history(store, other)

    assert done.runs == 1
    assert done.left_out == (("both", "it stands there with other events"),)
    assert {row.id for row in other.list_runs()} == {"both", "own", "new"}
    assert other.find("both").model == "another"


def test_run_that_goes_on_is_left_out(store: Store, other: Store) -> None:
    events = runs.make_run("going")
    store.record("going", events[:3])
    done = copy_history(store, other)
    assert done.left_out == (("going", "it is still running"),)
    assert other.count() == 0


def test_a_run_with_an_event_of_a_later_version_is_left_out(store: Store, other: Store) -> None:
    store.record("later", runs.make_run("later"))
    kinds = events.c.kind == "tool_finished"
    with store._writing.begin() as connection:
        connection.execute(update(events).where(kinds).values(kind="of_a_later_version"))
    done = copy_history(store, other)
    assert (done.runs, done.left_out) == (0, (("later", "a later version recorded it"),))
    assert other.recorded() == 0


def test_opinions_and_rules_are_copied(store: Store, other: Store) -> None:
    store.record("one", runs.make_run("one"))
    store.opinions.add(Opinion("one", 5, HAND, "me", VerdictState.FAIL, "not what was meant"))
    made = batch({"one": ["s", "f"]})
    store.batches.add(replace(made, spec=replace(made.spec, stopping=StoppingRule(max_cost=2.5))))

    copy_history(store, other)

    assert other.opinions.of_run("one") == store.opinions.of_run("one")
    assert other.batches.load("b1").spec.stopping == StoppingRule(max_cost=2.5)


def test_a_copied_run_stays_that_of_who_recorded_it(store: Store, other: Store) -> None:
    store.record("hers", runs.make_run("hers"), "ada")
    store.record("nobodys", runs.make_run("nobodys"), "")

    copy_history(store, other)

    assert {row.id: row.user for row in other.list_runs()} == {"hers": "ada", "nobodys": ""}


def test_a_stopped_copy_has_whole_runs_and_the_next_one_goes_on(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "TOGETHER", 2)
    for name in ("one", "two", "three"):
        store.record(name, runs.make_run(name))
        store.opinions.add(Opinion(name, 1, HAND, "me", VerdictState.FAIL, "wrong"))
    store.delete(["three"])

    def stop_after_two(_runs: int) -> None:
        if other.held(["two"]):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_history(store, other, stop_after_two)

    assert set(other.held(["one", "two", "three"])) == {"one", "two"}
    assert [len(other.opinions.of_run(name)) for name in ("one", "two")] == [1, 1]
    assert other.check().problems == ()
    done = copy_history(store, other)
    assert (done.runs, done.there, done.left_out) == (1, 2, ())
    assert [row.id for row in other.list_runs("is:binned")] == ["three"]
    assert len(other.opinions.of_run("three")) == 1


def test_the_runs_of_a_long_history_are_never_held_together(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "PAGE", 3)
    monkeypatch.setattr(copying, "MOST_EVENTS", 10)
    for number in range(8):
        store.record(f"r{number}", runs.make_run(f"r{number}"))
    others_run = runs.make_run("r4", model="another")
    other.record("r4", others_run)
    heard: list[int] = []

    done = copy_history(store, other, heard.append)

    assert (done.runs, len(done.left_out)) == (7, 1)
    assert sum(heard) == 8
    assert max(heard) == 1, "a run of 17 events is written by itself where ten are many"
    assert [row.id for row in reversed(other.list_runs())] == [
        "r4",
        *(f"r{number}" for number in range(8) if number != 4),
    ]


def test_a_run_whose_first_event_is_gone_is_left_out(store: Store, other: Store) -> None:
    for name in ("one", "two"):
        store.record(name, runs.make_run(name))
    broken = store.find("one").number
    with store._writing.begin() as connection:
        connection.execute(delete(events).where(events.c.number == broken, events.c.seq == 0))

    done = copy_history(store, other)

    assert (done.runs, done.left_out) == (1, (("one", "its first event is missing"),))


@pytest.mark.parametrize(("most", "written"), [(22, [1, 1, 1]), (23, [2, 1]), (45, [2, 1]), (46, [3])])
def test_so_many_runs_are_written_together_as_have_no_more_events_than_is_much(
    database: Path, store: Store, other: Store, monkeypatch: pytest.MonkeyPatch, most: int, written: list[int]
) -> None:
    monkeypatch.setattr(copying, "MOST_EVENTS", most)
    for number in range(3):
        store.record(f"r{number}", runs.make_run(f"r{number}"))
    assert len(runs.make_run()) == 23
    heard: list[int] = []
    assert copy_history(store, other, heard.append).runs == 3
    assert [count for count in heard if count] == written


def test_pages_and_groups_end_where_they_are_full(
    database: Path, store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "PAGE", 4)
    monkeypatch.setattr(copying, "TOGETHER", 3)
    for number in range(6):
        store.record(f"r{number}", runs.make_run(f"r{number}"))
    other.record("r1", runs.make_run("r1"))
    other.record("r5", runs.make_run("r5"))
    heard: list[int] = []
    done = copy_history(store, other, heard.append)
    assert (done.runs, done.there) == (4, 2)
    assert heard == [1, 3, 0, 1, 1]


@pytest.mark.parametrize(
    "other_way",
    [
        {"model": "another"},
        {"prompt": "Weather in Oslo?"},
        {"at_us": runs.STARTED_US + 1},
    ],
)
def test_two_runs_of_one_id_that_differ_in_anything_are_told(
    database: Path, store: Store, other: Store, other_way: dict[str, Any]
) -> None:
    store.record("one", runs.make_run("one"))
    other.record("one", runs.make_run("one", **other_way))
    done = copy_history(store, other)
    assert (done.runs, done.there) == (0, 0)
    assert done.left_out == (("one", "it stands there with other events"),)


def test_a_run_that_went_further_elsewhere_is_another_one(database: Path, store: Store, other: Store) -> None:
    events = runs.make_run("one")
    store.record("one", events)
    other.record("one", events[:-4])
    assert copy_history(store, other).left_out == (("one", "it stands there with other events"),)


def test_batches_come_over_in_their_order_and_stand_still(database: Path, store: Store, other: Store) -> None:
    made = batch({"one": ["s"]})
    for number, state in enumerate((BatchState.DONE, BatchState.RUNNING, BatchState.STOPPED)):
        spec = replace(made.spec, id=f"b{number}", created_us=made.spec.created_us + number)
        store.batches.add(replace(made, spec=spec))
        store.batches.set_state(spec.id, state)
    assert copy_history(store, other).batches == 3
    assert [(row.id, row.state) for row in other.batches.list()] == [
        ("b2", BatchState.STOPPED), ("b1", BatchState.STOPPED), ("b0", BatchState.DONE),
    ]  # fmt: skip
    assert not any(row.alive for row in other.batches.list())
    assert other.verifications.ids() == frozenset()


def test_versions_of_a_tool_set_that_lack_come_after_those_that_are_there(
    database: Path, store: Store, other: Store
) -> None:
    rain, snow = ([ToolSetup(ToolSpec(name))] for name in ("rain", "snow"))
    store.tool_sets.save("mine", rain, "first")
    store.tool_sets.save("mine", snow, "second")
    store.tool_sets.save("theirs", rain)
    other.tool_sets.save("mine", rain, "theirs")
    assert copy_history(store, other).tool_sets == 2
    assert [(one.note, list(one.tools)) for one in other.tool_sets.versions("mine")] == [
        ("theirs", rain),
        ("second", snow),
    ]
    assert copy_history(store, other).tool_sets == 0
