"""How fast a long stream is taken in: our client with masks and a recorder's stand-in, against the official SDK.

A server process sends a reply of 10,000 chunks over loopback; both clients read the same reply in turn. Budget: at most half of
the SDK's time. Run: `python tests/bench/stream.py [CHUNKS]`.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import socket
import sys
import time
from contextlib import aclosing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import openai

from workbench.core.exchange import ChunkIn, Endpoint, TextDelta
from workbench.core.messages import ChatRequest, Message
from workbench.providers.client import HttpClient

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


async def ours(url: str) -> tuple[float, int]:
    """Read the reply with our client; keep every chunk as the recorder does."""
    request = ChatRequest("m", (Message("user", "hi"),))
    kept: list[tuple[bytes, int]] = []
    length = 0
    async with HttpClient(Endpoint("bench", "openai_chat", url), KEY) as client:
        start = time.perf_counter()
        async with aclosing(client.exchange(request)) as events:
            async for event in events:
                if isinstance(event, ChunkIn):
                    kept.append((event.data, event.at_us))
                    for delta in event.deltas:
                        if isinstance(delta, TextDelta):
                            length += len(delta.text)
        return time.perf_counter() - start, length


async def official(url: str) -> tuple[float, int]:
    """Read the reply with the official SDK."""
    async with openai.AsyncOpenAI(api_key=KEY, base_url=url, max_retries=0) as client:
        start = time.perf_counter()
        length = 0
        stream = await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hi"}], stream=True
        )
        async for chunk in stream:
            if chunk.choices and chunk.choices[0].delta.content:
                length += len(chunk.choices[0].delta.content)
        return time.perf_counter() - start, length


def measure(chunks: int, together: int) -> float:
    """Return the ratio of the best times."""
    ear, mouth = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(mouth, chunks, together), daemon=True)
    server.start()
    try:
        url = f"http://127.0.0.1:{ear.recv()}/v1"
        best: dict[str, float] = {}
        sizes = set()
        for _ in range(ROUNDS):
            for name, read in (("ours", ours), ("openai", official)):
                seconds, length = asyncio.run(read(url))
                best[name] = min(seconds, best.get(name, 1e9))
                sizes.add(length)
        assert len(sizes) == 1, "both read the same text"
        ratio = best["ours"] / best["openai"]
        each = ", ".join(f"{name} {seconds * 1e6 / chunks:.1f} µs a chunk" for name, seconds in best.items())
        print(f"{chunks} chunks, {together} a write: {each}; ratio {ratio:.2f} (budget 0.50)")
        return ratio
    finally:
        server.kill()
        server.join()


if __name__ == "__main__":
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    for size in (1, 8):
        measure(total, size)
