"""The index of SQLite. What is found is tested in `test_search.py`, for both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import select, true

from tests.kit import runs
from workbench.store import Store
from workbench.store.schema import runs as table
from workbench.store.search import Phrase
from workbench.store.sqlite_search import SqliteSearch, _quoted


def test_newest_matches_come_without_sorting(store: Store, database: object) -> None:
    for name in ("a", "b", "c"):
        store.record(name, runs.make_run(name))
    query, number = SqliteSearch().over(store._reading, [table.c.number], [Phrase("rome")], true())
    ordered = query.order_by(number.desc())
    with store._reading.connect() as connection:
        assert connection.execute(ordered).scalars().all() == [3, 2, 1]
        compiled = str(ordered.compile(connection, compile_kwargs={"literal_binds": True}))
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}").all()
    assert not [row for row in plan if "B-TREE" in row[3]]


@pytest.mark.parametrize(
    ("phrase", "question"),
    [
        (Phrase("rome"), '"rome" *'),
        (Phrase("rome?"), '"rome?"'),
        (Phrase('say "hi"'), '"say ""hi"""'),
        (Phrase("a\0b"), '"a\ufffdb" *'),
        (Phrase(" rome "), '"rome" *'),
        (Phrase("天"), '"天" *'),
        (Phrase("rome", "prompt"), 'prompt : "rome" *'),
        (Phrase("rome", "prompt", ("oslo",)), '(prompt : "rome" * OR prompt : "oslo" *)'),
        (Phrase(""), '""'),
    ],
)
def test_a_phrase_is_asked_in_the_language_of_the_index(phrase: Phrase, question: str) -> None:
    assert _quoted(phrase) == question


def test_without_a_phrase_the_table_itself_is_walked(store: Store, database: object) -> None:
    for name in ("a", "b"):
        store.record(name, runs.make_run(name))
    ((query, number),) = SqliteSearch().ways(store._reading, [], None, true())
    with store._reading.connect() as connection:
        assert connection.execute(query.with_only_columns(number).order_by(number.desc())).scalars().all() == [2, 1]
        assert "run_text" not in str(query)
        ((query, _),) = SqliteSearch().ways(store._reading, [Phrase("rome")], None, true())
        assert "run_text" in str(query)
        lacking = SqliteSearch().lacking(Phrase("rome"))
        assert connection.execute(select(table.c.number).where(lacking)).all() == []
        assert len(connection.execute(select(table.c.number).where(SqliteSearch().lacking(Phrase("oslo")))).all()) == 2


def test_all_phrases_are_asked_at_once() -> None:
    asked = SqliteSearch().matching([Phrase("a"), Phrase("b")]).compile().params
    assert list(asked.values()) == ['"a" * AND "b" *']
