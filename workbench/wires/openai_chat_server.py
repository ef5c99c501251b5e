"""Server side of OpenAI Chat Completions: request bodies read, replies written in exactly OpenAI's shape. No I/O.

A reply is given as the deltas that the client side of any wire yields, so whatever can be read from one provider
can be served to another client. Stream: a role chunk, content, calls (id and name first, then argument fragments),
a chunk with the finish reason, a usage chunk if the request asked for one, `[DONE]`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
from workbench.core.messages import ChatRequest, request_from_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.errors import ErrorInfo

_NEUTRAL = frozenset(
    "model messages tools tool_choice stop max_tokens max_completion_tokens temperature top_p seed"
    " parallel_tool_calls stream".split()
)
_NUMBERS = ("max_tokens", "max_completion_tokens", "temperature", "top_p", "seed")


@dataclass(frozen=True, slots=True)
class ReplyHead:
    """What every chunk of one reply repeats."""

    id: str
    """`chatcmpl-…`"""
    model: str
    created: int
    """UTC seconds."""
    fingerprint: str = ""


def read_request(body: bytes) -> ChatRequest:
    """Read a request body; fields that the neutral request does not know go to `extra`. Raise InvalidInput."""
    try:
        value = json.loads(body)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InvalidInput("We could not parse the JSON body of your request.", hint=str(error)) from error
    if not isinstance(value, dict):
        raise InvalidInput("The request body is not a JSON object.")
    _check_numbers(value)
    known = {key: item for key, item in value.items() if key in _NEUTRAL and item is not None}
    if "max_completion_tokens" in known:
        known["max_tokens"] = known.pop("max_completion_tokens")
    known["extra"] = {key: item for key, item in value.items() if key not in _NEUTRAL}
    return request_from_json(known, stream=False)


def _check_numbers(value: dict[str, Any]) -> None:
    for key in _NUMBERS:
        item = value.get(key)
        if item is not None and (isinstance(item, bool) or not isinstance(item, int | float)):
            raise InvalidInput(f"Invalid type for {key!r}: expected a number.", hint=f"Got {item!r}.")


def wants_usage(request: ChatRequest) -> bool:
    """True if the stream must end with a usage chunk."""
    options = request.extra.get("stream_options")
    return isinstance(options, dict) and bool(options.get("include_usage"))


def models_body(ids: Sequence[str], *, created: int, owner: str) -> bytes:
    """Return the body of `GET /v1/models`."""
    data = [{"id": name, "object": "model", "created": created, "owned_by": owner} for name in ids]
    return _json({"object": "list", "data": data})


def model_body(name: str, *, created: int, owner: str) -> bytes:
    """Return the body of `GET /v1/models/NAME`."""
    return _json({"id": name, "object": "model", "created": created, "owned_by": owner})


def error_body(
    message: str, *, kind: str = "invalid_request_error", code: str | None = None, param: str | None = None
) -> bytes:
    """Return an error body."""
    return _json({"error": {"message": message, "type": kind, "param": param, "code": code}})


def reply_body(head: ReplyHead, deltas: Iterable[Delta]) -> bytes:
    """Return a whole reply as one JSON body."""
    fold = _Fold()
    for delta in deltas:
        fold.add(delta)
    if fold.fault is not None:
        return error_body(fold.fault.message, kind="server_error", code=fold.fault.code or None)
    choice = {"index": 0, "message": fold.message(), "logprobs": None, "finish_reason": fold.finish_reason()}
    out = {"id": head.id, "object": "chat.completion", "created": head.created, "model": head.model}
    return _json(out | {"choices": [choice], "usage": usage_json(fold.usage), "system_fingerprint": _print(head)})


def usage_json(usage: Usage) -> dict[str, Any]:
    """Return token counts in OpenAI's shape; unknown counts are 0."""
    prompt, completion = usage.input or 0, usage.output or 0
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": usage.cached or 0},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning or 0},
    }


class ChatStream:
    """Writes one reply as server-sent events: `start`, `feed` for each delta, `finish`."""

    def __init__(self, head: ReplyHead, *, include_usage: bool = False) -> None:
        self._head = head
        self._include_usage = include_usage
        self._usage = Usage()
        self._reason = ""
        self._open: set[int] = set()
        self._failed = False

    def start(self) -> bytes:
        """Return the role chunk."""
        return self._chunk({"role": "assistant", "content": "", "refusal": None})

    def feed(self, delta: Delta) -> bytes:
        """Return the events for one delta; empty for what only counts at the end."""
        match delta:
            case TextDelta(text=text) if text:
                return self._chunk({"content": text})
            case ReasoningDelta(text=text) if text:
                return self._chunk({"reasoning_content": text})
            case CallDelta():
                return self._call(delta)
            case FinishDelta(reason=reason):
                self._reason = reason
            case UsageDelta(usage=usage):
                self._usage = usage
            case FaultDelta(error=error):
                self._failed = True
                return b"data: " + error_body(error.message, kind="server_error", code=error.code or None) + b"\n\n"
            case _:
                pass
        return b""

    def finish(self) -> bytes:
        """Return the finish chunk, the usage chunk if asked for, and the end mark."""
        if self._failed:
            return b"data: [DONE]\n\n"
        out = self._chunk({}, self._reason or ("tool_calls" if self._open else "stop"))
        if self._include_usage:
            out += self._event({"choices": [], "usage": usage_json(self._usage)})
        return out + b"data: [DONE]\n\n"

    def _call(self, delta: CallDelta) -> bytes:
        piece: dict[str, Any] = {"index": delta.number}
        if delta.number not in self._open:
            self._open.add(delta.number)
            piece |= {"id": delta.id, "type": "function"}
            piece["function"] = {"name": delta.name, "arguments": ""}
            first = self._chunk({"tool_calls": [piece]})
            return first + self._call(delta) if delta.arguments else first
        return self._chunk({"tool_calls": [piece | {"function": {"arguments": delta.arguments}}]})

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> bytes:
        body: dict[str, Any] = {"choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}]}
        return self._event(body | {"usage": None} if self._include_usage else body)

    def _event(self, body: dict[str, Any]) -> bytes:
        head = self._head
        out = {"id": head.id, "object": "chat.completion.chunk", "created": head.created, "model": head.model}
        return b"data: " + _json(out | {"system_fingerprint": _print(head)} | body) + b"\n\n"


class _Fold:
    """Sums deltas up to one message."""

    def __init__(self) -> None:
        self.text = ""
        self.reasoning = ""
        self.calls: dict[int, dict[str, str]] = {}
        self.usage = Usage()
        self.fault: ErrorInfo | None = None
        self._reason = ""

    def add(self, delta: Delta) -> None:
        match delta:
            case TextDelta(text=text):
                self.text += text
            case ReasoningDelta(text=text):
                self.reasoning += text
            case CallDelta(number=number):
                call = self.calls.setdefault(number, {"id": delta.id, "name": delta.name, "arguments": ""})
                call["arguments"] += delta.arguments
            case UsageDelta(usage=usage):
                self.usage = usage
            case FinishDelta(reason=reason):
                self._reason = reason
            case FaultDelta(error=error):
                self.fault = error
            case _:
                pass

    def finish_reason(self) -> str:
        return self._reason or ("tool_calls" if self.calls else "stop")

    def message(self) -> dict[str, Any]:
        content = self.text if self.text or not self.calls else None
        out: dict[str, Any] = {"role": "assistant", "content": content, "refusal": None, "annotations": []}
        if self.reasoning:
            out["reasoning_content"] = self.reasoning
        if self.calls:
            out["tool_calls"] = [
                {
                    "id": call["id"],
                    "type": "function",
                    "function": {"name": call["name"], "arguments": call["arguments"]},
                }
                for _, call in sorted(self.calls.items())
            ]
        return out


def _print(head: ReplyHead) -> str | None:
    return head.fingerprint or None


def _json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate: only an escape can carry it
        return json.dumps(value, separators=(",", ":")).encode()
