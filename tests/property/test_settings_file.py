"""Settings survive their file, whatever a user types into them; a broken file is named and never destroyed."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.errors import SettingsError
from workbench.settings.config import (
    BoostSettings,
    ModelConfig,
    ProviderConfig,
    Settings,
    TierSettings,
    UiSettings,
    load_settings,
    read_settings,
    save_settings,
)

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
NAMES = TEXT.filter(lambda name: name.strip() == name != "" and not set(name) & set("/,="))
VALUES: st.SearchStrategy[Any] = st.recursive(
    TEXT | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=5,
)
TABLES = st.dictionaries(TEXT, VALUES, max_size=3)
MODELS = st.builds(ModelConfig, format=TEXT, extra=TABLES, max_tokens=st.none() | st.integers(0, 9))
PROVIDERS = st.builds(
    ProviderConfig,
    name=NAMES,
    headers=st.dictionaries(st.just("x-a"), TEXT),
    extra=TABLES,
    quirks=TABLES,
    models=st.dictionaries(TEXT, MODELS, max_size=2),
    retries=st.integers(0, 9),
)
SETTINGS = st.builds(
    Settings,
    providers=st.lists(PROVIDERS, max_size=2, unique_by=lambda config: config.name.lower()).map(tuple),
    aliases=st.dictionaries(TEXT, TEXT, max_size=2),
    boost=st.builds(BoostSettings, wrapper_text=TEXT, model=TEXT),
    tiers=st.builds(TierSettings, big=TEXT),
    ui=st.builds(UiSettings, views=st.dictionaries(TEXT, TEXT, max_size=2), geometry=TABLES),
)


def _by_name(settings: Settings) -> Settings:
    """Providers that stay keep their place in a file that exists, as comments do; which come first is not told apart."""
    return replace(settings, providers=tuple(sorted(settings.providers, key=lambda config: config.name)))


@given(SETTINGS, SETTINGS)
@settings(max_examples=60)
def test_settings_come_back_and_can_be_changed(first: Settings, second: Settings) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "settings.toml"
        save_settings(first, path)
        assert load_settings(path) == first
        save_settings(second, path)
        assert _by_name(load_settings(path)) == _by_name(second)
        text = path.read_bytes() if path.exists() else b""
        save_settings(second, path)
        assert (path.read_bytes() if path.exists() else b"") == text


@given(SETTINGS, SETTINGS, SETTINGS)
@settings(max_examples=60)
def test_second_writer_keeps_foreign_settings(base: Settings, other: Settings, mine: Settings) -> None:
    """Each of two writers changes what only it changes: both are kept. The rest is a conflict, and nothing is written."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "settings.toml"
        save_settings(base, path)
        save_settings(replace(base, providers=other.providers, boost=other.boost), path, base)
        merged = save_settings(replace(base, aliases=mine.aliases, ui=mine.ui), path, base)
        assert merged == load_settings(path)
        expected = replace(base, providers=other.providers, boost=other.boost, aliases=mine.aliases, ui=mine.ui)
        assert _by_name(merged) == _by_name(expected)


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["[providers.A]\n", "key", "=", '"', "[", "]", "run", ".", "1", "\n"])).map("".join)
)
@settings(max_examples=200)
def test_any_text_is_read_or_named(text: str) -> None:
    try:
        read_settings(text)
    except SettingsError as error:
        assert error.message  # noqa: PT017 - the other outcome is fine too
