"""Anthropic Messages: `POST {base}/v1/messages` (a base that ends in a version keeps it).

Replies are content blocks: text, thinking with a signature, tool use. Blocks that must go back unchanged while a tool loop
runs come as a `send_back` notice with all blocks of the turn in order. Quirks: `max_tokens` (sent where the request has none), `version`,
`auth_header` (`authorization` for gateways), `no_stop`, `no_temperature`, `no_tools`, `late_system` (system text between turns stays
there; else all of it goes into the `system` field), `adaptive_thinking` (an effort is taken, not a budget),
`no_reasoning`, `model_path` (two paths with `{model}`, for whole replies and for streams), `version_in_body` and `framed` (streams come
in AWS's frames, and the path alone asks for one), as clouds have it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from workbench.core.errors import InvalidInput
from workbench.core.exchange import Usage, WireRequest
from workbench.core.messages import chosen_tool
from workbench.wires.kit.call_ids import paired, with_ids
from workbench.wires.kit.chat import ChatModels
from workbench.wires.kit.content_block import ContentBlock
from workbench.wires.kit.error_answers import describe, error_in
from workbench.wires.kit.event_frames import MEDIA_TYPE
from workbench.wires.kit.http import get_json, headers_for, join_url, key_header, lay_over, quirk, versioned
from workbench.wires.kit.jsons import argument_text, as_dict, as_int, as_list, as_text, json_bytes
from workbench.wires.kit.reasoning_setting import budget_of, effort_of, refused, wanted
from workbench.wires.kit.reply import ReplyDecoder
from workbench.wires.kit.tool_fields import narrowed, vendor_fields
from workbench.wires.kit.tool_names import plain_name
from workbench.wires.kit.turn_blocks import WIRE, block_messages, block_name, system_and_turns
from workbench.wires.kit.vendors import resolved

if TYPE_CHECKING:
    from workbench.core.exchange import Endpoint, Headers
    from workbench.core.messages import ChatRequest, ToolChoice
    from workbench.core.protocols import Decoder
    from workbench.core.tools import ToolSpec

DEFAULT_MAX_TOKENS = 4096
_LEAST_BUDGET = 1024
_EFFORTS = {"minimal": "low"}
"""What Anthropic calls the least effort."""
_TOOL_FIELDS = frozenset(
    "strict cache_control input_examples defer_loading allowed_callers eager_input_streaming".split()
)
_CHOICES = {"auto": "auto", "required": "any", "any": "any", "none": "none"}
_SERVER_SIDE = ("tool_use", "tool_result", "redacted_thinking", "compaction", "container_upload")
"""How blocks end that go back and say nothing to the user."""


class AnthropicMessages(ChatModels):
    """The wire."""

    id = WIRE

    def encode(self, request: ChatRequest, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request."""
        endpoint = resolved(endpoint, request.model)
        limit = request.max_tokens
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": quirk(endpoint, "max_tokens", DEFAULT_MAX_TOKENS) if limit is None else limit,
        }
        system, turns = system_and_turns(request.messages, late=bool(quirk(endpoint, "late_system")))
        if system:
            body["system"] = system
        body["messages"] = block_messages(with_ids(paired(turns), plain_name))
        if request.tools and not quirk(endpoint, "no_tools"):
            body |= _tool_fields(narrowed(request), endpoint)
        stops = [stop for stop in request.stop if stop.strip()]  # blank ones are refused
        if stops and not quirk(endpoint, "no_stop"):
            body["stop_sequences"] = stops
        if not quirk(endpoint, "no_temperature"):
            body |= {"temperature": request.temperature} if request.temperature is not None else {}
            body |= {"top_p": request.top_p} if request.top_p is not None else {}
        body |= _thinking(request, endpoint, body)
        body["stream"] = request.stream
        framed = (("accept", MEDIA_TYPE),) if request.stream and quirk(endpoint, "framed") else ()
        headers = headers_for(endpoint, (*_auth(endpoint, key), *framed), json_body=True, stream=request.stream)
        hosted = _as_hosted(lay_over(body, endpoint, request), endpoint)
        return WireRequest("POST", _url(endpoint, request), headers, json_bytes(hosted))

    def decoder(self, *, status: int, headers: Headers, stream: bool) -> Decoder:
        """Return a decoder for one response."""
        return MessagesDecoder(status=status, headers=headers, stream=stream)

    def models_request(self, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request for the list of models."""
        endpoint = resolved(endpoint)
        if quirk(endpoint, "model_path"):
            raise InvalidInput(
                "This cloud has no list of models in Anthropic's protocol.",
                hint="Type the model's name as its console shows it; a request with it tests the connection.",
            )
        return get_json(versioned(endpoint.base_url, "/v1", "/models?limit=1000"), _auth(endpoint, key), endpoint)


def _url(endpoint: Endpoint, request: ChatRequest) -> str:
    """The address; a cloud has the model in its path, which differs for streams."""
    if paths := quirk(endpoint, "model_path", ()):
        return join_url(
            endpoint.base_url, str(paths[request.stream]).replace("{model}", quote(request.model, safe="@"))
        )
    return versioned(endpoint.base_url, "/v1", "/messages")


def _as_hosted(body: dict[str, Any], endpoint: Endpoint) -> dict[str, Any]:
    """The body; a cloud wants the protocol's version in it, and no model where the path names it."""
    if quirk(endpoint, "model_path"):
        body.pop("model")
    if quirk(endpoint, "framed"):
        body.pop("stream")
    version = quirk(endpoint, "version_in_body", "")
    return {"anthropic_version": version, **body} if version else body


def _thinking(request: ChatRequest, endpoint: Endpoint, body: dict[str, Any]) -> dict[str, Any]:
    """The fields for reasoning: newer models take an effort, older ones a budget, which `max_tokens` must exceed."""
    setting = wanted(request, endpoint)
    effort = effort_of(setting) if setting else ""
    if setting is None or (not effort and setting.show is None):
        return {}
    if effort == "none":
        return {"thinking": {"type": "disabled"}}
    if request.temperature not in (None, 1.0) and "temperature" in body:
        raise refused(request, "thinks with temperature 1 only")
    if body.get("tool_choice", {}).get("type") in ("any", "tool"):
        raise refused(request, "cannot think where a call of a tool is forced")
    shown = {} if setting.show is None else {"display": "summarized" if setting.show else "omitted"}
    if not effort and not quirk(endpoint, "adaptive_thinking"):
        if setting.show:
            raise refused(request, "shows thoughts only where it is told how much to think")
        return {}
    if setting.budget is None and quirk(endpoint, "adaptive_thinking"):
        level = {"output_config": {"effort": _EFFORTS.get(effort, effort)}} if effort else {}
        return {"thinking": {"type": "adaptive", **shown}, **level}
    budget = max(budget_of(setting) or 0, _LEAST_BUDGET)
    if request.max_tokens is not None and request.max_tokens <= budget:
        raise refused(request, f"needs more than {budget} max_tokens, since thinking alone may take {budget}")
    limit = {} if request.max_tokens is not None else {"max_tokens": budget + body["max_tokens"]}
    return {"thinking": {"type": "enabled", "budget_tokens": budget, **shown}, **limit}


def _auth(endpoint: Endpoint, key: str | None) -> Headers:
    version = str(quirk(endpoint, "version", "2023-06-01"))
    told = () if quirk(endpoint, "version_in_body") else (("anthropic-version", version),)
    return (*key_header(endpoint, key, "x-api-key"), *told)


def _tool_fields(request: ChatRequest, endpoint: Endpoint) -> dict[str, Any]:
    out: dict[str, Any] = {"tools": [_tool(tool, endpoint) for tool in request.tools]}
    choice = _choice(request.tool_choice)
    if request.parallel_tool_calls is False:
        choice = {**(choice or {"type": "auto"}), "disable_parallel_tool_use": True}
        if choice["type"] == "none":
            del choice["disable_parallel_tool_use"]
    if choice:
        out["tool_choice"] = choice
    return out


def _tool(tool: ToolSpec, endpoint: Endpoint) -> dict[str, Any]:
    out: dict[str, Any] = {"name": block_name(tool.name), "input_schema": {"type": "object", **tool.parameters}}
    if tool.description:
        out["description"] = tool.description
    return out | vendor_fields(tool, _TOOL_FIELDS, endpoint)


def _choice(choice: ToolChoice) -> dict[str, Any] | None:
    if name := chosen_tool(choice):
        return {"type": "tool", "name": block_name(name)}
    if isinstance(choice, dict):
        return dict(choice)
    return {"type": _CHOICES.get(choice, choice)} if choice else None


class MessagesDecoder(ReplyDecoder):
    """Deltas from message events or a whole message."""

    end_marker = "the event message_stop"
    plain_names = True
    reason_ends = False

    def __init__(self, *, status: int, headers: Headers, stream: bool) -> None:
        super().__init__(status=status, headers=headers, stream=stream)
        self._blocks: dict[int, ContentBlock] = {}
        self._replaced: list[tuple[int, ContentBlock]] = []
        """Blocks whose index another one took: some servers count each kind of block anew."""
        self._calls = 0
        self._counts: dict[str, Any] = {}
        self._stopped = False

    def on_event(self, name: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        """Read one event."""
        kind = value.get("type") or name
        match kind:
            case "message_start":
                message = as_dict(value.get("message"))
                self._start(message, at)
                if not self._blocks:
                    self._read_blocks(message.get("content"), at)
                self.finish(message.get("stop_reason"), at)
            case "content_block_start":
                self._open(as_int(value.get("index")), as_dict(value.get("content_block")), at)
            case "content_block_delta":
                self._grow(as_int(value.get("index")), as_dict(value.get("delta")), at)
            case "content_block_stop":
                self._stop(as_int(value.get("index")), at)
            case "message_delta":
                self._add_usage(value.get("usage"), at)
                self.finish(as_dict(value.get("delta")).get("stop_reason"), at)
            case "message_stop":
                self._end_turn(at)
                self.done = self._stopped = True
            case "message":
                self.on_body(value, at)
            case "ping":
                pass
            case _:
                self._other(str(kind), value, at)

    def _other(self, kind: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        if kind == "error" or error_in(value) is not None:
            self.fault(describe(value, self.status, self.headers), at)
        else:
            self.notice("unknown_event", f"An event of type {kind[:60]!r} is not known.", at)

    def on_body(self, value: Any, at: tuple[int, int]) -> None:
        """Read a whole message."""
        error = error_in(value)
        message = as_dict(value)
        if error is not None:
            self.fault(describe(error, self.status, self.headers), at)
        elif isinstance(message.get("content"), str):
            self.on_body({**message, "content": [{"type": "text", "text": message["content"]}]}, at)
        elif not isinstance(message.get("content"), list):
            self.fault(self.wrong_shape("Anthropic Messages", "'content'"), at)
        else:
            self._start(message, at)
            self._read_blocks(message["content"], at)
            self.finish(message.get("stop_reason"), at)
            self._end_turn(at)
            self.done = self._stopped = True

    def on_end(self, size: int) -> None:
        """A stream is complete with `message_stop`, or [DONE] where somebody copies it; another protocol's is none."""
        if not self._stopped:
            self._end_turn((size, size))
        if not (self._blocks or self._counts or self._finish):
            self.fault(self.wrong_shape("Anthropic Messages", "'content'"), (0, size))
        elif not self.complete:
            self.cut_off((size, size))

    def _start(self, message: dict[str, Any], at: tuple[int, int]) -> None:
        self.model(message.get("model"), at)
        self._add_usage(message.get("usage"), at)

    def _read_blocks(self, blocks: Any, at: tuple[int, int]) -> None:
        """Read blocks that came whole: of a whole message, or with the start of one that goes on where a tool stopped it."""
        before = len(as_list(blocks))
        for place, block in enumerate(as_list(blocks)):
            index = place - before  # so that they stand before any block that follows
            self._open(index, as_dict(block), at)
            self._stop(index, at)

    def _open(self, index: int | None, shell: dict[str, Any], at: tuple[int, int]) -> None:
        block = ContentBlock(shell)
        place = max(self._blocks, default=-1) + 1 if index is None else index
        if place in self._blocks:
            self._stop(place, at)
            self._replaced.append((place, self._blocks[place]))
        self._blocks[place] = block
        match shell.get("type"):
            case "text":
                self.text(as_text(shell.get("text")), at)
            case "thinking":
                self.reasoning(as_text(shell.get("thinking")), at)
                self.seal(as_text(shell.get("signature")), at)
            case "tool_use":
                block.number, self._calls = self._calls, self._calls + 1
                self.call(block.number, as_text(shell.get("id")), as_text(shell.get("name")), "", at)
            case kind if not as_text(kind).endswith(_SERVER_SIDE):
                self.notice("unknown_part", f"The reply holds a block of type {str(kind)[:60]!r}.", at, shell)

    def _grow(self, index: int | None, delta: dict[str, Any], at: tuple[int, int]) -> None:
        kind = delta.get("type") or next((f"{name}_delta" for name in _UNTYPED if name in delta), None)
        kind = "input_json_delta" if kind == "partial_json_delta" else kind
        block = self._block(index, kind, at)
        match kind:
            case "text_delta":
                block.words.append(as_text(delta.get("text")))
                self.text(delta["text"] if isinstance(delta.get("text"), str) else "", at)
            case "thinking_delta":
                block.words.append(as_text(delta.get("thinking")))
                self.reasoning(delta["thinking"] if isinstance(delta.get("thinking"), str) else "", at)
            case "input_json_delta":
                piece = argument_text(delta.get("partial_json"))
                self._give(block, block.input.grow(piece, blank=piece == "{}"), at)
            case "signature_delta":
                block.shell["signature"] = as_text(delta.get("signature"))
                self.seal(block.shell["signature"], at)
            case "citations_delta":
                block.cite(delta.get("citation"))
            case "compaction_delta":
                for field in ("content", "encrypted_content"):
                    if delta.get(field):
                        block.shell[field] = as_text(block.shell.get(field)) + as_text(delta[field])
            case _:
                self.notice("unknown_part", f"The reply holds a delta of type {str(kind)[:60]!r}.", at, delta)

    def _block(self, index: int | None, kind: Any, at: tuple[int, int]) -> ContentBlock:
        """Return the block of a delta; one that was never opened is opened by its first delta."""
        place = index if index is not None else max(self._blocks, default=0)
        if place not in self._blocks:
            kinds = {"thinking_delta": "thinking", "input_json_delta": "tool_use"}
            self._open(place, {"type": kinds.get(as_text(kind), "text")}, at)
        return self._blocks[place]

    def _stop(self, index: int | None, at: tuple[int, int]) -> None:
        """End a block. Some servers put the whole input into its start, and send no fragment."""
        block = self._blocks.get(max(self._blocks, default=0) if index is None else index)
        if block and not block.input.pieces and block.shell.get("input"):
            self._give(block, block.input.grow(argument_text(block.shell["input"])), at)
        elif block:
            self._give(block, block.input.end(), at)

    def _give(self, block: ContentBlock, piece: str, at: tuple[int, int]) -> None:
        """Give out a piece of a call's arguments."""
        if piece and block.number >= 0:
            self.call(block.number, "", "", piece, at)

    def _add_usage(self, counts: Any, at: tuple[int, int]) -> None:
        """Later counts override earlier ones; the prompt is the sum of its three parts."""
        if not isinstance(counts, dict):
            return
        self._counts |= {name: value for name, value in counts.items() if value is not None}
        parts = [as_int(self._counts.get(name)) for name in _PROMPT_PARTS]
        known = [part for part in parts if part is not None]
        self.usage(Usage(sum(known) if known else None, as_int(self._counts.get("output_tokens")), parts[1]), at)

    def _end_turn(self, at: tuple[int, int]) -> None:
        for index in self._blocks:  # those that nobody closed
            self._stop(index, at)
        blocks = [block for _, block in sorted([*self._replaced, *self._blocks.items()], key=lambda pair: pair[0])]
        if not all(block.plain for block in blocks):
            finished = [block.finished() for block in blocks]
            whole = [block for block in finished if block.get("type") != "text" or block.get("text")]
            self.send_back(WIRE, {"blocks": whole}, at)


_UNTYPED = ("text", "partial_json", "thinking", "signature")
"""Fields that say what a delta is where its type is missing."""
_PROMPT_PARTS = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
