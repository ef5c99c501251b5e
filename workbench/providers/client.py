"""The one client for all wires: sends a request, yields what happens as it happens, repeats what is worth repeating.

Errors never leave `HttpClient.exchange` as exceptions: they are recorded facts. Bytes are masked before they are
yielded, times are taken as the bytes come from the socket. A client belongs to one event loop.
"""

from __future__ import annotations

import asyncio
import copy
import random
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self
from urllib.parse import urljoin, urlsplit

from workbench.core.clock import Clock
from workbench.core.errors import ErrorInfo, ErrorKind, ProviderError, WorkbenchError
from workbench.core.events import NO_STEP, ChunkReceived, ExchangeEnded, ExchangeStarted, ResponseStarted
from workbench.core.exchange import FaultDelta, WireRequest
from workbench.core.masking import Secrets
from workbench.providers import transport_errors
from workbench.providers.client_options import ClientOptions
from workbench.providers.exchange_try import ChunkReader, ExchangeTry
from workbench.providers.limits import Beside, Slots
from workbench.providers.outgoing import Outgoing
from workbench.providers.read_ahead import ReadAhead
from workbench.providers.retry import Failure, RetryPolicy, wait_before_retry
from workbench.providers.transport import TROUBLE, OpenedReply, Transport
from workbench.providers.watch import WaitLimit
from workbench.wires import get_wire

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Collection

    from workbench.core.events import ExchangeEvent
    from workbench.core.exchange import Endpoint, Headers, ModelInfo
    from workbench.core.messages import ChatRequest
    from workbench.core.protocols import Ticker

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_DEFAULTS = ClientOptions()
_SHOWN = 64 * 1024
"""Bytes of a refusal that are shown with it."""


@dataclass(frozen=True, slots=True)
class ConnectionCheck:
    """What a connection test found."""

    reachable: bool
    """Something answered HTTP at the address."""
    models: tuple[ModelInfo, ...] = ()
    error: ErrorInfo | None = None
    """Why the model list was not given; None if all is well."""
    took_us: int = 0

    @property
    def ok(self) -> bool:
        """Whether the provider gave its list of models."""
        return self.error is None


class HttpClient:
    """A provider, ready to be asked; meets `core.protocols.ModelClient`."""

    def __init__(
        self,
        endpoint: Endpoint,
        key: str | None = None,
        *,
        options: ClientOptions = _DEFAULTS,
        secrets: Collection[str] = (),
        slots: Slots | Beside | None = None,
        clock: Ticker | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._endpoint = endpoint
        self._options = options
        self._outgoing = Outgoing(endpoint, key, secrets, mask_foreign_keys=options.mask_foreign_keys)
        self._slots = slots or Slots(options.max_concurrency)
        self._clock = clock or Clock()
        self._pause = pause
        self._jitter = jitter
        self._wire = get_wire(endpoint.wire)
        self._policy = RetryPolicy(options.retries)
        self._transport = Transport(options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    @property
    def _secrets(self) -> Secrets:
        return self._outgoing.secrets

    @property
    def endpoint(self) -> Endpoint:
        """Where this client sends to."""
        return self._endpoint

    @property
    def address(self) -> str:
        """The base URL as it may be recorded: passwords and keys in it are stars."""
        return self._secrets.mask_url(self._endpoint.base_url)

    def beside(self) -> Self:
        """The same client over the same connections, for requests whose number at once somebody else decides."""
        other = copy.copy(self)
        other._slots = self._slots.beside()
        return other

    async def aclose(self) -> None:
        """Close all connections."""
        await self._transport.aclose()

    def encode(self, request: ChatRequest) -> WireRequest:
        """Return exactly what `exchange` would send, secrets masked; raise InvalidInput for what cannot be sent."""
        return self._outgoing.masked(self._to_send(request))

    async def exchange(self, request: ChatRequest) -> AsyncGenerator[ExchangeEvent, None]:
        """Send, and yield what happens. Consume it under `contextlib.aclosing`: leaving early closes the connection."""
        try:
            sent = self._to_send(request)
        except WorkbenchError as refused:
            for event in self._not_sent(refused):
                yield event
            return
        number = retries = hops = 0
        while True:
            attempt = ExchangeTry(number, f"{sent.method} {self._secrets.mask_url(sent.url)}")
            async with aclosing(self._try(sent, request.stream, attempt)) as events:
                async for event in events:
                    yield event
            wait: float | None = None
            if attempt.redirect and hops < self._options.redirects:
                wait, hops = 0.0, hops + 1
                sent = replace(sent, url=attempt.redirect)
            elif attempt.redirect:
                attempt.error = transport_errors.redirect_loop(hops, attempt.status)
            elif attempt.error is not None:
                wait, retries = self._retry_in(attempt.error, attempt, retries), retries + 1
            error = attempt.error and self._secrets.mask_error(replace(attempt.error, where=attempt.where))
            now = self._clock.tick_us()
            if attempt.deltas:
                yield ChunkReceived(NO_STEP, number, -1, b"", now, attempt.deltas)
            yield ExchangeEnded(NO_STEP, number, now, error, wait)
            if wait is None:
                return
            await self._pause(wait)
            number += 1

    async def list_models(self) -> list[ModelInfo]:
        """Return the models that the provider offers; raise ProviderError, or InvalidInput for a bad address."""
        request = await self._outgoing.signed(self._outgoing.models())
        where = f"{request.method} {self._secrets.mask_url(request.url)}"
        async with self._slots:
            answer = await self._transport.fetch(request, min(self._options.first_byte, 60.0))
        if isinstance(answer, ErrorInfo):
            raise self._failed(answer, where)
        status, headers, body = answer
        if status >= 400:
            said = body[:_SHOWN].decode(errors="replace")
            raise self._failed(replace(self._error_of(status, headers, body), body=said), where)
        if status >= 300:
            target = next((value for name, value in headers if name == "location"), "nowhere")
            raise self._failed(transport_errors.other_host(self._secrets.mask_url(target), status), where)
        models = self._wire.read_models(body)
        if not models and not body.lstrip().startswith((b"{", b"[")):
            raise self._failed(transport_errors.no_model_list(status), where)
        return self._secrets.mask_value(models)

    async def check(self) -> ConnectionCheck:
        """Test the connection by asking for the models; never raises for what the world does."""
        start = self._clock.tick_us()
        try:
            models = tuple(await self.list_models())
        except ProviderError as failed:
            took = self._clock.tick_us() - start
            return ConnectionCheck(failed.info.status is not None, error=failed.info, took_us=took)
        except WorkbenchError as refused:
            return ConnectionCheck(False, error=ErrorInfo(ErrorKind.BAD_REQUEST, refused.message, hint=refused.hint))
        return ConnectionCheck(True, models, took_us=self._clock.tick_us() - start)

    # -- one try ---------------------------------------------------------------------------------------------------

    async def _try(self, sent: WireRequest, stream: bool, attempt: ExchangeTry) -> AsyncGenerator[ExchangeEvent, None]:
        """Run one try; yield all but its last deltas and its end."""
        async with self._slots:
            try:
                sent = await self._outgoing.signed(sent)
            except WorkbenchError as refused:
                yield ExchangeStarted(NO_STEP, attempt.number, self._outgoing.masked(sent), self._clock.tick_us())
                attempt.error = ErrorInfo(ErrorKind.AUTH, refused.message, hint=refused.hint, permanent=True)
                return
            yield ExchangeStarted(NO_STEP, attempt.number, self._outgoing.masked(sent), self._clock.tick_us())
            deadline = asyncio.get_running_loop().time() + self._options.total
            response = await self._transport.open(sent, min(self._options.first_byte, self._options.total))
            if isinstance(response, ErrorInfo):
                attempt.error = response
                return
            try:
                attempt.status = response.status
                attempt.headers = self._secrets.mask_headers(response.headers)
                now = self._clock.tick_us()
                yield ResponseStarted(NO_STEP, attempt.number, response.status, attempt.headers, now)
                if response.status in _REDIRECTS:
                    self._redirect(sent, response, attempt)
                    return
                async with aclosing(self._body(response, stream, attempt, deadline)) as chunks:
                    async for chunk in chunks:
                        yield chunk
            finally:
                self._slots.spend(attempt.tokens(len(sent.body)))
                await response.aclose()

    async def _body(
        self, response: OpenedReply, stream: bool, attempt: ExchangeTry, deadline: float
    ) -> AsyncGenerator[ChunkReceived, None]:
        """Read the body: masked and decoded, as it comes; what came at once is one chunk."""
        decoder = self._wire.decoder(status=response.status, headers=response.headers, stream=stream)
        reader = ChunkReader(self._secrets, decoder)
        async with aclosing(self._bytes(response, reader, attempt, deadline)) as source:
            async for data in source:
                for ready in reader.feed(data, self._clock.tick_us()):
                    yield attempt.chunk(ready)
        last, deltas = reader.finish()
        for ready in last:
            yield attempt.chunk(ready)
        attempt.conclude(deltas)

    async def _bytes(
        self, response: OpenedReply, reader: ChunkReader, attempt: ExchangeTry, deadline: float
    ) -> AsyncGenerator[bytes, None]:
        """Yield body bytes as they come, within all limits; trouble ends it with `attempt.error` set."""
        options, now = self._options, asyncio.get_running_loop().time
        with WaitLimit() as watch:
            async with aclosing(ReadAhead(response.pieces())) as source:
                while True:
                    limit = min(_patience(options, attempt, reader), deadline - now())
                    try:
                        data = await watch.wait(anext(source), limit)
                    except StopAsyncIteration:
                        return
                    except (TimeoutError, *TROUBLE) as error:
                        if not reader.complete:
                            attempt.error = self._interrupted(error, attempt, limit, over=now() >= deadline)
                        return
                    if data:
                        attempt.received += len(data)
                        yield data
                    if attempt.received > options.max_bytes:
                        attempt.error = transport_errors.too_large(options.max_bytes, attempt.status)
                        return

    def _interrupted(self, error: Exception, attempt: ExchangeTry, limit: float, *, over: bool) -> ErrorInfo:
        """Describe what ended the reply too early: silence, or a broken connection."""
        if not isinstance(error, TimeoutError):
            return replace(transport_errors.explain(error, received=attempt.received), status=attempt.status)
        if over:
            what, limit = "The reply was not complete", self._options.total
        else:
            what = (
                f"Nothing more came after {attempt.received} bytes"
                if attempt.received
                else "No reply followed the head"
            )
        return transport_errors.timed_out(what, round(limit, 3), status=attempt.status)

    def _redirect(self, sent: WireRequest, response: OpenedReply, attempt: ExchangeTry) -> None:
        """Follow only to the same host (or its https side): the key goes nowhere else."""
        location = response.header("location")
        target = urljoin(sent.url, location)
        shown = self._secrets.mask_url(target) if location else "nowhere"
        if location and _same_place(sent.url, target):
            attempt.redirect = target
            hint = "Set the new address as base URL."
            message = f"The server redirects to {shown}."
            attempt.error = ErrorInfo(ErrorKind.PROTOCOL, message, hint=hint, status=response.status)
        else:
            attempt.error = transport_errors.other_host(shown, response.status)

    # -- small parts -----------------------------------------------------------------------------------------------

    def _to_send(self, request: ChatRequest) -> WireRequest:
        return self._outgoing.chat(request)

    def _not_sent(self, refused: WorkbenchError) -> tuple[ExchangeEvent, ExchangeEvent]:
        """Tell of a request that could not even be built."""
        url = self.address
        info = ErrorInfo(ErrorKind.BAD_REQUEST, refused.message, f"POST {url}", refused.hint)
        now = self._clock.tick_us()
        began = ExchangeStarted(NO_STEP, 0, WireRequest("POST", url), now)
        return began, ExchangeEnded(NO_STEP, 0, now, self._secrets.mask_error(info))

    def _retry_in(self, error: ErrorInfo, attempt: ExchangeTry, retries: int) -> float | None:
        return wait_before_retry(
            self._policy, retries, Failure(error, attempt.headers, attempt.produced), self._jitter()
        )

    def _error_of(self, status: int, headers: Headers, body: bytes) -> ErrorInfo:
        decoder = self._wire.decoder(status=status, headers=headers, stream=False)
        found = [*decoder.feed(body), *decoder.close()]
        return next(delta.error for delta in found if isinstance(delta, FaultDelta))

    def _failed(self, info: ErrorInfo, where: str) -> ProviderError:
        return ProviderError(self._secrets.mask_error(replace(info, where=where)))


def _patience(options: ClientOptions, attempt: ExchangeTry, reader: ChunkReader) -> float:
    """Return how long the next piece of a reply may be in coming."""
    if reader.ended:
        return options.after_end
    limit = options.stall if attempt.received else options.first_byte
    return min(limit, options.after_finish) if reader.complete else limit


def _same_place(old: str, new: str) -> bool:
    here, there = urlsplit(old), urlsplit(new)
    if here.netloc.lower() != there.netloc.lower():
        return False
    return here.scheme == there.scheme or (here.scheme, there.scheme) == ("http", "https")
