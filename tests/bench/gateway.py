"""The gateway between clients and a provider: added first-token time, streams without loss, memory.

    python tests/bench/gateway.py [--streams 200] [--seconds 5] [--exchanges 2000]

Provider, gateway and client are processes of their own. The yardstick is the same client at the provider without the gateway.
Budgets: added first-token time < 5 ms median, < 20 ms p99; 200 streams × 50 deltas/s without loss; memory flat over 10,000 exchanges.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import httpx

from workbench.loopback import LoopbackRequest, LoopbackServer, Reply, StreamReply

ROOT = Path(__file__).resolve().parents[2]
RATE = 50
WORD = re.compile(r"\bw\d+ ")
ASKED = {"model": "up", "stream": True, "messages": [{"role": "user", "content": "Tell me."}]}


def event(text: str, end: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": end}
    body = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "up", "choices": [choice]}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


async def provider() -> None:
    """Answer with as many deltas as the request's `max_tokens`, `RATE` a second; none wait where it is 1."""

    async def deltas(count: int) -> AsyncGenerator[bytes, None]:
        begun = time.perf_counter()
        for number in range(count):
            yield event(f"w{number} ")
            if count > 1:
                await asyncio.sleep(max(0.0, begun + (number + 1) / RATE - time.perf_counter()))
        yield event("", "stop") + b"data: [DONE]\n\n"

    async def answer(request: LoopbackRequest) -> Reply | StreamReply:
        if not request.body:
            return Reply(200, b'{"object": "list", "data": [{"id": "up", "object": "model"}]}')
        return StreamReply(deltas(int(json.loads(request.body).get("max_tokens") or 1)))

    server = LoopbackServer(answer)
    await server.start()
    print(server.url, flush=True)
    await asyncio.Event().wait()


async def one(client: httpx.AsyncClient, count: int) -> tuple[float, int]:
    """Seconds to the first delta, and how many came."""
    begun, first, seen = time.perf_counter(), 0.0, 0
    async with client.stream("POST", "/v1/chat/completions", json={**ASKED, "max_tokens": count}) as reply:
        async for line in reply.aiter_lines():
            if words := len(WORD.findall(line)):
                first = first or time.perf_counter() - begun
                seen += words
    return first, seen


async def first_tokens(url: str, times: int) -> list[float]:
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        await one(client, 1)
        return [(await one(client, 1))[0] for _ in range(times)]


async def streams(url: str, count: int, seconds: float) -> tuple[int, float]:
    """Deltas that came, and how much longer than planned it took."""
    limits = httpx.Limits(max_connections=None)
    wanted = int(RATE * seconds)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as client:
        begun = time.perf_counter()
        found = await asyncio.gather(*(one(client, wanted) for _ in range(count)))
        return sum(seen for _, seen in found), time.perf_counter() - begun - seconds


def started(command: list[str]) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if address := re.search(r"http://127\.0\.0\.1:\d+", line):
            return process, address[0]
    raise SystemExit(f"{command} ended with {process.wait()}")


def memory_mb(process: subprocess.Popen[str]) -> float:
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    match = re.search(r"VmRSS:\s+(\d+)", status)
    return int(match[1]) / 1024 if match else 0.0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--exchanges", type=int, default=2_000)
    parser.add_argument("--provider", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.provider:
        asyncio.run(provider())
        return
    upstream, address = started([sys.executable, __file__, "--provider"])
    try:
        for mode in ("pass-through", "route"):
            with tempfile.TemporaryDirectory() as name:
                measure(address, Path(name), mode, options)
    finally:
        upstream.kill()
        upstream.wait()


def measure(address: str, home: Path, mode: str, options: argparse.Namespace) -> None:
    text = f'[providers.Up]\nwire = "openai_chat"\nbase_url = "{address}/v1"\nkey = "none"\ntools = "native"\nparallel = 400\n'
    (home / "settings.toml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "workbench", "--home", str(home), "gateway", "--port", "0", "--no-token"]
    process, url = started([*command, "--mode", mode, "--map", "*=provider=Up,model=up"])
    try:
        direct, through = asyncio.run(first_tokens(address, 300)), asyncio.run(first_tokens(url, 300))
        middle = statistics.median(direct)
        added = sorted(1000 * (seconds - middle) for seconds in through)
        print(f"{mode}: first token {1000 * middle:.1f} ms direct, added {statistics.median(added):.1f} ms median,"
              f" {added[int(len(added) * 0.99)]:.1f} ms p99 (budget 5, 20)")  # fmt: skip
        expected = options.streams * int(RATE * options.seconds)
        for what, place in (("direct", address), ("gateway", url)):
            seen, late = asyncio.run(streams(place, options.streams, options.seconds))
            print(f"{mode}: {options.streams} streams {what}: {seen} of {expected} deltas, {late:+.1f} s late")
        before = memory_mb(process)
        asyncio.run(first_tokens(url, options.exchanges))
        print(
            f"{mode}: memory {before:.0f} MB, after {options.exchanges} further exchanges {memory_mb(process):.0f} MB"
        )
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
