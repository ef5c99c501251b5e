"""What goes out: every preset × ten models × tools in their field and tools in the text, judged by the vendors' own types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_type_hints

import botocore.session
import ollama
import pytest
from anthropic.types import message_create_params
from botocore.validate import ParamValidator
from google.genai import types
from openai.types.chat import completion_create_params
from openai.types.responses import response_create_params
from pydantic import TypeAdapter

from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.settings.presets import Preset, list_presets
from workbench.wires import get_wire

MODELS = (
    "gpt-4.1", "gpt-5-mini", "o3", "claude-opus-4-6", "claude-3-5-haiku-latest", "gemini-3-pro-preview",
    "llama-3.3-70b-versatile", "qwen/qwen3-coder", "mistral-large-latest", "grok-4",
)  # fmt: skip
CITY = ToolSpec(
    "get.weather", "Weather.", {"type": "object", "properties": {"city": {"type": "string"}}}, {"strict": False}
)
TURNS = (
    Message("system", "Be brief."),
    Message("user", "Rome?"),
    Message("assistant", "", (NativeCall(0, "call_1", "get.weather", '{"city": "Rome"}'),), reasoning="hm"),
    Message("tool", "sunny", tool_call_id="call_1"),
    Message("user", "And Oslo?"),
)
CHAT = TypeAdapter(completion_create_params.CompletionCreateParamsStreaming)
RESPONSES = TypeAdapter(response_create_params.ResponseCreateParamsStreaming)
CLAUDE = TypeAdapter(message_create_params.MessageCreateParamsStreaming)
BEDROCK = botocore.session.Session().get_service_model("bedrock-runtime")
OF_VENDORS = {"reasoning_content", "reasoning", "provider", "random_seed"}
"""Fields that other servers of the protocol know."""


def requests(model: str) -> Iterator[ChatRequest]:
    """Natively, and with the tools in the text."""
    base = ChatRequest(model, TURNS, max_tokens=9, temperature=0.5, top_p=0.9, seed=3)
    yield replace(base, tools=(CITY,), tool_choice="auto", parallel_tool_calls=True)
    yield replace(base, tools=(CITY,), tool_choice={"type": "function", "function": {"name": "get.weather"}})
    text = (Message("system", "Write <tool_call>."), TURNS[1], Message("assistant", "<tool_call>"), TURNS[4])
    yield replace(base, messages=text, stop=("</tool_call>",))


def read_all(value: Any) -> Any:
    """Iterables of a type are checked while they are read."""
    if isinstance(value, dict):
        return {name: read_all(item) for name, item in value.items()}
    return value if isinstance(value, str | bytes | int | float | None) else [read_all(item) for item in value]


def judge(wire: str, body: dict[str, Any], extra: set[str]) -> None:
    """Fail where the vendor's types do not take a body."""
    match wire:
        case "openai_chat":
            unknown = set(body) - set(get_type_hints(completion_create_params.CompletionCreateParamsStreaming))
            assert unknown <= OF_VENDORS | extra
            read_all(CHAT.validate_python(body))
        case "openai_responses":
            assert set(body) <= set(get_type_hints(response_create_params.ResponseCreateParamsStreaming))
            read_all(RESPONSES.validate_python(body))
        case "anthropic_messages":
            hosted = (
                body
                if "model" in body
                else {k: v for k, v in body.items() if k != "anthropic_version"} | {"model": "m", "stream": True}
            )
            known = set(get_type_hints(message_create_params.MessageCreateParamsStreaming))
            assert set(hosted) <= known | {
                "temperature",
                "top_p",
            }  # older models take them, today's types do not name them
            read_all(CLAUDE.validate_python(hosted))
        case "gemini_generate":
            assert set(body) <= {"contents", "systemInstruction", "tools", "toolConfig", "generationConfig"}
            [types.Content.model_validate(content) for content in body["contents"]]
            [types.Tool.model_validate(tool) for tool in body.get("tools", ())]
            types.GenerationConfig.model_validate(body["generationConfig"])
            types.ToolConfig.model_validate(body.get("toolConfig", {}))
        case "ollama_chat":
            assert set(body) <= set(ollama._types.ChatRequest.model_fields)
            ollama._types.ChatRequest.model_validate(body)
        case "bedrock_converse":
            report = ParamValidator().validate(
                {"modelId": "m", **body}, BEDROCK.operation_model("ConverseStream").input_shape
            )
            assert not report.has_errors(), report.generate_report()
            assert set(body) <= set(BEDROCK.operation_model("ConverseStream").input_shape.members)
        case "straico":
            assert set(body) == {"model", "messages", "temperature", "max_tokens"}
        case _:
            assert (wire, body["prompt"][:6]) == ("completion", "<|im_s")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("preset", list_presets(), ids=lambda preset: preset.id)
def test_vendors_types_take_what_goes_out(preset: Preset, model: str) -> None:
    config = preset.provider()
    config = replace(config, base_url=re.sub(r"\{(\w+)\}", r"\1", config.base_url))
    for request in requests(model):
        sent = get_wire(config.wire).encode(request, config.endpoint(), "key")
        judge(config.wire, json.loads(sent.body), set(config.extra))
        assert sent.url.startswith(("https://", "http://127.0.0.1"))


@pytest.mark.parametrize("preset", ["openai", "azure"])
@pytest.mark.parametrize(("model", "sampled"), [("gpt-4.1", True), ("gpt-5-mini", False), ("o3", False)])
def test_reasoning_models_of_openai_get_no_sampling(preset: str, model: str, sampled: bool) -> None:
    (config,) = (one.provider() for one in list_presets() if one.id == preset)
    config = replace(config, base_url=config.base_url.replace("{RESOURCE}", "r"))
    native, _, text = requests(model)
    body = json.loads(get_wire(config.wire).encode(native, config.endpoint(), "k").body)
    assert ("temperature" in body, "max_completion_tokens" in body, "max_tokens" in body) == (sampled, True, False)
    assert ("stop" in json.loads(get_wire(config.wire).encode(text, config.endpoint(), "k").body)) == sampled
