"""Server side of Anthropic Messages: request bodies read, replies written in exactly Anthropic's shape.

Stream: `message_start`, for each block `content_block_start`, deltas and `content_block_stop`, then `message_delta`
with the stop reason and the token counts, `message_stop`. Call ids are given the `toolu_` prefix of the protocol.
System text may stand anywhere. Blocks that a neutral turn cannot say (cache marks, signatures, documents) are kept in the
turn's `extra` for the same wire.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.exchange import CallDelta, Ending, ReasoningDelta, TextDelta, Usage
from workbench.core.messages import ChatRequest, Content, Message, NativeCall, ToolChoice
from workbench.wires.kit.jsons import as_dict, as_list, as_text, compact_bytes, json_text, read_json
from workbench.wires.kit.reasoning_setting import read_setting
from workbench.wires.kit.request_notes import RequestNotes
from workbench.wires.kit.server import Folded, Refusal, ReplyHead, ReplyWriter, WireServer, refusal_of
from workbench.wires.kit.server_tools import read_tools
from workbench.wires.kit.server_turns import number, stops, whole_number
from workbench.wires.kit.turn_blocks import WIRE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from workbench.core.errors import ErrorInfo
    from workbench.core.messages import Reasoning

_REASONS = {
    Ending.STOP: "end_turn",
    Ending.LENGTH: "max_tokens",
    Ending.CALLS: "tool_use",
    Ending.FILTERED: "refusal",
}
_CHOICES = {"auto": "auto", "any": "required", "none": "none"}
_ERRORS = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
    404: "not_found_error", 413: "request_too_large", 422: "invalid_request_error", 429: "rate_limit_error",
    504: "timeout_error", 529: "overloaded_error",
}  # fmt: skip
_SAID = {
    "text": {"type", "text"},
    "tool_use": {"type", "id", "name", "input"},
    "tool_result": {"type", "tool_use_id", "content", "is_error"},
    "image": {"type", "source"},
}
"""Blocks, and fields of blocks, that a neutral turn says in full."""


class AnthropicMessagesServer(WireServer):
    """The server side."""

    wire = WIRE
    known = frozenset(
        "model messages system tools tool_choice stop_sequences max_tokens temperature top_p stream seed".split()
    )

    def decode(self, value: dict[str, Any], notes: RequestNotes) -> ChatRequest:
        """Read a body."""
        model, messages = value.get("model"), value.get("messages")
        if not isinstance(model, str) or not model:
            raise InvalidInput("model: Field required")
        limit = whole_number(value, "max_tokens")
        if limit is None and not notes.path.endswith("/count_tokens"):
            raise InvalidInput("max_tokens: Field required")
        if not isinstance(messages, list) or not messages:
            raise InvalidInput("messages: at least one message is required")
        choice, parallel = _choice(value.get("tool_choice"))
        tools = read_tools(value.get("tools"), notes)
        return ChatRequest(
            model=model,
            messages=(*_system(value.get("system")), *_turns(messages, notes)),
            tools=tools,
            tool_choice=choice,
            stop=stops(value.get("stop_sequences")),
            max_tokens=limit,
            temperature=number(value, "temperature"),
            top_p=number(value, "top_p"),
            seed=whole_number(value, "seed"),
            parallel_tool_calls=parallel,
            stream=bool(value.get("stream", False)),
        )

    def reasoning(self, value: dict[str, Any]) -> Reasoning | None:
        """A budget, an effort, or none at all."""
        own, output = as_dict(value.get("thinking")), as_dict(value.get("output_config"))
        effort = "none" if own.get("type") == "disabled" else output.get("effort")
        shown = {"summarized": True, "omitted": False}.get(as_text(own.get("display")))
        return read_setting(effort, own.get("budget_tokens"), shown)

    def stream(self, head: ReplyHead) -> ReplyWriter:
        """Return a writer of message events."""
        return MessageStream(head)

    def body(self, head: ReplyHead, reply: Folded) -> bytes:
        """Return a whole message."""
        blocks: list[dict[str, Any]] = []
        for part in reply.parts:
            match part:
                case TextDelta(text=text):
                    blocks.append({"type": "text", "text": text})
                case ReasoningDelta(text=text, seal=seal):
                    blocks.append({"type": "thinking", "thinking": text, "signature": seal})
                case CallDelta():
                    blocks.append(_use(part) | {"input": _input(part.arguments)})
        return compact_bytes(_message(head, blocks, _stop_reason(reply.ending, reply.reason), reply.usage))

    def refuse(self, why: Refusal) -> bytes:
        """Return an error body."""
        return compact_bytes({"type": "error", "error": _error(why)})

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        """The path is OpenAI's too; a header tells them apart."""
        return "/models" in path and bool(headers.get("anthropic-version"))

    def speaks(self, path: str, headers: Mapping[str, str]) -> bool:
        """Its clients send the protocol's version with every request."""
        return bool(headers.get("anthropic-version"))

    def models(self, ids: Sequence[str], *, created: int, owner: str) -> bytes:
        """Return the body of `GET /v1/models`."""
        ends = {"first_id": ids[0] if ids else None, "last_id": ids[-1] if ids else None}
        return compact_bytes({"data": [_model(name) for name in ids], "has_more": False, **ends})

    def model(self, name: str, *, created: int, owner: str) -> bytes:
        """Return the body of `GET /v1/models/NAME`."""
        return compact_bytes(_model(name))


def _system(value: Any) -> tuple[Message, ...]:
    if not value:
        return ()
    if isinstance(value, str):
        return (Message("system", value),)
    blocks = [as_dict(block) for block in as_list(value)]
    return (Message("system", _joined(blocks), extra=_kept(blocks)),)


def _choice(value: Any) -> tuple[ToolChoice, bool | None]:
    if not isinstance(value, dict):
        return None, None
    kind = as_text(value.get("type"))
    parallel = False if value.get("disable_parallel_tool_use") else None
    if kind == "tool":
        return {"type": "function", "function": {"name": as_text(value.get("name"))}}, parallel
    return _CHOICES.get(kind, "auto"), parallel


def _turns(values: Sequence[Any], notes: RequestNotes) -> Iterator[Message]:
    for index, value in enumerate(values):
        turn, place = as_dict(value), f"messages.{index}"
        role, content = turn.get("role"), turn.get("content")
        if not isinstance(role, str):
            raise InvalidInput(f"{place}.role: Field required")
        if not isinstance(content, str | list):
            raise InvalidInput(f"{place}.content: Field required")
        blocks = [_block(block) for block in ([content] if isinstance(content, str) else content)]
        if role in ("system", "developer"):
            yield Message("system", _joined(blocks), extra=_kept(blocks))
        elif role == "assistant":
            yield _assistant(blocks)
        else:
            if role != "user":
                notes.note(f"{place}.role", f"{role!r} is read as user")
            yield from _user(blocks, notes, place)


def _block(value: Any) -> dict[str, Any]:
    """A block; a text is one as well, and what has no type is its JSON."""
    if isinstance(value, dict) and "type" in value:
        return value
    return {"type": "text", "text": as_text(value) if isinstance(value, str) else json_text(value)}


def _assistant(blocks: list[dict[str, Any]]) -> Message:
    uses = [block for block in blocks if block.get("type") == "tool_use"]
    calls = tuple(
        NativeCall(index, as_text(use.get("id")), as_text(use.get("name")), json_text(use.get("input") or {}))
        for index, use in enumerate(uses)
    )
    thinking = "".join(as_text(block.get("thinking")) for block in blocks if block.get("type") == "thinking")
    text = "".join(as_text(block.get("text")) for block in blocks if block.get("type") == "text")
    return Message("assistant", text, calls, reasoning=thinking, extra=_kept(blocks))


def _user(blocks: list[dict[str, Any]], notes: RequestNotes, place: str) -> Iterator[Message]:
    """Results become tool turns; what else the user says follows them."""
    rest: list[dict[str, Any]] = []
    for block in blocks:
        if block.get("type") == "tool_result":
            yield _result(block, notes, place)
        else:
            rest.append(block)
    if rest or not blocks:
        yield Message("user", _content(rest, notes, place), extra=_kept(rest))


def _result(block: dict[str, Any], notes: RequestNotes, place: str) -> Message:
    given = block.get("content")
    listed = given if isinstance(given, list) else [] if given is None else [given]
    parts = [_block(part) for part in listed]
    content: Content = given if isinstance(given, str) else _content(parts, notes, place)
    id_ = as_text(block.get("tool_use_id"))
    extra = _kept([block]) or (_kept(parts) and {WIRE: {"blocks": [block]}})
    return Message("tool", content, tool_call_id=id_, failed=bool(block.get("is_error")), extra=extra)


def _content(blocks: list[dict[str, Any]], notes: RequestNotes, place: str) -> Content:
    """Blocks as text, or as parts where pictures are among them; what is neither is named."""
    parts: list[dict[str, Any]] = []
    for block in blocks:
        kind = block.get("type")
        if kind == "text":
            parts.append({"type": "text", "text": as_text(block.get("text"))})
        elif url := _picture(block):
            parts.append({"type": "image_url", "image_url": {"url": url}})
        else:
            notes.note(place, f"a block of type {kind!r}")
    if all(part["type"] == "text" for part in parts):
        return _joined(parts)
    return tuple(parts)


def _picture(block: dict[str, Any]) -> str:
    """The address of an image block; empty for any other."""
    source = as_dict(block.get("source")) if block.get("type") == "image" else {}
    if data := as_text(source.get("data")):
        return f"data:{as_text(source.get('media_type'))};base64,{data}"
    return as_text(source.get("url"))


def _joined(blocks: Sequence[dict[str, Any]]) -> str:
    return "\n".join(as_text(block.get("text")) for block in blocks if block.get("type") == "text")


def _kept(blocks: list[dict[str, Any]]) -> dict[str, Any]:
    """What goes into a turn's `extra`: its blocks, where the neutral turn cannot say all of them."""
    said = all(block.keys() <= _SAID.get(as_text(block.get("type")), set()) for block in blocks)
    return {} if said else {WIRE: {"blocks": blocks}}


class MessageStream(ReplyWriter):
    """Writes message events."""

    def __init__(self, head: ReplyHead) -> None:
        super().__init__(head)
        self._index = -1
        self._open = ""
        self._calls: dict[int, int] = {}
        """Index of each call's block, for pieces that come after another block was begun."""

    def start(self) -> bytes:
        """Return the message's shell."""
        return _event("message_start", {"message": _message(self.head, [], None, Usage(0, 0))})

    def ping(self) -> bytes:
        """Return a ping."""
        return _event("ping", {})

    def text(self, text: str) -> bytes:
        """Return a piece of a text block."""
        return self._block("text", {"type": "text", "text": ""}) + self._delta({"type": "text_delta", "text": text})

    def reasoning(self, text: str, seal: str) -> bytes:
        """Return a piece of a thinking block; its signature ends it."""
        out = self._block("thinking", {"type": "thinking", "thinking": "", "signature": ""})
        if text:
            out += self._delta({"type": "thinking_delta", "thinking": text})
        if seal:
            out += self._delta({"type": "signature_delta", "signature": seal}) + self._close()
        return out

    def call(self, delta: CallDelta) -> bytes:
        """Return a piece of a call's input."""
        piece = {"type": "input_json_delta", "partial_json": delta.arguments}
        if delta.number in self._calls:
            return self._delta(piece, self._calls[delta.number])
        opened = self._block(f"call {delta.number}", _use(delta) | {"input": {}})
        self._calls[delta.number] = self._index
        return opened + self._delta(piece)

    def fault(self, error: ErrorInfo) -> bytes:
        """Return an error event."""
        return _event("error", {"error": _error(refusal_of(error))})

    def end(self) -> bytes:
        """Return what ends the message."""
        delta = {"stop_reason": _stop_reason(self.ending, self.reason), "stop_sequence": None}
        usage = _usage_json(self.usage)
        return self._close() + _event("message_delta", {"delta": delta, "usage": usage}) + _event("message_stop", {})

    def _block(self, name: str, shell: dict[str, Any]) -> bytes:
        """Open a block unless it is the open one."""
        if self._open == name:
            return b""
        closed = self._close()
        self._open = name
        self._index += 1
        return closed + _event("content_block_start", {"index": self._index, "content_block": shell})

    def _close(self) -> bytes:
        if not self._open:
            return b""
        self._open = ""
        return _event("content_block_stop", {"index": self._index})

    def _delta(self, delta: dict[str, Any], index: int | None = None) -> bytes:
        return _event("content_block_delta", {"index": self._index if index is None else index, "delta": delta})


def _use(call: CallDelta) -> dict[str, Any]:
    id_ = call.id if call.id.startswith("toolu_") else f"toolu_{call.id.removeprefix('call_')}"
    return {"type": "tool_use", "id": id_, "name": call.name}


def _input(text: str) -> Any:
    """Arguments as an object; what is no object is handed on wrapped, as the protocol's own guide says."""
    value = read_json(text or "{}")
    return value if isinstance(value, dict) else {"INVALID_JSON": text}


def _message(head: ReplyHead, blocks: list[dict[str, Any]], reason: str | None, usage: Usage) -> dict[str, Any]:
    out = {"id": f"msg_{head.id}", "type": "message", "role": "assistant", "model": head.model, "content": blocks}
    return out | {"stop_reason": reason, "stop_sequence": None, "usage": _usage_json(usage)}


def _usage_json(usage: Usage) -> dict[str, int]:
    cached = usage.cached or 0
    return {
        "input_tokens": (usage.input or 0) - cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": cached,
        "output_tokens": usage.output or 0,
    }


def _stop_reason(ending: Ending, word: str) -> str:
    return _REASONS.get(ending, word)


def _error(why: Refusal) -> dict[str, str]:
    return {"type": _ERRORS.get(why.status, "api_error"), "message": why.message}


def _model(name: str) -> dict[str, Any]:
    return {"type": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z"}


def _event(name: str, body: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: ".encode() + compact_bytes({"type": name, **body}) + b"\n\n"
