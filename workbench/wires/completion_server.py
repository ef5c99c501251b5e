"""Server side of raw completion: a prompt with its chat template's tokens in, bare text out.

Two shapes, told apart by the path: llama-server's `POST /completion`, and OpenAI's older `POST /v1/completions`.

The prompt is read back into messages where it follows ChatML, Llama 3, Gemma or Mistral; any other prompt is one user turn.
llama-server's stream: `data:` events with `content` and `stop: false`, the last one with `stop: true` and the counts, no
`[DONE]`. OpenAI's: chunks with `choices[0].text`, a finish reason, usage if asked for, `[DONE]`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.exchange import CallDelta, Ending, TextDelta
from workbench.core.messages import ChatRequest, Message
from workbench.wires.kit.jsons import as_dict, as_text, compact_bytes
from workbench.wires.kit.request_notes import RequestNotes
from workbench.wires.kit.server import Folded, Refusal, ReplyHead, ReplyWriter, WireServer, refusal_of
from workbench.wires.kit.server_turns import number, stops, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.core.errors import ErrorInfo
    from workbench.core.exchange import Usage

WIRE = "completion"
_TEMPLATES = (
    re.compile(r"<\|im_start\|>\s*(\w+)\n(.*?)(?=<\|im_end\|>|<\|im_start\|>|\Z)", re.DOTALL),
    re.compile(r"<\|start_header_id\|>\s*(\w+)\s*<\|end_header_id\|>\n*(.*?)(?=<\|eot_id\|>|<\|start_header_id\|>|\Z)", re.DOTALL),
    re.compile(r"<start_of_turn>\s*(\w+)\n(.*?)(?=<end_of_turn>|<start_of_turn>|\Z)", re.DOTALL),
)  # fmt: skip
_MISTRAL = re.compile(r"\[INST\](.*?)\[/INST\]([^\[]*)", re.DOTALL)
_ROLES = {"model": "assistant", "ipython": "tool", "developer": "system"}


class CompletionServer(WireServer):
    """The server side."""

    wire = WIRE
    known = frozenset("prompt model n_predict max_tokens stop stream temperature top_p seed".split())

    def decode(self, value: dict[str, Any], notes: RequestNotes) -> ChatRequest:
        """Read a body; llama-server needs no model's name, so it may be empty."""
        prompt = value.get("prompt")
        if isinstance(prompt, list) and len(prompt) == 1:
            prompt = prompt[0]
        if not isinstance(prompt, str):
            raise InvalidInput("The request has no 'prompt' text.")
        limit = whole_number(value, "n_predict" if "n_predict" in value else "max_tokens")
        seed = whole_number(value, "seed")
        return ChatRequest(
            model=as_text(value.get("model")),
            messages=read_prompt(prompt),
            stop=stops(value.get("stop")),
            max_tokens=limit if limit is not None and limit >= 0 else None,
            temperature=number(value, "temperature"),
            top_p=number(value, "top_p"),
            seed=seed if seed is not None and seed >= 0 else None,
            stream=bool(value.get("stream", False)),
        )

    def stream(self, head: ReplyHead) -> ReplyWriter:
        """Return a writer of the shape that the path asks for."""
        return TextStream(head) if _openai(head) else CompletionStream(head)

    def body(self, head: ReplyHead, reply: Folded) -> bytes:
        """Return a whole reply."""
        text = "".join(_text(part) for part in reply.parts)
        if not _openai(head):
            return compact_bytes(_last(head, reply.usage, reply.ending) | {"content": text})
        choices = [_choice(text, _reason(reply.ending, reply.reason))]
        return compact_bytes(_shell(head) | {"choices": choices, "usage": _counts(reply.usage)})

    def refuse(self, why: Refusal) -> bytes:
        """Return an error body."""
        return compact_bytes({"error": _error(why)})

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        """The models are those of OpenAI's protocol."""
        return False


def read_prompt(prompt: str) -> tuple[Message, ...]:
    """Read a rendered prompt back into messages; the open turn at its end is left out."""
    for template in _TEMPLATES:
        turns = [(match[1], match[2].strip()) for match in template.finditer(prompt)]
        if turns:
            return _messages(turns)
    pairs = [(match[1].strip(), match[2].partition("</s>")[0].strip()) for match in _MISTRAL.finditer(prompt)]
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


class CompletionStream(ReplyWriter):
    """Writes one reply in llama-server's shape."""

    def text(self, text: str) -> bytes:
        """Return an event with text."""
        return _event({"content": text, "stop": False, "index": 0, "tokens": []})

    def reasoning(self, text: str, seal: str) -> bytes:
        """Return nothing: a raw reply has no field for it."""
        return b""

    def call(self, delta: CallDelta) -> bytes:
        """Return the text that a call is made of."""
        return self.text(delta.arguments) if delta.arguments else b""

    def fault(self, error: ErrorInfo) -> bytes:
        """Return an error event."""
        return _event({"error": _error(refusal_of(error))})

    def end(self) -> bytes:
        """Return the last event."""
        return _event(_last(self.head, self.usage, self.ending))


class TextStream(CompletionStream):
    """Writes one reply in OpenAI's older shape."""

    def text(self, text: str) -> bytes:
        """Return a chunk with text."""
        return _event(_shell(self.head) | {"choices": [_choice(text, None)]})

    def end(self) -> bytes:
        """Return the finish chunk, the usage chunk if asked for, and the end mark."""
        out = _event(_shell(self.head) | {"choices": [_choice("", _reason(self.ending, self.reason))]})
        if as_dict(self.head.served.unknown.get("stream_options")).get("include_usage"):
            out += _event(_shell(self.head) | {"choices": [], "usage": _counts(self.usage)})
        return out + self.end_of_fault()

    def end_of_fault(self) -> bytes:
        """Return the end mark."""
        return b"data: [DONE]\n\n"


def _openai(head: ReplyHead) -> bool:
    return head.served.path.rstrip("/").endswith("/completions")


def _last(head: ReplyHead, usage: Usage, ending: Ending) -> dict[str, Any]:
    return {
        "content": "",
        "stop": True,
        "model": head.model,
        "index": 0,
        "tokens_predicted": usage.output or 0,
        "tokens_evaluated": usage.input or 0,
        "truncated": False,
        "stop_type": "limit" if ending is Ending.LENGTH else "eos",
        "stopping_word": "",
    }


def _counts(usage: Usage) -> dict[str, int]:
    prompt, completion = usage.input or 0, usage.output or 0
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _shell(head: ReplyHead) -> dict[str, Any]:
    return {"id": f"cmpl-{head.id}", "object": "text_completion", "created": head.created, "model": head.model}


def _choice(text: str, reason: str | None) -> dict[str, Any]:
    return {"text": text, "index": 0, "logprobs": None, "finish_reason": reason}


def _reason(ending: Ending, word: str) -> str:
    """Calls are text here: a reply that ended for them just stopped."""
    return {Ending.OTHER: word, Ending.CALLS: "stop"}.get(ending, ending.value)


def _text(part: object) -> str:
    """What a raw endpoint shows of a part: text, and calls as the text that they are made of."""
    match part:
        case TextDelta(text=text):
            return text
        case CallDelta(arguments=arguments):
            return arguments
        case _:
            return ""


def _error(why: Refusal) -> dict[str, Any]:
    kind = "invalid_request_error" if why.status < 500 else "server_error"
    return {"code": why.status, "message": why.message, "type": kind}


def _event(body: dict[str, Any]) -> bytes:
    return b"data: " + compact_bytes(body) + b"\n\n"
