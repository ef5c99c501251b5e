"""A gateway in front of simulated models, or of an upstream server that says what a test tells it to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from workbench.app import Workbench
from workbench.core.events import RunFinished
from workbench.gateway.gateway import Gateway
from workbench.gateway.routes import Route, Routes, Way, read_target
from workbench.loopback import LoopbackRequest, LoopbackServer, Reply, StreamReply
from workbench.settings.values import ProviderConfig

TOKEN = "tok-of-the-gateway"
CHAT = "/v1/chat/completions"
PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
READ = {"type": "function", "function": {"name": "read_file", "description": "Read a file.", "parameters": PARAMETERS}}
PERFECT = {"rates": {"*": 0}, "tokens_per_second": 0}
"""How simulated models are asked for replies without faults and pauses."""
ASK = {
    "model": "m", "messages": [{"role": "user", "content": 'Read the file "app.toml".'}], "tools": [READ], "simulate": PERFECT,
}  # fmt: skip


def routes(wb: Workbench, target: str = "", way: Way = Way.ROUTE) -> Routes:
    """One route for all names, or none."""
    return Routes(wb, [Route("*", read_target(target), way)] if target else [], way)


def in_gateway(
    home: Path, body: Callable[[Gateway, Workbench, httpx.AsyncClient], Awaitable[Any]], target: str = "",
    way: Way = Way.ROUTE, *, upstream: Upstream | None = None,
) -> Any:  # fmt: skip
    """Run the body with a gateway, its workbench and an HTTP client that has the token."""

    async def main() -> Any:
        async with Workbench.open(home) as wb, served(upstream):
            if upstream is not None:
                wb.use(ProviderConfig("Up", upstream.wire, upstream.url, "none", tools="native", retries=0))
            gateway = Gateway(wb, routes(wb, target, way), TOKEN)
            await gateway.start(0)
            headers = {"authorization": f"Bearer {TOKEN}"}
            async with httpx.AsyncClient(base_url=gateway.url, headers=headers, timeout=60) as client:
                try:
                    return await body(gateway, wb, client)
                finally:
                    await gateway.aclose()

    return asyncio.run(main())


class Upstream:
    """A provider that answers with given bytes and keeps what it was asked."""

    def __init__(
        self, *pieces: bytes, status: int = 200, kind: str = "application/json", wire: str = "openai_chat"
    ) -> None:
        self.pieces, self.status, self.kind, self.wire = pieces, status, kind, wire
        self.asked: list[LoopbackRequest] = []
        self.hold = asyncio.Event()
        self.hold.set()
        self.left = asyncio.Event()
        """The asker went away."""
        self.server = LoopbackServer(self._answer)

    @property
    def url(self) -> str:
        return f"{self.server.url}/v1"

    async def _answer(self, request: LoopbackRequest) -> Reply | StreamReply:
        self.asked.append(request)
        return StreamReply(self._body(), self.status, self.kind, {"x-request-id": "up-1"})

    async def _body(self) -> AsyncIterator[bytes]:  # type: ignore[misc]
        try:
            for piece in self.pieces:
                yield piece
                await self.hold.wait()
        except (GeneratorExit, asyncio.CancelledError):
            self.left.set()
            raise


async def left_early(wb: Workbench, client: httpx.AsyncClient, upstream: Upstream) -> RunFinished:
    """The end of the run whose client goes away after the first bytes of its streamed reply."""
    upstream.hold.clear()
    async with client.stream("POST", CHAT, json={**ASK, "stream": True}) as reply:
        async for _ in reply.aiter_bytes():
            break
    await asyncio.wait_for(upstream.left.wait(), 30)
    while wb.runs.running:
        await asyncio.sleep(0.01)
    (finished,) = [event for event in (await wb.load(1)).events if isinstance(event, RunFinished)]
    return finished


@asynccontextmanager
async def served(upstream: Upstream | None) -> AsyncIterator[None]:
    if upstream is not None:
        await upstream.server.start()
    try:
        yield
    finally:
        if upstream is not None:
            await upstream.server.aclose()


def chat_body(content: str | None = None, calls: Sequence[tuple[str, str]] = (), reason: str = "stop") -> bytes:
    """A whole reply of Chat Completions."""
    made = [
        {"id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for at, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": content, **({"tool_calls": made} if made else {})}
    choice = {"index": 0, "message": message, "finish_reason": reason}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return json.dumps(
        {"id": "x", "object": "chat.completion", "created": 1, "model": "up", "choices": [choice], "usage": usage}
    ).encode()


def chat_stream(*deltas: dict[str, Any], reason: str = "stop") -> list[bytes]:
    """The events of a streamed reply of Chat Completions, one a piece."""

    def event(delta: dict[str, Any], end: str | None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": end}
        body = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "up", "choices": [choice]}
        return b"data: " + json.dumps(body).encode() + b"\n\n"

    return [*(event(delta, None) for delta in deltas), event({}, reason), b"data: [DONE]\n\n"]


LEAK = '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "app.toml"}}]'
"""A call as a server leaves it in the text that does not read its model's format."""
