"""Server side of OpenAI Responses: request bodies read, replies written in exactly OpenAI's shape.

Input items are joined to turns: an assistant's message, its reasoning and its calls are one; its items are kept in the turn's
`extra` for the same wire. Stream: named events with a sequence number; for each output item `added`, its deltas, its `done` events;
at the end `response.completed`, `.incomplete` or `.failed` with the whole response.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.exchange import CallDelta, Ending, Usage
from workbench.core.messages import ChatRequest, Content, Message, NativeCall
from workbench.wires.kit.items import CALL_KINDS
from workbench.wires.kit.jsons import argument_text, as_dict, as_list, as_text, json_bytes, json_text
from workbench.wires.kit.reasoning_setting import read_setting
from workbench.wires.kit.request_notes import RequestNotes
from workbench.wires.kit.server import Folded, Refusal, ReplyHead, ReplyWriter, WireServer, refusal_of
from workbench.wires.kit.server_tools import client_tool, free_text, namespaced, read_choice, read_tools
from workbench.wires.kit.server_turns import number, whole_number
from workbench.wires.kit.turn_items import WIRE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from workbench.core.errors import ErrorInfo
    from workbench.core.messages import Reasoning

_ROLES = {"developer": "system", "system": "system", "user": "user", "assistant": "assistant"}
_RESULTS = ("function_call_output", "custom_tool_call_output")
_STOPS = {Ending.LENGTH: "max_output_tokens", Ending.FILTERED: "content_filter"}
_ERRORS = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
_SAID = frozenset({"message", *CALL_KINDS})


class OpenAIResponsesServer(WireServer):
    """The server side."""

    wire = WIRE
    known = frozenset(
        "model input instructions tools tool_choice parallel_tool_calls max_output_tokens temperature top_p stream seed".split()
    )

    def decode(self, value: dict[str, Any], notes: RequestNotes) -> ChatRequest:
        """Read a body."""
        model, given = value.get("model"), value.get("input")
        if not isinstance(model, str) or not model:
            raise InvalidInput("Missing required parameter: 'model'.")
        if not given or not isinstance(given, str | list):
            raise InvalidInput("Missing required parameter: 'input'.")
        items = [{"role": "user", "content": given}] if isinstance(given, str) else given
        instructions = as_text(value.get("instructions"))
        system = (Message("system", instructions),) if instructions else ()
        tools = read_tools(value.get("tools"), notes)
        parallel = value.get("parallel_tool_calls")
        return ChatRequest(
            model=model,
            messages=(*system, *_turns(items, notes)),
            tools=tools,
            tool_choice=read_choice(value.get("tool_choice")),
            max_tokens=whole_number(value, "max_output_tokens"),
            temperature=number(value, "temperature"),
            top_p=number(value, "top_p"),
            seed=whole_number(value, "seed"),
            parallel_tool_calls=parallel if isinstance(parallel, bool) else None,
            stream=bool(value.get("stream", False)),
        )

    def reasoning(self, value: dict[str, Any]) -> Reasoning | None:
        """The effort, and whether a summary is asked for."""
        own = as_dict(value.get("reasoning"))
        return read_setting(own.get("effort"), None, True if own.get("summary") else None)

    def stream(self, head: ReplyHead) -> ReplyWriter:
        """Return a writer of response events."""
        return EventStream(head)

    def body(self, head: ReplyHead, reply: Folded) -> bytes:
        """Return a whole response."""
        stream = EventStream(head)
        stream.reason, stream.usage = reply.reason, reply.usage
        for part in reply.parts:
            stream.feed(part)
        stream.finish()
        return json_bytes(stream.response())

    def refuse(self, why: Refusal) -> bytes:
        """Return an error body."""
        kind = _ERRORS.get(why.status, "server_error" if why.status >= 500 else "invalid_request_error")
        fields = {"message": why.message, "type": kind, "param": why.param or None, "code": why.code or None}
        return json_bytes({"error": fields})

    def counted(self, tokens: int) -> bytes:
        """Return the answer to `/responses/input_tokens`."""
        return json_bytes({"object": "response.input_tokens", "input_tokens": tokens})

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        """The models are those of OpenAI's other protocol."""
        return False


@dataclass(slots=True)
class _Turn:
    """An assistant's turn, as its items are read."""

    text: str | None = None
    reasoning: str = ""
    calls: list[NativeCall] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)

    def message(self) -> Message:
        plain = all(as_text(item.get("type")) in ("", *_SAID) and not item.get("namespace") for item in self.items)
        extra = {} if plain else {WIRE: {"items": self.items}}
        return Message("assistant", self.text or "", tuple(self.calls), reasoning=self.reasoning, extra=extra)


def _turns(items: Sequence[Any], notes: RequestNotes) -> Iterator[Message]:
    turn: _Turn | None = None
    for index, entry in enumerate(items):
        item = as_dict(entry)
        kind = as_text(item.get("type")) or "message"
        own = _is_own(kind, item)
        if turn is not None and (not own or _begins(turn, kind)):
            yield turn.message()
            turn = None
        if own:
            turn = turn or _Turn()
            _add(turn, kind, item)
        elif kind == "message":
            yield _message(item, notes, f"input[{index}]")
        elif kind in _RESULTS:
            content = _content(item.get("output"), notes, f"input[{index}].output")
            yield Message("tool", content, tool_call_id=as_text(item.get("call_id")))
        else:
            notes.note(f"input[{index}]", f"an item of type {kind!r}")
    if turn is not None:
        yield turn.message()


def _is_own(kind: str, item: dict[str, Any]) -> bool:
    """Whether an item is the assistant's: what it thinks, says or calls, tools that its provider runs included."""
    if kind == "message":
        return item.get("role") == "assistant"
    return kind == "reasoning" or kind in CALL_KINDS or (kind.endswith("_call") and kind not in _RESULTS)


def _message(item: dict[str, Any], notes: RequestNotes, place: str) -> Message:
    role = item.get("role")
    if not isinstance(role, str):
        raise InvalidInput(f"Missing required parameter: '{place}.role'.")
    if role not in _ROLES:
        notes.note(f"{place}.role", f"{role!r} is read as user")
    return Message("system" if _ROLES.get(role) == "system" else "user", _content(item.get("content"), notes, place))


def _begins(turn: _Turn, kind: str) -> bool:
    """Whether an item belongs to the assistant's next turn: what it thinks or says comes before its calls."""
    if kind == "message":
        return turn.text is not None or bool(turn.calls)
    return kind == "reasoning" and bool(turn.calls)


def _add(turn: _Turn, kind: str, item: dict[str, Any]) -> None:
    turn.items.append(item)
    if kind == "reasoning":
        turn.reasoning += _text(item.get("summary")) or _text(item.get("content"))
    elif kind == "message":
        turn.text = item["content"] if isinstance(item.get("content"), str) else _text(item.get("content"))
    elif kind in CALL_KINDS:
        arguments = argument_text(item.get(CALL_KINDS[kind]))
        name = namespaced(as_text(item.get("namespace")), as_text(item.get("name")))
        turn.calls.append(NativeCall(len(turn.calls), as_text(item.get("call_id")), name, arguments))


def _text(parts: Any) -> str:
    return "".join(as_text(as_dict(part).get("text")) for part in as_list(parts))


def _content(value: Any, notes: RequestNotes, place: str) -> Content:
    """Text, or parts where pictures are among them; what is neither is named, what is no list is its JSON."""
    if not isinstance(value, list):
        return as_text(value) if isinstance(value, str | None) else json_text(value)
    parts: list[dict[str, Any]] = []
    for entry in value:
        part = {"text": entry} if isinstance(entry, str) else as_dict(entry)
        picture = part.get("image_url")
        if part.get("type") == "input_image" and (url := as_text(picture) or as_text(as_dict(picture).get("url"))):
            parts.append({"type": "image_url", "image_url": {"url": url}})
        elif isinstance(part.get("text"), str):
            parts.append({"type": "text", "text": as_text(part["text"])})
        else:
            notes.note(place, f"a part of type {part.get('type')!r}")
    return _text(parts) if all(part["type"] == "text" for part in parts) else tuple(parts)


class EventStream(ReplyWriter):
    """Writes response events, and keeps the response as it stands."""

    def __init__(self, head: ReplyHead) -> None:
        super().__init__(head)
        self._number = 0
        self._output: list[dict[str, Any]] = []
        self._open = ""
        """What the last output item is: `text`, `reasoning` or `call N`; empty once it is closed."""
        self._calls: dict[int, int] = {}
        """Place of each call's item, for pieces that come after another item was begun."""
        self._status = "in_progress"

    def start(self) -> bytes:
        """Return the response's shell."""
        shell = self.response()
        return self._event("created", response=shell) + self._event("in_progress", response=shell)

    def text(self, text: str) -> bytes:
        """Return a piece of a message."""
        out = self._opened("text")
        self._output[-1]["content"][0]["text"] += text
        return out + self._event("output_text.delta", **self._place(), content_index=0, delta=text, logprobs=[])

    def reasoning(self, text: str, seal: str) -> bytes:
        """Return a piece of a reasoning item; its encrypted form ends it."""
        out = self._opened("reasoning")
        if text:
            self._output[-1]["summary"][0]["text"] += text
            out += self._event("reasoning_summary_text.delta", **self._place(), summary_index=0, delta=text)
        if seal:
            self._output[-1]["encrypted_content"] = seal
            out += self._closed()
        return out

    def call(self, delta: CallDelta) -> bytes:
        """Return a piece of a call; the text of a free-text call is known at its end only."""
        out = b""
        if delta.number not in self._calls:
            out = self._opened(f"call {delta.number}", delta)
            self._calls[delta.number] = len(self._output) - 1
        item = self._output[self._calls[delta.number]]
        item[CALL_KINDS[item["type"]]] += delta.arguments
        if item["type"] == "custom_tool_call" or not delta.arguments:
            return out
        place = self._place(self._calls[delta.number])
        return out + self._event("function_call_arguments.delta", **place, delta=delta.arguments)

    def fault(self, error: ErrorInfo) -> bytes:
        """Close what is open and return an error event."""
        out, self._status = self._closed(), "failed"
        return out + self._event("error", **self._error_fields(), param=None)

    def end(self) -> bytes:
        """Return what closes the last item, and the terminal event with the whole response."""
        out = self._closed()
        self._status = "incomplete" if self.ending in _STOPS else "completed"
        return out + self._event(self._status, response=self.response())

    def end_of_fault(self) -> bytes:
        """Return the terminal event of a response that failed."""
        return self._event("failed", response=self.response())

    def response(self) -> dict[str, Any]:
        """Return the response as it stands."""
        head = self.head
        why = {"reason": _STOPS[self.ending]} if self._status == "incomplete" else None
        out = {"id": f"resp_{head.id}", "object": "response", "created_at": head.created, "model": head.model}
        fixed = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "metadata": {}}
        error = self._error_fields() if self.error else None
        state = {"status": self._status, "error": error, "incomplete_details": why}
        ended = self._status not in ("in_progress", "failed")
        usage = _usage_json(self.usage) if ended else None
        return out | fixed | state | {"output": [dict(item) for item in self._output], "usage": usage}

    def _error_fields(self) -> dict[str, str]:
        why = refusal_of(self.error) if self.error else Refusal(500, "")
        return {"code": why.code or "server_error", "message": why.message}

    # -- items -------------------------------------------------------------------------------------------------

    def _opened(self, name: str, call: CallDelta | None = None) -> bytes:
        """Open an item unless it is the open one."""
        if self._open == name:
            return b""
        out = self._closed()
        self._open = name
        number = len(self._output)
        if call is not None:
            item = self._call_item(call, number)
        elif name == "text":
            item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": []}
        else:
            item = {"type": "reasoning", "id": f"rs_{number}", "summary": []}
        self._output.append(item | {"status": "in_progress"})
        out += self._event("output_item.added", output_index=number, item=dict(self._output[-1]))
        return out + self._part_added(name)

    def _call_item(self, call: CallDelta, number: int) -> dict[str, Any]:
        """A call under the name and of the kind that the client knows."""
        tool = client_tool(self.head.served.tools, call)
        space = {"namespace": tool.namespace} if tool.namespace else {}
        if tool.kind == "custom":
            kind, field_, id_ = "custom_tool_call", "input", f"ctc_{number}"
        else:
            kind, field_, id_ = "function_call", "arguments", f"fc_{number}"
        return {"type": kind, "id": id_, "call_id": call.id, "name": tool.name, field_: "", **space}

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
        elif item["type"] == "custom_tool_call":
            item["input"] = free_text(item["input"])
            out = self._event("custom_tool_call_input.delta", **place, delta=item["input"])
            out += self._event("custom_tool_call_input.done", **place, input=item["input"])
        else:
            named = {"name": item["name"], "arguments": item["arguments"]}
            out = self._event("function_call_arguments.done", **place, **named)
        return out + self._event("output_item.done", output_index=place["output_index"], item=dict(item))

    def _place(self, index: int = -1) -> dict[str, Any]:
        index %= len(self._output)
        return {"item_id": self._output[index]["id"], "output_index": index}

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
