"""How fast a long stream is taken in: our client with masks and the recorder, against the official SDK.

A server process sends a reply of 10,000 chunks over loopback; both clients read the same reply in turn. Ours keeps every chunk on
disk, in batches as the pump makes them. Budget: at most half of the SDK's time (of the processor, so that others who use the
machine do not count). Run: `python tests/bench/stream.py [CHUNKS]`.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import socket
import sys
import tempfile
import time
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import openai

from workbench.core.clock import Clock, new_id
from workbench.core.events import (
    ChunkReceived,
    PartyInfo,
    RunEvent,
    RunStarted,
    StepRole,
    StepStarted,
)
from workbench.core.exchange import Endpoint, TextDelta
from workbench.core.messages import ChatRequest, Message
from workbench.core.protocols import Recorder
from workbench.core.target import ModelRef, Target
from workbench.providers.client import HttpClient
from workbench.store import Store

KEY = "sk-bench-0123456789abcdef"
ROUNDS = 5


def reply(chunks: int) -> list[bytes]:
    """The events of the reply, as OpenAI writes them."""
    out = []
    base = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "system_fingerprint": "fp",
    }
    for number in range(chunks):
        choice = {"index": 0, "delta": {"content": f" token{number % 97}"}, "logprobs": None, "finish_reason": None}
        out.append(b"data: " + json.dumps({**base, "choices": [choice]}).encode() + b"\n\n")
    end = {"index": 0, "delta": {}, "finish_reason": "stop"}
    out.append(b"data: " + json.dumps({**base, "choices": [end]}).encode() + b"\n\ndata: [DONE]\n\n")
    return out


def serve(port: Any, chunks: int, together: int) -> None:
    """Send the reply to whoever asks, `together` events a write."""
    events = reply(chunks)
    pieces = [b"".join(events[i : i + together]) for i in range(0, len(events), together)]
    framed = [b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces]

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
        )
        await reader.readexactly(length)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for frame in framed:
            writer.write(frame)
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        writer.close()

    async def main() -> None:
        server = await asyncio.start_server(one, "127.0.0.1", 0)
        port.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


REQUEST = ChatRequest("m", (Message("user", "hi"),))
BATCH = 0.033


def opening(run_id: str) -> list[RunEvent]:
    """What the recorder must know before chunks come."""
    target = Target(ModelRef("bench", "m"))
    party = PartyInfo("bench", "m", "openai_chat", "http://127.0.0.1", "native_openai", True)
    return [
        RunStarted(
            run_id, Clock().now_us(), "bench", target, target.identity(), REQUEST.messages, (), None, party, None, "1"
        ),
        StepStarted(0, 0, StepRole.EXECUTOR, REQUEST, "native_openai", "openai_chat", (), 0),
    ]


async def ours(url: str, recorder: Recorder | None) -> tuple[float, int]:
    """Read the reply with our client; keep every chunk, in memory or on disk."""
    run_id = new_id()
    waiting = opening(run_id)
    length = 0
    async with HttpClient(Endpoint("bench", "openai_chat", url), KEY) as client:
        start, due = time.process_time(), 0.0
        async with aclosing(client.exchange(REQUEST)) as events:
            async for event in events:
                if not isinstance(event, ChunkReceived):
                    waiting.append(replace(event, step=0))
                else:
                    waiting.append(ChunkReceived(0, event.exchange, event.index, event.data, event.at_us, event.deltas))
                    length += sum(len(delta.text) for delta in event.deltas if isinstance(delta, TextDelta))
                if recorder is not None and time.perf_counter() >= due:
                    await recorder.commit(run_id, waiting)
                    waiting = []
                    due = time.perf_counter() + BATCH
        if recorder is not None:
            await recorder.commit(run_id, waiting)
        return time.process_time() - start, length


async def official(url: str) -> tuple[float, int]:
    """Read the reply with the official SDK."""
    async with openai.AsyncOpenAI(api_key=KEY, base_url=url, max_retries=0) as client:
        start = time.process_time()
        length = 0
        stream = await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hi"}], stream=True
        )
        async for chunk in stream:
            if chunk.choices and chunk.choices[0].delta.content:
                length += len(chunk.choices[0].delta.content)
        return time.process_time() - start, length


def measure(chunks: int, together: int) -> float:
    """Return the ratio of the best times."""
    ear, mouth = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(mouth, chunks, together), daemon=True)
    server.start()
    try:
        url = f"http://127.0.0.1:{ear.recv()}/v1"
        with tempfile.TemporaryDirectory() as folder:
            store = Store.open(Path(folder) / "bench.db")
            try:
                return compare(url, store.recorder, chunks, together)
            finally:
                store.close()
    finally:
        server.kill()
        server.join()


def compare(url: str, recorder: Recorder, chunks: int, together: int) -> float:
    """Measure all three in turn, several times; print the best of each."""
    best: dict[str, float] = {}
    sizes = set()
    for _ in range(ROUNDS):
        for name, read in (
            ("ours", lambda: ours(url, recorder)),
            ("ours without the disk", lambda: ours(url, None)),
            ("openai", lambda: official(url)),
        ):
            seconds, length = asyncio.run(read())
            best[name] = min(seconds, best.get(name, 1e9))
            sizes.add(length)
    assert len(sizes) == 1, "all read the same text"
    ratio = best["ours"] / best["openai"]
    each = ", ".join(f"{name} {seconds * 1e6 / chunks:.1f} µs a chunk" for name, seconds in best.items())
    print(f"{chunks} chunks, {together} a write: {each}; ratio {ratio:.2f} (budget 0.50)")
    return ratio


if __name__ == "__main__":
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    for size in (1, 8):
        measure(total, size)
