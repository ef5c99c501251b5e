from __future__ import annotations

import pytest

from workbench.app.provider_at import provider_at, provider_for
from workbench.settings.values import ProviderConfig


@pytest.mark.parametrize(
    ("address", "preset", "base"),
    [
        ("http://localhost:11434", "ollama", "http://localhost:11434"),
        ("http://127.0.0.1:1234", "lmstudio", "http://127.0.0.1:1234/v1"),
        ("http://localhost:8080/v1", "llamacpp", "http://localhost:8080/v1"),
        ("https://api.groq.com/openai/v1", "groq", "https://api.groq.com/openai/v1"),
        ("https://models.example.com/v1", "", "https://models.example.com/v1"),
        ("http://10.0.0.7:9000/v1", "", "http://10.0.0.7:9000/v1"),
    ],
)
def test_what_is_known_of_an_address_is_used(address: str, preset: str, base: str) -> None:
    made = provider_for(address)
    assert (made.preset, made.base_url) == (preset, base)


def test_an_unknown_address_names_its_provider() -> None:
    assert provider_for("https://models.example.com/v1").name == "models.example.com"
    made = provider_for("http://localhost:9999/v1", "anthropic_messages")
    assert (made.name, made.wire, made.local) == ("127.0.0.1:9999", "anthropic_messages", True)


def test_a_wire_that_the_preset_does_not_speak_wins() -> None:
    assert provider_for("http://localhost:11434/v1", "openai_chat").wire == "openai_chat"


def test_the_provider_that_is_set_up_is_found() -> None:
    mine = ProviderConfig("mine", base_url="http://127.0.0.1:8080/v1")
    other = ProviderConfig("other", base_url="https://models.example.com/v1")
    assert provider_at("http://localhost:8080/v1/", [other, mine]) is mine
    assert provider_at("https://MODELS.example.com:443/v1", [other, mine]) is other
    assert provider_at("http://localhost:8081/v1", [other, mine]) is None
    assert provider_at("no address", [ProviderConfig("bare"), other]) is None
