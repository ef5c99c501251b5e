"""Straico: `POST {base}/v2/chat/completions`, or the older `/v1/prompt/completion` and `/v0/prompt/completion`.

No tools, no tool role, no stream, no stop sequences: tools go into the system text (that is a format's work, not the wire's), and turns
that the protocol cannot carry are folded into text: a result becomes the user message `Tool output for ID: …`, calls become the JSON that
the format asks for. The endpoints of v0 and v1 take one string, so roles are written into it. Quirk: `api` (`v2`, `v1`, `v0`); a base address
that ends in a version chooses that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.wires.kit.call_ids import paired
from workbench.wires.kit.chat import ChatDecoder, read_model_list
from workbench.wires.kit.http import bearer, get_json, join_url, post_json, quirk
from workbench.wires.kit.jsons import argument_object, as_dict, as_list, json_text, read_json
from workbench.wires.kit.reasoning_setting import refused
from workbench.wires.kit.vendors import resolved

if TYPE_CHECKING:
    from workbench.core.exchange import Endpoint, Headers, ModelInfo, WireRequest
    from workbench.core.messages import ChatRequest, Message
    from workbench.core.protocols import Decoder

WIRE = "straico"
_PATHS = {"v2": "/v2/chat/completions", "v1": "/v1/prompt/completion", "v0": "/v0/prompt/completion"}
_LABELS = {"system": "System", "user": "User", "assistant": "Assistant"}


class Straico:
    """The wire."""

    id = WIRE

    def encode(self, request: ChatRequest, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request."""
        endpoint = resolved(endpoint, request.model)
        if request.reasoning is not None:
            raise refused(request, "is reached by a protocol that has no setting for reasoning")
        base, api = _place(endpoint)
        turns = [_turn(message) for message in paired(request.messages)]
        body: dict[str, Any]
        match api:
            case "v0":
                body = {"model": request.model, "message": _one_text(turns)}
            case "v1":
                body = {"models": [request.model], "message": _one_text(turns)}
            case _:
                body = {"model": request.model, "messages": [_message(role, text) for role, text in turns]}
        if api != "v0":
            body |= {"temperature": request.temperature} if request.temperature is not None else {}
            body |= {"max_tokens": request.max_tokens} if request.max_tokens is not None else {}
        return post_json(join_url(base, _PATHS[api]), bearer(key), body, endpoint, request)

    def decoder(self, *, status: int, headers: Headers, stream: bool) -> Decoder:
        """Return a decoder for one response; the protocol knows no stream."""
        return StraicoDecoder(status=status, headers=headers, stream=stream)

    def models_request(self, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request for the list of models."""
        endpoint = resolved(endpoint)
        base, _ = _place(endpoint)
        return get_json(join_url(base, "/v2/models"), bearer(key), endpoint)

    def read_models(self, body: bytes) -> list[ModelInfo]:
        """Read the list of either version; empty for anything else."""
        value = as_dict(read_json(body))
        data = as_dict(value.get("data"))
        if not data:
            return read_model_list(body)
        chats = [{**as_dict(item), "id": as_dict(item).get("model")} for item in as_list(data.get("chat"))]
        return read_model_list(json_text(chats).encode("utf-8", "replace"))


def _place(endpoint: Endpoint) -> tuple[str, str]:
    """Return the address without its version, and the version to speak."""
    base = endpoint.base_url.strip().rstrip("/")
    stem, _, last = base.rpartition("/")
    if last in _PATHS:
        return stem, str(quirk(endpoint, "api", last))
    api = str(quirk(endpoint, "api", "v2"))
    return base, api if api in _PATHS else "v2"


def _turn(message: Message) -> tuple[str, str]:
    """Fold a turn into role and text."""
    if message.role == "tool":
        return "user", f"Tool output for {message.tool_call_id or message.name}: {message.text}"
    if not message.tool_calls:
        return message.role, message.text
    calls = [{"name": call.name, "arguments": argument_object(call.arguments)} for call in message.tool_calls]
    text = json_text({"function_calls": calls})
    return message.role, f"{message.text}\n{text}" if message.text else text


def _message(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": text}]}


def _one_text(turns: list[tuple[str, str]]) -> str:
    """Write a conversation as one text; a single question stays as it is."""
    if len(turns) == 1:
        return turns[0][1]
    return "\n\n".join(f"{_LABELS.get(role, role)}: {text}" for role, text in turns) + "\n\nAssistant:"


class StraicoDecoder(ChatDecoder):
    """Deltas from an answer of any version: the inner completion has OpenAI's shape."""

    def on_body(self, value: Any, at: tuple[int, int]) -> None:
        """Find the completion in its wrapping and read it; completions are keyed by a model that may differ from ours."""
        data = as_dict(as_dict(value).get("data"))
        found = data.get("completion", data if "choices" in data else None)
        if isinstance(data.get("completions"), dict):
            several = list(data["completions"].values())
            if len(several) > 1:
                self.notice("extra_choices", "The reply holds several models' completions; the first is read.", at)
            found = as_dict(several[0]).get("completion", several[0]) if several else None
        super().on_body(found if isinstance(found, dict) else value, at)
        self._tell_price(as_dict(value), data, at)

    def _tell_price(self, answer: dict[str, Any], data: dict[str, Any], at: tuple[int, int]) -> None:
        """Say what the reply cost; each version has it elsewhere."""
        for price in (answer.get("price"), data.get("price"), data.get("overall_price")):
            if isinstance(coins := as_dict(price).get("total"), int | float):
                self.notice("price", f"The reply cost {coins:g} {'coin' if coins == 1 else 'coins'}.", at, price)
                return
