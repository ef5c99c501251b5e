from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import SettingsError
from workbench.settings.paths import Home, shown


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "mine"))

    home = Home.find()

    assert home.path == tmp_path / "mine"
    assert home.database == tmp_path / "mine" / "workbench.db"
    assert home.settings == tmp_path / "mine" / "settings.toml"
    assert not home.path.exists()


def test_given_home_beats_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "other"))

    assert Home.find(tmp_path / "given").path == tmp_path / "given"


def test_without_both_it_is_the_place_for_user_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORKBENCH_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    assert Home.find().path.name == "tool-calling-workbench"


def test_relative_home_is_resolved_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)

    assert Home.find(Path("here")).path == tmp_path / "here"


def test_everything_is_made_for_the_user_alone(tmp_path: Path) -> None:
    home = Home(tmp_path / "home").make()

    for folder in (home.path, home.suites, home.plugins, home.backups, home.logs):
        assert folder.is_dir()
        assert folder.stat().st_mode & 0o077 == 0
    assert home.make() == home


def test_uncreatable_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")

    with pytest.raises(SettingsError, match="file") as caught:
        Home(tmp_path / "file" / "home").make()
    assert "--home" in caught.value.hint


def test_folder_that_takes_no_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path / "home").make()
    monkeypatch.setattr("os.access", lambda *_: False)  # the root of the tests may write everywhere

    with pytest.raises(SettingsError, match="cannot be written: Permission denied") as caught:
        home.make()
    assert "--home" in caught.value.hint
    assert home.make(writable=False) == home


def test_paths_below_home_begin_with_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert shown(tmp_path / "data" / "suites") == str(Path("~/data/suites"))
    assert shown(tmp_path.parent) == str(tmp_path.parent)
