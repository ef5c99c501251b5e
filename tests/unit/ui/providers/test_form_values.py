from __future__ import annotations

import asyncio

import pytest

from workbench.app import Workbench
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.exchange import ModelInfo
from workbench.providers.client import ConnectionCheck
from workbench.settings.config import ProviderConfig
from workbench.settings.secrets import KeyPlace, KeyState
from workbench.ui.providers import form_values as reading

GROQ = ProviderConfig("Groq", base_url="https://api.groq.com/openai/v1", tools="native")
REFUSED = ConnectionCheck(
    True, error=ErrorInfo(ErrorKind.AUTH, "Invalid API Key", "GET /models", "Paste it again.", 401), took_us=214_000
)


def test_provider_line_states() -> None:
    assert reading.provider_line(GROQ, None, 0).word == "not tested"
    good = ConnectionCheck(True, (ModelInfo("a"), ModelInfo("b")))
    assert reading.provider_line(GROQ, good, 0).word == "2 models"
    refused = reading.provider_line(GROQ, REFUSED, 0)
    assert (refused.state, refused.word, refused.subtitle) == ("error", "key refused", "openai_chat · native tools")
    simulator = reading.provider_line(ProviderConfig("Simulator"), None, 12)
    assert (simulator.subtitle, simulator.word) == ("12 simulated models, this computer", "ready")


def test_trouble_has_three_lines() -> None:
    trouble = reading.trouble_of(REFUSED, "22:31:08")
    assert trouble.title == "The provider refused the key"
    assert trouble.what == "401. Invalid API Key The address answered."
    assert (trouble.where, trouble.next, trouble.time) == ("GET /models", "Paste it again.", "22:31:08, 214 ms")
    assert trouble.needs_key


@pytest.mark.parametrize("kind", list(ErrorKind))
def test_every_kind_of_error_has_words(kind) -> None:
    check = ConnectionCheck(False, error=ErrorInfo(kind, "what happened"))
    assert reading.short_trouble(check)
    trouble = reading.trouble_of(check, "now")
    assert all((trouble.title, trouble.what, trouble.where, trouble.next))


def test_form_and_config_are_inverse() -> None:
    key = KeyState(KeyPlace.KEYRING, "in the keychain")
    form = reading.form_of(GROQ, key)
    assert form.has_key
    assert reading.config_of(form, GROQ) == GROQ
    assert reading.form_of(ProviderConfig("Simulator"), key).read_only


@pytest.mark.parametrize(
    ("config", "field"),
    [
        (ProviderConfig("", base_url="https://x/v1"), "name"),
        (ProviderConfig("a/b", base_url="https://x/v1"), "name"),
        (ProviderConfig("a", base_url="ftp://x"), "base_url"),
        (ProviderConfig("a", base_url="https://"), "base_url"),
        (ProviderConfig("a", base_url="https://{HOST}/v1"), "base_url"),
        (ProviderConfig("a", base_url="https://x/v1", key="env:NOT A NAME"), "variable"),
    ],
)
def test_unsaveable_values_are_named(config, field) -> None:
    form = reading.form_of(config, KeyState(KeyPlace.MISSING, ""))
    assert list(reading.complaints(form)) == [field]
    assert reading.complaints(reading.form_of(GROQ, KeyState(KeyPlace.MISSING, ""))) == {}


def test_models_get_their_format_and_why(home) -> None:
    async def body() -> None:
        async with Workbench.open(home) as wb:
            lines = reading.model_lines(wb, "Simulator", (ModelInfo("qwen-hasty"), ModelInfo("mistral-flash")))
            assert [(line.format, line.tools) for line in lines] == [
                ("qwen_xml", "emulated"), ("native_openai", "native")
            ]  # fmt: skip

    asyncio.run(body())


def test_a_taken_name_gets_a_number() -> None:
    assert reading.free_name("Groq", ["Work"]) == "Groq"
    assert reading.free_name("Groq", ["GROQ", "groq 2"]) == "Groq 3"
