from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import UnknownName
from workbench.settings.config import Settings, load_settings, save_settings
from workbench.settings.presets import get_preset, list_presets
from workbench.settings.values import check_provider

NAMED = (
    "openai anthropic google azure groq cerebras sambanova mistral deepseek xai openrouter together fireworks"
    " huggingface perplexity straico ollama lmstudio llamacpp vllm"
).split()
WIRES = "openai_chat openai_responses anthropic_messages gemini_generate ollama_chat straico completion".split()


def test_the_providers_that_people_use_are_there() -> None:
    assert set(NAMED) <= {preset.id for preset in list_presets()}


@pytest.mark.parametrize("preset", list_presets(), ids=lambda preset: preset.id)
def test_a_preset_makes_a_provider_that_can_be_used(preset: object) -> None:
    config = get_preset(preset.id).provider()  # type: ignore[attr-defined]

    check_provider(config)
    assert config.wire in WIRES
    assert config.local == (config.key == "none") == ("127.0.0.1" in config.base_url)
    assert config.local or config.key_variable


def test_all_of_them_survive_the_settings_file(tmp_path: Path) -> None:
    settings = Settings()
    for preset in list_presets():
        settings = settings.with_provider(preset.provider())

    save_settings(settings, tmp_path / "settings.toml")

    assert load_settings(tmp_path / "settings.toml") == settings


def test_a_second_account_gets_its_own_name() -> None:
    assert get_preset("groq").provider("Groq at work").name == "Groq at work"


def test_an_unknown_preset_is_named() -> None:
    with pytest.raises(UnknownName, match="grok"):
        get_preset("grok")
