"""Connections: a reply's head and body as they come, and what goes wrong with either."""

from __future__ import annotations

import asyncio
import gzip
from contextlib import aclosing
from pathlib import Path

import httpx
import pytest

from tests.kit.waiting import LIMIT_S
from tests.kit.wire_server import HANG, RESET, Request, Script, answer, head, wire_server
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


AGAIN, KEPT = "Try again, or raise the provider's time limit.", "All that came is kept."


@pytest.mark.parametrize(
    ("script", "info"),
    [
        ([HANG], ErrorInfo(K.TIMEOUT, "No answer came within 0.3 seconds.", hint=AGAIN)),
        ([head(length=100), b"x", HANG], ErrorInfo(K.TIMEOUT, "The answer was not complete within 0.3 seconds.", hint=AGAIN, status=200)),
        (answer(201, b"x" * 1001), ErrorInfo(K.PROTOCOL, "The reply is larger than 0 MiB; reading was stopped.", hint=f"{KEPT} Check that this address is the API; ask for fewer tokens.", status=201, permanent=True)),
    ],
)  # fmt: skip
def test_what_is_said_of_trouble(script: Script, info: ErrorInfo) -> None:
    assert fetch(script, 0.3 if HANG in script else LIMIT_S) == info


def test_a_broken_body_is_told_with_its_size_and_status() -> None:
    found = fetch([head(length=100), b"xyz"])
    assert isinstance(found, ErrorInfo)
    assert found.message.startswith("The connection broke in the middle of the reply, after 3 bytes")
    assert (found.status, found.hint) == (200, f"{KEPT} Try again.")


def test_as_many_bytes_as_are_allowed_are_read() -> None:
    found = fetch(answer(200, b"x" * 1000))
    assert not isinstance(found, ErrorInfo)
    assert len(found[2]) == 1000


def test_method_headers_and_body_go_out_and_no_cookie_comes_back() -> None:
    async def main() -> list[Request]:
        async with wire_server(answer(200, b"ok", extra=[("Set-Cookie", "a=b; Path=/")])) as server:
            transport = Transport(ClientOptions())
            for _ in range(2):
                await transport.fetch(WireRequest("PUT", server.url, (("X-Own", "1"),), b"body"), LIMIT_S)
            await transport.aclose()
            return server.requests

    first, second = asyncio.run(main())
    assert (first.method, first.headers["x-own"], first.body) == ("PUT", "1", b"body")
    assert "cookie" not in second.headers


@pytest.mark.parametrize("name", ["HTTP_PROXY", "ALL_PROXY"])
def test_a_proxy_setting_that_cannot_be_used_harms_only_what_needs_one(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "odd://nowhere:1")

    async def main() -> tuple[object, object]:
        async with wire_server(answer(200, b"ok")) as server:
            transport = Transport(ClientOptions())
            here = await transport.fetch(WireRequest("GET", server.url), LIMIT_S)
            away = await transport.fetch(WireRequest("GET", "http://example.invalid/v1"), LIMIT_S)
            await transport.aclose()
            return here, away

    here, away = asyncio.run(main())
    assert isinstance(here, tuple)
    assert isinstance(away, ErrorInfo)
    assert away.message.startswith("The proxy that the environment names cannot be used: ")
    assert away.message.count(".") == 1
    assert (away.kind, away.hint, away.permanent) == (K.CONNECT, "Check HTTP_PROXY, HTTPS_PROXY and ALL_PROXY.", True)


def test_a_proxy_that_is_not_there_is_named() -> None:
    async def main() -> object:
        transport = Transport(ClientOptions())
        found = await transport.fetch(WireRequest("GET", "http://example.invalid/v1"), LIMIT_S)
        await transport.aclose()
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
        found = asyncio.run(main())
    assert isinstance(found, ErrorInfo)
    assert found.message == "The proxy 127.0.0.1:1 refused the connection."


def test_unreadable_certificates_stop_what_needs_them_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "own.pem").write_text("no certificate")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "own.pem"))
    _trust.cache_clear()

    async def main() -> tuple[object, object]:
        async with wire_server(answer(200, b"ok")) as server:
            transport = Transport(ClientOptions())
            plain = await transport.fetch(WireRequest("GET", server.url), LIMIT_S)
            secure = await transport.fetch(WireRequest("GET", server.url.replace("http:", "https:")), LIMIT_S)
            await transport.aclose()
            return plain, secure

    try:
        plain, secure = asyncio.run(main())
    finally:
        _trust.cache_clear()
    assert isinstance(plain, tuple)
    assert isinstance(secure, ErrorInfo)
    assert "own.pem" in secure.message
    assert (secure.kind, secure.hint, secure.permanent) == (K.CONNECT, "Check SSL_CERT_FILE and SSL_CERT_DIR.", True)


def test_a_folder_of_certificates_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", "/own/folder")
    monkeypatch.setattr(httpx, "create_ssl_context", lambda: (_ for _ in ()).throw(OSError("gone")))
    with pytest.raises(SettingsError, match=r"The certificates of '/own/folder' cannot be used: gone\."):
        _trust.__wrapped__()


def test_connections_are_kept_until_the_transport_is_closed() -> None:
    async def main() -> tuple[int, bool]:
        async with wire_server(answer(200, b"ok")) as server:
            transport = Transport(ClientOptions())
            await transport.fetch(WireRequest("GET", server.url), LIMIT_S)
            (http,) = transport._http.values()
            await transport.fetch(WireRequest("GET", server.url), LIMIT_S)
            kept = len(transport._http)
            await transport.aclose()
            return kept, http.is_closed

    assert asyncio.run(main()) == (1, True)


def test_an_address_without_a_host_is_trouble_and_no_bug() -> None:
    with pytest.raises(ProviderError):
        asyncio.run(fetch_once(WireRequest("GET", "http://"), 1.0))
