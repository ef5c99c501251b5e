from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit import runs
from workbench.store import Store
from workbench.store.retention import Retention, Size, in_pieces, too_much

DAY = 86_400_000_000


def recorded(store: Store, count: int, origin: str = "gateway") -> list[str]:
    """Runs of an origin, a day apart, oldest first."""
    ids = []
    for day in range(count):
        run_id = f"{origin}-{day}"
        told = [runs.started(run_id, at_us=runs.STARTED_US + day * DAY, origin=origin), *runs.make_run()[1:]]
        store.record(run_id, told)
        ids.append(run_id)
    return ids


def left(store: Store) -> list[str]:
    return sorted(row.id for row in store.list_runs())


def test_old_runs_of_one_origin_are_removed_for_good(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a.db")
    ids = recorded(store, 4)
    recorded(store, 2, "try")
    assert store.trim("gateway", runs.STARTED_US + 2 * DAY, 0) == 2
    assert left(store) == [*ids[2:], "try-0", "try-1"]
    assert not store.count("is:binned")
    assert store.count("Rome") == 4, "removed runs are found no longer"
    assert store.check().problems == ()
    store.close()


def test_the_oldest_go_while_all_take_too_much(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a.db")
    ids = recorded(store, 4)
    kept = store.kept("gateway")
    assert kept.runs == 4
    assert kept.bytes > 4 * 500
    assert store.trim("gateway", 0, kept.bytes) == 0
    assert store.trim("gateway", 0, kept.bytes // 2) == 2
    assert left(store) == ids[2:]
    store.close()


def test_a_run_that_is_not_over_stays(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a.db")
    store.record("open", [runs.started("open", origin="gateway")])
    assert store.trim("gateway", runs.STARTED_US + DAY, 0) == 0
    assert store.kept("gateway").runs == 0
    assert store.count() == 1
    store.close()


def test_many_runs_go_in_pieces() -> None:
    assert [len(piece) for piece in in_pieces([str(number) for number in range(450)])] == [200, 200, 50]
    found = [Size(number, str(number), number, 10) for number in range(500)]
    assert len(too_much(found, 450, 0)) == 450
    assert too_much(found, 0, 0) == []
    assert too_much(found, 0, 4_990) == found[:1]


def test_runs_older_than_the_chain_are_measured_by_reading_them(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a.db")
    recorded(store, 2)
    by_chain = store.kept("gateway")
    with closing(sqlite3.connect(tmp_path / "a.db")) as other:
        other.execute("UPDATE chain SET number = 9 WHERE kind = 'begun'")
        other.execute("DELETE FROM chain WHERE kind <> 'begun'")
        other.commit()
    assert store.kept("gateway") == by_chain
    store.close()


@pytest.mark.parametrize(
    ("rule", "words"),
    [(Retention(14, 1_000), "14 days, 1,000 MB"), (Retention(0, 5), "5 MB"), (Retention(), "for ever")],
)
def test_a_rule_in_words(rule: Retention, words: str) -> None:
    assert rule.words == words


def test_without_a_limit_nothing_is_too_old_or_too_much() -> None:
    assert (Retention().before_us, Retention().most_bytes) == (0, 0)
    assert Retention(megabytes=3).most_bytes == 3_000_000
    assert Retention(1).before_us == pytest.approx((time.time() - 86_400) * 1e6, rel=1e-6)


def test_limits_are_what_may_just_be_kept() -> None:
    found = [Size(number, str(number), number, 10) for number in range(4)]
    assert too_much(found, 0, 40) == []
    assert too_much(found, 0, 39) == found[:1]
    assert too_much(found, 2, 0) == found[:2]
    assert too_much(found, 1, 19) == found[:3]
    assert too_much([], 9, 9) == []


def test_a_measured_run_says_all_that_a_rule_asks(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "a.db")) as store:
        (run_id,) = recorded(store, 1)
        recorded(store, 1, "try")
        store.record("open", [runs.started("open")])
        store.delete([run_id])
        mine, other = store._sizes()
        assert (mine.number, mine.id, mine.started_us, mine.binned) == (1, run_id, runs.STARTED_US, True)
        assert (other.number, other.id, other.binned) == (2, "try-0", False)
        assert store._sizes("try") == [other]
        assert store._sizes("nowhere") == []
        assert store.too_much(Retention(days=1)) == [run_id, "try-0"]
        assert store.too_much(Retention()) == []


def test_ids_are_cut_where_a_transaction_is_full() -> None:
    ids = [str(number) for number in range(400)]
    assert in_pieces(ids) == [ids[:200], ids[200:]]
    assert in_pieces([]) == []
