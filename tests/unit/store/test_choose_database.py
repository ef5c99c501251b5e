from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import create_mock_engine

from workbench.core.errors import SettingsError
from workbench.store.choose_database import database_at, index_of
from workbench.store.database import DatabaseState
from workbench.store.postgres import PostgresServer
from workbench.store.postgres_search import PostgresSearch
from workbench.store.sqlite import SqliteFile
from workbench.store.sqlite_search import SqliteSearch


def test_path_is_a_file_and_address_a_server(tmp_path: Path) -> None:
    file = database_at(tmp_path / "workbench.db")
    assert isinstance(file, SqliteFile)
    assert file.name == str(tmp_path / "workbench.db")
    assert file.examine() == DatabaseState(True, None)
    assert isinstance(database_at("postgresql://host/name"), PostgresServer)


def test_text_that_is_no_address() -> None:
    with pytest.raises(SettingsError, match="postgresql"):
        database_at("workbench.db")


@pytest.mark.parametrize(
    ("address", "index"), [("sqlite://", SqliteSearch), ("postgresql+psycopg://host/name", PostgresSearch)]
)
def test_each_database_has_its_own_index(address: str, index: type) -> None:
    engine = create_mock_engine(address, lambda *_: None)
    assert type(index_of(engine)) is index  # type: ignore[arg-type]
