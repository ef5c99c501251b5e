"""Server side of OpenAI Chat Completions: request bodies read, replies written in exactly OpenAI's shape.

Stream: a role chunk, content, calls (id and name first, then argument fragments), a chunk with the finish reason, a usage
chunk if the request asked for one, `[DONE]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.exchange import CallDelta, Ending
from workbench.core.messages import ChatRequest
from workbench.wires.kit.jsons import as_dict, compact_bytes
from workbench.wires.kit.reasoning_setting import read_setting
from workbench.wires.kit.request_notes import RequestNotes
from workbench.wires.kit.server import Folded, Refusal, ReplyHead, ReplyWriter, WireServer, refusal_of
from workbench.wires.kit.server_tools import client_tool, free_text, read_choice, read_tools
from workbench.wires.kit.server_turns import number, read_turn, stops, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.errors import ErrorInfo
    from workbench.core.exchange import Usage
    from workbench.core.messages import Reasoning

WIRE = "openai_chat"
_FINGERPRINT = "workbench"
_ERRORS = {401: "authentication_error", 403: "permission_error", 404: "invalid_request_error", 429: "rate_limit_error"}


class OpenAIChatServer(WireServer):
    """The server side."""

    wire = WIRE
    known = frozenset(
        "model messages tools tool_choice stop max_tokens max_completion_tokens temperature top_p seed"
        " parallel_tool_calls stream".split()
    )

    def decode(self, value: dict[str, Any], notes: RequestNotes) -> ChatRequest:
        """Read a body."""
        model, messages = value.get("model"), value.get("messages")
        if not isinstance(model, str) or not model:
            raise InvalidInput("The request has no 'model'.")
        if not isinstance(messages, list) or not messages:
            raise InvalidInput("The request has no 'messages' list.")
        tools = read_tools(value.get("tools"), notes)
        limit = whole_number(value, "max_completion_tokens")
        parallel = value.get("parallel_tool_calls")
        return ChatRequest(
            model=model,
            messages=tuple(read_turn(item, notes, f"messages[{i}]") for i, item in enumerate(messages)),
            tools=tools,
            tool_choice=read_choice(value.get("tool_choice")),
            stop=stops(value.get("stop")),
            max_tokens=whole_number(value, "max_tokens") if limit is None else limit,
            temperature=number(value, "temperature"),
            top_p=number(value, "top_p"),
            seed=whole_number(value, "seed"),
            parallel_tool_calls=parallel if isinstance(parallel, bool) else None,
            stream=bool(value.get("stream", False)),
        )

    def reasoning(self, value: dict[str, Any]) -> Reasoning | None:
        """OpenAI's effort, or OpenRouter's object."""
        own = as_dict(value.get("reasoning"))
        hidden = own.get("exclude")
        shown = not hidden if isinstance(hidden, bool) else None
        return read_setting(value.get("reasoning_effort") or own.get("effort"), own.get("max_tokens"), shown)

    def stream(self, head: ReplyHead) -> ReplyWriter:
        """Return a writer of chunks."""
        return ChatStream(head)

    def body(self, head: ReplyHead, reply: Folded) -> bytes:
        """Return a whole completion."""
        calls = [_call(head, call) | _arguments(head, call, call.arguments) for call in reply.calls]
        content = reply.text if reply.text or not calls else None
        message: dict[str, Any] = {"role": "assistant", "content": content, "refusal": None, "annotations": []}
        if reply.reasoning:
            message["reasoning_content"] = reply.reasoning
        if calls:
            message["tool_calls"] = calls
        message |= _to_give_back(reply.send_back)
        reason = finish_reason(reply.ending, reply.reason)
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reason}
        more = {"choices": [choice], "usage": usage_json(reply.usage), "system_fingerprint": _FINGERPRINT}
        return compact_bytes(_shell(head, "chat.completion") | more)

    def refuse(self, why: Refusal) -> bytes:
        """Return an error body."""
        return error_body(why)

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        """Whatever is asked for under `/models` and no other protocol claims."""
        return path.endswith("/models") or "/models/" in path

    def models(self, ids: Sequence[str], *, created: int, owner: str) -> bytes:
        """Return the body of `GET /v1/models`."""
        return compact_bytes({"object": "list", "data": [_model(name, created, owner) for name in ids]})

    def model(self, name: str, *, created: int, owner: str) -> bytes:
        """Return the body of `GET /v1/models/NAME`."""
        return compact_bytes(_model(name, created, owner))


class ChatStream(ReplyWriter):
    """Writes chunks."""

    def __init__(self, head: ReplyHead) -> None:
        super().__init__(head)
        options = as_dict(head.served.unknown.get("stream_options"))
        self._counted = bool(options.get("include_usage"))
        self._open: dict[int, str] = {}
        """Calls that were begun, by number, each with its kind."""
        self._texts: dict[int, list[str]] = {}
        """Arguments of free-text calls, which can be taken apart only once they are whole."""

    def start(self) -> bytes:
        """Return the role chunk."""
        return self._chunk({"role": "assistant", "content": "", "refusal": None})

    def text(self, text: str) -> bytes:
        """Return a chunk of content."""
        return self._chunk({"content": text})

    def reasoning(self, text: str, seal: str) -> bytes:
        """Return a chunk of reasoning, in the field that most servers use; there is no place for a seal."""
        return self._chunk({"reasoning_content": text}) if text else b""

    def call(self, delta: CallDelta) -> bytes:
        """Return the chunk that begins a call, and one for each piece of its arguments."""
        out = b""
        if delta.number not in self._open:
            shell = _call(self.head, delta)
            self._open[delta.number] = shell["type"]
            out = self._piece(delta.number, shell)
        if self._open[delta.number] == "custom":
            self._texts.setdefault(delta.number, []).append(delta.arguments)
        elif delta.arguments:
            out += self._piece(delta.number, {"function": {"arguments": delta.arguments}})
        return out

    def fault(self, error: ErrorInfo) -> bytes:
        """Return an error event."""
        return b"data: " + error_body(refusal_of(error)) + b"\n\n"

    def send_back(self, data: dict[str, Any]) -> bytes:
        """Return what OpenRouter and others call `reasoning_details`."""
        fields = _to_give_back(data)
        return self._chunk(fields) if fields else b""

    def end(self) -> bytes:
        """Return the finish chunk, the usage chunk if asked for, and the end mark."""
        texts = [(place, free_text("".join(pieces))) for place, pieces in self._texts.items()]
        out = b"".join(self._piece(place, {"custom": {"input": text}}) for place, text in texts)
        out += self._chunk({}, finish_reason(self.ending, self.reason))
        if self._counted:
            out += self._event({"choices": [], "usage": usage_json(self.usage)})
        return out + self.end_of_fault()

    def end_of_fault(self) -> bytes:
        """Return the end mark."""
        return b"data: [DONE]\n\n"

    def _piece(self, place: int, fields: dict[str, Any]) -> bytes:
        return self._chunk({"tool_calls": [{"index": place, **fields}]})

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> bytes:
        body: dict[str, Any] = {"choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}]}
        return self._event(body | {"usage": None} if self._counted else body)

    def _event(self, body: dict[str, Any]) -> bytes:
        shell = _shell(self.head, "chat.completion.chunk") | {"system_fingerprint": _FINGERPRINT}
        return b"data: " + compact_bytes(shell | body) + b"\n\n"


def error_body(why: Refusal) -> bytes:
    """Return an error in OpenAI's shape."""
    kind = _ERRORS.get(why.status, "server_error" if why.status >= 500 else "invalid_request_error")
    fields = {"message": why.message, "type": kind, "param": why.param or None, "code": why.code or None}
    return compact_bytes({"error": fields})


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


def finish_reason(ending: Ending, word: str) -> str:
    """Return OpenAI's word for the end; a word that nobody knows goes on as it is."""
    return word if ending is Ending.OTHER else ending.value


def _call(head: ReplyHead, call: CallDelta) -> dict[str, Any]:
    """A call without its arguments, under the name and of the kind that the client knows."""
    tool = client_tool(head.served.tools, call)
    return {"id": call.id, "type": tool.kind} | _arguments(head, call, "")


def _arguments(head: ReplyHead, call: CallDelta, arguments: str) -> dict[str, Any]:
    tool = client_tool(head.served.tools, call)
    if tool.kind == "custom":
        return {"custom": {"name": tool.name, "input": free_text(arguments) if arguments else ""}}
    return {"function": {"name": tool.name, "arguments": arguments}}


def _to_give_back(data: Mapping[str, Any]) -> dict[str, Any]:
    """What another server of this protocol wants back, beside the message; signatures of single calls are not among it."""
    return {name: item for name, item in as_dict(data.get(WIRE)).items() if name != "calls"}


def _shell(head: ReplyHead, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{head.id}", "object": kind, "created": head.created, "model": head.model}


def _model(name: str, created: int, owner: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": created, "owned_by": owner}
