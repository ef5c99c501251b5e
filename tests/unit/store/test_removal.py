"""What is removed for good is gone from every table, from the search and from the file."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import func, select

from tests.kit import runs
from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolSetup
from workbench.store import Store
from workbench.store.choose_database import database_at
from workbench.store.journal import BLOB_FROM
from workbench.store.removal import remove_runs, remove_unshared
from workbench.store.schema import blobs, chain, chunks, events, run_details, steps, toolsets

SECRET = "zanzibarquux"


def rows(records: Path | str, *tables: object) -> list[int]:
    engine = database_at(records).reading_engine()
    with engine.connect() as connection:
        found = [connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]  # type: ignore[arg-type]
    engine.dispose()
    return found


def test_nothing_of_a_removed_run_is_left(store: Store, records: Path | str) -> None:
    store.record("gone", runs.make_run("gone", prompt=f"{SECRET} " + "x" * BLOB_FROM))
    assert rows(records, blobs)[0] > 0
    assert store.remove(["gone"]) == 1
    assert rows(records, events, chunks, steps, blobs, run_details, toolsets) == [0] * 6
    assert store.count(SECRET) == store.count("is:binned") == 0
    assert store.check().problems == ()


def test_tools_that_another_run_uses_stay(store: Store, records: Path | str) -> None:
    for name in ("a", "b"):
        begun = replace(runs.started(name), tools=(ToolSetup(runs.WEATHER),))
        store.record(name, [begun, *runs.make_run(name)[1:]])
    assert rows(records, toolsets) == [1]
    store.remove(["a"])
    assert rows(records, toolsets) == [1]
    store.remove(["b"])
    assert rows(records, toolsets) == [0]


def test_no_byte_of_it_is_left_in_the_file(store: Store, database: Path) -> None:
    store.record("stays", runs.make_run("stays"))
    store.record("gone", runs.make_run("gone", prompt=SECRET))
    assert any(SECRET.encode() in file.read_bytes() for file in database.parent.iterdir())
    store.remove(["gone"])
    store.shrink()
    assert not any(SECRET.encode() in file.read_bytes() for file in database.parent.iterdir())
    assert store.count("Rome") == 1


def test_a_run_under_way_is_not_removed(store: Store) -> None:
    store.record("open", [runs.started("open")])
    with pytest.raises(InvalidInput, match="under way"):
        store.remove(["open"])


def test_progress_is_told_in_pieces(store: Store, add: Callable[..., int]) -> None:
    numbers = [add(runs.make_run(f"r{index}")) for index in range(3)]
    told: list[int] = []
    assert store.remove(numbers, told.append) == 3
    assert told == [3]


def test_an_edited_reply_goes_with_its_run_and_with_no_other(store: Store, database: Path) -> None:
    for name in ("a", "b"):
        store.record(name, runs.make_run(name))
        store.record(f"{name}-given", runs.edit_of(f"{name}-given", name))
    assert store.remove(["a"]) == 2
    assert set(store.held(["a", "a-given", "b", "b-given"])) == {"b", "b-given"}
    assert store.remove(["b", "b-given"]) == 2, "each once, though it is named twice"
    assert store.recorded() == 0
    assert store.check().problems == ()


def test_the_chain_notes_what_was_removed_and_when(store: Store, database: Path) -> None:
    number = store.record("r", runs.make_run("r"))
    before = time.time_ns() // 1000
    store.remove(["r"])
    with store._reading.connect() as connection:
        rows = connection.execute(select(*chain.c).where(chain.c.kind == "removed")).mappings().all()
    (row,) = rows
    assert (row["number"], row["run_id"], row["first"], row["end"], row["bytes"], row["content"]) == (
        number,
        "r",
        0,
        0,
        0,
        "",
    )
    assert before <= row["at_us"] <= time.time_ns() // 1000


def test_a_run_that_somebody_else_removed_is_passed_over(store: Store, database: Path) -> None:
    store.record("r", runs.make_run("r"))
    assert store._write(partial(remove_runs, ids=["nobody", "r"])) == 1
    assert store._write(partial(remove_runs, ids=["r"])) == 0


def test_how_many_tool_sets_nobody_needs_is_told(store: Store, database: Path) -> None:
    store.record("a", [replace(runs.started("a"), tools=(ToolSetup(runs.WEATHER),)), *runs.make_run("a")[1:]])
    store._write(partial(remove_runs, ids=["a"]))
    assert [store._write(remove_unshared), store._write(remove_unshared)] == [1, 0]
