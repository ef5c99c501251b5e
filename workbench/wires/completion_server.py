"""Server side of llama-server's raw `POST /completion`: a prompt with its chat template's tokens in, bare text out.

The prompt is read back into messages where it follows ChatML, Llama 3, Gemma or Mistral; any other prompt is one user turn.
Stream: `data:` events with `content` and `stop: false`, the last one with `stop: true` and the counts; no `[DONE]`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

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
        self._reason = ""
        self._failed = False

    def start(self) -> bytes:
        """Return nothing: the first event is the first text."""
        return b""

    def feed(self, delta: Delta) -> bytes:
        """Return the event for one delta; empty for what only counts at the end."""
        if isinstance(delta, FaultDelta):
            self._failed = True
            return b"data: " + error_body(500, delta.error.message) + b"\n\n"
        if self.note(delta) or not (text := _text(delta)):
            return b""
        return b"data: " + _json({"content": text, "stop": False, "index": 0, "tokens": []}) + b"\n\n"

    def finish(self) -> bytes:
        """Return the last event."""
        return b"" if self._failed else b"data: " + _json(self.last()) + b"\n\n"

    def note(self, delta: Delta) -> bool:
        """Keep what only counts at the end; True if the delta was of that kind."""
        match delta:
            case FinishDelta(reason=reason):
                self._reason = reason
            case UsageDelta(usage=usage):
                self._usage = usage
            case _:
                return False
        return True

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
            "stop_type": "limit" if self._reason == "length" else "eos",
            "stopping_word": "",
        }


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
