from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import SettingsError
from workbench.store.choose_database import database_at
from workbench.store.database import DatabaseState
from workbench.store.postgres import PostgresServer
from workbench.store.sqlite import SqliteFile


def test_path_is_a_file_and_address_a_server(tmp_path: Path) -> None:
    file = database_at(tmp_path / "workbench.db")
    assert isinstance(file, SqliteFile)
    assert file.name == str(tmp_path / "workbench.db")
    assert file.examine() == DatabaseState(True, None)
    assert isinstance(database_at("postgresql://host/name"), PostgresServer)


def test_text_that_is_no_address() -> None:
    with pytest.raises(SettingsError, match="postgresql"):
        database_at("workbench.db")
