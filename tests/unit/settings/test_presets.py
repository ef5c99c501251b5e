from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.core.errors import UnknownName
from workbench.core.messages import ChatRequest, Message
from workbench.settings.config import Settings, load_settings, save_settings
from workbench.settings.presets import get_preset, list_presets
from workbench.settings.values import check_provider
from workbench.wires import get_wire, wire_ids

NAMED = (
    "openai anthropic google azure groq cerebras sambanova mistral deepseek xai openrouter together fireworks"
    " huggingface perplexity straico ollama lmstudio llamacpp vllm"
).split()


def test_common_presets_exist() -> None:
    assert set(NAMED) <= {preset.id for preset in list_presets()}


@pytest.mark.parametrize("preset", list_presets(), ids=lambda preset: preset.id)
def test_preset_makes_a_valid_provider(preset: object) -> None:
    config = get_preset(preset.id).provider()  # type: ignore[attr-defined]

    check_provider(config)
    assert config.wire in wire_ids()
    assert config.local == ("127.0.0.1" in config.base_url)
    assert (config.key == "none") == (config.local or not config.key_variable)
    assert config.local or config.key_variable or config.quirks["sign_in"]


@pytest.mark.parametrize(
    ("preset_id", "url"),
    [
        ("openai", "https://api.openai.com/v1/chat/completions"),
        ("openai_responses", "https://api.openai.com/v1/responses"),
        ("anthropic", "https://api.anthropic.com/v1/messages"),
        ("google", "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"),
        ("groq", "https://api.groq.com/openai/v1/chat/completions"),
        ("openrouter", "https://openrouter.ai/api/v1/chat/completions"),
        ("fireworks", "https://api.fireworks.ai/inference/v1/chat/completions"),
        ("perplexity", "https://api.perplexity.ai/chat/completions"),
        ("straico", "https://api.straico.com/v2/chat/completions"),
        ("ollama", "http://127.0.0.1:11434/api/chat"),
        ("llamacpp", "http://127.0.0.1:8080/v1/chat/completions"),
        ("llamacpp_raw", "http://127.0.0.1:8080/completion"),
        ("azure_anthropic", "https://R.services.ai.azure.com/anthropic/v1/messages"),
        (
            "vertex",
            "https://L-aiplatform.googleapis.com/v1/projects/P/locations/L/publishers/google/models/m:generateContent",
        ),
        (
            "vertex_anthropic",
            "https://L-aiplatform.googleapis.com/v1/projects/P/locations/L/publishers/anthropic/models/m:rawPredict",
        ),
        (
            "vertex_openai",
            "https://L-aiplatform.googleapis.com/v1/projects/P/locations/L/endpoints/openapi/chat/completions",
        ),
        ("bedrock", "https://bedrock-runtime.R.amazonaws.com/openai/v1/chat/completions"),
        ("bedrock_responses", "https://bedrock-mantle.R.api.aws/v1/responses"),
        ("bedrock_converse", "https://bedrock-runtime.R.amazonaws.com/model/m/converse"),
        ("bedrock_invoke", "https://bedrock-runtime.R.amazonaws.com/model/m/invoke"),
        ("bedrock_anthropic", "https://bedrock-mantle.R.api.aws/anthropic/v1/messages"),
    ],
)
def test_its_wire_reaches_the_right_address(preset_id: str, url: str) -> None:
    config = get_preset(preset_id).provider()
    filled = re.sub(r"\{(.)\w+\}", r"\1", config.base_url)
    config = replace(config, base_url=filled)
    request = ChatRequest("m", (Message("user", "hello"),), stream=False)

    assert get_wire(config.wire).encode(request, config.endpoint(), "key").url == url


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
