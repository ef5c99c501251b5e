from __future__ import annotations

from collections.abc import Iterator

import pytest
from alembic import command
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.exc import IntegrityError

from workbench.store.upgrade import alembic_config


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    config = alembic_config()
    with engine.begin() as opened:
        config.attributes["connection"] = opened
        command.upgrade(config, "r0001")
        yield opened
    engine.dispose()


def test_all_tables_are_made(connection: Connection) -> None:
    tables = set(inspect(connection).get_table_names())

    assert tables >= {"names", "runs", "run_details", "toolsets", "events", "blobs", "chunks", "steps"}


def test_a_search_works_at_once(connection: Connection) -> None:
    connection.execute(text("INSERT INTO run_text(rowid, prompt) VALUES (7, 'weather')"))

    assert connection.execute(text("SELECT rowid FROM run_text WHERE run_text MATCH 'weather'")).scalar_one() == 7


def test_a_name_stands_once_in_its_kind(connection: Connection) -> None:
    connection.execute(text("INSERT INTO names(kind, name) VALUES ('model', 'a'), ('tool', 'a')"))

    with pytest.raises(IntegrityError):
        connection.execute(text("INSERT INTO names(kind, name) VALUES ('model', 'a')"))
