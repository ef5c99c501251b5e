"""Connections: a reply's head and body as they come, and what goes wrong with either."""

from __future__ import annotations

import asyncio
import gzip
from contextlib import aclosing
from pathlib import Path

import httpx
import pytest

from tests.kit.waiting import LIMIT_S
from tests.kit.wire_server import HANG, RESET, Script, answer, head, wire_server
from workbench.core.errors import ErrorInfo, ProviderError, SettingsError
from workbench.core.errors import ErrorKind as K
from workbench.core.exchange import Headers, WireRequest
from workbench.providers.client_options import ClientOptions
from workbench.providers.transport import Transport, _trust, fetch_once


def fetch(script: Script, limit: float = LIMIT_S) -> tuple[int, Headers, bytes] | ErrorInfo:
    async def main() -> tuple[int, Headers, bytes] | ErrorInfo:
        async with wire_server(script) as server:
            transport = Transport(ClientOptions(max_bytes=1000))
            try:
                return await transport.fetch(WireRequest("GET", server.url), limit)
            finally:
                await transport.aclose()

    return asyncio.run(main())


def test_head_comes_before_the_body_and_the_body_in_pieces() -> None:
    async def main() -> None:
        packed = gzip.compress(b"Hello")
        script: Script = [
            head(extra=[("Content-Encoding", "gzip"), ("X-Two", "1"), ("x-two", "2")]),
            packed[:9],
            0.01,
            packed[9:],
        ]
        async with wire_server(script) as server:
            transport = Transport(ClientOptions())
            reply = await transport.open(WireRequest("GET", server.url), LIMIT_S)
            assert not isinstance(reply, ErrorInfo)
            assert reply.status == 200
            assert [value for name, value in reply.headers if name == "x-two"] == ["1", "2"]
            assert (reply.header("X-Two"), reply.header("x-none")) == ("1, 2", "")
            async with aclosing(reply.pieces()) as pieces:
                assert b"".join([piece async for piece in pieces]) == b"Hello"
            await reply.aclose()
            await transport.aclose()

    asyncio.run(main())


def test_whole_answer() -> None:
    found = fetch(answer(404, b"no", extra=[("X-Why", "gone")]))
    assert not isinstance(found, ErrorInfo)
    status, headers, body = found
    assert (status, dict(headers)["x-why"], body) == (404, "gone", b"no")


@pytest.mark.parametrize(
    ("script", "kind", "status"),
    [
        ([RESET], K.CONNECT, None),
        ([HANG], K.TIMEOUT, None),
        ([head(length=100), b"x", HANG], K.TIMEOUT, 200),
        ([head(length=100), b"x"], K.CUT_OFF, 200),
        (answer(200, b"x" * 1001), K.PROTOCOL, 200),
    ],
)
def test_trouble_is_a_value(script: Script, kind: K, status: int | None) -> None:
    found = fetch(script, 0.3 if HANG in script else LIMIT_S)
    assert isinstance(found, ErrorInfo)
    assert (found.kind, found.status) == (kind, status)


def test_an_answer_that_belongs_to_no_provider_may_have_four_mebibytes() -> None:
    async def main(size: int) -> tuple[int, bytes]:
        async with wire_server(answer(200, b"x" * size)) as server:
            return await fetch_once(WireRequest("GET", server.url), LIMIT_S)

    status, body = asyncio.run(main(4 * 2**20))
    assert (status, len(body)) == (200, 4 * 2**20)
    with pytest.raises(ProviderError, match="larger than 4 MiB"):
        asyncio.run(main(4 * 2**20 + 1))


def test_what_is_fetched_once_names_its_host_and_no_password() -> None:
    async def main() -> None:
        async with wire_server([RESET]) as server:
            address = server.url.replace("http://", "http://me:secret@")
            with pytest.raises(ProviderError) as caught:
                await fetch_once(WireRequest("GET", address), LIMIT_S)
            assert caught.value.info.where == f"GET 127.0.0.1:{server.port}"

    asyncio.run(main())


def test_certificates_that_cannot_be_read_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "own.pem"
    place.write_text("no certificate")
    monkeypatch.setenv("SSL_CERT_FILE", str(place))
    with pytest.raises(SettingsError, match=r"own\.pem") as caught:
        _trust.__wrapped__()
    assert "SSL_CERT_FILE" in caught.value.hint


def test_certificates_of_nobodys_choice_are_the_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ValueError("no certificate")

    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(httpx, "create_ssl_context", broken)
    with pytest.raises(SettingsError, match=r"of 'this computer' cannot be used: no certificate\."):
        _trust.__wrapped__()
