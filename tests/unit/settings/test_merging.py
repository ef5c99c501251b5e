"""Two writers of one settings file."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.core.errors import SettingsError
from workbench.settings.config import (
    ModelConfig,
    ProviderConfig,
    RunSettings,
    Settings,
    UiSettings,
    load_settings,
    save_settings,
)
from workbench.settings.merging import MISSING, KeyChange, changes

BASE = Settings(providers=(ProviderConfig("A", models={"m": ModelConfig("react")}),), run=RunSettings(iterations=4))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save_settings(BASE, tmp_path / "settings.toml")
    return tmp_path / "settings.toml"


def test_changes_are_keys_and_whole_providers() -> None:
    before = {"providers": {"A": {"retries": 1, "extra": {"x": 1}}}, "run": {"iterations": 1}}
    after = {"providers": {"A": {"retries": True, "extra": {"x": 1, "y": []}}, "B": {}}, "ui": {"views": {"v": "f"}}}
    assert list(changes(before, after)) == [
        KeyChange(("providers", "A", "retries"), 1, True),
        KeyChange(("providers", "A", "extra", "y"), MISSING, []),
        KeyChange(("providers", "B"), MISSING, {}),
        KeyChange(("run", "iterations"), 1, MISSING),
        KeyChange(("ui", "views", "v"), MISSING, "f"),
    ]


def test_stale_writer_keeps_foreign_changes(path: Path) -> None:
    """A window is open, a provider is added on the command line, the window writes its size."""
    path.write_text("# mine\n" + path.read_text() + '\n[aliases]\n"my model" = "react"  # why\n')
    save_settings(load_settings(path).with_provider(ProviderConfig("Mine", retries=7)), path)
    merged = save_settings(replace(BASE, ui=UiSettings(geometry={"width": 800})), path, BASE)
    assert merged == load_settings(path)
    assert [provider.name for provider in merged.providers] == ["A", "Mine"]
    assert merged.aliases == {"my model": "react"}
    assert merged.ui.geometry == {"width": 800}
    assert "# mine\n" in path.read_text()
    assert "# why\n" in path.read_text()


def test_different_keys_of_one_provider_are_both_kept(path: Path) -> None:
    provider = BASE.provider("A")
    save_settings(BASE.with_provider(replace(provider, retries=9)), path, BASE)
    save_settings(BASE.with_model("A", "n", ModelConfig("qwen_xml")), path, BASE)
    found = load_settings(path).provider("A")
    assert (found.retries, set(found.models)) == (9, {"m", "n"})


@pytest.mark.parametrize(
    ("theirs", "mine", "key"),
    [
        (replace(BASE, run=RunSettings(iterations=5)), replace(BASE, run=RunSettings(iterations=6)), "run.iterations"),
        (replace(BASE, run=RunSettings()), replace(BASE, run=RunSettings(iterations=6)), "run.iterations"),
        (BASE.without_provider("A"), BASE.with_provider(replace(BASE.provider("A"), retries=1)), "providers.A"),
        (BASE.with_provider(replace(BASE.provider("A"), retries=1)), BASE.without_provider("A"), "providers.A"),
        (BASE.with_provider(ProviderConfig("B")), BASE.with_provider(ProviderConfig("B", retries=1)), "providers.B"),
    ],
)
def test_conflict_over_one_key_is_told_and_not_overwritten(
    path: Path, theirs: Settings, mine: Settings, key: str
) -> None:
    save_settings(theirs, path, BASE)
    before = path.read_text()
    with pytest.raises(SettingsError, match=rf"changed by another program meanwhile.*{key} is .*there") as caught:
        save_settings(mine, path, BASE)
    assert "Nothing was written" in caught.value.hint
    assert path.read_text() == before


def test_the_same_change_twice_is_no_conflict(path: Path) -> None:
    wanted = replace(BASE, run=RunSettings(iterations=9))
    assert save_settings(wanted, path, BASE) == save_settings(wanted, path, BASE) == wanted


def test_models_of_a_provider_that_both_added_are_all_kept(path: Path) -> None:
    """As where several lists of models are imported at once; the same model told differently is a conflict."""
    for name in ("one", "two", "three"):
        added = ProviderConfig("New", models={name: ModelConfig("react")})
        save_settings(BASE.with_provider(added), path, BASE)
    assert set(load_settings(path).provider("New").models) == {"one", "two", "three"}
    with pytest.raises(SettingsError, match=r"providers\.New\.models\.one is a table there"):
        save_settings(BASE.with_provider(ProviderConfig("New", models={"one": ModelConfig("glm")})), path, BASE)


def test_sizes_of_the_window_are_never_in_conflict(path: Path) -> None:
    for width in (1, 2):
        save_settings(replace(BASE, ui=UiSettings(geometry={"width": width})), path, BASE)
    assert load_settings(path).ui.geometry == {"width": 2}


def test_a_hundred_parallel_writers_are_all_kept(path: Path) -> None:
    told: list[Exception] = []

    def add(number: int) -> None:
        try:
            save_settings(BASE.with_provider(ProviderConfig(f"P{number}", retries=number)), path, BASE)
        except SettingsError as error:
            told.append(error)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == []
    found = load_settings(path)
    assert {provider.name: provider.retries for provider in found.providers if provider.name != "A"} == {
        f"P{number}": number for number in range(100)
    }
    assert found.provider("A") == BASE.provider("A")
