"""A small HTTP server on the loopback address: the one place that knows the server library.

A handler takes a `LoopbackRequest` and returns a `Reply`, or a `StreamReply` whose chunks are sent as they come.
Raising `BreakConnection` while streaming resets the connection, as a crashed server would.
The server listens on 127.0.0.1 only and refuses a foreign Host or Origin header, so that no web page reaches it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from aiohttp import web

from workbench.core.errors import InvalidInput

HOST = "127.0.0.1"
MAX_BODY = 64 * 1024 * 1024
"""Larger request bodies are refused with 413."""

SLOW_S = 120.0
"""How long a client may take to send a body, and to take what is written for it; slower ones are cut off."""
HEAD_S = 30.0
"""How long a new connection may take to ask for something: whoever sends nothing, or a header byte by byte, is cut off."""
_QUIET_S = 75.0
"""After so long without a further request a connection is closed."""
MOST_WAITING = 1000
"""Open connections without a request under way; of more the one that has waited longest is closed."""
_SMALL = 32_768
"""Bytes that are taken by the library at once, where nothing else waits to be sent."""

_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
_CLOSING_S = 0.2
"""How long running replies may take to end by themselves when the server closes."""


class BreakConnection(Exception):
    """Raised by a handler or a stream: drop the connection at once, without an end of the reply."""


@dataclass(frozen=True, slots=True)
class LoopbackRequest:
    """One request, read whole."""

    method: str
    path: str
    """Without the query."""
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    body: bytes = b""

    def header(self, name: str) -> str:
        """Return a header's value, or an empty string."""
        return self.headers.get(name.lower(), "")


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole response."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StreamReply:
    """A response that is sent piece by piece; every piece leaves at once."""

    chunks: AsyncGenerator[bytes, None]
    status: int = 200
    content_type: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict)


Handler = Callable[[LoopbackRequest], Awaitable[Reply | StreamReply]]


class _Server(web.Server):
    """Closes connections that do not ask for anything."""

    def __init__(self, serve: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]) -> None:
        super().__init__(self._asked, handler_cancellation=True, access_log=None, keepalive_timeout=_QUIET_S)
        self._serve = serve
        self.waiting: dict[web.RequestHandler, asyncio.TimerHandle] = {}
        """Connections without a request under way, the one that has waited longest first."""

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        self._wait(handler, HEAD_S)

    def connection_lost(self, handler: web.RequestHandler, exc: BaseException | None = None) -> None:
        self._waits_no_longer(handler)
        super().connection_lost(handler, exc)

    async def _asked(self, request: web.BaseRequest) -> web.StreamResponse:
        self._waits_no_longer(request.protocol)
        try:
            return await self._serve(request)
        finally:
            if request.transport is not None:
                self._wait(request.protocol, _QUIET_S)

    def _wait(self, connection: web.RequestHandler, limit_s: float) -> None:
        self.waiting[connection] = asyncio.get_running_loop().call_later(limit_s, self._close, connection)
        if len(self.waiting) > MOST_WAITING:
            self._close(next(iter(self.waiting)))

    def _waits_no_longer(self, connection: web.RequestHandler) -> None:
        if (clock := self.waiting.pop(connection, None)) is not None:
            clock.cancel()

    def _close(self, connection: web.RequestHandler) -> None:
        self._waits_no_longer(connection)
        connection.force_close()


class LoopbackServer:
    """Serves one handler on a free port of 127.0.0.1, in the event loop that runs when it is started."""

    def __init__(self, handler: Handler, *, product: str = "workbench") -> None:
        self._handler = handler
        self._product = product
        self._runner: web.ServerRunner | None = None
        self._server: _Server | None = None
        self._port = 0

    @property
    def running(self) -> bool:
        """True between `start` and `aclose`."""
        return self._runner is not None

    @property
    def waiting(self) -> int:
        """Open connections without a request under way."""
        return len(self._server.waiting) if self._server is not None else 0

    @property
    def port(self) -> int:
        """The port that is listened on; 0 before the start."""
        return self._port

    @property
    def url(self) -> str:
        """Scheme, address and port, without a slash at the end."""
        return f"http://{HOST}:{self._port}"

    async def start(self, port: int = 0) -> None:
        """Listen; port 0 takes a free one. Raise InvalidInput where the port cannot be had."""
        if self._runner is not None:
            return
        server = _Server(self._serve)
        runner = web.ServerRunner(server, shutdown_timeout=_CLOSING_S)
        try:
            listener = socket.create_server((HOST, port))
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else error.strerror
            raise InvalidInput(f"Port {port} cannot be used: {why}.", hint="Choose another port.") from error
        async with contextlib.AsyncExitStack() as undo:
            # A cancel while asyncio gives the loop a turn would leave the socket to nobody.
            undo.push_async_callback(runner.cleanup)
            undo.callback(listener.close)
            undo.callback(asyncio.get_running_loop().remove_reader, listener)
            await runner.setup()
            await web.SockSite(runner, listener).start()
            undo.pop_all()
        self._runner, self._server, self._port = runner, server, runner.addresses[0][1]

    async def aclose(self) -> None:
        """Stop listening and drop what is still being sent. May be called twice."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    async def _serve(self, request: web.BaseRequest) -> web.StreamResponse:
        if refusal := self._refusal(request):
            return web.Response(status=403, text=refusal)
        try:
            try:
                async with asyncio.timeout(SLOW_S):
                    body = await _read_body(request)
            except TimeoutError:
                return web.Response(status=408, text=f"The body did not come within {SLOW_S:g} seconds.")
            if body is None:
                return web.Response(status=413, text=f"The body is larger than {MAX_BODY} bytes.")
            headers = {name.lower(): value for name, value in request.headers.items()}
            reply = await self._handler(
                LoopbackRequest(request.method, request.path, request.query_string, headers, body)
            )
            if isinstance(reply, StreamReply):
                return await self._stream(request, reply)
            headers = {"Server": self._product, "Content-Type": reply.content_type, **reply.headers}
            return await self._whole(request, web.Response(status=reply.status, body=reply.body, headers=headers))
        except BreakConnection:
            _reset(request)
            return web.Response(status=500)  # nobody receives it: the connection is gone

    def _refusal(self, request: web.BaseRequest) -> str:
        """Why a request is not served: a page elsewhere may have pointed its own host name at this address."""
        host = request.headers.get("Host", "")
        name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        if (name or host) not in _NAMES or (name and port != str(self._port)):
            return f"Host {host!r} is not this server."
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return f"Origin {origin!r} is not this server."
        return ""

    async def _whole(self, request: web.BaseRequest, response: web.Response) -> web.Response:
        with contextlib.suppress(ConnectionError):
            try:
                async with asyncio.timeout(SLOW_S):
                    await response.prepare(request)
                    await response.write_eof()
            except TimeoutError:
                _reset(request)
        return response

    async def _stream(self, request: web.BaseRequest, reply: StreamReply) -> web.StreamResponse:
        headers = {"Server": self._product, "Content-Type": reply.content_type, "Cache-Control": "no-cache"}
        response = web.StreamResponse(status=reply.status, headers=headers | dict(reply.headers))
        async with contextlib.aclosing(reply.chunks) as chunks:
            try:
                await response.prepare(request)
                async for chunk in chunks:
                    if not await _written(request, response, chunk):
                        return response
                await response.write_eof()
            except ConnectionError:
                logging.getLogger(__name__).debug("the client left before the reply ended")
        return response


async def _written(request: web.BaseRequest, response: web.StreamResponse, chunk: bytes) -> bool:
    """Write a piece; False where the client took too long to take it, and was cut off."""
    transport = request.transport
    if transport is None or (len(chunk) <= _SMALL and not transport.get_write_buffer_size()):
        await response.write(chunk)
        return True
    try:
        async with asyncio.timeout(SLOW_S):
            await response.write(chunk)
    except TimeoutError:
        _reset(request)
        return False
    return True


async def _read_body(request: web.BaseRequest) -> bytes | None:
    """The request's body, or None where it is too large. The library's own limit is 1 MiB, too little for long chats."""
    parts, size = [], 0
    async for part in request.content.iter_any():
        size += len(part)
        if size > MAX_BODY:
            return None
        parts.append(part)
    return b"".join(parts)


def _reset(request: web.BaseRequest) -> None:
    """Close the socket with a reset instead of an orderly end."""
    transport = request.transport
    if transport is None:
        return
    plain = transport.get_extra_info("socket")
    if plain is not None:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
