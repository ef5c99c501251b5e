"""The index of SQLite. What is found is tested in `test_search.py`, for both databases."""

from __future__ import annotations

from sqlalchemy import true

from tests.kit import runs
from workbench.store import Store
from workbench.store.schema import runs as table
from workbench.store.search import Phrase
from workbench.store.sqlite_search import SqliteSearch


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
