"""What is removed for good is gone from every table, from the search and from the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select

from tests.kit import runs
from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolSetup
from workbench.store import Store
from workbench.store.choose_database import database_at
from workbench.store.journal import BLOB_FROM
from workbench.store.schema import blobs, chunks, events, run_details, steps, toolsets

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
