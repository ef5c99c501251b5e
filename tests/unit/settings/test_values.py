from __future__ import annotations

import pytest

from workbench.core.errors import SettingsError, UnknownName
from workbench.core.target import ModelRef, RunLimits
from workbench.settings.values import (
    BoostSettings,
    ModelConfig,
    ProviderConfig,
    RunSettings,
    Settings,
    TierSettings,
    check_provider,
)

GROQ = ProviderConfig("Groq", base_url="https://api.groq.com/openai/v1", headers={"x-a": "b"}, quirks={"no_seed": True})


def test_an_endpoint_is_made_without_a_key() -> None:
    endpoint = GROQ.endpoint()

    assert (endpoint.provider, endpoint.wire, endpoint.base_url) == ("Groq", "openai_chat", GROQ.base_url)
    assert endpoint.headers == (("x-a", "b"),)
    assert endpoint.quirks == {"no_seed": True}


def test_providers_are_found_in_any_case() -> None:
    settings = Settings().with_provider(GROQ)

    assert settings.provider("groq") is GROQ
    with pytest.raises(UnknownName, match="Grok"):
        settings.provider("Grok")


def test_a_provider_is_replaced_renamed_and_removed_in_its_place() -> None:
    settings = Settings().with_provider(GROQ).with_provider(ProviderConfig("Ollama"))

    renamed = settings.with_provider(ProviderConfig("Fast"), instead_of="groq")

    assert [item.name for item in renamed.providers] == ["Fast", "Ollama"]
    assert [item.name for item in renamed.without_provider("fast").providers] == ["Ollama"]
    with pytest.raises(SettingsError, match="already"):
        renamed.with_provider(ProviderConfig("ollama"), instead_of="Fast")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (ProviderConfig(""), "name"),
        (ProviderConfig("a/b"), "name"),
        (ProviderConfig("a", key="sk-123"), "'key' says where"),
        (ProviderConfig("a", key="env:"), "'key' says where"),
        (ProviderConfig("a", base_url="localhost:80"), "'localhost:80'"),
        (ProviderConfig("a", headers={"Authorization": "Bearer x"}), "'Authorization'"),
        (ProviderConfig("a", parallel=0), "'parallel'"),
        (ProviderConfig("a", retries=-1), "'retries'"),
        (ProviderConfig("a", stall_timeout=0), "'stall_timeout'"),
    ],
)
def test_unusable_values_are_named(config: ProviderConfig, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        check_provider(config)


def test_a_key_in_the_wrong_place_is_not_repeated() -> None:
    with pytest.raises(SettingsError) as caught:
        check_provider(ProviderConfig("a", key="sk-very-secret", headers={}))

    assert "secret" not in str(caught.value)


def test_undecided_model_has_defaults() -> None:
    assert GROQ.model("any") == ModelConfig()


@pytest.mark.parametrize(
    ("requested", "tier"),
    [
        ("claude-opus-4", "BIG_MODEL"),
        ("Claude-Sonnet-4", "MIDDLE_MODEL"),
        ("claude-3-haiku", "SMALL_MODEL"),
        ("gpt", None),
    ],
)
def test_requested_names_belong_to_tiers(requested: str, tier: str | None) -> None:
    assert TierSettings().tier_of(requested) == tier


def test_tiers_stand_for_models() -> None:
    tiers = TierSettings(big="Groq/openai/gpt-oss-120b", middle="broken")

    assert tiers.model_of("BIG_MODEL") == ModelRef("Groq", "openai/gpt-oss-120b")
    assert tiers.model_of("MIDDLE_MODEL") is None


def test_boost_needs_a_planner() -> None:
    assert not BoostSettings(model="m").configured
    assert BoostSettings(model="m", base_url="http://h/v1").configured
    assert BoostSettings(model="m", base_url="http://h/v1").as_provider().base_url == "http://h/v1"


def test_limits_are_as_the_engine_takes_them() -> None:
    assert RunSettings(iterations=3).limits == RunLimits(3, 3, 1)


def test_default_model_settings_are_not_written() -> None:
    settings = Settings((ProviderConfig("P", models={"a": ModelConfig(format="react")}),))
    settings = settings.with_model("p", "b", ModelConfig(max_tokens=5))
    assert list(settings.provider("P").models) == ["a", "b"]
    settings = settings.with_model("P", "a", ModelConfig())
    assert settings.provider("P").models == {"b": ModelConfig(max_tokens=5)}
    with pytest.raises(UnknownName):
        settings.with_model("Q", "a", ModelConfig())


def test_tier_of_a_tier_model() -> None:
    """Requirement B8: also where its name fits no pattern, or that of another tier."""
    tiers = TierSettings(big="Work/big-one", small="Groq/openai/sonnet-like")
    assert tiers.tier_of("big-one") == tiers.tier_of("work/Big-One") == "BIG_MODEL"
    assert tiers.tier_of("openai/sonnet-like") == "SMALL_MODEL"
    assert tiers.tier_of("claude-sonnet-4") == "MIDDLE_MODEL"
    assert tiers.tier_of("one") is None
