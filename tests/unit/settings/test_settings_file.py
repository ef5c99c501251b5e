"""Settings files as people and editors write them: a change leaves every other line as it is, and means nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.core.errors import SettingsError
from workbench.settings.config import ProviderConfig, Settings, load_settings, save_settings
from workbench.settings.merging import MISSING, KeyChange
from workbench.settings.settings_file import changed_text, file_text

FILES = {
    "tables": '# top\n[aliases]\na = "b" # why\n\n[providers.x]\n# mine\nbase_url = "http://h/v1"\nkey = "none"\n',
    "dotted keys": 'providers.x.base_url = "http://h/v1" # why\nproviders.x.key = "none"\naliases.a = "b"\n',
    "tables in lines": 'providers = { x = { base_url = "http://h/v1", key = "none" } } # why\naliases = {a = "b"}\n',
    "a provider in a line": '[providers]\nx = { base_url = "http://h/v1", key = "none" } # why\n[aliases]\na = "b"\n',
    "providers apart": (
        '[providers.x]\nbase_url = "http://h/v1"\nkey = "none" # why\n[aliases]\na = "b"\n[providers.y]\nkey = "none"\n'
    ),
    "tables of others": '[mine]\nx = 1 # why\n[[list]]\nz = 1\n[providers.x]\nkey = "none"\n[[list]]\nz = 2\n[aliases]\na = "b"\n',
    "nothing at the end": '[providers.x]\nkey = "none"\n[aliases]\na = "b" # why',
    "blank lines": '[providers.x]\nkey = "none"\n\n\n[aliases]\n\ta\t= "b" # why\n\n\n\n',
    "a model first": '[providers.x.models."m.1"]\ntools = "native"\n[providers.x]\nkey = "none" # why\n[aliases]\na = "b"\n',
}


def add(settings: Settings) -> Settings:
    return settings.with_provider(ProviderConfig("new", base_url="http://n/v1", key="none"))


def change(settings: Settings) -> Settings:
    return settings.with_provider(replace(settings.providers[0], retries=5))


def alias(settings: Settings) -> Settings:
    return replace(settings, aliases={**settings.aliases, "new": "value"})


def look(settings: Settings) -> Settings:
    return replace(settings, ui=replace(settings.ui, theme="dark"))


@pytest.mark.parametrize("work", [add, change, alias, look])
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
def test_nothing_but_the_change_changes(tmp_path: Path, work, file: str, ends: str, mark: bytes) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "settings.toml"
    path.write_bytes(mark + FILES[file].replace("\n", ends).encode())
    before = load_settings(path)
    save_settings(work(before), path, before)
    data, after = path.read_bytes(), load_settings(path)
    assert [one.name for one in after.providers] == [one.name for one in work(before).providers]
    assert after == work(before)
    assert data.startswith(mark)
    assert data.count(b"\n") == data.count(ends.encode())
    assert b"# why" in data
    save_settings(after, path, after)
    assert path.read_bytes() == data


def test_ends_of_several_kinds_become_the_common_one(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b'[aliases]\r\na = "b"\rc = "d"\n')
    assert file_text(path).text == '[aliases]\na = "b"\nc = "d"\n'
    assert file_text(path).written("a\n") == "a\n"
    assert file_text(tmp_path / "none.toml").text == ""


def test_a_change_that_would_change_more_is_refused() -> None:
    wanted = [KeyChange(("aliases", "a"), MISSING, "b")]
    with pytest.raises(SettingsError, match="without changing something else"):
        changed_text("", wanted, {}, lambda text: {"aliases": {"a": "b", "c": "d"}})


@pytest.mark.parametrize("new", ["\ud800", {"a": ["\udfff"]}, {"\ud800": 1}])
def test_half_a_character_is_refused(new: object) -> None:
    """Written as an escape that TOML does not know, it made the whole file unreadable."""
    with pytest.raises(SettingsError, match="half of a character"):
        changed_text("", [KeyChange(("providers", "x"), MISSING, new)], {}, lambda _text: {})
