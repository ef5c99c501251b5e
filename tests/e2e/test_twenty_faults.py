"""Twenty things that go wrong between here and a model, over real sockets, each by its name.

Each must end in one clear card (what, where, what next), keep every byte that came, and never hang.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from tests.kit.client_run import ASK, FAST, Outcome, check_order, collect
from tests.kit.llama_server import free_port
from tests.kit.tls import own_authority
from tests.kit.wire_server import HANG, RESET, Request, Script, answer, head, sse, wire_server
from workbench.core.errors import ErrorKind as K
from workbench.core.exchange import Endpoint
from workbench.providers.client import HttpClient

SECRET = "sk-of-this-test-0123456789"
BEGUN = sse('{"model":"m","choices":[{"index":0,"delta":{"content":"The beginning"}}]}')
END = sse('{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}', "[DONE]")
PAGE = b"<!doctype html><html><head><title>Welcome to the router</title></head></html>"
PACKED = gzip.compress(BEGUN + END)
LIMIT_S = 5.0
"""No fault may hold anybody up longer; the client's own limits are set far below."""


def refusal(message: str, code: str = "", **more: Any) -> bytes:
    return json.dumps({"error": {"message": message, "code": code, **more}}).encode()


def around(request: Request, number: int) -> Script:
    return answer(307, b"", extra=[("Location", request.target)])


@dataclass(frozen=True)
class Fault:
    """What the other side does, and what must be said of it."""

    name: str
    script: Callable[[Request, int], Script] | Script
    kind: K
    says: str
    next: str
    """A word of the hint."""
    kept: bytes | None = BEGUN
    """The evidence: body bytes as recorded; None where no byte can have come."""
    text: str = ""
    """What of the reply could be read."""
    status: int | None = 200
    limits: dict[str, Any] = field(default_factory=dict)
    wire: str = "openai_chat"
    waits: float | None = None
    """Seconds that the provider asked for."""


HALF = BEGUN + b'data: {"choices":[{"index":0,"delta":{"content":"\xe2\x82'
BROKEN = BEGUN + sse('{"choices":[{"index":0,"delta":{"cont', "[DONE]")
LATE_ERROR = BEGUN + sse(refusal("the model behind us died", code="502"))
HUGE = b"data: " + b"x" * 1_500_000
SAID = "The beginning"

SCRIPTED = [
    Fault("reset in mid-stream", [head(), BEGUN, 0.05, RESET], K.CUT_OFF, "in the middle of the reply", "Try again", text=SAID),
    Fault("stream that ends too early", [head(), BEGUN], K.CUT_OFF, "before it was complete", "Try again", text=SAID),
    Fault("stall in mid-stream", [head(), BEGUN, HANG], K.TIMEOUT, "0.2 seconds", "time limit", text=SAID, limits={"stall": 0.2}),
    Fault("slow headers", [HANG], K.TIMEOUT, "No answer came", "time limit", None, status=None, limits={"first_byte": 0.2}),
    Fault("headers and then silence", [head(), HANG], K.TIMEOUT, "No reply followed", "time limit", b"", limits={"first_byte": 0.2}),
    Fault("half a UTF-8 character", [head(), HALF], K.CUT_OFF, "in the middle of an event", "Try again", HALF, SAID),
    Fault("invalid server-sent events", [head(), b"hello\nthis is no stream\n"], K.PROTOCOL, "neither JSON nor an event", "base URL", b"hello\nthis is no stream\n"),
    Fault("broken JSON in an event", [head(), BROKEN], K.PROTOCOL, "not valid JSON", "bytes of the reply", BROKEN, SAID),
    Fault("a web page instead of JSON", answer(200, PAGE, "text/html"), K.PROTOCOL, "'Welcome to the router'", "/v1", PAGE),
    Fault("a gateway's page", answer(502, PAGE, "text/html"), K.SERVER, "502 Bad Gateway", "later", PAGE, status=502),
    Fault("broken gzip", [head(extra=[("Content-Encoding", "gzip")]), b"this is no gzip"], K.PROTOCOL, "compression is broken", "proxy", b"this is no gzip"),
    Fault("gzip that nobody announced", [head(), PACKED], K.PROTOCOL, "packed with gzip", "content-encoding", PACKED),
    Fault("redirect loop", around, K.PROTOCOL, "again and again", "base URL", b"", status=307),
    Fault("redirect to somebody else", answer(308, b"", extra=[("Location", "http://127.0.0.2:9/v1")]), K.PROTOCOL, "127.0.0.2:9", "base URL", b"", status=308),
    Fault("429: too many requests", answer(429, refusal("Rate limit reached", "rate_limit_exceeded"), extra=[("Retry-After", "90")]), K.RATE_LIMIT, "Rate limit reached", "90 seconds",
          refusal("Rate limit reached", "rate_limit_exceeded"), status=429, waits=90),
    Fault("429: the wait stands in the body", answer(429, refusal("slow down", "", status="RESOURCE_EXHAUSTED", details=[{"retryDelay": "34.5s"}])), K.RATE_LIMIT, "slow down", "34.5 seconds",
          refusal("slow down", "", status="RESOURCE_EXHAUSTED", details=[{"retryDelay": "34.5s"}]), status=429, wire="gemini_generate", waits=34.5),
    Fault("429: no money left", answer(429, refusal("You exceeded your current quota", "insufficient_quota")), K.QUOTA, "current quota", "balance",
          refusal("You exceeded your current quota", "insufficient_quota"), status=429),
    Fault("429: without a word", answer(429, b""), K.RATE_LIMIT, "429 Too Many Requests", "parallel", b"", status=429),
    Fault("error in a 200 stream", [head(), LATE_ERROR], K.SERVER, "the model behind us died", "later", LATE_ERROR, SAID),
    Fault("error in a 200 answer", answer(200, refusal("no such tool")), K.SERVER, "no such tool", "later", refusal("no such tool")),
    Fault("huge line", [head(), HUGE], K.PROTOCOL, "larger than 1 MiB", "kept", limits={"max_bytes": 2**20}, kept=b""),
    Fault("never-ending stream", [head(), *([BEGUN, 0.01] * 300)], K.TIMEOUT, "not complete within 0.3 seconds", "time limit", limits={"total": 0.3}, kept=b""),
    Fault("a stream of nothing but comments", [head(), b": still here\n\n" * 3], K.CUT_OFF, "[DONE]", "Try again", b": still here\n\n" * 3),
    Fault("an empty reply", [head()], K.CUT_OFF, "without a single event", "headers", b""),
    Fault("closed without an answer", [], K.CONNECT, "closed the connection without an answer", "server's log", None, status=None),
    Fault("wrong port: not HTTP", [b"SSH-2.0-OpenSSH_9.2\r\n\r\n"], K.PROTOCOL, "does not speak HTTP: illegal status line: 'SSH-2.0", "port", None, status=None),
    Fault("wrong protocol", answer(200, b'{"content":[{"type":"text","text":"hi"}]}'), K.PROTOCOL, "no 'choices'", "OpenAI Chat Completions", b'{"content":[{"type":"text","text":"hi"}]}'),
    Fault("wrong path", answer(404, b"404 page not found", "text/plain"), K.NOT_FOUND, "404 page not found", "base URL", b"404 page not found", status=404),
    Fault("wrong key", answer(401, refusal("Incorrect API key provided", "invalid_api_key")), K.AUTH, "Incorrect API key", "key", refusal("Incorrect API key provided", "invalid_api_key"), status=401),
]  # fmt: skip


async def ask(base_url: str, wire: str = "openai_chat", **limits: Any) -> Outcome:
    """One request, within the limit."""
    outcome = Outcome()
    client = HttpClient(Endpoint("t", wire, base_url), SECRET, options=replace(FAST, **limits))
    started = time.monotonic()
    async with client, asyncio.timeout(LIMIT_S):
        outcome.events = await collect(client, ASK)
    assert time.monotonic() - started < LIMIT_S
    check_order(outcome.events)
    return outcome


def check_card(outcome: Outcome, kind: K, says: str, following: str, status: int | None) -> None:
    """What, where, what next; and no word of the key."""
    error = outcome.error
    assert error.kind is kind, error
    assert says in error.message
    assert following in error.hint
    assert error.status == status
    assert error.where.startswith("POST http")
    assert SECRET not in repr(outcome.events)


@pytest.mark.parametrize("fault", SCRIPTED, ids=lambda fault: fault.name)
def test_fault(fault: Fault) -> None:
    async def main() -> Outcome:
        async with wire_server(fault.script) as server:
            return await ask(f"http://127.0.0.1:{server.port}/v1", fault.wire, **fault.limits)

    outcome = asyncio.run(main())
    check_card(outcome, fault.kind, fault.says, fault.next, fault.status)
    assert outcome.error.retry_after == fault.waits
    assert outcome.reply.text.startswith(fault.text)
    if fault.name == "huge line":
        assert HUGE.startswith(outcome.data)
        assert len(outcome.data) > 2**20
    elif fault.name == "never-ending stream":
        assert outcome.data == BEGUN * (len(outcome.data) // len(BEGUN))
        assert outcome.reply.text == SAID * (len(outcome.data) // len(BEGUN))
    else:
        assert outcome.data == (fault.kept or b"")
    assert bool(outcome.heads) is (fault.status is not None)


def test_unknown_host_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def lookup(*_: Any, **__: Any) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    outcome = asyncio.run(ask("http://models.invalid/v1"))
    check_card(outcome, K.CONNECT, "host name 'models.invalid' was not found", "spelling", None)


def test_connection_refused_on_a_closed_port() -> None:
    port = free_port()
    outcome = asyncio.run(ask(f"http://127.0.0.1:{port}/v1"))
    check_card(outcome, K.CONNECT, f"127.0.0.1:{port} refused the connection", "Is the server running?", None)


@asynccontextmanager
async def tls_server(context: ssl.SSLContext | None, body: bytes) -> AsyncIterator[int]:
    """Serve one answer to everybody, over TLS where a context is given."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.read(2**16)
            writer.write(body)
            await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


def tls_fault(folder: Path, *, context: bool = True, scheme: str = "https", expired: bool = False) -> Outcome:
    async def main() -> Outcome:
        settings = own_authority(folder, expired=expired).server if context else None
        async with tls_server(settings, head() + BEGUN + END) as port:
            return await ask(f"{scheme}://127.0.0.1:{port}/v1")

    return asyncio.run(main())


def test_untrusted_certificate(tmp_path: Path) -> None:
    outcome = tls_fault(tmp_path)
    check_card(outcome, K.CONNECT, "is not trusted", "SSL_CERT_FILE", None)
    assert outcome.error.permanent


def test_https_to_a_plain_http_server(tmp_path: Path) -> None:
    check_card(tls_fault(tmp_path, context=False), K.CONNECT, "No TLS connection", "http://", None)


def test_plain_http_to_an_https_server(tmp_path: Path) -> None:
    outcome = tls_fault(tmp_path, scheme="http")
    assert outcome.error.kind in (K.CONNECT, K.PROTOCOL)
    assert "https" in outcome.error.hint


def test_there_are_twenty_and_more() -> None:
    names: Sequence[str] = [fault.name for fault in SCRIPTED]
    assert len(names) == len(set(names)) >= 20
