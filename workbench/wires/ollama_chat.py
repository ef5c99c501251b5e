"""Ollama's own protocol: `POST {base}/api/chat`, streamed as one JSON object a line.

Calls arrive whole, with arguments as an object, at times without an id. There is no tool choice: `none` leaves the
tools out, a named tool is sent alone. Quirks: `no_tools`, `no_stop`, `thinking_levels`, `no_reasoning`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.exchange import Usage
from workbench.core.messages import chosen_tool
from workbench.wires.kit.call_fragments import fragment_from
from workbench.wires.kit.call_ids import paired
from workbench.wires.kit.chat import ChatModels
from workbench.wires.kit.content_parts import image_of, parts_of
from workbench.wires.kit.error_answers import describe, error_in
from workbench.wires.kit.http import bearer, get_json, join_url, post_json, quirk
from workbench.wires.kit.jsons import argument_object, as_dict, as_int, as_items
from workbench.wires.kit.reasoning_setting import effort_of, refused, wanted
from workbench.wires.kit.reply import ReplyDecoder
from workbench.wires.kit.tool_fields import narrowed
from workbench.wires.kit.vendors import resolved

if TYPE_CHECKING:
    from workbench.core.exchange import Endpoint, Headers, WireRequest
    from workbench.core.messages import ChatRequest, Message
    from workbench.core.protocols import Decoder

WIRE = "ollama_chat"


class OllamaChat(ChatModels):
    """The wire."""

    id = WIRE

    def encode(self, request: ChatRequest, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request."""
        endpoint = resolved(endpoint, request.model)
        messages = [_message(message) for message in paired(request.messages)]
        body: dict[str, Any] = {"model": request.model, "messages": messages, "stream": request.stream}
        if tools := _tools(request, endpoint):
            body["tools"] = tools
        if (think := _think(request, endpoint)) is not None:
            body["think"] = think
        if options := _options(request, endpoint):
            body["options"] = options
        return post_json(_url(endpoint, "/api/chat"), bearer(key), body, endpoint, request)

    def decoder(self, *, status: int, headers: Headers, stream: bool) -> Decoder:
        """Return a decoder for one response."""
        return OllamaDecoder(status=status, headers=headers, stream=stream)

    def models_request(self, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request for the list of models."""
        endpoint = resolved(endpoint)
        return get_json(_url(endpoint, "/api/tags"), bearer(key), endpoint)


def _url(endpoint: Endpoint, path: str) -> str:
    """Join the path; the addresses of the other protocol (`…/v1`) and of the API itself (`…/api`) are taken too."""
    base = endpoint.base_url.strip().rstrip("/")
    return join_url(base.removesuffix("/v1").removesuffix("/api"), path)


def _tools(request: ChatRequest, endpoint: Endpoint) -> list[dict[str, Any]]:
    if quirk(endpoint, "no_tools") or request.tool_choice == "none":
        return []
    request = narrowed(request)
    name = chosen_tool(request.tool_choice)
    chosen = [tool for tool in request.tools if tool.name == name] or request.tools
    return [tool.to_openai() for tool in chosen]


def _think(request: ChatRequest, endpoint: Endpoint) -> bool | str | None:
    """Whether to think; a few models take a level."""
    setting = wanted(request, endpoint)
    effort = effort_of(setting) if setting else ""
    if setting is not None and setting.show is False and effort != "none":
        raise refused(request, "cannot be told by this protocol to leave its thoughts out")
    if not effort or effort == "none":
        return False if effort else None
    return (
        {"minimal": "low", "xhigh": "high", "max": "high"}.get(effort, effort)
        if quirk(endpoint, "thinking_levels", "gpt-oss" in request.model)
        else True
    )


def _options(request: ChatRequest, endpoint: Endpoint) -> dict[str, Any]:
    fields = {
        "num_predict": request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "seed": request.seed,
        "stop": None if quirk(endpoint, "no_stop") else list(request.stop) or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _message(message: Message) -> dict[str, Any]:
    out: dict[str, Any] = {"role": message.role, "content": message.text}
    images = [data for part in parts_of(message) if (image := image_of(part)) and (data := image[1])]
    if images:
        out["images"] = images
    if message.role == "tool":
        out |= {"tool_name": message.name, "tool_call_id": message.tool_call_id}
    if message.role == "assistant" and message.reasoning:
        out["thinking"] = message.reasoning
    if message.tool_calls:
        out["tool_calls"] = [
            {
                "id": call.id,
                "function": {"index": place, "name": call.name, "arguments": argument_object(call.arguments)},
            }
            for place, call in enumerate(message.tool_calls)
        ]
    return out


class OllamaDecoder(ReplyDecoder):
    """Deltas from lines or from one whole object."""

    lines = True
    end_marker = "the line with done: true"
    reason_ends = False

    def __init__(self, *, status: int, headers: Headers, stream: bool) -> None:
        super().__init__(status=status, headers=headers, stream=stream)
        self._calls = 0
        self._answered = False
        self._unfinished = False
        """The last object said of itself that more follows."""

    def on_event(self, name: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        """Read one line."""
        error = error_in(value)
        if error is not None or name == "error":
            self.fault(describe(value if error is None else error, self.status, self.headers), at)
            return
        self.model(value.get("model"), at)
        message = as_dict(value.get("message"))
        self._answered = self._answered or bool(message) or "done" in value
        self._unfinished = value.get("done") is False
        thought = message.get("thinking") or message.get("reasoning")
        self.reasoning(thought if isinstance(thought, str) else "", at)
        content = message.get("content", value.get("response"))
        self.text(content if isinstance(content, str) else "", at)
        for entry in as_items(message.get("tool_calls")):
            piece = fragment_from(entry)
            self.call(self._calls, piece.id, piece.name, piece.arguments, at)
            self._calls += 1
        if value.get("done", bool(value.get("done_reason"))) is True:
            self._end(value, at)

    def on_body(self, value: Any, at: tuple[int, int]) -> None:
        """Read the one object of an answer that is not streamed."""
        for entry in value if isinstance(value, list) else [value]:
            if isinstance(entry, dict):
                self.on_event("", entry, at)
        if not self._answered and not self.faulted:
            self.fault(self.wrong_shape("Ollama's /api/chat", "'message'"), at)
        elif self._unfinished and not (self.done or self.faulted):
            self.cut_off(at)

    def on_end(self, size: int) -> None:
        """A stream is complete with `done: true` only."""
        if not self._answered:
            self.fault(self.wrong_shape("Ollama's /api/chat", "'message'"), (0, size))
        elif not self.complete:
            self.cut_off((size, size))

    def _end(self, value: dict[str, Any], at: tuple[int, int]) -> None:
        """Take reason and counts; the prompt's count is absent where it came from the cache."""
        self.finish(value.get("done_reason"), at)
        self.usage(Usage(as_int(value.get("prompt_eval_count")), as_int(value.get("eval_count"))), at)
        self.done = True
