"""Connections, and what comes over them: a reply's head, the pieces of its body, and what may go wrong with either.

The one importer of httpx. What the transport may raise is `TROUBLE`; `transport_errors` puts it into words.
"""

from __future__ import annotations

import asyncio
import functools
import os
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import httpx

from workbench.core.errors import ErrorInfo, ErrorKind, ProviderError, SettingsError
from workbench.providers import transport_errors
from workbench.providers.client_options import ClientOptions
from workbench.providers.proxies import is_loopback, proxy_for
from workbench.providers.unbroken import unbroken
from workbench.providers.unpack import DecodingError, unpacked

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator

    from workbench.core.exchange import Headers, WireRequest

TROUBLE = (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, UnicodeError, DecodingError)
"""What the transport may raise; everything else is a bug of ours."""


@functools.cache
def _trust() -> ssl.SSLContext:
    """Build the TLS settings once: that costs more than a whole exchange. Raise SettingsError."""
    try:
        return httpx.create_ssl_context()
    except (OSError, ValueError) as error:
        place = os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR") or "this computer"
        text = f"The certificates of {place!r} cannot be used: {transport_errors.words_of(error)}."
        raise SettingsError(text, hint="Check SSL_CERT_FILE and SSL_CERT_DIR.") from error


class OpenedReply:
    """A reply whose head has come; its body is read piece by piece, and it wants to be closed."""

    __slots__ = ("_http", "_response")

    def __init__(self, http: httpx.AsyncClient, response: httpx.Response) -> None:
        self._http, self._response = http, response

    @property
    def status(self) -> int:
        """Of HTTP."""
        return self._response.status_code

    @property
    def headers(self) -> Headers:
        """Names in small letters, in the order in which they came; a name may come twice."""
        raw = self._response.headers.raw
        return tuple((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in raw)

    def header(self, name: str) -> str:
        """Return the value of a header, an empty string without."""
        return str(self._response.headers.get(name, ""))

    def pieces(self) -> AsyncGenerator[bytes, None]:
        """Return the body's pieces, without their content encoding."""
        source = cast("AsyncGenerator[bytes, None]", self._response.aiter_raw())
        coding = self.header("content-encoding")
        return unpacked(source, coding) if coding else source

    async def aclose(self) -> None:
        """Let go of the connection."""
        await unbroken(_let_go(self._http, self._response))


async def _let_go(http: httpx.AsyncClient, response: httpx.Response) -> None:
    await response.aclose()
    if http.is_closed:  # while the request was under way: its pool has forgotten the connection and will not close it
        await response.extensions["network_stream"].aclose()


class Transport:
    """Connections to one provider, opened when first needed."""

    def __init__(self, options: ClientOptions) -> None:
        self._options = options
        self._http: dict[tuple[bool, bool], httpx.AsyncClient] = {}
        """With TLS and without: whoever never needs certificates does not pay for loading them. To this machine and to
        others: a proxy setting that cannot be used does no harm to what needs no proxy."""

    async def aclose(self) -> None:
        """Close all connections."""
        opened, self._http = list(self._http.values()), {}
        for http in opened:
            await unbroken(http.aclose())

    async def open(self, request: WireRequest, limit: float) -> OpenedReply | ErrorInfo:
        """Send a request and wait for the response head; an error without `where` if none comes."""
        try:
            http = self._client(request.url)
            built = http.build_request(request.method, request.url, headers=list(request.headers), content=request.body)
            async with asyncio.timeout(limit):
                sent = http.send(built, stream=True)
                response = await unbroken(sent, let_go=functools.partial(_let_go, http))
            http.cookies.clear()
            return OpenedReply(http, response)
        except TimeoutError:
            return transport_errors.timed_out("No answer came", limit)
        except TROUBLE as error:
            host = urlsplit(request.url).netloc.rpartition("@")[2]
            return transport_errors.explain(error, host=host, proxy=proxy_for(request.url))
        except SettingsError as error:
            return ErrorInfo(ErrorKind.CONNECT, error.message, hint=error.hint, permanent=True)

    async def fetch(self, request: WireRequest, limit: float) -> tuple[int, Headers, bytes] | ErrorInfo:
        """Send a request and read its whole answer."""
        reply = await self.open(request, limit)
        if isinstance(reply, ErrorInfo):
            return reply
        body = bytearray()
        try:
            async with asyncio.timeout(limit), aclosing(reply.pieces()) as pieces:
                async for piece in pieces:
                    body += piece
                    if len(body) > self._options.max_bytes:
                        return transport_errors.too_large(self._options.max_bytes, reply.status)
            return reply.status, reply.headers, bytes(body)
        except TimeoutError:
            return transport_errors.timed_out("The answer was not complete", limit, status=reply.status)
        except TROUBLE as error:
            return replace(transport_errors.explain(error, received=len(body)), status=reply.status)
        finally:
            await reply.aclose()

    def _client(self, url: str) -> httpx.AsyncClient:
        parts = urlsplit(url)
        secure, here = parts.scheme == "https", is_loopback(parts.hostname or "")
        if (secure, here) not in self._http:
            try:
                self._http[secure, here] = httpx.AsyncClient(
                    verify=_trust() if secure else False,
                    timeout=httpx.Timeout(None, connect=self._options.connect),
                    limits=httpx.Limits(max_connections=None, max_keepalive_connections=self._options.max_concurrency),
                    follow_redirects=False,
                    trust_env=not here,
                )
            except (ImportError, ValueError, OSError) as error:
                text = f"The proxy that the environment names cannot be used: {str(error).rstrip('.')}."
                raise SettingsError(text, hint="Check HTTP_PROXY, HTTPS_PROXY and ALL_PROXY.") from error
        return self._http[secure, here]


async def fetch_once(request: WireRequest, limit: float, *, max_bytes: int = 4 << 20) -> tuple[int, bytes]:
    """Send one request that belongs to no provider; return status and body. Raise ProviderError."""
    transport = Transport(ClientOptions(max_bytes=max_bytes))
    try:
        answer = await transport.fetch(request, limit)
    finally:
        await transport.aclose()
    if isinstance(answer, ErrorInfo):
        raise ProviderError(
            replace(answer, where=f"{request.method} {urlsplit(request.url).netloc.rpartition('@')[2]}")
        )
    return answer[0], answer[2]
