from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.core import atomic_files
from workbench.core.errors import SettingsError
from workbench.core.target import Policy
from workbench.settings import config
from workbench.settings.config import (
    BoostSettings,
    ModelConfig,
    ProviderConfig,
    RunSettings,
    Settings,
    TierSettings,
    UiSettings,
    load_settings,
    read_settings,
    save_settings,
)
from workbench.settings.settings_file import FileText

FULL = Settings(
    providers=(
        ProviderConfig(
            "My Groq",
            base_url="https://api.groq.com/openai/v1",
            key="env:GROQ_API_KEY",
            headers={"x-title": 'a "b"'},
            extra={"provider": {"order": ["a", "b"]}, "n": 1},
            quirks={"no_seed": True, "max_stop": 4},
            models={"qwen/qwen3": ModelConfig("qwen_xml", parallel_calls=False, temperature=0.5)},
            retries=0,
        ),
        ProviderConfig("Ollama", "ollama_chat", "http://127.0.0.1:11434", key="none", local=True),
    ),
    aliases={"my-model.gguf": "react"},
    boost=BoostSettings(provider="My Groq", model="m", tiers=("BIG_MODEL", "SMALL_MODEL")),
    tiers=TierSettings(big="Ollama/x", names={"*": "BIG_MODEL"}),
    run=RunSettings(policy=Policy.STRICT, iterations=3),
    ui=UiSettings(theme="dark", views={"Failures": "verdict:fail since:7d"}, geometry={"try": [1, 2]}),
)
WRITTEN = """\
# my settings

[providers.Groq]  # the fast one
base_url = "https://api.groq.com/openai/v1"
key_variable = "GROQ_API_KEY"
retries = 5  # it is often busy
future_option = true

[run]
iterations = 4

[from_another_version]
x = 1
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "settings.toml"


def test_without_a_file_everything_is_default(path: Path) -> None:
    assert load_settings(path) == Settings()


def test_settings_come_back_as_they_were_saved(path: Path) -> None:
    save_settings(FULL, path)

    assert load_settings(path) == FULL
    assert path.stat().st_mode & 0o077 == 0


def test_defaults_are_not_written(path: Path) -> None:
    save_settings(Settings(providers=(ProviderConfig("A"),)), path)

    assert path.read_text().strip() == "[providers.A]"


def test_comments_order_and_unknown_keys_stay(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(WRITTEN)
    settings = load_settings(path)

    save_settings(replace(settings, run=RunSettings(iterations=7)), path)

    assert path.read_text() == WRITTEN.replace("iterations = 4", "iterations = 7")


def test_saving_unchanged_settings_keeps_the_file(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(WRITTEN)

    save_settings(load_settings(path), path)

    assert path.read_text() == WRITTEN


def test_default_values_are_removed_from_the_file(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(WRITTEN)
    settings = load_settings(path)

    save_settings(
        replace(settings.with_provider(replace(settings.provider("Groq"), retries=2)), run=RunSettings()), path
    )

    text = path.read_text()
    assert "retries" not in text
    assert "iterations" not in text
    assert "future_option = true" in text
    assert load_settings(path).provider("Groq").retries == 2


def test_a_removed_provider_and_model_are_gone(path: Path) -> None:
    save_settings(FULL, path)

    without_model = FULL.with_provider(replace(FULL.provider("My Groq"), models={}, headers={}))
    save_settings(without_model.without_provider("Ollama"), path)

    again = load_settings(path)
    assert [item.name for item in again.providers] == ["My Groq"]
    assert again.provider("My Groq").models == {}
    assert again.provider("My Groq").headers == {}


def test_a_provider_does_not_vanish_with_its_last_table(path: Path) -> None:
    bare = ProviderConfig("A", models={"m": ModelConfig("react")})
    save_settings(Settings(providers=(bare,)), path)

    save_settings(Settings(providers=(ProviderConfig("A"),)), path)

    assert load_settings(path) == Settings(providers=(ProviderConfig("A"),))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x =", "not TOML"),
        ("a = 1\nb = = 2", "line 2"),
        ('[providers.A]\nwire = "x"\nretries = "two"', r"line 3: providers\.A\.retries: expected 'int', got 'str'"),
        ('[providers."A b"]\nkey = "sk-secret-value"', "line 1: Provider 'A b'"),
        ('[providers.A.models."x/y"]\nparallel_calls = 3', "line 2"),
        ("providers = 3", "'providers' is not a table"),
        ("[providers]\nA = 3", "provider 'A' is not a table"),
        ('[run]\npolicy = "lax"', r"line 2: run\.policy: no word that is known here"),
        ('\n\n[ui]\ntheme = "blue"', r"line 4: ui\.theme"),
        ("aliases = 3", "aliases: expected 'object'"),
        ('[boost]\ntiers = ["HUGE"]', r"line 2: boost\.tiers"),
        ('[boost]\nkey = "sk-secret-value"', r"line 2: boost\.key"),
        ("[providers.A]\nparallel = 0", "'parallel' is below 1"),
        ("[a]\nb = " + "[" * 5000, "TOML|deeply"),
    ],
)
def test_errors_name_their_line(text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        read_settings(text)

    assert "secret" not in str(caught.value)


def test_unreadable_file_is_not_overwritten(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("broken = ")

    with pytest.raises(SettingsError, match="not TOML"):
        load_settings(path)
    with pytest.raises(SettingsError, match="not TOML"):
        save_settings(FULL, path)

    assert path.read_text() == "broken = "


def test_binary_file_is_named(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(path)


def test_unwritable_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")

    with pytest.raises(SettingsError):
        save_settings(FULL, tmp_path / "home" / "settings.toml")
    assert [item.name for item in tmp_path.iterdir()] == ["home"]


def test_what_an_editor_wrote_in_the_last_moment_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Editors know no lock: the file is looked at once more just before the new one takes its place."""
    path = tmp_path / "settings.toml"
    path.write_text("# mine\n", encoding="utf-8")
    written: list[str] = []

    def edited(self: object, replace: bool, *, keep_old: bool) -> None:
        if len(written) < 2:
            written.append(f"# edit {len(written)}\n")
            path.write_text(path.read_text("utf-8") + written[-1], encoding="utf-8")
        place(self, replace, keep_old=keep_old)

    place = atomic_files._Part.place
    monkeypatch.setattr(atomic_files._Part, "place", edited)
    save_settings(Settings(user="anna"), path)
    text = path.read_text("utf-8")
    assert text.startswith("# mine\n# edit 0\n# edit 1\n")
    assert read_settings(text).user == "anna"
    monkeypatch.setattr(config, "file_text", lambda path: FileText(f"# {next(numbers)}\n"))
    numbers = iter(range(1000))
    with pytest.raises(SettingsError, match="changes all the time"):
        save_settings(Settings(user="bert"), path)
    assert list(tmp_path.glob(".*.part")) == []
