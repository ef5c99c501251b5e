"""Who says whether tools go natively, and whose word counts more (requirements A1, A3, S3)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.app.model_lists import LISTS, ModelLists
from workbench.app.probing import CARDS, card_path
from workbench.app.targets import detect_format
from workbench.app.tool_facts import SeenTools, ToolFact, listed_fact, preset_fact, probed_fact, user_fact
from workbench.core.exchange import ModelInfo
from workbench.formats.detect import detect
from workbench.providers.probe import Ability, CapabilityCard, card_to_json
from workbench.providers.questions import Answer
from workbench.settings.config import ModelConfig, ProviderConfig, Settings
from workbench.settings.presets import get_preset

WORK = get_preset("openrouter").provider("Work")
MODEL = "qwen/qwen3-32b"


def card(answer: Answer, provider: ProviderConfig = WORK) -> CapabilityCard:
    return CapabilityCard(
        provider.name, MODEL, provider.wire, provider.base_url, 1_790_000_000_000_000,
        (Ability("native_tools", answer, "seen"),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("raw", "takes"),
    [
        ({}, None),
        ({"supported_parameters": ["tools", "seed"]}, True),
        ({"supported_parameters": ["seed"]}, False),
        ({"supported_parameters": []}, None),
        ({"capabilities": {"function_calling": True, "vision": False}}, True),
        ({"capabilities": {"completion_chat": True}}, None),
        ({"capabilities": ["completion", "tools"]}, True),
        ({"capabilities": ["embedding"]}, False),
        ({"supports_tools": False}, False),
        ({"providers": [{"provider": "a", "supports_tools": False}, {"supports_tools": True}]}, True),
        ({"providers": [{"provider": "a"}]}, None),
        ({"providers": "none", "capabilities": 5, "features": [3]}, False),
        ({"supports_tools": "yes"}, None),
    ],
)
def test_model_lists_of_many_providers_are_understood(raw: dict[str, object], takes: bool | None) -> None:
    found = listed_fact(ModelInfo("m", raw=raw), WORK)
    assert (found.takes if found else None) is takes
    assert found is None or (found.rule, "Work lists" in found.why) == ("list:Work", True)


def test_probe_result_holds_for_its_address() -> None:
    seen = probed_fact(card(Answer.YES), WORK)
    assert seen is not None
    assert (seen.takes, seen.rule) == (True, "probe:Work")
    assert probed_fact(card(Answer.NO), WORK) == ToolFact(False, "probe:Work", seen.why.replace("saw", "saw no"))
    assert probed_fact(card(Answer.UNCLEAR), WORK) is None
    assert probed_fact(card(Answer.YES), replace(WORK, base_url="http://127.0.0.1/v1")) is None
    assert probed_fact(None, WORK) is None


def test_the_user_decides_for_a_model_before_the_provider() -> None:
    assert user_fact(WORK, MODEL) is None
    text = replace(WORK, tools="emulated")
    native = replace(text, models={MODEL: ModelConfig(tools="native")})
    assert [fact and (fact.takes, fact.rule) for fact in (user_fact(text, MODEL), user_fact(native, MODEL))] == [
        (False, "user:provider"),
        (True, "user:model"),
    ]


@pytest.mark.parametrize(
    ("preset", "model", "takes"),
    [
        ("openai", "my-tune", True),
        ("openai", "gpt-3.5-turbo-instruct", False),
        ("groq", "llama-3.3-70b-versatile", True),
        ("google", "gemma-3-27b-it", False),
        ("openrouter", "qwen/qwen3-32b", True),
        ("openrouter", "dolphin-mixtral:8x7b", False),
        ("openrouter", "my-tune", None),
        ("straico", "gpt-5", False),
        ("vllm", "Qwen/Qwen3-8B", None),
    ],
)
def test_presets_know_their_endpoints(preset: str, model: str, takes: bool | None) -> None:
    found = preset_fact(get_preset(preset).provider(), detect(model))
    assert (found.takes if found else None) is takes
    assert found is None or found.rule == f"preset:{preset}"


def test_a_typed_in_address_of_a_known_host_is_known_too() -> None:
    typed = ProviderConfig("Mine", base_url="https://api.groq.com/openai/v1")
    assert preset_fact(typed, detect("my-tune")) == preset_fact(get_preset("groq").provider(), detect("my-tune"))
    assert preset_fact(replace(typed, base_url="https://groq.example/v1"), detect("my-tune")) is None
    azure = preset_fact(replace(typed, base_url="https://mine.openai.azure.com/openai/v1"), detect("my-tune"))
    assert azure is not None
    assert azure.rule == "preset:azure"
    vertex = ProviderConfig("V", "gemini_generate", "https://europe-west4-aiplatform.googleapis.com/v1/projects/p")
    assert preset_fact(vertex, detect("gemini-2.5-flash")) == ToolFact(
        True, "preset:vertex", "Vertex AI Gemini takes tools"
    )
    assert preset_fact(replace(typed, base_url="https://[broken"), detect("my-tune")) is None
    assert preset_fact(ProviderConfig("L", base_url="http://127.0.0.1:8000/v1"), detect("my-tune")) is None


def test_each_word_beats_the_weaker_one(tmp_path: Path) -> None:
    """Preset, list, probe, user: every next one says the opposite, and wins."""
    seen = SeenTools(tmp_path)

    def rule(provider: ProviderConfig = WORK) -> tuple[str, str]:
        found = detect_format(Settings(), provider, MODEL, seen=seen(provider, MODEL))
        return found.rule.partition(":")[0], found.format

    assert rule() == ("preset", "native_openai")
    ModelLists(tmp_path / LISTS).keep(WORK, [ModelInfo(MODEL, raw={"supported_parameters": ["seed"]})], 1)
    assert rule() == ("qwen3", "qwen_xml")
    place = card_path(tmp_path / CARDS, "Work", MODEL)
    place.parent.mkdir()
    place.write_bytes(card_to_json(card(Answer.YES)))
    assert rule() == ("probe", "native_openai")
    assert rule(replace(WORK, tools="emulated")) == ("qwen3", "qwen_xml")
    assert rule(replace(WORK, models={MODEL: ModelConfig(format="react")})) == ("user", "react")
    place.write_bytes(b"broken")
    assert rule() == ("qwen3", "qwen_xml"), "what cannot be read says nothing"
