"""`db path`, `check` and `backup`."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.history import Terminal, record
from tests.kit.playback import play, reply
from workbench.store import Store
from workbench.store.rows import CheckReport


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


def test_the_path_is_told_without_making_anything(terminal: Terminal, home: Path) -> None:
    assert terminal.json("db", "path") == {"path": str(home / "workbench.db"), "exists": False}
    assert not home.exists()


def test_a_sound_file(terminal: Terminal) -> None:
    record(play(reply("Hello.")))
    found = terminal.json("db", "check")
    assert (found["runs"], found["problems"]) == (1, [])
    assert "sound, 1 run, " in terminal("db", "check")


def test_damage_is_told_and_ends_with_one(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "check", lambda self, advance: CheckReport(("page 3 is lost",), 1, 5))
    assert "✕ page 3 is lost" in terminal("db", "check", code=1)


def test_a_copy_goes_to_the_backups_and_never_over_a_file(terminal: Terminal, home: Path, tmp_path: Path) -> None:
    record(play(reply("Hello.")))
    made = Path(terminal.json("db", "backup")["path"])
    assert made.parent == home / "backups"
    copy = Store.open(made)
    try:
        assert copy.count() == 1
    finally:
        copy.close()
    taken = tmp_path / "taken.db"
    taken.write_text("mine")
    terminal("db", "backup", str(taken), code=2)
    assert taken.read_text() == "mine"


@pytest.mark.parametrize("place", ["", ".", "/"])
def test_a_history_is_not_copied_from_a_folder(terminal: Terminal, place: str, tmp_path: Path) -> None:
    terminal("db", "copy", place, str(tmp_path / "new.db"), code=2)
    assert not (tmp_path / "new.db").exists()


def test_an_altered_record_is_named_and_ends_with_one(terminal: Terminal, home: Path) -> None:
    record(play(reply("Hello.")))
    with closing(sqlite3.connect(home / "workbench.db")) as other:
        other.execute("UPDATE events SET body = replace(body, 'Hello.', 'Bye.')")
        other.commit()
    assert "✕ Run 1 was altered: " in terminal("db", "check", code=1)


def test_an_end_of_the_chain_that_was_noted_is_found_again(terminal: Terminal) -> None:
    record(play(reply("Hello.")))
    end = terminal.json("db", "check")["chain"]["end"]
    assert terminal.json("db", "check", "--holds", end[:12])["problems"] == []
    assert "holds no link 'ffff'" in terminal("db", "check", "--holds", "ffff", code=1)
