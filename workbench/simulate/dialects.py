"""The wire protocols that the simulated server speaks, behind one shape: read a request, write a reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from workbench.wires import openai_chat_server as chat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.exchange import Delta
    from workbench.core.messages import ChatRequest


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


class Dialect(Protocol):
    """One protocol, server side."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Ends of the request paths that it serves."""
        ...

    def read(self, body: bytes) -> ChatRequest:
        """Read a request body; raise InvalidInput."""
        ...

    def stream(self, request: ChatRequest, reply_id: str, created: int) -> ReplyStream:
        """Return a writer for one streamed reply."""
        ...

    def whole(self, request: ChatRequest, reply_id: str, created: int, deltas: Sequence[Delta]) -> bytes:
        """Return a whole reply."""
        ...

    def error(self, status: int, message: str, *, code: str = "", param: str = "") -> bytes:
        """Return an error body."""
        ...


class OpenAiChat:
    """OpenAI Chat Completions."""

    paths = ("/chat/completions",)

    def read(self, body: bytes) -> ChatRequest:
        """Read a request body."""
        return chat.read_request(body)

    def stream(self, request: ChatRequest, reply_id: str, created: int) -> ReplyStream:
        """Write server-sent events."""
        return chat.ChatStream(_head(request, reply_id, created), include_usage=chat.wants_usage(request))

    def whole(self, request: ChatRequest, reply_id: str, created: int, deltas: Sequence[Delta]) -> bytes:
        """Write one JSON body."""
        return chat.reply_body(_head(request, reply_id, created), deltas)

    def error(self, status: int, message: str, *, code: str = "", param: str = "") -> bytes:
        """Write OpenAI's error object."""
        kind = {429: "rate_limit_error", 500: "server_error"}.get(status, "invalid_request_error")
        return chat.error_body(message, kind=kind, code=code or None, param=param or None)


def _head(request: ChatRequest, reply_id: str, created: int) -> chat.ReplyHead:
    return chat.ReplyHead(f"chatcmpl-{reply_id}", request.model, created, "simulated")


DIALECTS: tuple[Dialect, ...] = (OpenAiChat(),)
