"""Opening the records of the data folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.history import record
from tests.kit.playback import play, reply
from workbench.cli.records import find_all, one_of, open_store
from workbench.core.errors import InvalidInput, StoreError, UnknownName


def test_the_database_is_made_where_the_home_is(home: Path) -> None:
    with open_store() as store:
        assert store.count() == 0
    assert (home / "workbench.db").exists()


def test_all_runs_are_looked_up_before_anything_is_done() -> None:
    record(play(reply("Hello.")))
    with open_store() as store:
        assert [row.number for row in find_all(store, ["1"])] == [1]
        with pytest.raises(InvalidInput, match="7"):
            find_all(store, ["1", "7"])


def test_a_file_that_is_no_database_is_named(home: Path) -> None:
    home.mkdir()
    (home / "workbench.db").write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreError, match="workbench"), open_store():
        pass


def test_one_of_a_list() -> None:
    assert one_of("mode", "a", ["a", "b"]) == "a"
    with pytest.raises(UnknownName, match="mode 'c'"):
        one_of("mode", "c", ["a", "b"])
