"""Server side of raw completion: a prompt with its chat template's tokens in, bare text out.

Two shapes: llama-server's `POST /completion`, and OpenAI's older `POST /v1/completions`.

The prompt is read back into messages where it follows ChatML, Llama 3, Gemma or Mistral; any other prompt is one user turn.
llama-server's stream: `data:` events with `content` and `stop: false`, the last one with `stop: true` and the counts, no
`[DONE]`. OpenAI's: chunks with `choices[0].text`, a finish reason, usage if asked for, `[DONE]`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.exchange import CallDelta, Delta, FaultDelta, FinishDelta, TextDelta, Usage, UsageDelta
from workbench.core.messages import ChatRequest, Message

if TYPE_CHECKING:
    from collections.abc import Iterable

_KNOWN = frozenset("prompt model n_predict max_tokens stop stream temperature top_p seed".split())
_TEMPLATES = (
    re.compile(r"<\|im_start\|>\s*(\w+)\n(.*?)(?=<\|im_end\|>|<\|im_start\|>|\Z)", re.DOTALL),
    re.compile(r"<\|start_header_id\|>\s*(\w+)\s*<\|end_header_id\|>\n*(.*?)(?=<\|eot_id\|>|<\|start_header_id\|>|\Z)", re.DOTALL),
    re.compile(r"<start_of_turn>\s*(\w+)\n(.*?)(?=<end_of_turn>|<start_of_turn>|\Z)", re.DOTALL),
)  # fmt: skip
_MISTRAL = re.compile(r"\[INST\](.*?)\[/INST\]([^\[]*)", re.DOTALL)
_ROLES = {"model": "assistant", "ipython": "tool", "developer": "system"}


class TextHead(NamedTuple):
    """What every chunk of one reply in OpenAI's older shape repeats."""

    id: str
    """`cmpl-…`"""
    model: str
    created: int


def read_request(body: bytes, default_model: str) -> ChatRequest:
    """Read a request body; raise InvalidInput."""
    try:
        value = json.loads(body)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InvalidInput("The request body is not valid JSON.", hint=str(error)) from error
    if not isinstance(value, dict) or not isinstance(value.get("prompt"), str):
        raise InvalidInput("The request has no 'prompt' text.")
    limit = value.get("n_predict", value.get("max_tokens"))
    stop = value.get("stop") or ()
    seed = value.get("seed")
    return ChatRequest(
        model=str(value.get("model") or default_model),
        messages=read_prompt(value["prompt"]),
        stop=(stop,) if isinstance(stop, str) else tuple(str(item) for item in stop),
        max_tokens=limit if isinstance(limit, int) and limit >= 0 else None,
        seed=seed if isinstance(seed, int) and seed >= 0 else None,
        stream=bool(value.get("stream", False)),
        extra={key: item for key, item in value.items() if key not in _KNOWN},
    )


def read_prompt(prompt: str) -> tuple[Message, ...]:
    """Read a rendered prompt back into messages; the open turn at its end is left out."""
    for template in _TEMPLATES:
        turns = [(match[1], match[2].strip()) for match in template.finditer(prompt)]
        if turns:
            return _messages(turns)
    pairs = [(match[1].strip(), match[2].removesuffix("</s>").strip()) for match in _MISTRAL.finditer(prompt)]
    if pairs:
        return _messages([turn for asked, said in pairs for turn in (("user", asked), ("assistant", said))])
    return (Message("user", prompt),)


def _messages(turns: list[tuple[str, str]]) -> tuple[Message, ...]:
    out = []
    for name, text in turns:
        role = _ROLES.get(name, name)
        if role == "assistant" and text:
            out.append(Message("assistant", text))
        elif role == "system":
            out.append(Message("system", text))
        elif role != "assistant" and text:
            out.append(Message("user", text))
    return tuple(out) or (Message("user", ""),)


def error_body(status: int, message: str) -> bytes:
    """Return an error body."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    return _json({"error": {"code": status, "message": message, "type": kind}})


def reply_body(model: str, deltas: Iterable[Delta]) -> bytes:
    """Return a whole reply as one JSON body."""
    stream = CompletionStream(model)
    text = "".join(_text(delta) for delta in deltas if not stream.note(delta))
    return _json(stream.last() | {"content": text})


class CompletionStream:
    """Writes one reply as server-sent events: `start`, `feed` for each delta, `finish`."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._usage = Usage()
        self.reason = ""
        """The finish reason, once known."""
        self.failed = False

    def start(self) -> bytes:
        """Return nothing: the first event is the first text."""
        return b""

    def feed(self, delta: Delta) -> bytes:
        """Return the event for one delta; empty for what only counts at the end."""
        if isinstance(delta, FaultDelta):
            self.failed = True
            return b"data: " + error_body(500, delta.error.message) + b"\n\n"
        if self.note(delta) or not (text := _text(delta)):
            return b""
        return b"data: " + _json({"content": text, "stop": False, "index": 0, "tokens": []}) + b"\n\n"

    def finish(self) -> bytes:
        """Return the last event."""
        return b"" if self.failed else b"data: " + _json(self.last()) + b"\n\n"

    def note(self, delta: Delta) -> bool:
        """Keep what only counts at the end; True if the delta was of that kind."""
        match delta:
            case FinishDelta(reason=reason):
                self.reason = reason
            case UsageDelta(usage=usage):
                self._usage = usage
            case _:
                return False
        return True

    def usage_json(self) -> dict[str, int]:
        """Return the counts in OpenAI's shape."""
        prompt, completion = self._usage.input or 0, self._usage.output or 0
        return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}

    def last(self) -> dict[str, Any]:
        """Return the fields of the last event."""
        return {
            "content": "",
            "stop": True,
            "model": self._model,
            "index": 0,
            "tokens_predicted": self._usage.output or 0,
            "tokens_evaluated": self._usage.input or 0,
            "truncated": False,
            "stop_type": "limit" if self.reason == "length" else "eos",
            "stopping_word": "",
        }


class TextStream:
    """Writes one reply in OpenAI's older shape: `start`, `feed` for each delta, `finish`."""

    def __init__(self, head: TextHead, *, include_usage: bool = False) -> None:
        self._head = head
        self._include_usage = include_usage
        self._notes = CompletionStream(head.model)

    def start(self) -> bytes:
        """Return nothing: the first event is the first text."""
        return b""

    def feed(self, delta: Delta) -> bytes:
        """Return the event for one delta; empty for what only counts at the end."""
        if isinstance(delta, FaultDelta):
            return self._notes.feed(delta)
        return b"" if self._notes.note(delta) or not (text := _text(delta)) else self._event(text, None)

    def finish(self) -> bytes:
        """Return the finish chunk, the usage chunk if asked for, and the end mark."""
        if self._notes.failed:
            return b"data: [DONE]\n\n"
        out = self._event("", self._notes.reason or "stop")
        if self._include_usage:
            body = _text_shell(self._head) | {"choices": [], "usage": self._notes.usage_json()}
            out += b"data: " + _json(body) + b"\n\n"
        return out + b"data: [DONE]\n\n"

    def _event(self, text: str, reason: str | None) -> bytes:
        return b"data: " + _json(_text_shell(self._head) | {"choices": [_choice(text, reason)]}) + b"\n\n"


def text_body(head: TextHead, deltas: Iterable[Delta]) -> bytes:
    """Return a whole reply in OpenAI's older shape."""
    notes = CompletionStream(head.model)
    text = "".join(_text(delta) for delta in deltas if not notes.note(delta))
    choices = [_choice(text, notes.reason or "stop")]
    return _json(_text_shell(head) | {"choices": choices, "usage": notes.usage_json()})


def _text_shell(head: TextHead) -> dict[str, Any]:
    return {"id": head.id, "object": "text_completion", "created": head.created, "model": head.model}


def _choice(text: str, reason: str | None) -> dict[str, Any]:
    return {"text": text, "index": 0, "logprobs": None, "finish_reason": reason}


def _text(delta: Delta) -> str:
    """What a raw endpoint shows of a delta: text, and calls as the text that they are made of."""
    match delta:
        case TextDelta(text=text):
            return text
        case CallDelta(arguments=arguments):
            return arguments
        case _:
            return ""


def _json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate: only an escape can carry it
        return json.dumps(value, separators=(",", ":")).encode()
