"""Passing a client's own request on: its bytes untouched to the provider, the provider's bytes untouched back.

A relay is a client of the provider like any other, so that the exchange is decoded, masked and recorded as every other one;
only what is sent was written by somebody else, and whoever waits for the reply gets each piece as it comes.
"""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from workbench.core.events import ResponseStarted
from workbench.core.messages import Message
from workbench.core.secret_values import KEY_HEADERS
from workbench.providers.client import HttpClient

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from workbench.core.errors import ErrorInfo
    from workbench.core.events import ExchangeEvent
    from workbench.core.exchange import Headers, WireRequest
    from workbench.core.messages import ChatRequest
    from workbench.providers.exchange_try import ExchangeTry

_HOP = KEY_HEADERS.keys() | frozenset(
    "host connection keep-alive transfer-encoding te trailer upgrade proxy-authorization content-length expect"
    " cookie accept-encoding origin referer content-type".split()
)
"""Headers that belong to one connection, or hold the client's own key."""
_NOT_BACK = frozenset(
    "connection keep-alive transfer-encoding trailer upgrade content-length content-encoding set-cookie date server".split()
)
_NOTHING = (Message("user", "-"),)


@dataclass(frozen=True, slots=True)
class Carried:
    """A client's request, and who waits for the reply."""

    body: bytes
    headers: Headers
    query: str
    on_head: Callable[[int, Headers], None]
    """Status and headers of the reply, without those of the connection."""
    on_bytes: Callable[[bytes], None]
    """A piece of the body as it came, without its content encoding."""


class RelayClient(HttpClient):
    """Sends one carried request instead of what it is asked to send; never repeats it.

    It shares the connections, limits and secrets of the provider's own client, which also closes them.
    """

    def __init__(self, carried: Carried, through: HttpClient) -> None:
        super().__init__(through._endpoint, options=through._options, slots=through._slots)
        self._outgoing, self._transport = through._outgoing, through._transport
        self._carried = carried

    def _to_send(self, request: ChatRequest) -> WireRequest:
        """The wire's own address and key, the client's body and headers."""
        bare = replace(request, messages=_NOTHING, tools=(), tool_choice=None)  # its body goes nowhere
        own = super()._to_send(bare)
        kept = tuple((name, value) for name, value in self._carried.headers if name.lower() not in _HOP)
        named = {name.lower() for name, _ in kept}
        headers = (*(pair for pair in own.headers if pair[0].lower() not in named), *kept)
        path, _, query = own.url.partition("?")
        both = "&".join(part for part in (query, _without_key(self._carried.query)) if part)
        return replace(own, url=f"{path}?{both}" if both else path, headers=headers, body=self._carried.body)

    async def exchange(self, request: ChatRequest) -> AsyncGenerator[ExchangeEvent, None]:
        """Send the carried request and yield what happens, as every client does."""
        async with aclosing(super().exchange(request)) as events:
            async for event in events:
                if isinstance(event, ResponseStarted):
                    kept = tuple(pair for pair in event.headers if pair[0].lower() not in _NOT_BACK)
                    self._carried.on_head(event.status, kept)
                yield event

    async def _bytes(self, *args: Any, **options: Any) -> AsyncGenerator[bytes, None]:
        async with aclosing(super()._bytes(*args, **options)) as source:
            async for data in source:
                self._carried.on_bytes(data)
                yield data

    def _retry_in(self, error: ErrorInfo, attempt: ExchangeTry, retries: int) -> float | None:  # noqa: ARG002
        return None


def _without_key(query: str) -> str:
    return "&".join(part for part in query.split("&") if part and not part.startswith("key="))
