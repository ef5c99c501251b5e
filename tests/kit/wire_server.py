"""A raw loopback server that says what a test tells it to, byte by byte, with every kind of fault.

A script is a list of actions for one request: bytes are written as they are, numbers are seconds of silence, `RESET`
breaks the connection, `HANG` keeps it open for ever, `KEEP` leaves it open for the next request.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.kit.waiting import LIMIT_S

RESET = "reset"
HANG = "hang"
KEEP = "keep"

Action = bytes | float | str
Script = Sequence[Action]


@dataclass
class Request:
    """One request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


def head(
    status: int = 200,
    kind: str = "text/event-stream",
    length: int | None = None,
    extra: Sequence[tuple[str, str]] = (),
    *,
    keep: bool = False,
) -> bytes:
    """A response head; without a length the end of the connection ends the body. `keep` lets it serve the next request."""
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {kind}"]
    lines += [f"{name}: {value}" for name, value in extra]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    if not keep:
        lines.append("Connection: close")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def answer(
    status: int,
    body: bytes,
    kind: str = "application/json",
    extra: Sequence[tuple[str, str]] = (),
    *,
    keep: bool = False,
) -> list[Action]:
    """A whole response."""
    return [head(status, kind, len(body), extra, keep=keep) + body, *([KEEP] if keep else [])]


def sse(*events: str | bytes) -> bytes:
    """Data events, one for each text."""
    return b"".join(b"data: " + (e.encode() if isinstance(e, str) else e) + b"\n\n" for e in events)


@dataclass
class WireServer:
    """What the server was asked, and where it listens."""

    port: int = 0
    requests: list[Request] = field(default_factory=list)
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    """A client went away while a script was hanging."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


async def _read_request(reader: asyncio.StreamReader) -> Request | None:
    try:
        block = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = block.decode("latin-1").split("\r\n")
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            headers[name.strip().lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    method, target, _ = (first + "  ").split(" ", 2)
    return Request(method, target, headers, body)


async def _play(script: Script, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, server: WireServer) -> bool:
    """Play a script; return whether the connection stays open."""
    for action in script:
        if isinstance(action, bytes):
            writer.write(action)
            await writer.drain()
        elif action == RESET:
            sock = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return False
        elif action == HANG:
            await reader.read()
            server.closed.set()
            return False
        elif action == KEEP:
            return True
        else:
            await asyncio.sleep(float(action))
    return False


@asynccontextmanager
async def wire_server(script: Callable[[Request, int], Script] | Script) -> AsyncIterator[WireServer]:
    """Serve on a free loopback port; `script` is one for all requests, or a function of request and its number."""
    server = WireServer()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            keep = True
            while keep and (request := await _read_request(reader)) is not None:
                server.requests.append(request)
                steps = script(request, len(server.requests) - 1) if callable(script) else script
                keep = await _play(steps, reader, writer, server)
        except (ConnectionError, asyncio.IncompleteReadError):
            server.closed.set()
        except asyncio.CancelledError:
            pass  # the test is over; asyncio's own callback would log a re-raised one as a fault
        finally:
            writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0, limit=2**20)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()


@contextmanager
def served(script: Callable[[Request, int], Script] | Script) -> Iterator[WireServer]:
    """Serve from a thread of its own, for code that runs its own event loop."""
    ready = threading.Event()
    state: dict[str, Any] = {}

    async def main() -> None:
        stop = asyncio.Event()
        async with wire_server(script) as server:
            state.update(server=server, loop=asyncio.get_running_loop(), stop=stop)
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(main(),), daemon=True)
    thread.start()
    assert ready.wait(LIMIT_S)
    try:
        yield state["server"]
    finally:
        state["loop"].call_soon_threadsafe(state["stop"].set)
        thread.join(LIMIT_S)
