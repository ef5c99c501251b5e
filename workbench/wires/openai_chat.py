"""OpenAI Chat Completions: `POST {base}/chat/completions`, at OpenAI and at everybody who copies it.

Quirks of an endpoint that are known here, all optional: `max_tokens_field`, `seed_field`, `auth_header`, `no_tools`, `no_stop`,
`max_stop`, `no_seed`, `no_temperature`, `no_stream_options`, `no_parallel`, `no_named_choice`, `reasoning_field`, `call_id` (`"nine"`, `"forty"`),
`any_names` (tool names go as they are, for servers that take more than letters, digits, `_` and `-`), `longest_name`, `tool_fields`
(further fields of tools that the server takes), `allowed_tools` (it takes this choice; else the other tools are left out), `no_names` (a turn's
author goes out without a name), `efforts` (the words for efforts that a model knows; the nearest is told), `reasoning` (how the setting for reasoning is told: `effort`, `openrouter`, `thinking`, `thinking_effort`, `enable_thinking`, `template`, `groq`, `include_reasoning`), `hides_thoughts`
(none are ever shown), `no_reasoning`.
Quirks of known hosts stand in the presets; an unknown host gets the plain protocol.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.core.messages import chosen_tool
from workbench.wires.kit.call_ids import at_most, nine_characters, paired, with_ids
from workbench.wires.kit.chat import WIRE, ChatDecoder, ChatModels
from workbench.wires.kit.http import join_url, key_header, post_json, quirk
from workbench.wires.kit.reasoning_setting import chat_fields
from workbench.wires.kit.tool_fields import allowed_tools, narrowed, vendor_fields
from workbench.wires.kit.tool_names import LONGEST, wire_name
from workbench.wires.kit.vendors import resolved

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.core.exchange import Endpoint, Headers, WireRequest
    from workbench.core.messages import ChatRequest, Message
    from workbench.core.protocols import Decoder
    from workbench.core.tools import ToolSpec


PATH = "/chat/completions"
_CALL_IDS = {"nine": nine_characters, "forty": at_most(40)}
"""What a server takes as the id of a call: Mistral nine letters and digits, OpenAI forty characters."""


class OpenAIChat(ChatModels):
    """The wire."""

    id = WIRE

    def encode(self, request: ChatRequest, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request."""
        endpoint = resolved(endpoint, request.model)
        body: dict[str, Any] = {"model": request.model, "messages": _messages(request, endpoint)}
        body |= _tool_fields(request, endpoint)
        body |= _sampling_fields(request, endpoint) | chat_fields(request, endpoint)
        body["stream"] = request.stream
        if request.stream and not quirk(endpoint, "no_stream_options"):
            body["stream_options"] = {"include_usage": True}
        url, auth = join_url(endpoint.base_url, PATH), key_header(endpoint, key)
        return post_json(url, auth, body, endpoint, request, stream=request.stream)

    def decoder(self, *, status: int, headers: Headers, stream: bool) -> Decoder:
        """Return a decoder for one response."""
        return ChatDecoder(status=status, headers=headers, stream=stream)


def _messages(request: ChatRequest, endpoint: Endpoint) -> list[dict[str, Any]]:
    messages = paired(request.messages)
    if change := _CALL_IDS.get(str(quirk(endpoint, "call_id"))):
        messages = with_ids(messages, change)
    fields, name = _reasoning_fields(endpoint), _naming(endpoint)
    if quirk(endpoint, "no_names"):
        messages = tuple(message if message.role == "tool" else replace(message, name="") for message in messages)
    return [_message(message, fields, name) for message in messages]


def _naming(endpoint: Endpoint) -> Callable[[str], str]:
    limit = int(quirk(endpoint, "longest_name", LONGEST))
    return str if quirk(endpoint, "any_names") else lambda name: wire_name(name, limit)


def _reasoning_fields(endpoint: Endpoint) -> list[str]:
    """Return the fields in which reasoning goes back: none, one, or several names for servers of different ages."""
    wanted = quirk(endpoint, "reasoning_field", "")
    return [str(name) for name in wanted] if isinstance(wanted, list | tuple) else [str(wanted)] if wanted else []


def _message(message: Message, reasoning_fields: list[str], name_of: Callable[[str], str]) -> dict[str, Any]:
    out = message.to_openai()
    for call in out.get("tool_calls", ()):
        call["function"]["name"] = name_of(call["function"]["name"])
    if message.tool_calls and not message.content:
        out["content"] = None
    elif out["content"] is None:
        out["content"] = ""
    own = message.extra.get(WIRE)
    if message.role != "assistant":
        return out
    if message.reasoning:
        out |= dict.fromkeys(reasoning_fields, message.reasoning)
    if isinstance(own, dict):
        for number, fields in (own.get("calls") or {}).items():
            place = next((i for i, call in enumerate(message.tool_calls) if str(call.number) == number), None)
            if place is not None and isinstance(fields, dict):
                out["tool_calls"][place] |= fields
        out |= {name: value for name, value in own.items() if name != "calls"}
    return out


def _tool_fields(request: ChatRequest, endpoint: Endpoint) -> dict[str, Any]:
    """Tools with their choice; the choice is an error without tools."""
    if not request.tools or quirk(endpoint, "no_tools"):
        return {}
    naming = _naming(endpoint)
    choice: Any = request.tool_choice
    name, allowed = chosen_tool(choice), allowed_tools(choice)
    if allowed and quirk(endpoint, "allowed_tools"):
        named = [{"type": "function", "function": {"name": naming(one)}} for one in allowed.names]
        choice = {"type": "allowed_tools", "allowed_tools": {"mode": allowed.mode, "tools": named}}
    elif allowed:
        request = narrowed(request)
        choice = request.tool_choice
    tools = request.tools
    if name is not None and quirk(endpoint, "no_named_choice"):
        tools = tuple(tool for tool in tools if tool.name == name) or tools
        choice = "required"
    elif name is not None:
        choice = {"type": "function", "function": {"name": naming(name)}}
    out: dict[str, Any] = {"tools": [_tool(replace(tool, name=naming(tool.name)), endpoint) for tool in tools]}
    if choice is not None:
        out["tool_choice"] = choice
    if request.parallel_tool_calls is not None and not quirk(endpoint, "no_parallel"):
        out["parallel_tool_calls"] = request.parallel_tool_calls
    return out


def _tool(tool: ToolSpec, endpoint: Endpoint) -> dict[str, Any]:
    """A tool with its further fields: a cache mark beside the function, all others inside."""
    out = tool.to_openai()
    for name, value in vendor_fields(tool, ("strict",), endpoint).items():
        (out if name == "cache_control" else out["function"])[name] = value
    return out


def _sampling_fields(request: ChatRequest, endpoint: Endpoint) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if request.stop and not quirk(endpoint, "no_stop"):
        out["stop"] = list(request.stop[: int(quirk(endpoint, "max_stop", 4))])
    if request.max_tokens is not None:
        out[quirk(endpoint, "max_tokens_field", "max_tokens")] = request.max_tokens
    if not quirk(endpoint, "no_temperature"):
        out |= {"temperature": request.temperature} if request.temperature is not None else {}
        out |= {"top_p": request.top_p} if request.top_p is not None else {}
    if request.seed is not None and not quirk(endpoint, "no_seed"):
        out[quirk(endpoint, "seed_field", "seed")] = request.seed
    return out
