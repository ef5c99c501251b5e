"""The wire protocols that the simulated server speaks, behind one shape: read a request, write a reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from workbench.core.exchange import Delta
from workbench.core.messages import ChatRequest
from workbench.simulate.personas import PERSONAS
from workbench.wires import anthropic_messages_server as messages
from workbench.wires import completion_server as completion
from workbench.wires import gemini_generate_server as gemini
from workbench.wires import ollama_chat_server as ollama
from workbench.wires import openai_chat_server as chat
from workbench.wires import openai_responses_server as responses

if TYPE_CHECKING:
    from collections.abc import Mapping


class ReplyInfo(NamedTuple):
    """What a reply answers, and what identifies it."""

    request: ChatRequest
    id: str
    created: int
    """UTC seconds."""


class Refusal(NamedTuple):
    """Why a request gets no reply."""

    status: int
    message: str
    code: str = ""
    param: str = ""


class ReplyStream(Protocol):
    """Writes one streamed reply."""

    def start(self) -> bytes:
        """Return what stands before the first delta."""
        ...

    def feed(self, delta: Delta) -> bytes:
        """Return the bytes for one delta, maybe none."""
        ...

    def finish(self) -> bytes:
        """Return what ends the reply."""
        ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """One protocol, server side."""

    paths: tuple[str, ...]
    """Ends of the request paths that it serves."""
    read: Callable[[bytes, str], ChatRequest]
    """Reads a request's body and path; raises InvalidInput."""
    stream: Callable[[ReplyInfo], ReplyStream]
    whole: Callable[[ReplyInfo, Sequence[Delta]], bytes]
    refuse: Callable[[Refusal], bytes]
    streams_as: str = "text/event-stream"
    """Content type of a streamed reply."""


def _chat_head(info: ReplyInfo) -> chat.ReplyHead:
    return chat.ReplyHead(f"chatcmpl-{info.id}", info.request.model, info.created, "simulated")


def _chat_error(why: Refusal) -> bytes:
    kinds: Mapping[int, str] = {429: "rate_limit_error", 500: "server_error"}
    kind = kinds.get(why.status, "invalid_request_error")
    return chat.error_body(why.message, kind=kind, code=why.code or None, param=why.param or None)


def _message_head(info: ReplyInfo) -> messages.MessageHead:
    return messages.MessageHead(f"msg_{info.id}", info.request.model)


def _text_head(info: ReplyInfo) -> completion.TextHead:
    return completion.TextHead(f"cmpl-{info.id}", info.request.model, info.created)


def _response_head(info: ReplyInfo) -> gemini.ResponseHead:
    return gemini.ResponseHead(info.id, info.request.model)


def _resource_head(info: ReplyInfo) -> responses.ResponseHead:
    return responses.ResponseHead(f"resp_{info.id}", info.request.model, info.created)


def _line_head(info: ReplyInfo) -> ollama.LineHead:
    return ollama.LineHead(info.request.model, info.created)


OPENAI_CHAT = Dialect(
    paths=("/chat/completions",),
    read=lambda body, _: chat.read_request(body),
    stream=lambda info: chat.ChatStream(_chat_head(info), include_usage=chat.wants_usage(info.request)),
    whole=lambda info, deltas: chat.reply_body(_chat_head(info), deltas),
    refuse=_chat_error,
)
ANTHROPIC_MESSAGES = Dialect(
    paths=("/messages",),
    read=lambda body, _: messages.read_request(body),
    stream=lambda info: messages.MessageStream(_message_head(info)),
    whole=lambda info, deltas: messages.reply_body(_message_head(info), deltas),
    refuse=lambda why: messages.error_body(why.status, why.message),
)
RAW_COMPLETION = Dialect(
    paths=("/completion",),
    read=lambda body, _: completion.read_request(body, next(iter(PERSONAS))),
    stream=lambda info: completion.CompletionStream(info.request.model),
    whole=lambda info, deltas: completion.reply_body(info.request.model, deltas),
    refuse=lambda why: completion.error_body(why.status, why.message),
)
TEXT_COMPLETION = Dialect(
    paths=("/completions",),
    read=RAW_COMPLETION.read,
    stream=lambda info: completion.TextStream(_text_head(info), include_usage=chat.wants_usage(info.request)),
    whole=lambda info, deltas: completion.text_body(_text_head(info), deltas),
    refuse=_chat_error,
)
GEMINI_GENERATE = Dialect(
    paths=(":generateContent", ":streamGenerateContent"),
    read=gemini.read_request,
    stream=lambda info: gemini.ResponseStream(_response_head(info)),
    whole=lambda info, deltas: gemini.reply_body(_response_head(info), deltas),
    refuse=lambda why: gemini.error_body(why.status, why.message),
)
OLLAMA_CHAT = Dialect(
    paths=("/api/chat",),
    read=lambda body, _: ollama.read_request(body),
    stream=lambda info: ollama.LineStream(_line_head(info)),
    whole=lambda info, deltas: ollama.reply_body(_line_head(info), deltas),
    refuse=lambda why: ollama.error_body(why.message),
    streams_as="application/x-ndjson",
)
OPENAI_RESPONSES = Dialect(
    paths=("/responses",),
    read=lambda body, _: responses.read_request(body),
    stream=lambda info: responses.EventStream(_resource_head(info)),
    whole=lambda info, deltas: responses.reply_body(_resource_head(info), deltas),
    refuse=_chat_error,
)
DIALECTS = (
    OPENAI_CHAT,
    ANTHROPIC_MESSAGES,
    RAW_COMPLETION,
    TEXT_COMPLETION,
    GEMINI_GENERATE,
    OLLAMA_CHAT,
    OPENAI_RESPONSES,
)
"""In the order in which paths are looked at: `/chat/completions` also ends in `/completions`."""


def dialect_of(path: str) -> Dialect | None:
    """Return the protocol that is spoken at a path."""
    return next((dialect for dialect in DIALECTS if path.endswith(dialect.paths)), None)
