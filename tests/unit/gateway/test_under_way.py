from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import httpx

from tests.kit.gateway import ASK, Upstream, chat_body, chat_stream, in_gateway
from workbench.app import Workbench
from workbench.core.events import ChunkReceived, RunEvent, RunStarted, VerdictGiven
from workbench.gateway.conversations import ExchangeSeen
from workbench.gateway.gateway import Gateway

CHAT = "/v1/chat/completions"


def test_events_are_told_once_they_are_on_disk(home: Path) -> None:
    upstream = Upstream(*chat_stream({"content": "word " * 200}, {"content": "b"}), kind="text/event-stream")

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        told: list[RunEvent] = []

        def watch(seen: ExchangeSeen, events: Sequence[RunEvent]) -> None:
            assert wb.store.find(seen.run_id)
            told.extend(events)

        stop = gateway.under_way.watch_events(watch)
        upstream.hold.clear()
        async with client.stream("POST", CHAT, json={**ASK, "stream": True}) as reply:
            async for piece in reply.aiter_bytes():
                if b"word" in piece:
                    upstream.hold.set()
        assert isinstance(told[0], RunStarted)
        assert isinstance(told[-1], VerdictGiven)
        assert sum(isinstance(event, ChunkReceived) for event in told) >= 2
        stop()
        count = len(told)
        await client.post(CHAT, json={**ASK, "stream": True})
        assert len(told) == count

    in_gateway(home, body, "Up/m", upstream=upstream)


def test_streams_tell_how_much_later_their_first_token_came(home: Path) -> None:
    upstream = Upstream(*chat_stream({"content": "a"}), kind="text/event-stream")

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        for _ in range(3):
            await client.post(CHAT, json={**ASK, "stream": True})
        added = gateway.conversations.added
        assert len(added) == 3
        assert added.median is not None
        assert 0 < added.median < 2_000_000
        upstream.pieces, upstream.kind = (chat_body("a"),), "application/json"
        await client.post(CHAT, json=ASK)
        assert len(added) == 3

    in_gateway(home, body, "Up/m", upstream=upstream)
