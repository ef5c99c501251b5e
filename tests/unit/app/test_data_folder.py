"""The data folder by itself: nothing is made or read before it is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.history import record
from tests.kit.playback import CALL, play, reply
from tests.kit.plugins import kitty_folder
from workbench.app.data_folder import DATABASE, DataFolder
from workbench.core.errors import InvalidInput, StoreError
from workbench.core.events import ChunkReceived
from workbench.formats.plugins import Plugins, install
from workbench.settings.values import ProviderConfig, Settings


def test_nothing_is_made_by_looking(home: Path) -> None:
    with DataFolder.find() as folder:
        assert folder.home.path == home
        assert folder.saved_settings == Settings()
    assert not home.exists()


def test_store_is_opened_lazily_and_closed(home: Path) -> None:
    with DataFolder.find() as folder:
        store = folder.store
        assert store.count() == 0
    assert (home / "workbench.db").exists()
    with pytest.raises(StoreError):
        store.record("r", play(reply("Hello.")))


def test_all_runs_are_looked_up_before_anything_is_done() -> None:
    record(play(reply("Hello.")))
    with DataFolder.find() as folder:
        assert [row.number for row in folder.find_runs(["1"])] == [1]
        with pytest.raises(InvalidInput, match="7"):
            folder.find_runs(["1", "7"])


def test_loaded_run_has_decoded_deltas() -> None:
    record(play(reply("Hello.")))
    with DataFolder.find() as folder:
        chunks = [event for event in folder.load_now(1).events if isinstance(event, ChunkReceived)]
    assert any(chunk.deltas for chunk in chunks)


def test_invalid_database_file_is_named(home: Path) -> None:
    home.mkdir()
    (home / "workbench.db").write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreError, match="workbench"), DataFolder.find() as folder:
        _ = folder.store


def test_saved_settings_are_in_force_at_once(home: Path) -> None:
    wanted = Settings(providers=(ProviderConfig("P", base_url="https://p.invalid/v1"),))
    with DataFolder.find() as folder:
        folder.save(wanted)
        assert folder.saved_settings == wanted
    assert DataFolder.find().saved_settings == wanted
    assert (home / "settings.toml").exists()


def test_an_export_is_shown_before_it_is_written(tmp_path: Path) -> None:
    record(play(reply(CALL), reply("Done.")))
    with DataFolder.find() as folder:
        made = folder.export_now("jsonl", [1])
        written = folder.write_export(made, tmp_path / "runs.jsonl")
    assert made.summary == "1 run as JSON lines"
    assert written == (tmp_path / "runs.jsonl",)


def test_a_broken_format_of_the_users_own_is_told_and_the_rest_works(home: Path) -> None:
    (home / "plugins").mkdir(parents=True)
    (home / "plugins" / "bad.py").write_text("1 / 0")
    folder = DataFolder.find()
    assert [Path(fault.origin).name for fault in folder.use_plugins().faults] == ["bad.py"]
    assert folder.plugins is folder.use_plugins()


def test_who_records_is_the_settings_name_or_the_login(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "login")
    assert DataFolder.find().user == "login"
    home.mkdir(parents=True, exist_ok=True)
    (home / "settings.toml").write_text('user = "Ada"\n')
    assert DataFolder.find().user == "Ada"
    (home / "settings.toml").write_text("user = ")
    assert DataFolder.find().user == "login", "a broken file keeps nobody from reading"


def test_a_history_on_a_server_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not DataFolder.find().shared
    monkeypatch.setenv(DATABASE, "postgresql+psycopg://host/name")
    assert DataFolder.find().shared


def test_a_plugin_that_was_added_is_known_after_reading_again(home: Path) -> None:
    folder = DataFolder.find(home)
    assert folder.use_plugins().formats == ()
    kitty_folder(folder.home.make().plugins)
    try:
        assert [one.id for one in folder.reread_plugins().formats] == ["kitty"]
    finally:
        install(Plugins())


def test_what_leaves_has_stars_for_keys_of_others_as_the_settings_say(home: Path) -> None:
    key = "ghp_9fX2aQuLw7ZrTq0VbNkM4sD8gHjP3yCeR1tA"
    home.mkdir()
    (home / "settings.toml").write_text('[providers.A]\nheaders = {x-custom = "hdr-0123456789abcdef"}\n')
    with DataFolder.find() as folder:
        assert folder.mask().mask_text(f"{key} hdr-0123456789abcdef") == f"{key} {'*' * 20}"

    (home / "settings.toml").write_text('[privacy]\nforeign_keys = "mask"\n')
    with DataFolder.find() as folder:
        assert key[8:] not in folder.mask().mask_text(key)


def test_a_name_for_files_holds_no_key(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB_TOKEN", "aBc1234567xyz")
    with DataFolder.find() as folder:
        assert folder.keyless("my-cases") == "my-cases"
        for name in ("aBc1234567xyz", "of aBc1234567xyz", "aBc1234567%78yz"):
            with pytest.raises(InvalidInput, match="A key stands in the name"):
                folder.keyless(name)


def test_keys_of_mcp_servers_are_secrets_everywhere(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    server = '{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": "%s"}}}}'
    (home / "mcp.json").write_text(server % "first-value-1")
    (tmp_path / "other.json").write_text(server % "second-value-2")
    (home / "settings.toml").write_text(f"[tools]\nmcp_configs = ['{tmp_path / 'other.json'}', 'nowhere.json']\n")
    with DataFolder.find() as folder:
        assert {"first-value-1", "second-value-2"} <= folder.known_secrets()
        assert folder.mask().mask_text("It is first-value-1.") == "It is *************."
