from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.fakes import READ_FILE, WEATHER
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.masking import Secrets
from workbench.core.tools import ArgumentRule, MockRule, ToolMode, ToolSetup, ToolSource
from workbench.store import Store
from workbench.store.tool_sets import ToolSetRow, ToolSetVersion

RULES = MockRule(
    "rules", rules=(ArgumentRule({"city": "Rome"}, MockRule("sequence", steps=(MockRule("fixed", 1), MockRule()))),)
)
FIRST = (ToolSetup(WEATHER, ToolMode.MOCK, RULES),)
SECOND = (*FIRST, ToolSetup(READ_FILE, ToolMode.ASK, source=ToolSource("builtin", tool="read_file"), ask_seconds=5))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "workbench.db")
    yield opened
    opened.close()


def test_every_save_is_a_version_and_none_changes(store: Store) -> None:
    assert store.tool_sets.save("mine", FIRST).version == 1
    assert store.tool_sets.save("mine", SECOND, "reads files").version == 2

    assert store.tool_sets.load("mine", 1).tools == FIRST
    latest = store.tool_sets.load("mine")
    assert (latest.version, latest.tools, latest.note) == (2, SECOND, "reads files")
    assert [(row.name, row.version, row.tools) for row in store.tool_sets.rows()] == [("mine", 2, 2)]


def test_the_same_tools_again_are_no_new_version(store: Store) -> None:
    first = store.tool_sets.save("mine", FIRST)
    assert store.tool_sets.save("mine", FIRST) == first


def test_a_removed_set_comes_back_with_its_versions(store: Store) -> None:
    store.tool_sets.save("mine", FIRST)
    store.tool_sets.remove("mine")
    assert store.tool_sets.rows() == []
    with pytest.raises(UnknownName):
        store.tool_sets.load("mine")

    assert store.tool_sets.save("mine", SECOND).version == 2
    assert [row.name for row in store.tool_sets.rows()] == ["mine"]
    assert [one.tools for one in store.tool_sets.versions("mine")] == [FIRST, SECOND]


def test_unknown_names_and_versions_are_told(store: Store) -> None:
    store.tool_sets.save("mine", FIRST)
    with pytest.raises(UnknownName, match="'9'"):
        store.tool_sets.load("mine", 9)
    with pytest.raises(InvalidInput):
        store.tool_sets.save(" ", FIRST)


def test_keys_in_tools_become_stars(store: Store) -> None:
    store.mask_with(lambda: Secrets(["of-ours-0815"]))
    mocked = ToolSetup(WEATHER, ToolMode.MOCK, MockRule("fixed", {"key": "of-ours-0815"}))

    saved = store.tool_sets.save("mine", [mocked], "with of-ours-0815")

    assert (saved.note, saved.tools[0].mock) == ("with ************", MockRule("fixed", {"key": "************"}))
    assert store.tool_sets.load("mine") == saved


def test_a_key_is_no_name_of_a_set(store: Store) -> None:
    store.mask_with(lambda: Secrets(["of-ours-0815"]))
    with pytest.raises(InvalidInput, match="cannot hold a key") as caught:
        store.tool_sets.save("my of-ours-0815", FIRST)
    assert "0815" not in str(caught.value)


def test_a_set_of_a_later_version_is_named(store: Store, tmp_path: Path) -> None:
    store.tool_sets.save("mine", FIRST)
    with closing(sqlite3.connect(tmp_path / "workbench.db")) as connection, connection:
        assert connection.execute("UPDATE tool_set_versions SET body = '{}'").rowcount == 1
    with pytest.raises(InvalidInput, match="'mine' was written by a later version"):
        store.tool_sets.load("mine")


def test_sets_are_listed_by_name_with_their_latest_version(store: Store) -> None:
    saved = [
        store.tool_sets.save(name, tools, note)
        for name, tools, note in (("b", FIRST, ""), ("a", FIRST, "x"), ("b", SECOND, "y"))
    ]
    assert store.tool_sets.rows() == [
        ToolSetRow("a", 1, 1, saved[1].saved_us),
        ToolSetRow("b", 2, 2, saved[2].saved_us),
    ]
    assert store.tool_sets.versions("b") == [
        ToolSetVersion("b", 1, saved[0].saved_us, "", FIRST),
        ToolSetVersion("b", 2, saved[2].saved_us, "y", SECOND),
    ]
    assert saved[0].saved_us <= saved[1].saved_us <= saved[2].saved_us


def test_tools_that_were_changed_back_are_a_new_version(store: Store) -> None:
    for tools in (FIRST, SECOND, FIRST):
        store.tool_sets.save("mine", tools)
    assert [one.version for one in store.tool_sets.versions("mine")] == [1, 2, 3]
    assert store.tool_sets.load("mine", 2).tools == SECOND


@pytest.mark.parametrize("name", ["", " ", " a", "a ", "a\nb", "a\x00"])
def test_a_name_that_nobody_can_type_is_refused(store: Store, name: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        store.tool_sets.save(name, FIRST)
    assert refused.value.message == f"{name!r} cannot be a set's name."


def test_what_is_not_there_is_told_with_what_is(store: Store) -> None:
    store.tool_sets.save("mine", FIRST)
    for ask in (
        lambda: store.tool_sets.versions("mime"),
        lambda: store.tool_sets.load("mime"),
        lambda: store.tool_sets.remove("mime"),
    ):
        with pytest.raises(UnknownName) as unknown:
            ask()
        assert "mime" in unknown.value.message
        assert "mine" in unknown.value.hint
    with pytest.raises(UnknownName) as version:
        store.tool_sets.load("mine", 2)
    assert ("version of the tool set 'mine'" in version.value.message, "1" in version.value.hint) == (True, True)
