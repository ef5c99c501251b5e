"""Proxies and certificates of one's own, through the command as users start it, over real sockets of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.kit.command import workbench
from tests.kit.llama_server import free_port
from tests.kit.tls import own_authority
from tests.kit.wire_server import head, sse

REPLY = head() + sse('{"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}', "[DONE]")
PASSWORD = "proxy-password-123"
OWN = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ssl_cert_file", "ssl_cert_dir")
"""Settings of the machine that must not reach these tests."""


@dataclass
class Seen:
    """What a server was asked."""

    port: int = 0
    heads: list[str] = field(default_factory=list)


@asynccontextmanager
async def model_server(context: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> AsyncIterator[Seen]:
    """A model that says hello."""
    seen = Seen()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            seen.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
            writer.write(REPLY)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, host, 0, ssl=context)
    async with server:
        seen.port = server.sockets[0].getsockname()[1]
        yield seen


@asynccontextmanager
async def proxy_server(target: int, *, closed: bool = False) -> AsyncIterator[Seen]:
    """A proxy: answers plain requests itself, and joins tunnels with the target, whatever name was asked for."""
    seen = Seen()

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(2**16):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            asked = (await reader.readuntil(b"\r\n\r\n")).decode()
            seen.heads.append(asked)
            if closed:
                writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            elif asked.startswith("CONNECT"):
                inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", target)
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await asyncio.gather(copy(reader, inner_writer), copy(inner_reader, writer))
            else:
                writer.write(REPLY)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        seen.port = server.sockets[0].getsockname()[1]
        yield seen


@pytest.fixture(autouse=True)
def no_own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.lower() in OWN:
            monkeypatch.delenv(name)


async def send(base_url: str, **environment: str) -> dict[str, Any]:
    """`workbench send --batch -` with one row; return the answer."""
    row = {"id": 1, "protocol": "openai_chat", "base_url": base_url, "request": {"model": "m", "messages": [{"role": "user", "content": "hi"}]}}  # fmt: skip
    done = await asyncio.to_thread(
        workbench, "send", "--batch", "-", "--timeout", "5", stdin=json.dumps(row), **environment
    )
    assert "Traceback" not in done.err
    assert PASSWORD not in done.out + done.err
    answer = done.json()
    assert isinstance(answer, dict)
    return answer


def test_plain_requests_go_through_the_proxy() -> None:
    async def main() -> None:
        async with proxy_server(0) as proxy:
            answer = await send("http://models.test/v1", HTTP_PROXY=f"http://me:{PASSWORD}@127.0.0.1:{proxy.port}")
            assert (answer["text"], "error" in answer) == ("Hello", False)
            (asked,) = proxy.heads
            assert asked.startswith("POST http://models.test/v1/chat/completions HTTP/1.1\r\n")
            assert "\r\nproxy-authorization: basic " in asked.lower()

    asyncio.run(main())


def test_no_proxy_hosts_are_reached_directly() -> None:
    async def main() -> None:
        async with proxy_server(0) as proxy:
            through = f"http://127.0.0.1:{proxy.port}"
            assert (await send("http://models.invalid/v1", HTTP_PROXY=through))["text"] == "Hello"
            error = (await send("http://models.invalid/v1", HTTP_PROXY=through, NO_PROXY="models.invalid"))["error"]
            assert (error["kind"], len(proxy.heads)) == ("connect", 1)

    asyncio.run(main())


@pytest.mark.parametrize(
    "setting",
    ["http://127.0.0.1:{gone}", "socks5://127.0.0.1:{gone}", "socks4://nowhere", "no address at all", "http://[bad"],
)
def test_no_proxy_setting_breaks_loopback(setting: str) -> None:
    async def main() -> None:
        names = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), setting.format(gone=free_port()))
        async with model_server() as model:
            for host in ("127.0.0.1", "localhost"):
                assert (await send(f"http://{host}:{model.port}/v1", **names))["text"] == "Hello"

    asyncio.run(main())


@asynccontextmanager
async def socks_server(target: int) -> AsyncIterator[Seen]:
    """A SOCKS 5 proxy without a password that joins every connection with the target."""
    seen = Seen()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            _, count = await reader.readexactly(2)
            await reader.readexactly(count)
            writer.write(b"\x05\x00")
            await reader.readexactly(3)
            kind = (await reader.readexactly(1))[0]
            length = (await reader.readexactly(1))[0] if kind == 3 else 4
            seen.heads.append((await reader.readexactly(length)).decode("latin-1"))
            await reader.readexactly(2)
            writer.write(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", target)
            await asyncio.gather(_copy(reader, inner_writer), _copy(inner_reader, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        seen.port = server.sockets[0].getsockname()[1]
        yield seen


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(2**16):
            writer.write(data)
            await writer.drain()
    writer.close()


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
def test_requests_go_through_a_socks_proxy(scheme: str) -> None:
    async def main() -> None:
        async with model_server() as model, socks_server(model.port) as proxy:
            answer = await send("http://models.invalid/v1", ALL_PROXY=f"{scheme}://127.0.0.1:{proxy.port}")
            assert (answer["text"], proxy.heads) == ("Hello", ["models.invalid"])

    asyncio.run(main())


def test_dropped_proxy_tunnel_names_the_proxy() -> None:
    async def main() -> None:
        async def drop(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.close()

        async with await asyncio.start_server(drop, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            for base in ("https://models.invalid/v1", "http://models.invalid/v1"):
                error = (await send(base, ALL_PROXY=f"http://me:{PASSWORD}@127.0.0.1:{port}"))["error"]
                assert error["kind"] == "connect"
                assert f"models.invalid through the proxy 127.0.0.1:{port}" in error["message"]
                assert "HTTPS_PROXY" in error["hint"]

    asyncio.run(main())


def test_secure_requests_go_through_a_tunnel(tmp_path: Path) -> None:
    async def main() -> None:
        own = own_authority(tmp_path, "models.test")
        async with model_server(own.server) as model, proxy_server(model.port) as proxy:
            through = f"http://127.0.0.1:{proxy.port}"
            trusting = {"HTTPS_PROXY": through, "SSL_CERT_FILE": str(own.certificate)}
            assert (await send("https://models.test/v1", **trusting))["text"] == "Hello"
            assert proxy.heads[0].startswith("CONNECT models.test:443 HTTP/1.1\r\n")
            assert model.heads[0].startswith("POST /v1/chat/completions HTTP/1.1\r\n")
            error = (await send("https://models.test/v1", HTTPS_PROXY=through))["error"]
            assert (error["kind"], "certificate of models.test is not trusted" in error["message"]) == ("connect", True)
            error = (await send("https://other.test/v1", **trusting))["error"]
            assert "certificate of other.test is not trusted" in error["message"]

    asyncio.run(main())


def test_proxy_refuses_or_is_unreachable() -> None:
    async def main() -> None:
        async with proxy_server(0, closed=True) as proxy:
            through = f"http://me:{PASSWORD}@127.0.0.1:{proxy.port}"
            for base, name in (("http://models.test/v1", "HTTP_PROXY"), ("https://models.test/v1", "HTTPS_PROXY")):
                error = (await send(base, **{name: through}))["error"]
                assert (error["kind"], "407 Proxy Authentication Required" in error["message"]) == ("connect", True)
        gone = free_port()
        for base, name in (("http://models.test/v1", "HTTP_PROXY"), ("https://models.test/v1", "ALL_PROXY")):
            error = (await send(base, **{name: f"http://me:{PASSWORD}@127.0.0.1:{gone}"}))["error"]
            assert error["kind"] == "connect"
            assert error["message"] == f"The proxy 127.0.0.1:{gone} refused the connection."

    asyncio.run(main())


def test_own_certificate_authority_is_trusted_when_configured(tmp_path: Path) -> None:
    async def main() -> None:
        own = own_authority(tmp_path)
        async with model_server(own.server) as model:
            base = f"https://127.0.0.1:{model.port}/v1"
            assert (await send(base, SSL_CERT_FILE=str(own.certificate)))["text"] == "Hello"
            untrusted = (await send(base))["error"]
            assert (untrusted["kind"], "is not trusted" in untrusted["message"]) == ("connect", True)
            name = (await send(f"https://localhost:{model.port}/v1", SSL_CERT_FILE=str(own.certificate)))["error"]
            assert "localhost" in name["message"]
            assert "mismatch" in name["message"].lower()
            missing = (await send(base, SSL_CERT_FILE=str(tmp_path / "nowhere.pem")))["error"]
            assert (missing["kind"], "nowhere.pem' cannot be used" in missing["message"]) == ("connect", True)

    asyncio.run(main())


def test_expired_certificate(tmp_path: Path) -> None:
    async def main() -> None:
        own = own_authority(tmp_path, expired=True)
        async with model_server(own.server) as model:
            error = (await send(f"https://127.0.0.1:{model.port}/v1", SSL_CERT_FILE=str(own.certificate)))["error"]
            assert "expired" in error["message"]

    asyncio.run(main())
