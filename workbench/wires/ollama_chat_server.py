"""Server side of Ollama's own protocol: request bodies read, replies written as Ollama writes them. No I/O.

Stream: one JSON object a line, `done: false`; calls whole, arguments as an object; then a line with `done: true`, the reason
and the counts. An error is `{"error": "text"}`, also in a running stream.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
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
from workbench.core.messages import ChatRequest, Message, NativeCall, message_from_openai
from workbench.core.tools import tools_from_json
from workbench.wires.kit.history import paired
from workbench.wires.kit.jsons import as_dict, as_int, as_list, as_text, json_bytes
from workbench.wires.kit.whole_calls import WholeCalls, object_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_KNOWN = frozenset("model messages tools stream options".split())
_OPTIONS = frozenset("num_predict temperature top_p seed stop".split())


class LineHead(NamedTuple):
    """What every line of one reply repeats."""

    model: str
    created: int
    """UTC seconds."""


def read_request(body: bytes) -> ChatRequest:
    """Read a request body; what the neutral request does not know goes to `extra`. Raise InvalidInput."""
    try:
        value = json.loads(body)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InvalidInput("invalid JSON in the request body", hint=str(error)) from error
    model = as_dict(value).get("model")
    if not isinstance(model, str) or not model:
        raise InvalidInput("model is required")
    options = as_dict(value.get("options"))
    stop = options.get("stop") or ()
    extra = {name: item for name, item in value.items() if name not in _KNOWN}
    further = {name: item for name, item in options.items() if name not in _OPTIONS}
    if "simulate" in further:  # Ollama's own client lets nothing unknown through but options
        extra["simulate"] = further.pop("simulate")
    if further:
        extra["options"] = further
    turns = [_message(item, index) for index, item in enumerate(as_list(value.get("messages")))]
    return ChatRequest(
        model=model,
        messages=paired(turns),
        tools=tools_from_json(value["tools"]) if value.get("tools") else (),
        stop=(stop,) if isinstance(stop, str) else tuple(str(item) for item in as_list(stop)),
        max_tokens=limit if (limit := as_int(options.get("num_predict"))) is not None and limit >= 0 else None,
        temperature=_number(options, "temperature"),
        top_p=_number(options, "top_p"),
        seed=as_int(options.get("seed")),
        stream=value.get("stream") is not False,
        extra=extra,
    )


def _number(options: dict[str, Any], name: str) -> float | None:
    value = options.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"option {name!r} must be a number", hint=f"Got {value!r}.")
    return float(value)


def _message(value: Any, index: int) -> Message:
    """Read a turn; results are named by `tool_name`, thinking has a field of its own."""
    turn = {name: item for name, item in as_dict(value).items() if item is not None}
    if "thinking" in turn:
        turn["reasoning"] = turn["thinking"]
    turn["name"] = turn.get("tool_name") or turn.get("name") or ""
    pictures = [
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}
        for data in as_list(turn.get("images"))
    ]
    if pictures:
        turn["content"] = [{"type": "text", "text": as_text(turn.get("content"))}, *pictures]
    return message_from_openai(turn, f"messages[{index}]")


def models_body(ids: Sequence[str], created: int) -> bytes:
    """Return the body of `GET /api/tags`."""
    details = {"format": "gguf", "family": "simulated", "parameter_size": "0B", "quantization_level": "none"}
    models = [
        {"name": name, "model": name, "modified_at": _time(created), "size": 0, "digest": "", "details": details}
        for name in ids
    ]
    return json_bytes({"models": models})


def error_body(message: str) -> bytes:
    """Return an error body."""
    return json_bytes({"error": message})


def reply_body(head: LineHead, deltas: Iterable[Delta]) -> bytes:
    """Return a whole reply as one JSON body."""
    stream = LineStream(head)
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    calls: list[dict[str, Any]] = []
    for delta in deltas:
        for piece in stream.parts(delta):
            message["content"] += piece.get("content", "")
            if "thinking" in piece:
                message["thinking"] = message.get("thinking", "") + piece["thinking"]
            calls += piece.get("tool_calls", [])
        if isinstance(delta, FaultDelta):
            return error_body(delta.error.message)
    for piece in stream.last_parts():
        calls += piece["tool_calls"]
    if calls:
        message["tool_calls"] = calls
    return json_bytes(stream.last() | {"message": message})


class LineStream:
    """Writes one reply as lines: `start`, `feed` for each delta, `finish`."""

    def __init__(self, head: LineHead) -> None:
        self._head = head
        self._calls = WholeCalls()
        self._usage = Usage()
        self._reason = "stop"
        self._failed = False

    def start(self) -> bytes:
        """Return nothing: the first line is the first text."""
        return b""

    def feed(self, delta: Delta) -> bytes:
        """Return the lines for one delta; empty for what only counts at the end."""
        if isinstance(delta, FaultDelta):
            self._failed = True
            return error_body(delta.error.message) + b"\n"
        return b"".join(self._line(piece) for piece in self.parts(delta))

    def finish(self) -> bytes:
        """Return the last call and the line with the counts."""
        if self._failed:
            return b""
        calls = b"".join(self._line(piece) for piece in self.last_parts())
        return calls + json_bytes(self.last() | {"message": {"role": "assistant", "content": ""}}) + b"\n"

    def parts(self, delta: Delta) -> list[dict[str, Any]]:
        """Return what a delta adds to the message."""
        match delta:
            case TextDelta(text=text) if text:
                return [{"content": text}]
            case ReasoningDelta(text=text) if text:
                return [{"content": "", "thinking": text}]
            case CallDelta():
                return self._call(self._calls.add(delta))
            case FinishDelta(reason=reason):
                self._reason = "length" if reason == "length" else "stop"
            case UsageDelta(usage=usage):
                self._usage = usage
            case _:
                pass
        return []

    def last_parts(self) -> list[dict[str, Any]]:
        """Return the call that is still open; one that was cut off is not given out, as with Ollama."""
        return self._call(self._calls.take())

    def last(self) -> dict[str, Any]:
        """Return the fields of the last line, without its message."""
        counts = {"prompt_eval_count": self._usage.input or 0, "eval_count": self._usage.output or 0}
        times = dict.fromkeys(("total_duration", "load_duration", "prompt_eval_duration", "eval_duration"), 0)
        return self._shell() | {"done": True, "done_reason": self._reason} | times | counts

    def _call(self, call: NativeCall | None) -> list[dict[str, Any]]:
        if call is None or (arguments := object_of(call)) is None:
            return []
        function = {"index": call.number, "name": call.name, "arguments": arguments}
        return [{"content": "", "tool_calls": [{"id": call.id, "function": function}]}]

    def _line(self, message: dict[str, Any]) -> bytes:
        return json_bytes(self._shell() | {"message": {"role": "assistant", **message}, "done": False}) + b"\n"

    def _shell(self) -> dict[str, Any]:
        return {"model": self._head.model, "created_at": _time(self._head.created)}


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
