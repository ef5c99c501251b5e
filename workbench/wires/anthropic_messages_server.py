"""Server side of Anthropic Messages: request bodies read, replies written in exactly Anthropic's shape. No I/O.

Stream: `message_start`, for each block `content_block_start`, deltas and `content_block_stop`, then `message_delta`
with the stop reason and the token counts, `message_stop`. Call ids are given the `toolu_` prefix of the protocol.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.exchange import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.core.messages import ChatRequest, Content, Message, NativeCall, ToolChoice
from workbench.core.tools import tools_from_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_KNOWN = frozenset("model messages system tools tool_choice stop_sequences max_tokens temperature top_p stream".split())
_REASONS = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"}
_CHOICES = {"auto": "auto", "any": "required", "none": "none"}
_ERRORS = {
    400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
    413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error",
}  # fmt: skip


class MessageHead(NamedTuple):
    """What identifies one reply."""

    id: str
    """`msg_…`"""
    model: str


def read_request(body: bytes) -> ChatRequest:
    """Read a request body; fields that the neutral request does not know go to `extra`. Raise InvalidInput."""
    try:
        value = json.loads(body)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InvalidInput("The request body is not valid JSON.", hint=str(error)) from error
    if not isinstance(value, dict):
        raise InvalidInput("The request body is not a JSON object.")
    model, messages, limit = value.get("model"), value.get("messages"), value.get("max_tokens")
    if not isinstance(model, str) or not model:
        raise InvalidInput("model: Field required")
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise InvalidInput("max_tokens: Field required")
    if not isinstance(messages, list) or not messages:
        raise InvalidInput("messages: at least one message is required")
    choice, parallel = _choice(value.get("tool_choice"))
    extra = {key: item for key, item in value.items() if key not in _KNOWN}
    seed = extra.get("seed")
    return ChatRequest(
        model=model,
        messages=(*_system(value.get("system")), *_turns(messages)),
        tools=tools_from_json(value["tools"]) if value.get("tools") else (),
        tool_choice=choice,
        stop=tuple(str(item) for item in value.get("stop_sequences") or ()),
        max_tokens=limit,
        temperature=value.get("temperature"),
        top_p=value.get("top_p"),
        seed=seed if isinstance(seed, int) else None,
        parallel_tool_calls=parallel,
        stream=bool(value.get("stream", False)),
        extra=extra,
    )


def _system(value: Any) -> tuple[Message, ...]:
    if not value:
        return ()
    text = value if isinstance(value, str) else "\n".join(str(block.get("text", "")) for block in _blocks(value))
    return (Message("system", text),)


def _choice(value: Any) -> tuple[ToolChoice, bool | None]:
    if not isinstance(value, dict):
        return None, None
    kind = str(value.get("type"))
    parallel = False if value.get("disable_parallel_tool_use") else None
    if kind == "tool":
        return {"type": "function", "function": {"name": str(value.get("name"))}}, parallel
    if kind not in _CHOICES:
        raise InvalidInput(f"tool_choice: unknown type {kind!r}", hint="Use auto, any, tool or none.")
    return _CHOICES[kind], parallel


def _turns(values: Sequence[Any]) -> Iterator[Message]:
    for index, value in enumerate(values):
        role = value.get("role") if isinstance(value, dict) else None
        if role not in ("user", "assistant"):
            raise InvalidInput(f"messages.{index}.role: Input should be 'user' or 'assistant'")
        content = value.get("content")
        if isinstance(content, str):
            yield Message(role, content)
        elif isinstance(content, list):
            yield from _assistant(content) if role == "assistant" else _user(content)
        else:
            raise InvalidInput(f"messages.{index}.content: Field required")


def _assistant(blocks: list[Any]) -> Iterator[Message]:
    text, thinking = "", ""
    calls: list[NativeCall] = []
    for block in _blocks(blocks):
        match block.get("type"):
            case "text":
                text += str(block.get("text", ""))
            case "thinking":
                thinking += str(block.get("thinking", ""))
            case "tool_use":
                arguments = json.dumps(block.get("input") or {}, ensure_ascii=False)
                calls.append(NativeCall(len(calls), str(block.get("id", "")), str(block.get("name", "")), arguments))
            case _:
                pass
    yield Message("assistant", text, tuple(calls), reasoning=thinking)


def _user(blocks: list[Any]) -> Iterator[Message]:
    """Results become tool turns; what else the user says follows them."""
    rest: list[dict[str, Any]] = []
    for block in _blocks(blocks):
        if block.get("type") == "tool_result":
            yield Message("tool", _result_text(block), tool_call_id=str(block.get("tool_use_id", "")))
        else:
            rest.append(block)
    if rest:
        plain = all(block.get("type") == "text" for block in rest)
        content: Content = "\n".join(str(block.get("text", "")) for block in rest) if plain else tuple(rest)
        yield Message("user", content)


def _result_text(block: dict[str, Any]) -> str:
    content = block.get("content")
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in _blocks(content))
    text = content if isinstance(content, str) else ""
    return json.dumps({"success": False, "result": None, "error": text}) if block.get("is_error") else text


def _blocks(values: Any) -> list[dict[str, Any]]:
    return [block for block in values if isinstance(block, dict)] if isinstance(values, list) else []


def models_body(ids: Sequence[str]) -> bytes:
    """Return the body of `GET /v1/models`."""
    data = [{"type": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z"} for name in ids]
    ends = {"first_id": ids[0] if ids else None, "last_id": ids[-1] if ids else None}
    return _json({"data": data, "has_more": False, **ends})


def error_body(status: int, message: str) -> bytes:
    """Return an error body."""
    return _json({"type": "error", "error": {"type": _ERRORS.get(status, "api_error"), "message": message}})


def reply_body(head: MessageHead, deltas: Iterable[Delta]) -> bytes:
    """Return a whole reply as one JSON body."""
    blocks: list[dict[str, Any]] = []
    usage, reason, pieces = Usage(), "", {}
    for delta in deltas:
        match delta:
            case TextDelta() | ReasoningDelta() if delta.text:
                kind = "text" if isinstance(delta, TextDelta) else "thinking"
                if not blocks or blocks[-1]["type"] != kind:
                    blocks.append({"type": kind, kind: ""} | ({"signature": ""} if kind == "thinking" else {}))
                blocks[-1][kind] += delta.text
            case CallDelta(number=number):
                if number not in pieces:
                    pieces[number] = ""
                    blocks.append({"type": "tool_use", "id": _tool_id(delta.id), "name": delta.name, "input": number})
                pieces[number] += delta.arguments
            case UsageDelta():
                usage = delta.usage
            case FinishDelta():
                reason = delta.reason
            case FaultDelta():
                return error_body(500, delta.error.message)
            case _:
                pass
    for block in blocks:
        if block["type"] == "tool_use":
            block["input"] = _input(pieces[block["input"]])
    return _json(_message(head, blocks, _reason(reason, called=bool(pieces)), usage))


def _input(text: str) -> Any:
    """Arguments as an object; what is no object is handed on wrapped, as the protocol's own guide says."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"INVALID_JSON": text}


class MessageStream:
    """Writes one reply as named server-sent events: `start`, `feed` for each delta, `finish`."""

    def __init__(self, head: MessageHead) -> None:
        self._head = head
        self._usage = Usage()
        self._finish = ""
        self._index = -1
        self._open = ""
        self._called = False
        self._failed = False

    def start(self) -> bytes:
        """Return the message's shell."""
        return _event("message_start", {"message": _message(self._head, [], None, Usage(0, 0))})

    def feed(self, delta: Delta) -> bytes:
        """Return the events for one delta; empty for what only counts at the end."""
        match delta:
            case TextDelta(text=text) if text:
                opened = self._block("text", {"type": "text", "text": ""})
                return opened + self._delta({"type": "text_delta", "text": text})
            case ReasoningDelta(text=text) if text:
                opened = self._block("thinking", {"type": "thinking", "thinking": "", "signature": ""})
                return opened + self._delta({"type": "thinking_delta", "thinking": text})
            case CallDelta(number=number):
                self._called = True
                shell = {"type": "tool_use", "id": _tool_id(delta.id), "name": delta.name, "input": {}}
                opened = self._block(f"call {number}", shell)
                return opened + self._delta({"type": "input_json_delta", "partial_json": delta.arguments})
            case FinishDelta(reason=reason):
                self._finish = reason
            case UsageDelta(usage=usage):
                self._usage = usage
            case FaultDelta(error=error):
                self._failed = True
                return _event("error", {"error": {"type": "api_error", "message": error.message}})
            case _:
                pass
        return b""

    def finish(self) -> bytes:
        """Return what ends the message."""
        if self._failed:
            return b""
        delta = {"stop_reason": _reason(self._finish, called=self._called), "stop_sequence": None}
        usage = _usage_json(self._usage)
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

    def _delta(self, delta: dict[str, Any]) -> bytes:
        return _event("content_block_delta", {"index": self._index, "delta": delta})


def _message(head: MessageHead, blocks: list[dict[str, Any]], reason: str | None, usage: Usage) -> dict[str, Any]:
    out = {"id": head.id, "type": "message", "role": "assistant", "model": head.model, "content": blocks}
    return out | {"stop_reason": reason, "stop_sequence": None, "usage": _usage_json(usage)}


def _usage_json(usage: Usage) -> dict[str, int]:
    cached = usage.cached or 0
    return {
        "input_tokens": (usage.input or 0) - cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": cached,
        "output_tokens": usage.output or 0,
    }


def _reason(reason: str, *, called: bool) -> str:
    return _REASONS.get(reason, reason) or ("tool_use" if called else "end_turn")


def _tool_id(name: str) -> str:
    return name if name.startswith("toolu_") else f"toolu_{name.removeprefix('call_')}"


def _event(name: str, body: dict[str, Any]) -> bytes:
    return f"event: {name}\n".encode() + b"data: " + _json({"type": name, **body}) + b"\n\n"


def _json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate: only an escape can carry it
        return json.dumps(value, separators=(",", ":")).encode()
