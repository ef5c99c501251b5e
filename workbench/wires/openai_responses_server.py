"""Server side of OpenAI Responses: request bodies read, replies written in exactly OpenAI's shape. No I/O.

Input items are joined to turns: an assistant's message, its reasoning and its calls are one. Stream: named events with a sequence
number; for each output item `added`, its deltas, its `done` events; at the end `response.completed`, `.incomplete` or `.failed`
with the whole response.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
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
from workbench.wires.kit.jsons import argument_text, as_dict, as_int, as_list, as_text, json_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_KNOWN = frozenset(
    "model input instructions tools tool_choice parallel_tool_calls max_output_tokens temperature top_p stream seed".split()
)
_ROLES = {"developer": "system", "system": "system", "user": "user", "assistant": "assistant"}
_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_STOPS = {"length": "max_output_tokens", "content_filter": "content_filter"}


class ResponseHead(NamedTuple):
    """What identifies one reply."""

    id: str
    """`resp_…`"""
    model: str
    created: int
    """UTC seconds."""


def read_request(body: bytes) -> ChatRequest:
    """Read a request body; fields that the neutral request does not know go to `extra`. Raise InvalidInput."""
    try:
        value = json.loads(body)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InvalidInput("We could not parse the JSON body of your request.", hint=str(error)) from error
    if not isinstance(value, dict):
        raise InvalidInput("The request body is not a JSON object.")
    model, given = value.get("model"), value.get("input")
    if not isinstance(model, str) or not model:
        raise InvalidInput("Missing required parameter: 'model'.")
    if not given or not isinstance(given, str | list):
        raise InvalidInput("Missing required parameter: 'input'.")
    items = [{"role": "user", "content": given}] if isinstance(given, str) else given
    instructions = as_text(value.get("instructions"))
    system = (Message("system", instructions),) if instructions else ()
    return ChatRequest(
        model=model,
        messages=(*system, *_turns(items)),
        tools=tools_from_json(value["tools"]) if value.get("tools") else (),
        tool_choice=_choice(value.get("tool_choice")),
        max_tokens=as_int(value.get("max_output_tokens")),
        temperature=_number(value, "temperature"),
        top_p=_number(value, "top_p"),
        seed=as_int(value.get("seed")),
        parallel_tool_calls=parallel if isinstance(parallel := value.get("parallel_tool_calls"), bool) else None,
        stream=bool(value.get("stream", False)),
        extra={name: item for name, item in value.items() if name not in _KNOWN},
    )


def _number(value: dict[str, Any], name: str) -> float | None:
    given = value.get(name)
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise InvalidInput(f"Invalid type for {name!r}: expected a number.", hint=f"Got {given!r}.")
    return float(given)


def _choice(value: Any) -> ToolChoice:
    if isinstance(value, dict):
        return {"type": "function", "function": {"name": as_text(value.get("name"))}}
    return value if isinstance(value, str) else None


@dataclass(slots=True)
class _Turn:
    """An assistant's turn, as its items are read."""

    text: str | None = None
    reasoning: str = ""
    calls: list[NativeCall] = field(default_factory=list)

    def message(self) -> Message:
        return Message("assistant", self.text or "", tuple(self.calls), reasoning=self.reasoning)


def _turns(items: Sequence[Any]) -> Iterator[Message]:
    turn: _Turn | None = None
    for index, entry in enumerate(items):
        item = as_dict(entry)
        kind = as_text(item.get("type")) or "message"
        if kind == "message" and item.get("role") not in _ROLES:
            raise InvalidInput(f"Invalid value: {item.get('role')!r}.", hint=f"input[{index}].role is no role.")
        own = kind == "reasoning" or kind in _CALLS or (kind == "message" and item.get("role") == "assistant")
        if turn is not None and (not own or _begins(turn, kind)):
            yield turn.message()
            turn = None
        if own:
            turn = turn or _Turn()
            _add(turn, kind, item)
        elif kind == "message":
            yield Message(_ROLES[item["role"]], _content(item.get("content")))  # type: ignore[arg-type]
        elif kind in ("function_call_output", "custom_tool_call_output"):
            output = item.get("output")
            text = output if isinstance(output, str) else _text(output)
            yield Message("tool", text, tool_call_id=as_text(item.get("call_id")))
    if turn is not None:
        yield turn.message()


def _begins(turn: _Turn, kind: str) -> bool:
    """Whether an item belongs to the assistant's next turn: what it thinks or says comes before its calls."""
    if kind == "message":
        return turn.text is not None or bool(turn.calls)
    return kind == "reasoning" and bool(turn.calls)


def _add(turn: _Turn, kind: str, item: dict[str, Any]) -> None:
    if kind == "reasoning":
        turn.reasoning += _text(item.get("summary")) or _text(item.get("content"))
    elif kind == "message":
        turn.text = item["content"] if isinstance(item.get("content"), str) else _text(item.get("content"))
    else:
        arguments = argument_text(item.get(_CALLS[kind]))
        id_ = as_text(item.get("call_id"))
        turn.calls.append(NativeCall(len(turn.calls), id_, as_text(item.get("name")), arguments))


def _text(parts: Any) -> str:
    return "".join(as_text(as_dict(part).get("text")) for part in as_list(parts))


def _content(value: Any) -> Content:
    if isinstance(value, str):
        return value
    parts = [as_dict(part) for part in as_list(value)]
    if all(part.get("type") in ("input_text", "output_text", "text") for part in parts):
        return _text(parts)
    return tuple(
        {"type": "image_url", "image_url": {"url": as_text(part.get("image_url"))}}
        if part.get("type") == "input_image"
        else {"type": "text", "text": as_text(part.get("text"))}
        for part in parts
    )


def error_body(message: str, *, code: str | None = None, kind: str = "invalid_request_error") -> bytes:
    """Return an error body."""
    return json_bytes({"error": {"message": message, "type": kind, "param": None, "code": code}})


def reply_body(head: ResponseHead, deltas: Iterable[Delta]) -> bytes:
    """Return a whole reply as one JSON body."""
    stream = EventStream(head)
    for delta in deltas:
        if isinstance(delta, FaultDelta):
            return error_body(delta.error.message, code=delta.error.code or None, kind="server_error")
        stream.feed(delta)
    stream.finish()
    return json_bytes(stream.response())


class EventStream:
    """Writes one reply as named server-sent events: `start`, `feed` for each delta, `finish`."""

    def __init__(self, head: ResponseHead) -> None:
        self._head = head
        self._number = 0
        self._output: list[dict[str, Any]] = []
        self._open = ""
        """What the last output item is: `text`, `reasoning` or `call N`; empty once it is closed."""
        self._status = "in_progress"
        self._usage: Usage | None = None
        self._reason = ""
        self._error: dict[str, Any] | None = None

    def start(self) -> bytes:
        """Return the response's shell."""
        shell = self.response()
        return self._event("created", response=shell) + self._event("in_progress", response=shell)

    def feed(self, delta: Delta) -> bytes:
        """Return the events for one delta; empty for what only counts at the end."""
        match delta:
            case TextDelta(text=text) if text:
                return self._opened("text") + self._text_delta(text)
            case ReasoningDelta(text=text) if text:
                return self._opened("reasoning") + self._thought_delta(text)
            case CallDelta():
                return self._opened(f"call {delta.number}", delta) + self._call_delta(delta.arguments)
            case FinishDelta(reason=reason):
                self._reason = reason
            case UsageDelta(usage=usage):
                self._usage = usage
            case FaultDelta(error=error):
                self._error = {"code": error.code or "server_error", "message": error.message}
                out, self._status = self._closed(), "failed"
                return out + self._event("error", **self._error, param=None)
            case _:
                pass
        return b""

    def finish(self) -> bytes:
        """Return what closes the last item, and the terminal event with the whole response."""
        out = self._closed()
        if self._status != "failed":
            self._status = "incomplete" if self._reason in _STOPS else "completed"
        return out + self._event(self._status, response=self.response())

    def response(self) -> dict[str, Any]:
        """Return the response as it stands."""
        why = {"reason": _STOPS[self._reason]} if self._status == "incomplete" else None
        out = {"id": self._head.id, "object": "response", "created_at": self._head.created, "model": self._head.model}
        fixed = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "metadata": {}}
        state = {"status": self._status, "error": self._error, "incomplete_details": why}
        ended = self._status not in ("in_progress", "failed")
        usage = _usage_json(self._usage or Usage()) if ended else None
        return out | fixed | state | {"output": [dict(item) for item in self._output], "usage": usage}

    # -- items -------------------------------------------------------------------------------------------------

    def _opened(self, name: str, call: CallDelta | None = None) -> bytes:
        """Open an item unless it is the open one."""
        if self._open == name:
            return b""
        out = self._closed()
        self._open = name
        number = len(self._output)
        if call is not None:
            item: dict[str, Any] = {"type": "function_call", "id": f"fc_{number}", "call_id": call.id}
            item |= {"name": call.name, "arguments": ""}
        elif name == "text":
            item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": []}
        else:
            item = {"type": "reasoning", "id": f"rs_{number}", "summary": []}
        self._output.append(item | {"status": "in_progress"})
        out += self._event("output_item.added", output_index=number, item=dict(self._output[-1]))
        return out + self._part_added(name)

    def _part_added(self, name: str) -> bytes:
        if name == "text":
            part: dict[str, Any] = {"type": "output_text", "text": "", "annotations": []}
            self._output[-1]["content"] = [part]
            return self._event("content_part.added", **self._place(), content_index=0, part=dict(part))
        if name == "reasoning":
            part = {"type": "summary_text", "text": ""}
            self._output[-1]["summary"] = [part]
            return self._event("reasoning_summary_part.added", **self._place(), summary_index=0, part=dict(part))
        return b""

    def _text_delta(self, text: str) -> bytes:
        self._output[-1]["content"][0]["text"] += text
        return self._event("output_text.delta", **self._place(), content_index=0, delta=text, logprobs=[])

    def _thought_delta(self, text: str) -> bytes:
        self._output[-1]["summary"][0]["text"] += text
        return self._event("reasoning_summary_text.delta", **self._place(), summary_index=0, delta=text)

    def _call_delta(self, arguments: str) -> bytes:
        self._output[-1]["arguments"] += arguments
        if not arguments:
            return b""
        return self._event("function_call_arguments.delta", **self._place(), delta=arguments)

    def _closed(self) -> bytes:
        """Close the open item."""
        name, self._open = self._open, ""
        if not name:
            return b""
        item, place = self._output[-1], self._place()
        item["status"] = "completed"
        out = b""
        if name == "text":
            part = item["content"][0]
            out = self._event("output_text.done", **place, content_index=0, text=part["text"], logprobs=[])
            out += self._event("content_part.done", **place, content_index=0, part=part)
        elif name == "reasoning":
            part = item["summary"][0]
            out = self._event("reasoning_summary_text.done", **place, summary_index=0, text=part["text"])
            out += self._event("reasoning_summary_part.done", **place, summary_index=0, part=part)
        else:
            named = {"name": item["name"], "arguments": item["arguments"]}
            out = self._event("function_call_arguments.done", **place, **named)
        return out + self._event("output_item.done", output_index=place["output_index"], item=dict(item))

    def _place(self) -> dict[str, Any]:
        return {"item_id": self._output[-1]["id"], "output_index": len(self._output) - 1}

    def _event(self, event: str, /, **fields: Any) -> bytes:
        kind = event if event == "error" else f"response.{event}"
        body = {"type": kind, "sequence_number": self._number, **fields}
        self._number += 1
        return f"event: {kind}\ndata: ".encode() + json_bytes(body) + b"\n\n"


def _usage_json(usage: Usage) -> dict[str, Any]:
    prompt, output = usage.input or 0, usage.output or 0
    return {
        "input_tokens": prompt,
        "input_tokens_details": {"cached_tokens": usage.cached or 0, "cache_write_tokens": 0},
        "output_tokens": output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning or 0},
        "total_tokens": prompt + output,
    }
