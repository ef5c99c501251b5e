"""Server side of Ollama's own protocol: request bodies read, replies written as Ollama writes them.

Stream: one JSON object a line, `done: false`; calls whole, arguments as an object; then a line with `done: true`, the reason
and the counts. An error is `{"error": "text"}`, also in a running stream.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.exchange import CallDelta, Ending
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.wires.kit.call_ids import paired
from workbench.wires.kit.jsons import as_dict, as_list, as_text, json_bytes
from workbench.wires.kit.reasoning_setting import read_setting
from workbench.wires.kit.request_notes import RequestNotes
from workbench.wires.kit.server import Folded, Refusal, ReplyHead, ReplyWriter, WireServer
from workbench.wires.kit.server_tools import read_tools
from workbench.wires.kit.server_turns import number, read_turn, stops, whole_number
from workbench.wires.kit.whole_calls import WholeCalls, object_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.errors import ErrorInfo
    from workbench.core.messages import Reasoning

WIRE = "ollama_chat"
_VERSION = "0.12.6"
"""Of the protocol that is spoken here: some clients refuse older servers."""
_DETAILS = {"format": "gguf", "family": "", "parameter_size": "", "quantization_level": ""}
_OPTIONS = frozenset("num_predict temperature top_p seed stop".split())


class OllamaChatServer(WireServer):
    """The server side."""

    wire = WIRE
    known = frozenset("model messages tools stream options".split())
    streams_as = "application/x-ndjson"

    def decode(self, value: dict[str, Any], notes: RequestNotes) -> ChatRequest:
        """Read a body."""
        model = value.get("model")
        if not isinstance(model, str) or not model:
            raise InvalidInput("model is required")
        options = as_dict(value.get("options"))
        own: dict[str, Any] = {}
        further = {name: item for name, item in options.items() if name not in _OPTIONS}
        if "simulate" in further:  # Ollama's own client lets nothing unknown through but options
            own["simulate"] = further.pop("simulate")
        if further:
            own["options"] = further
        for name in further:
            notes.note(f"options.{name}", "known to this protocol only")
        limit = whole_number(options, "num_predict")
        turns = [_message(item, notes, f"messages[{i}]") for i, item in enumerate(as_list(value.get("messages")))]
        return ChatRequest(
            model=model,
            messages=paired(turns),
            tools=read_tools(value.get("tools"), notes),
            stop=stops(options.get("stop")),
            max_tokens=limit if limit is not None and limit >= 0 else None,
            temperature=number(options, "temperature"),
            top_p=number(options, "top_p"),
            seed=whole_number(options, "seed"),
            stream=value.get("stream") is not False,
            by_wire={WIRE: own},
        )

    def reasoning(self, value: dict[str, Any]) -> Reasoning | None:
        """On, off, or a level."""
        think = value.get("think")
        if isinstance(think, bool):
            think = "medium" if think else "none"
        return read_setting(think)

    def stream(self, head: ReplyHead) -> ReplyWriter:
        """Return a writer of lines."""
        return LineStream(head)

    def body(self, head: ReplyHead, reply: Folded) -> bytes:
        """Return a whole reply."""
        message: dict[str, Any] = {"role": "assistant", "content": reply.text}
        if reply.reasoning:
            message["thinking"] = reply.reasoning
        calls = [found for part in reply.calls if (found := _call(NativeCall(*part[:4])))]
        if calls:
            message["tool_calls"] = calls
        stream = LineStream(head)
        stream.reason, stream.usage = reply.reason, reply.usage
        return json_bytes(stream.last() | {"message": message})

    def refuse(self, why: Refusal) -> bytes:
        """Return an error body."""
        return json_bytes({"error": why.message})

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        """Ollama's own path."""
        return path.endswith("/api/tags")

    def speaks(self, path: str, headers: Mapping[str, str]) -> bool:
        """All its paths begin alike."""
        return "/api/" in path

    def about(self, path: str, ids: Sequence[str]) -> bytes | None:
        """Clients ask for the version before anything else, and for what a model can do."""
        if path.endswith("/api/version"):
            return json_bytes({"version": _VERSION})
        if path.endswith("/api/ps"):
            return json_bytes({"models": []})
        if path.endswith("/api/show"):
            told = {"modelfile": "", "parameters": "", "template": "", "details": _DETAILS}
            return json_bytes(told | {"model_info": {}, "capabilities": ["completion", "tools"]})
        return None

    def models(self, ids: Sequence[str], *, created: int, owner: str) -> bytes:
        """Return the body of `GET /api/tags`."""
        models = [
            {"name": name, "model": name, "modified_at": _time(created), "size": 0, "digest": "", "details": _DETAILS}
            for name in ids
        ]
        return json_bytes({"models": models})


def _message(value: Any, notes: RequestNotes, place: str) -> Message:
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
    return read_turn(turn, notes, place)


class LineStream(ReplyWriter):
    """Writes lines."""

    def __init__(self, head: ReplyHead) -> None:
        super().__init__(head)
        self._whole = WholeCalls()

    def ping(self) -> bytes:
        """Return nothing: the protocol has no comments."""
        return b""

    def text(self, text: str) -> bytes:
        """Return a line with text."""
        return self._line({"content": text})

    def reasoning(self, text: str, seal: str) -> bytes:
        """Return a line with thinking."""
        return self._line({"content": "", "thinking": text}) if text else b""

    def call(self, delta: CallDelta) -> bytes:
        """Return the call before this one, once this one begins."""
        return self._call(self._whole.add(delta))

    def fault(self, error: ErrorInfo) -> bytes:
        """Return an error line."""
        return json_bytes({"error": error.message}) + b"\n"

    def end(self) -> bytes:
        """Return the last call and the line with the counts."""
        last = self.last() | {"message": {"role": "assistant", "content": ""}}
        return self._call(self._whole.take()) + json_bytes(last) + b"\n"

    def last(self) -> dict[str, Any]:
        """Return the fields of the last line, without its message."""
        counts = {"prompt_eval_count": self.usage.input or 0, "eval_count": self.usage.output or 0}
        times = dict.fromkeys(("total_duration", "load_duration", "prompt_eval_duration", "eval_duration"), 0)
        reason = "length" if self.ending is Ending.LENGTH else "stop"
        return self._shell() | {"done": True, "done_reason": reason} | times | counts

    def _call(self, call: NativeCall | None) -> bytes:
        found = call and _call(call)
        return self._line({"content": "", "tool_calls": [found]}) if found else b""

    def _line(self, message: dict[str, Any]) -> bytes:
        return json_bytes(self._shell() | {"message": {"role": "assistant", **message}, "done": False}) + b"\n"

    def _shell(self) -> dict[str, Any]:
        return {"model": self.head.model, "created_at": _time(self.head.created)}


def _call(call: NativeCall) -> dict[str, Any] | None:
    """A call with its arguments as an object; one that was cut off is not given out, as with Ollama."""
    arguments = object_of(call)
    if arguments is None:
        return None
    return {"id": call.id, "function": {"index": call.number, "name": call.name, "arguments": arguments}}


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
