"""Runs one request through the real client against a scripted server, and sorts what happened."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from tests.kit.playbook import Reply, fold
from tests.kit.waiting import LIMIT_S
from tests.kit.wire_server import Request, Script, WireServer, sse, wire_server
from workbench.core.errors import ErrorInfo
from workbench.core.events import ChunkReceived, ExchangeEnded, ExchangeEvent, ExchangeStarted, ResponseStarted
from workbench.core.exchange import Delta, Endpoint
from workbench.core.messages import ChatRequest, Message
from workbench.providers.client import HttpClient
from workbench.providers.client_options import ClientOptions

FAST = ClientOptions(
    connect=LIMIT_S, first_byte=LIMIT_S, stall=LIMIT_S, total=LIMIT_S, after_end=0.1, after_finish=0.2, retries=0
)
ASK = ChatRequest("m", (Message("user", "hi"),))
HELLO = '{"model":"m","choices":[{"index":0,"delta":{"content":"Hel"}}]}'
WORLD = '{"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":"stop"}]}'
GOOD = sse(HELLO, WORLD, "[DONE]")


@dataclass
class Outcome:
    """All events of one `exchange`, and what the server saw."""

    events: list[ExchangeEvent] = field(default_factory=list)
    server: WireServer = field(default_factory=WireServer)
    pauses: list[float] = field(default_factory=list)

    @property
    def done(self) -> list[ExchangeEnded]:
        return [event for event in self.events if isinstance(event, ExchangeEnded)]

    @property
    def error(self) -> ErrorInfo:
        error = self.done[-1].error
        assert error is not None
        return error

    @property
    def heads(self) -> list[ResponseStarted]:
        return [event for event in self.events if isinstance(event, ResponseStarted)]

    @property
    def sent(self) -> list[ExchangeStarted]:
        return [event for event in self.events if isinstance(event, ExchangeStarted)]

    @property
    def data(self) -> bytes:
        """Body bytes of the last try."""
        last = self.done[-1].exchange
        return b"".join(e.data for e in self.events if isinstance(e, ChunkReceived) and e.exchange == last)

    @property
    def deltas(self) -> list[Delta]:
        last = self.done[-1].exchange
        return [d for e in self.events if isinstance(e, ChunkReceived) and e.exchange == last for d in e.deltas]

    @property
    def reply(self) -> Reply:
        return fold(self.deltas)


async def collect(client: HttpClient, request: ChatRequest) -> list[ExchangeEvent]:
    out = []
    async with aclosing(client.exchange(request)) as events:
        async for event in events:
            out.append(event)
    return out


def check_order(events: list[ExchangeEvent]) -> None:
    """The sequence that the protocol promises, for each try."""
    letters = {ExchangeStarted: "S", ResponseStarted: "R", ChunkReceived: "c", ExchangeEnded: "E"}
    assert re.fullmatch(r"(SR?c*E)+", "".join(letters[type(event)] for event in events))
    ticks = [event.at_us for event in events]
    assert ticks == sorted(ticks)


def run(
    script: Callable[[Request, int], Script] | Script,
    *,
    request: ChatRequest = ASK,
    key: str | None = None,
    secrets: Collection[str] = (),
    wire: str = "openai_chat",
    path: str = "/v1",
    endpoint: dict[str, Any] | None = None,
    **options: Any,
) -> Outcome:
    """Serve the script, send the request, return all that happened."""
    outcome = Outcome()

    async def pause(seconds: float) -> None:
        outcome.pauses.append(seconds)

    async def main() -> None:
        async with wire_server(script) as server:
            outcome.server = server
            at = Endpoint("t", wire, f"http://127.0.0.1:{server.port}{path}", **(endpoint or {}))
            client = HttpClient(
                at, key, options=replace(FAST, **options), secrets=secrets, pause=pause, jitter=lambda: 0.0
            )
            async with client, asyncio.timeout(LIMIT_S):
                outcome.events = await collect(client, request)

    asyncio.run(main())
    check_order(outcome.events)
    return outcome


def good(outcome: Outcome) -> bool:
    """Whether the reply of `GOOD` came whole, and no error."""
    return outcome.done[-1].error is None and outcome.reply.text == "Hello"
