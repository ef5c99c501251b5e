"""Passing through: the client's bytes go to the provider as they are, the provider's come back as they are.

The exchange is read and recorded on the side. Only the model's name in the body is replaced, where the route leads to
another; nothing is mended, so what the client does with the reply is what it would do without the gateway.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING

from workbench.core.events import CancelCause, ExchangeEnded, RunFinished
from workbench.loopback import Reply, StreamReply
from workbench.providers.relay import Carried
from workbench.wires.kit.server import Refusal, refusal_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from workbench.app import Workbench
    from workbench.app.runs import RunDraft, RunHandle
    from workbench.core.events import RunEvent
    from workbench.core.exchange import Headers
    from workbench.loopback import LoopbackRequest
    from workbench.wires.kit.server import WireServer


class PassThrough:
    """One request under way."""

    def __init__(self, server: WireServer, request: LoopbackRequest, also: Callable[[RunEvent], None]) -> None:
        self._server, self._request, self._also = server, request, also
        self._head: asyncio.Future[tuple[int, Headers]] = asyncio.get_running_loop().create_future()
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._failed: Refusal | None = None
        self._handle: RunHandle | None = None

    async def answer(self, wb: Workbench, draft: RunDraft, asked: str) -> Reply | StreamReply:
        """Send and answer; raise WorkbenchError for what cannot be run. An early leave of the client cancels the run."""
        body = renamed(self._request.body, asked, draft.target.executor.model)
        carried = Carried(
            body, tuple(self._request.headers.items()), self._request.query, self._on_head, self._pieces.put_nowait
        )
        self._handle = await wb.runs.start(draft, tap=self._tap, carried=carried)
        try:
            status, headers = await self._head
        except asyncio.CancelledError:
            self._handle.cancel(CancelCause.CLIENT)
            raise
        if self._failed is not None:
            return Reply(self._failed.status, self._server.refuse(self._failed))
        kept = dict(headers) | {"x-workbench-run": self._handle.run_id}
        return StreamReply(self._body(), status, kept.pop("content-type", "application/json"), kept)

    def _on_head(self, status: int, headers: Headers) -> None:
        if not self._head.done():
            self._head.set_result((status, headers))

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
        ended = False
        try:
            while (piece := await self._pieces.get()) is not None:
                yield piece
            ended = True
        finally:
            if not ended and self._handle is not None:
                self._handle.cancel(CancelCause.CLIENT)


def renamed(body: bytes, asked: str, model: str) -> bytes:
    """Return the body with another model's name in it; every other byte stays, where the name can be found for sure."""
    if asked == model:
        return body
    name, new = json.dumps(asked).encode(), json.dumps(model).encode()
    found = list(re.finditer(rb'"model"\s*:\s*' + re.escape(name), body))
    if len(found) == 1:
        start, end = found[0].span()
        return body[:start] + body[start:end].replace(name, new) + body[end:]
    value = json.loads(body)
    return json.dumps({**value, "model": model}, ensure_ascii=False).encode()
