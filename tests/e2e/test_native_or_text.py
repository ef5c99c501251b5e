"""Every preset with ten typical models: what goes out when tools are chosen automatically, and when they are set to text.

Requirements A1, A3, S2, S3 and K2. Native requests are judged by the vendors' own types.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import anthropic
import botocore.session
import openai
import pytest
from botocore.validate import ParamValidator
from google.genai import types as gemini
from ollama._types import ChatRequest as OllamaRequest
from pydantic import ConfigDict, TypeAdapter, with_config

from tests.kit.fakes import READ_FILE, WEATHER, FakeClient, plan
from workbench.app.targets import detect_format
from workbench.core.messages import Message
from workbench.core.target import ModelRef, Sampling, Target
from workbench.engine.request import first_request
from workbench.formats import get_format
from workbench.settings.config import ProviderConfig, Settings
from workbench.settings.presets import get_preset, list_presets
from workbench.wires import get_wire

MODELS = (
    "gpt-5", "claude-sonnet-4-5", "gemini-2.5-flash", "llama-3.3-70b-versatile", "qwen/qwen3-32b",
    "mistral-large-latest", "deepseek-chat", "openai/gpt-oss-120b", "gemma-3-27b-it", "my-finetune-v2",
)  # fmt: skip
CONVERSE = botocore.session.Session().get_service_model("bedrock-runtime").operation_model("Converse")
NATIVE = ("native",) * 10
HOSTED = ("native",) * 8 + ("gemma_function", "react")
TEXT = (
    "json_scaffold", "json_scaffold", "json_scaffold", "llama3_json", "qwen_xml",
    "mistral_json", "json_scaffold", "harmony", "gemma_function", "json_scaffold",
)  # fmt: skip
STARTED = ("native",) * 3 + ("llama3_json", "qwen_xml", "mistral_json", "native", "native", "gemma_function")
"""Depends on how the server was started: only what no text could carry goes natively."""
AUTO = {
    **dict.fromkeys(
        ("openai", "openai_responses", "anthropic", "azure", "azure_responses", "groq", "cerebras"), NATIVE
    ),
    **dict.fromkeys(("mistral", "deepseek", "xai", "moonshot", "zai", "alibaba"), NATIVE),
    **dict.fromkeys(("sambanova", "openrouter", "together", "fireworks", "huggingface", "ollama", "lmstudio"), HOSTED),
    **dict.fromkeys(
        ("azure_entra", "azure_anthropic", "vertex_anthropic", "bedrock_anthropic", "bedrock_invoke"), NATIVE
    ),
    **dict.fromkeys(("vertex_openai", "bedrock", "bedrock_responses"), HOSTED),
    **dict.fromkeys(("google", "vertex", "bedrock_converse"), (*NATIVE[:8], "gemma_function", "native")),
    "perplexity": TEXT,
    "straico": ("function_calls_json",) * 10,
    "llamacpp": (*STARTED, "qwen_xml"),
    "llamacpp_raw": (*TEXT[:9], "qwen_xml"),
    "vllm": (*STARTED, "react"),
}


def provider(preset_id: str) -> ProviderConfig:
    """The preset's provider, with places to fill in filled in."""
    config = get_preset(preset_id).provider()
    return replace(config, base_url=re.sub(r"\{\w+\}", "mine", config.base_url))


def sent(config: ProviderConfig, model: str) -> tuple[str, dict[str, Any]]:
    """The format that is chosen, and the body of the first request."""
    chosen = get_format(detect_format(Settings(), config, model).format)
    target = Target(ModelRef(config.name, model), chosen.id, sampling=Sampling(temperature=0.5, max_tokens=99))
    made = plan(FakeClient([]), chosen, target=target, messages=[Message("system", "Be brief."), Message("user", "Hi")])
    made = replace(made, executor=replace(made.executor, info=replace(made.executor.info, model=model)))
    request = get_wire(config.wire).encode(first_request(made), config.endpoint(), "k")
    return ("native" if chosen.native else chosen.id), json.loads(request.body)


def tool_names(body: dict[str, Any]) -> list[str]:
    """Names of the tools that a body carries, in any wire's shape."""
    names = []
    for tool in body.get("tools") or [one["toolSpec"] for one in body.get("toolConfig", {}).get("tools", ())]:
        for entry in tool.get("functionDeclarations") or tool.get("function_declarations") or [tool]:
            names.append(entry.get("function", entry)["name"])
    return names


def judge(wire: str, body: dict[str, Any]) -> None:
    """Raise where the vendor's own types do not take the body."""
    match wire:
        case "openai_chat":
            shape: Any = openai.types.chat.completion_create_params.CompletionCreateParamsStreaming
            TypeAdapter(with_config(ConfigDict(arbitrary_types_allowed=True))(shape)).validate_python(body)
        case "openai_responses":
            shape = openai.types.responses.response_create_params.ResponseCreateParamsStreaming
            TypeAdapter(with_config(ConfigDict(arbitrary_types_allowed=True))(shape)).validate_python(body)
        case "anthropic_messages":
            body = {"model": "in the address", "stream": True, **body}
            shape = anthropic.types.message_create_params.MessageCreateParamsStreaming
            TypeAdapter(with_config(ConfigDict(arbitrary_types_allowed=True))(shape)).validate_python(body)
        case "gemini_generate":
            for content in body["contents"]:
                gemini.Content.model_validate(content)
            for tool in body.get("tools", ()):
                gemini.Tool.model_validate(tool)
        case "bedrock_converse":
            report = ParamValidator().validate({"modelId": "m", **body}, CONVERSE.input_shape)
            assert not report.has_errors(), report.generate_report()
        case "ollama_chat":
            OllamaRequest.model_validate(body)


def test_the_table_has_every_preset() -> None:
    assert {preset.id for preset in list_presets()} == set(AUTO)


@pytest.mark.parametrize("preset_id", AUTO)
def test_native_tools_by_preset_and_model(preset_id: str) -> None:
    config = provider(preset_id)
    for model, expected in zip(MODELS, AUTO[preset_id], strict=True):
        way, body = sent(config, model)
        assert way == expected, model
        assert tool_names(body) == ([WEATHER.name, READ_FILE.name] if way == "native" else []), model
        assert (WEATHER.name in json.dumps(body)) is True, "a model always learns of its tools"
        judge(config.wire, body)


@pytest.mark.parametrize("preset_id", AUTO)
def test_emulated_tools_are_never_sent_as_a_field(preset_id: str) -> None:
    config = replace(provider(preset_id), tools="emulated")
    for model, text in zip(MODELS, TEXT, strict=True):
        way, body = sent(config, model)
        usual = "qwen_xml" if preset_id.startswith("llamacpp") and model == MODELS[-1] else text
        assert way == ("function_calls_json" if preset_id == "straico" else usual), model
        assert tool_names(body) == []
        assert "tool_choice" not in body
        assert WEATHER.name in json.dumps(body)
        judge(config.wire, body)


def test_straico_teaches_function_calls_in_the_system_message() -> None:
    """Requirement S2, with the words of its document."""
    _, body = sent(get_preset("straico").provider(), "openai/gpt-4o")
    system = json.dumps(body["messages"][0])
    assert body["messages"][0]["role"] == "system"
    assert "function_calls" in system
    assert "get_weather" in system
