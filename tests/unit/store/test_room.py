from __future__ import annotations

from pathlib import Path

from tests.kit import runs
from tests.kit.time_zone import local_time
from workbench.store import Store
from workbench.store.retention import Kept, Retention, Size
from workbench.store.room import by_year, would_go
from workbench.store.sqlite import settle

YEAR_US = 366 * 86_400_000_000


def test_runs_are_summed_up_by_year() -> None:
    found = [
        Size(1, "a", runs.STARTED_US, 5),
        Size(2, "b", runs.STARTED_US, 7),
        Size(3, "c", runs.STARTED_US + YEAR_US, 1),
    ]
    assert by_year(found) == {2026: Kept(2, 12), 2027: Kept(1, 1)}


def test_years_are_those_of_utc_wherever_one_is() -> None:
    new_year_us = 1_798_761_600_000_000
    found = [Size(1, "a", new_year_us - 1_000_000, 5), Size(2, "b", new_year_us, 7)]
    for zone in ("AHEAD-13", "BEHIND+11"):
        with local_time(zone):
            assert by_year(found) == {2026: Kept(1, 5), 2027: Kept(1, 7)}


def test_a_rule_says_what_it_would_free() -> None:
    found = [Size(number, str(number), number, 1_000_000) for number in range(3)]
    assert would_go(found, Retention()) == Kept(0, 0)
    assert would_go(found, Retention(megabytes=2)) == Kept(1, 1_000_000)
    assert would_go(found, Retention(days=1)) == Kept(3, 3_000_000)


def test_the_meter_knows_tables_years_and_bin(store: Store, records: Path | str) -> None:
    for name in ("a", "b"):
        store.record(name, runs.make_run(name))
    store.delete(["a"])
    found = store.room()
    assert found.total > 100_000
    assert found.tables["events"] > 0
    assert found.tables["run_text"] > 0
    assert found.years[2026].runs == 2
    assert found.binned.runs == 1
    assert found.would_go == Kept(0, 0)


def test_shrinking_gives_room_back_and_keeps_all_runs(store: Store, database: Path) -> None:
    for index in range(60):
        store.record(f"r{index}", runs.make_run(f"r{index}", text="word " * 4_000))
    store.remove([f"r{index}" for index in range(50)])
    assert store.room().free > 500_000
    assert store.shrink() > 500_000
    assert store.room().free == 0
    assert store.count() == 10
    assert store.check().problems == ()


def test_the_log_of_the_removal_itself_is_nothing_freed(store: Store, database: Path) -> None:
    for index in range(60):
        store.record(f"r{index}", runs.make_run(f"r{index}", text="word " * 4_000))
    settle(database)
    before = store.size()
    store.remove([f"r{index}" for index in range(20)])
    assert store.size() > before  # what is removed stands in the log, too
    assert store.shrink() == before - store.size()


def test_room_is_given_back_on_every_kind_of_database(store: Store) -> None:
    for name in ("a", "b"):
        store.record(name, runs.make_run(name))
    store.remove(["a"])
    assert isinstance(store.shrink(), int)
    assert store.count() == 1
    assert store.check().problems == ()


def test_tables_are_told_largest_first_and_the_bin_apart(store: Store, database: Path) -> None:
    for name in ("a", "b", "c"):
        store.record(name, runs.make_run(name, text="word " * 4_000))
    store.delete(["a"])
    found = store.room(Retention(days=1))
    assert list(found.tables.values()) == sorted(found.tables.values(), reverse=True)
    assert found.binned.runs == 1
    assert 0 < found.binned.bytes * 3 == found.would_go.bytes == found.years[2026].bytes
    assert found.would_go.runs == 3


def test_years_are_told_in_their_order() -> None:
    found = [Size(1, "a", runs.STARTED_US + YEAR_US, 1), Size(2, "b", runs.STARTED_US, 5)]
    assert list(by_year(found).items()) == [(2026, Kept(1, 5)), (2027, Kept(1, 1))]
