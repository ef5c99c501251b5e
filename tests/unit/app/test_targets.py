from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.app.simulator import SIMULATOR
from workbench.app.targets import detect_format, title_of
from workbench.core.messages import Message
from workbench.settings.config import ModelConfig, ProviderConfig, Settings

PLAIN = ProviderConfig("P", base_url="http://127.0.0.1/v1")


@pytest.mark.parametrize(
    ("model", "provider", "expected"),
    [
        ("gpt-5", PLAIN, "native_openai"),
        ("Qwen3-30B-A3B-Q4_K_M.gguf", PLAIN, "qwen_xml"),
        ("Qwen3-30B-A3B-Q4_K_M.gguf", replace(PLAIN, tools="native"), "native_openai"),
        ("gpt-5", replace(PLAIN, tools="emulated"), "json_scaffold"),
        ("gpt-oss-120b", PLAIN, "native_openai"),
        ("gpt-oss-120b", replace(PLAIN, tools="emulated"), "harmony"),
        ("kitty-primary", PLAIN, "react"),
        ("kitty-primary", replace(PLAIN, tools="emulated"), "json_scaffold"),
        ("kitty-primary", replace(PLAIN, preset="llama_cpp"), "qwen_xml"),
        ("kitty-primary", replace(PLAIN, models={"kitty-primary": ModelConfig(format="react")}), "react"),
        ("gpt-5", replace(PLAIN, models={"gpt-5": ModelConfig(tools="emulated")}), "json_scaffold"),
        ("qwen-hasty", ProviderConfig(SIMULATOR), "qwen_xml"),
        ("mistral-steady", ProviderConfig(SIMULATOR), "native_openai"),
    ],
)
def test_the_format_follows_user_provider_and_name(model: str, provider: ProviderConfig, expected: str) -> None:
    found = detect_format(Settings(), provider, model)
    assert found.format == expected
    assert found.why
    assert found.rule


def test_a_guess_says_that_it_is_one() -> None:
    assert detect_format(Settings(), PLAIN, "kitty-primary").guess
    assert not detect_format(Settings(), PLAIN, "Qwen3-8B").guess
    assert not detect_format(Settings(aliases={"kitty-primary": "react"}), PLAIN, "kitty-primary").guess


def test_an_alias_beats_the_providers_ability() -> None:
    settings = Settings(aliases={"kitty-primary": "qwen_xml"})
    assert detect_format(settings, replace(PLAIN, tools="native"), "kitty-primary").format == "qwen_xml"


def test_a_title_is_one_short_line() -> None:
    assert title_of((Message("system", "s"), Message("user", "one\n two"))) == "one two"
    assert len(title_of((Message("user", "x" * 500),))) == 80
    assert title_of(()) == ""


def test_what_a_user_knows_of_a_models_reasoning_beats_the_registry() -> None:
    told = ModelConfig(think_open=True, calls_in_reasoning=False)
    found = detect_format(Settings(), replace(PLAIN, models={"Qwen3-8B": told}), "Qwen3-8B")
    assert (found.flags.think_open, found.flags.calls_in_reasoning) == (True, False)
    assert found.format == detect_format(Settings(), PLAIN, "Qwen3-8B").format
