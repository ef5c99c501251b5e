"""Passing through: the client's bytes go to the provider as they are, the provider's come back as they are.

The exchange is read and recorded on the side. Only the model's name in the body is replaced, where the route leads to
another; nothing is mended, so what the client does with the reply is what it would do without the gateway.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from workbench.core.errors import StoreError
from workbench.core.events import CancelCause, ExchangeEnded, RunFinished
from workbench.core.exchange import FinishDelta
from workbench.core.json_text import parse_json
from workbench.gateway.client_exchange import Gathered
from workbench.gateway.error_reply import refused
from workbench.gateway.streamed import Streamed
from workbench.loopback import Reply, StreamReply
from workbench.providers.relay import Carried
from workbench.wires import get_wire
from workbench.wires.kit.server import Refusal, refusal_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from workbench.app.runs import RunDraft, RunHandle
    from workbench.core.events import RunEvent
    from workbench.core.exchange import Delta, Headers
    from workbench.gateway.client_exchange import Start
    from workbench.gateway.first_token import FirstToken
    from workbench.loopback import LoopbackRequest
    from workbench.wires.kit.server import Served, WireServer

ENDING_S = 5.0
"""How long the rest of a reply is waited for when the client left after the provider's word for its end."""


class PassThrough:
    """One request under way."""

    def __init__(
        self,
        server: WireServer,
        request: LoopbackRequest,
        served: Served,
        draft: RunDraft,
        also: Callable[[RunEvent], None],
        first_token: FirstToken,
    ) -> None:
        """The draft's target has the name by which the provider knows what the client asks for."""
        self._server, self._request, self._also = server, request, also
        self._served, self._draft, self._first_token = served, draft, first_token
        self._head: asyncio.Future[tuple[int, Headers]] = asyncio.get_running_loop().create_future()
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._came: list[bytes] = []
        self._failed: Refusal | None = None
        self._handle: RunHandle | None = None

    async def answer(self, start: Start) -> Reply | StreamReply:
        """Send and answer; raise WorkbenchError for what cannot be run. An early leave of the client cancels the run."""
        handle = self._handle = await self._begin(start)
        try:
            status, headers = await self._head
        except asyncio.CancelledError:
            self._leave()
            raise
        if self._failed is not None:
            await self._recorded()
            return refused(self._server, self._failed, {"x-workbench-run": handle.run_id})
        kept = self._kept(headers)
        return StreamReply(
            Streamed(self._body(), self._leave), status, kept.pop("content-type", "application/json"), kept
        )

    async def gathered(self, start: Start, ping_s: float) -> AsyncGenerator[Gathered | None, None]:
        """Send and wait for the end: None each time that nothing came for so long, then the whole reply."""
        self._handle = await self._begin(start)
        ended = False
        try:
            while not ended:
                try:
                    async with asyncio.timeout(ping_s):
                        ended = await self._pieces.get() is None
                except TimeoutError:
                    yield None
            await self._recorded()
        finally:
            if not ended:
                self._leave()
        status, headers = await self._head
        if self._failed is not None:
            yield Gathered((), refused(self._server, self._failed), failed=True)
            return
        kept = self._kept(headers)
        given = Reply(status, b"".join(self._came), kept.pop("content-type", "application/json"), kept)
        yield Gathered(tuple(self._read(status, headers)), given, failed=status >= 400)

    def _read(self, status: int, headers: Headers) -> list[Delta]:
        """What came so far, decoded."""
        decoder = get_wire(self._served.wire).decoder(
            status=status, headers=headers, stream=self._served.request.stream
        )
        return [*(delta for piece in self._came for delta in decoder.feed(piece)), *decoder.close()]

    async def _begin(self, start: Start) -> RunHandle:
        body = renamed(self._request.body, self._served.request.model, self._draft.target.executor.model)
        headers = tuple(self._request.headers.items())
        carried = Carried(body, headers, self._request.query, self._on_head, self._on_bytes)
        return await start(self._draft, self._tap, carried)

    def _kept(self, headers: Headers) -> dict[str, str]:
        assert self._handle is not None
        return dict(headers) | {"x-workbench-run": self._handle.run_id}

    def _on_head(self, status: int, headers: Headers) -> None:
        if not self._head.done():
            self._head.set_result((status, headers))

    def _on_bytes(self, piece: bytes) -> None:
        self._first_token.came()
        self._came.append(piece)
        self._pieces.put_nowait(piece)

    def _tap(self, event: RunEvent) -> None:
        self._also(event)
        if isinstance(event, ExchangeEnded) and event.error is not None and not self._head.done():
            self._failed = refusal_of(event.error)
            self._head.set_result((self._failed.status, ()))
        if isinstance(event, ExchangeEnded | RunFinished):
            self._pieces.put_nowait(None)
        if isinstance(event, RunFinished) and not self._head.done():
            self._failed = Refusal(502, event.reason or "The request could not be sent.")
            self._head.set_result((502, ()))

    async def _body(self) -> AsyncGenerator[bytes, None]:
        while (piece := await self._pieces.get()) is not None:
            self._first_token.out()
            yield piece
        await self._recorded()

    async def _recorded(self) -> None:
        """Every byte is on its way: whoever sees the end of the reply finds its record."""
        if self._handle is not None:
            with suppress(StoreError):
                await self._handle.wait()

    def _leave(self) -> None:
        """The client went away: what it waited for is stopped. Clients that have the whole reply go before its last byte."""
        if self._handle is None:
            return
        if self._has_ended():
            asyncio.get_running_loop().call_later(ENDING_S, self._handle.cancel, CancelCause.CLIENT)
        else:
            self._handle.cancel(CancelCause.CLIENT)

    def _has_ended(self) -> bool:
        """Whether the provider has said that its reply is over, whatever still follows."""
        if not self._head.done() or self._head.cancelled():
            return False
        return any(isinstance(delta, FinishDelta) for delta in self._read(*self._head.result()))


def renamed(body: bytes, asked: str, model: str) -> bytes:
    """Return the body with another model's name in it; every other byte stays, where the name can be found for sure."""
    if asked == model:
        return body
    name, new = json.dumps(asked).encode(), json.dumps(model).encode()
    found = list(re.finditer(rb'"model"\s*:\s*' + re.escape(name), body))
    if len(found) == 1:
        start, end = found[0].span()
        return body[:start] + body[start:end].replace(name, new) + body[end:]
    value = parse_json(body)
    return json.dumps({**value, "model": model}, ensure_ascii=False).encode()
