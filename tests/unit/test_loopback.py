from __future__ import annotations

import asyncio
import errno
import gc
import socket
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import httpx
import pytest
from PySide6.QtWidgets import QApplication

from tests.kit.waiting import LIMIT_S, until
from workbench import loopback
from workbench.core.errors import InvalidInput
from workbench.loopback import BreakConnection, LoopbackRequest, LoopbackServer, Reply, StreamReply
from workbench.ui.bridge.loop import Loop


async def _endless() -> AsyncGenerator[bytes, None]:
    yield b"first"
    await asyncio.sleep(3600)


async def _broken() -> AsyncGenerator[bytes, None]:
    yield b"half of "
    await asyncio.sleep(0.02)
    raise BreakConnection


async def _counted() -> AsyncGenerator[bytes, None]:
    for number in range(3):
        yield f"{number};".encode()
        await asyncio.sleep(0.001)


async def _handler(request: LoopbackRequest) -> Reply | StreamReply:
    match request.path:
        case "/echo":
            text = (
                f"{request.method} {request.path}?{request.query} {request.header('X-Test')} ".encode() + request.body
            )
            return Reply(201, text, "text/plain", {"X-Extra": "yes"})
        case "/stream":
            return StreamReply(_counted(), headers={"X-Extra": "streamed"})
        case "/endless":
            return StreamReply(_endless())
        case "/broken":
            return StreamReply(_broken())
        case _:
            raise BreakConnection


class _Served:
    """A running server and a client for it."""

    async def __aenter__(self) -> _Served:
        self.server = LoopbackServer(_handler, product="test")
        await self.server.start()
        self.client = httpx.AsyncClient(base_url=self.server.url, timeout=LIMIT_S)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.aclose()
        await self.server.aclose()


def test_request_and_whole_reply_cross_unchanged() -> None:
    async def body() -> None:
        async with _Served() as served:
            reply = await served.client.post("/echo?a=1", content=b"\xff\x00", headers={"X-Test": "T"})
            assert reply.status_code == 201
            assert reply.content == b"POST /echo?a=1 T \xff\x00"
            assert reply.headers["x-extra"] == "yes"
            assert reply.headers["server"] == "test"
            assert reply.headers["content-type"] == "text/plain"

    asyncio.run(body())


def test_stream_arrives_in_pieces_and_ends() -> None:
    async def body() -> None:
        async with _Served() as served, served.client.stream("GET", "/stream") as reply:
            assert reply.headers["content-type"] == "text/event-stream"
            assert reply.headers["x-extra"] == "streamed"
            assert b"".join([piece async for piece in reply.aiter_raw()]) == b"0;1;2;"

    asyncio.run(body())


@pytest.mark.parametrize("path", ["/broken", "/elsewhere"])
def test_broken_connection_is_an_error_of_the_client(path: str) -> None:
    async def body() -> None:
        async with _Served() as served:
            with pytest.raises(httpx.TransportError):
                await served.client.get(path)

    asyncio.run(body())


def test_break_in_mid_stream_lets_the_first_part_through() -> None:
    async def body() -> None:
        async with _Served() as served, served.client.stream("GET", "/broken") as reply:
            pieces = reply.aiter_raw()
            assert await anext(pieces) == b"half of "
            with pytest.raises(httpx.TransportError):
                await anext(pieces)

    asyncio.run(body())


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:1"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
    ],
)
def test_foreign_host_or_origin_is_refused(headers: dict[str, str]) -> None:
    async def body() -> None:
        async with _Served() as served:
            reply = await served.client.get("/echo", headers=headers)
            assert reply.status_code == 403

    asyncio.run(body())


def test_localhost_is_as_good_as_its_address() -> None:
    async def body() -> None:
        async with _Served() as served:
            reply = await served.client.get("/echo", headers={"Host": f"localhost:{served.server.port}"})
            assert reply.status_code == 201

    asyncio.run(body())


def test_closing_drops_an_endless_reply_at_once() -> None:
    async def body() -> float:
        served = _Served()
        async with served, served.client.stream("GET", "/endless") as reply:
            pieces = reply.aiter_raw()
            assert await anext(pieces) == b"first"
            before = time.perf_counter()
            await served.server.aclose()
            await served.server.aclose()
            took = time.perf_counter() - before
            assert not served.server.running
            with pytest.raises(httpx.TransportError):
                await anext(pieces)
            return took

    assert asyncio.run(body()) < 20, "the server library itself waits for 60 s"


def test_a_client_that_takes_nothing_is_cut_off_and_holds_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback, "SLOW_S", 0.2)
    over = asyncio.Event()

    async def flood() -> AsyncGenerator[bytes, None]:
        try:
            while True:
                yield b"x" * 60_000
        finally:
            over.set()

    async def handler(request: LoopbackRequest) -> Reply | StreamReply:
        return {"/stream": StreamReply(flood()), "/whole": Reply(200, b"x" * (48 << 20))}.get(request.path, Reply(200))

    async def main() -> None:
        server = LoopbackServer(handler)
        await server.start()
        for path in ("/stream", "/whole"):
            with socket.create_connection(("127.0.0.1", server.port)) as slow:
                slow.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                async with httpx.AsyncClient(base_url=server.url, timeout=LIMIT_S) as client:
                    assert (await client.get("/")).status_code == 200
                slow.setblocking(False)
                if path == "/stream":
                    await over.wait()
                else:
                    await until(
                        lambda slow=slow: slow.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == errno.ECONNRESET
                    )
        await server.aclose()

    asyncio.run(main())


def test_a_body_that_does_not_come_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback, "SLOW_S", 0.2)

    async def main() -> bytes:
        async with _Served() as served:
            reader, writer = await asyncio.open_connection("127.0.0.1", served.server.port)
            writer.write(b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx")
            line = await reader.readline()
            writer.close()
            return line

    assert b" 408 " in asyncio.run(main())


@asynccontextmanager
async def _connection(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def _closed(reader: asyncio.StreamReader) -> bool:
    try:
        return await reader.read() == b""
    except ConnectionError:
        return True


async def _trickle(writer: asyncio.StreamWriter) -> None:
    """A byte of a header now and then, as somebody does who wants to keep a connection open for nothing."""
    while not writer.is_closing():
        writer.write(b"a")
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("sent", [b"", b"GET /", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: a"])
def test_a_connection_that_never_asks_is_closed(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback, "HEAD_S", 0.2)

    async def main() -> None:
        async with _Served() as served, _connection(served.server.port) as (reader, writer):
            writer.write(sent)
            closed, _ = await asyncio.gather(_closed(reader), _trickle(writer) if sent else asyncio.sleep(0))
            assert closed

    asyncio.run(main())


def test_a_connection_with_a_request_under_way_does_not_wait() -> None:
    arrived, go_on = asyncio.Event(), asyncio.Event()

    async def handler(_request: LoopbackRequest) -> Reply:
        arrived.set()
        await go_on.wait()
        return Reply(200, b"done")

    async def main() -> None:
        server = LoopbackServer(handler)
        await server.start()
        async with httpx.AsyncClient(base_url=server.url, timeout=LIMIT_S) as client:
            async with asyncio.TaskGroup() as both:
                asked = both.create_task(client.get("/"))
                await arrived.wait()
                assert server.waiting == 0
                go_on.set()
            assert asked.result().content == b"done"
            await until(lambda: server.waiting == 1)
        await until(lambda: server.waiting == 0)
        await server.aclose()

    asyncio.run(main())


def test_of_too_many_waiting_connections_the_oldest_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback, "MOST_WAITING", 2)

    async def main() -> None:
        async with _Served() as served, AsyncExitStack() as stack:
            port = served.server.port
            streams = [await stack.enter_async_context(_connection(port)) for _ in range(4)]
            for reader, _ in streams[:2]:
                assert await _closed(reader)
            for reader, writer in streams[2:]:
                writer.write(b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                assert b" 201 " in await reader.readline()

    asyncio.run(main())


def test_too_large_body_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback, "MAX_BODY", 1000)

    async def body() -> None:
        async with _Served() as served:
            assert (await served.client.post("/echo", content=b"x" * 1001)).status_code == 413
            assert (await served.client.post("/echo", content=b"x" * 1000)).status_code == 201

    asyncio.run(body())


def test_body_over_the_librarys_own_limit_is_read() -> None:
    async def body() -> None:
        async with _Served() as served:
            reply = await served.client.post("/echo", content=b"x" * 3_000_000)
            assert len(reply.content) > 3_000_000

    asyncio.run(body())


def test_taken_port_names_the_port() -> None:
    async def body() -> None:
        async with _Served() as served:
            with pytest.raises(InvalidInput, match=str(served.server.port)):
                await LoopbackServer(_handler).start(served.server.port)

    asyncio.run(body())


def test_runs_inside_a_qt_loop(qapp: QApplication) -> None:
    async def body() -> bytes:
        async with _Served() as served, served.client.stream("GET", "/stream") as reply:
            return b"".join([piece async for piece in reply.aiter_raw()])

    with asyncio.Runner(loop_factory=lambda: Loop(qapp)) as runner:
        assert runner.run(body()) == b"0;1;2;"


def test_start_that_is_cancelled_leaves_no_socket() -> None:
    async def cancelled(after: int) -> bool:
        server = LoopbackServer(_handler)
        starting = asyncio.get_running_loop().create_task(server.start())
        for _ in range(after):
            await asyncio.sleep(0)
        starting.cancel()
        try:
            await starting
        except asyncio.CancelledError:
            return True
        await server.aclose()
        return False

    outcomes = []
    gc.freeze()  # what other tests left is not looked at
    try:
        for after in range(1, 12):
            outcomes.append(asyncio.run(cancelled(after)))
            gc.collect()  # an unclosed socket warns, and a warning fails the test
    finally:
        gc.unfreeze()
    assert outcomes[0]
    assert not outcomes[-1]
