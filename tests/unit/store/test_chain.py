"""Links are cut where exchanges end, and hashed over the rows as they stand in the tables."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import delete, func, select

from tests.kit import runs
from workbench.core.events import VerdictGiven
from workbench.core.hash_chain import START, link_hash
from workbench.store import Store
from workbench.store.chain import (
    ChainedRow,
    Link,
    Seal,
    _bytes,
    add_row,
    append_links,
    chunk_kind,
    resumed,
    sealed_until,
    stored_rows,
)
from workbench.store.choose_database import database_at
from workbench.store.schema import chain


def links(records: Path | str) -> list[tuple[str, int, int, int]]:
    engine = database_at(records).reading_engine()
    with engine.connect() as connection:
        query = select(chain.c.kind, chain.c.number, chain.c.first, chain.c.end).order_by(chain.c.n)
        found = [tuple(row) for row in connection.execute(query)]
    engine.dispose()
    return found


def test_a_new_history_begins_its_chain(store: Store, records: Path | str) -> None:
    assert links(records) == [("begun", 0, 0, 0)]
    assert store.check().chain.links == 1


def test_a_links_beginning_is_found_and_nothing_is_none(store: Store) -> None:
    head = store.check().chain.head
    assert store.holds(head[:8].upper())
    assert not store.holds("x" + head[:8])
    assert not store.holds("")


def test_each_exchange_with_what_follows_it_is_a_link(
    add: Callable[..., int], records: Path | str, store: Store
) -> None:
    number = add()
    found = links(records)[1:]
    assert found[0][0] == "rest"
    assert {kind for kind, *_ in found[1:]} == {"exchange"}
    assert [first for _, _, first, _ in found] == [0, *(end for *_, end in found[:-1])], "they leave nothing out"
    assert found[-1][3] == sum(1 for _ in store.load(number).events)


def test_a_verdict_given_later_is_a_link_of_its_own(add: Callable[..., int], store: Store, records: Path | str) -> None:
    number = add()
    end = links(records)[-1][3]
    store.record(store.find(number).id, [VerdictGiven(runs.failed("parse.x"), "me", 5)])
    assert links(records)[-1] == ("rest", number, end, end + 1)
    assert store.check().problems == ()


def test_a_run_whose_process_died_is_hashed_when_it_is_closed(records: Path | str, store: Store) -> None:
    events = runs.make_run("cut")[:4]
    store.record("cut", events)
    assert links(records)[1:] == [("rest", 1, 0, 3)]
    store.close_run("cut")
    assert links(records)[-1] == ("exchange", 1, 3, 4)
    assert store.check().problems == ()


def test_what_a_rolled_back_transaction_hashed_is_hashed_again(store: Store, records: Path | str) -> None:
    events = runs.make_run("r")
    store.record("r", events[:5])
    store._journal.forget()
    store.record("r", events[5:])
    assert store.check().problems == ()
    assert links(records)[-1][3] == len(events)


def test_rows_come_in_their_order(store: Store, add: Callable[..., int], records: Path | str) -> None:
    add()
    add()
    engine = database_at(records).reading_engine()
    with engine.connect() as connection:
        everything = list(stored_rows(connection))
        second = list(stored_rows(connection, 2, 3))
        assert sealed_until(connection, 2) == len(store.load(2).events)
    engine.dispose()
    assert [(row.number, row.seq) for row in everything] == sorted((row.number, row.seq) for row in everything)
    assert second == [row for row in everything if row.number == 2 and row.seq >= 3]


def test_the_cut_between_two_rows_is_hashed_too() -> None:
    whole, parts = hashlib.sha256(), hashlib.sha256()
    add_row(whole, ChainedRow(1, 0, "a", b"xy"))
    add_row(parts, ChainedRow(1, 0, "a", b"x"))
    add_row(parts, ChainedRow(1, 0, "a", b"y"))
    assert whole.hexdigest() != parts.hexdigest()


def test_what_follows_an_exchange_that_was_cut_is_none() -> None:
    seal = Seal(1, "r")
    kinds = []
    for seq, kind in enumerate(("run_started", "exchange_started", "step_finished", "verdict_given")):
        seal.take(ChainedRow(1, seq, kind, b"x"), seq + 1)
        link = seal.cut(seq)
        assert link is not None
        assert (link.first, link.end, link.bytes) == (seq, seq + 1, 1)
        kinds.append(link.kind)
    assert kinds == ["rest", "exchange", "rest", "rest"]


def test_nothing_taken_gives_no_link() -> None:
    seal = Seal(1, "r", 4)
    assert seal.cut(0) is None
    seal.take(ChainedRow(1, 4, "a", b"x"), 6)
    link = seal.cut(9)
    assert link is not None
    assert (link.first, link.end, link.bytes, link.at_us) == (4, 6, 1, 9)
    assert seal.cut(9) is None


def test_whatever_stands_in_a_column_has_bytes() -> None:
    for value, data in (
        (b"a", b"a"),
        (bytearray(b"a"), b"a"),
        (memoryview(b"a"), b"a"),
        ("ä", "ä".encode()),
        (None, b""),
        (7, b"7"),
        ("\ud800", b"\xed\xa0\x80"),
    ):
        assert _bytes(value) == data


def test_no_links_are_written_for_nothing(store: Store, database: object) -> None:
    with store._writing.begin() as connection:
        before = connection.execute(select(func.count()).select_from(chain)).scalar_one()
        append_links(connection, [])
        assert connection.execute(select(func.count()).select_from(chain)).scalar_one() == before


def test_rows_of_events_and_bytes_come_in_one_order(store: Store, database: object) -> None:
    for name in ("a", "b"):
        store.record(name, runs.make_run(name))
    with store._reading.connect() as connection:
        places = [(row.number, row.seq) for row in stored_rows(connection)]
        assert places == sorted(places)
        assert {number for number, _ in places} == {1, 2}
        later = list(stored_rows(connection, 2, 5))
        assert [row.seq for row in later] == [seq for number, seq in places if number == 2 and seq >= 5]
        assert all(row.number == 2 for row in later)


@pytest.mark.parametrize(("old", "first"), [(True, 7), (False, 0)])
def test_of_an_old_run_only_what_comes_now_is_sealed(store: Store, database: object, old: bool, first: int) -> None:
    with store._reading.connect() as connection:
        assert sealed_until(connection, 99) == 0
        assert resumed(connection, 99, "nobody", 7, old=old).first == first


def test_links_begin_after_the_last_one_or_at_the_start(store: Store, database: object) -> None:
    link = Link("rest", 1, "r", 0, 1, 1, "content", 5)
    with store._writing.begin() as connection:
        connection.execute(delete(chain))
        append_links(connection, [link, link])
        append_links(connection, [link])
        rows = connection.execute(select(chain.c.n, chain.c.hash).order_by(chain.c.n)).all()
    head, expected = START, []
    for n in (1, 2, 3):
        head = link_hash(n, head, list(link))
        expected.append((n, head))
    assert [tuple(row) for row in rows] == expected


def test_rows_are_hashed_in_a_form_that_never_changes() -> None:
    """Histories of all versions are held against it."""
    found = hashlib.sha256()
    add_row(found, ChainedRow(7, 3, "run_started", b'{"a": 1}'))
    add_row(found, ChainedRow(7, 4, "chunks 0 0 0 [1,2]", b"xy"))
    assert found.hexdigest() == hashlib.sha256(b'3 run_started 8\n{"a": 1}4 chunks 0 0 0 [1,2] 2\nxy').hexdigest()
    assert chunk_kind(1, 2, 3, "[4,5]") == "chunks 1 2 3 [4,5]"
