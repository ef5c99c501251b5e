"""The gateway between clients and a provider: added first-token time, streams without loss and on time, processor time, memory.

    python tests/bench/gateway.py [--modes pass-through,route,emulated,repair] [--streams 200] [--seconds 5] [--exchanges 10000]

Provider, gateway and client are processes of their own; provider and client are bare sockets, so that the machine is left to
the gateway. The yardstick is the same client at the provider without the gateway, in the same run. Processor time is that of
the gateway's process, so that others who use the machine do not count.
Budgets: added first-token time < 5 ms median, < 20 ms p99; 200 streams × 50 deltas/s without loss; memory flat over 10,000 exchanges.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
RATE = 50
"""Deltas a second of each stream."""
SENT = re.compile(rb" at(\d+)x")
"""A delta: when the provider sent it, in microseconds of the machine's clock."""
PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOLS = [{"type": "function", "function": {"name": f"tool_{n}", "description": "A tool.", "parameters": PARAMETERS}}
         for n in range(10)]  # fmt: skip
ASKED = {"model": "up", "stream": True, "messages": [{"role": "user", "content": "Tell me."}], "tools": TOOLS}
MODES = {"pass-through": ("pass-through", ""), "route": ("route", ""), "emulated": ("route", ",format=qwen_xml"),
         "repair": ("repair", "")}  # fmt: skip
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
REMEMBERED = 2_000
"""Exchanges that the live page remembers: memory grows until there are so many."""
BUDGETS = "budgets 5 and 20 ms"


def now_us() -> int:
    return time.monotonic_ns() // 1000


def event(text: str, end: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": end}
    body = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "up", "choices": [choice]}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


DELTA = event(" at%dx")
END = event("", "stop") + b"data: [DONE]\n\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


class Provider(asyncio.Protocol):
    """Answers with as many deltas as the request's `max_tokens`, `RATE` a second; none wait where it is 1."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.data = transport, b""

    def data_received(self, data: bytes) -> None:
        self.data += data
        head, split, body = self.data.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        size = int(length[1]) if length else 0
        if not split or len(body) < size:
            return
        self.data = body[size:]
        if not size:
            listed = b'{"object": "list", "data": [{"id": "up", "object": "model"}]}'
            kind = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            self.transport.write(kind % len(listed) + listed)
            return
        asked = json.loads(body[:size])
        self.left = int(asked.get("max_tokens") or 1)
        self.many = self.left > 1
        self.due = asyncio.get_running_loop().time()
        self.transport.write(HEAD)
        self.send()

    def send(self) -> None:
        if self.left == 0:
            self.transport.write(chunk(END) + b"0\r\n\r\n")
        elif not self.transport.is_closing():
            self.transport.write(chunk(DELTA % now_us()))
            self.left -= 1
            if self.many:
                self.due += 1 / RATE
                asyncio.get_running_loop().call_at(self.due, self.send)
            else:
                self.send()


async def provide() -> None:
    server = await asyncio.get_running_loop().create_server(Provider, "127.0.0.1", 0, backlog=1000)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await asyncio.Event().wait()


class Client:
    """One connection that is kept; asks and reads a whole reply, however it is framed."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None

    async def ask(self, count: int) -> tuple[float, list[int]]:
        """Seconds to the first delta, and how late each one came, in microseconds."""
        if self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        body = json.dumps({**ASKED, "max_tokens": count}).encode()
        begun, first, late = time.perf_counter(), 0.0, list[int]()
        self.writer.write(
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (self.port, len(body), body)
        )
        tail = b""
        while not tail.endswith(b"0\r\n\r\n"):
            data = await self.reader.read(1 << 16)
            if not data:
                raise SystemExit(f"the reply broke off: {tail!r}")
            if tail == b"" and not data.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"refused: {data[:300]!r}")
            tail += data
            found = list(SENT.finditer(tail))
            if found:
                first = first or time.perf_counter() - begun
                now = now_us()
                late += [now - int(one[1]) for one in found]
                tail = tail[found[-1].end() :]
        return first, late

    def close(self) -> None:
        if self.reader is not None:
            self.writer.close()


async def first_tokens(ports: tuple[int, ...], times: int) -> list[list[float]]:
    """Seconds to the first token at each address, asked in turn, so that what else the machine does meets all alike."""
    clients = [Client(port) for port in ports]
    for client in clients * 5:
        await client.ask(1)
    found: list[list[float]] = [[] for _ in ports]
    for _ in range(times):
        for client, times_of in zip(clients, found, strict=True):
            times_of.append((await client.ask(1))[0])
    for client in clients:
        client.close()
    return found


async def streams(port: int, count: int, seconds: float) -> tuple[list[int], float]:
    """How late each delta came, in microseconds, and how much longer than planned it all took."""
    wanted = int(RATE * seconds)
    clients = [Client(port) for _ in range(count)]

    async def begin(number: int) -> list[int]:
        await asyncio.sleep(number / count)  # agents do not all ask in the same instant
        return (await clients[number].ask(wanted))[1]

    begun = time.perf_counter()
    found = await asyncio.gather(*(begin(number) for number in range(count)))
    took = time.perf_counter() - begun
    for client in clients:
        client.close()
    return sorted(one for late in found for one in late), took - (seconds - 1 / RATE) - 1


class Process:
    """A program whose first line with an address says that it is ready."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if address := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.port = int(address[1])
                break
        else:
            raise SystemExit(f"{command} ended with {self.process.wait()}")
        subprocess.Popen(["cat"], stdin=self.process.stdout, stdout=subprocess.DEVNULL)  # nobody waits for a full pipe

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        match = re.search(r"VmRSS:\s+(\d+)", status)
        return int(match[1]) / 1024 if match else 0.0

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


class Asked(NamedTuple):
    streams: int
    seconds: float
    exchanges: int


def share(ordered: list[float] | list[int], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


def measure(mode: str, provider: int, gateway: Process, asked: Asked) -> None:
    cpu = gateway.cpu_s()
    direct, through = asyncio.run(first_tokens((provider, gateway.port), 300))
    each_ms = 1000 * (gateway.cpu_s() - cpu) / 305
    middle = statistics.median(direct)
    added = sorted(1000 * (seconds - middle) for seconds in through)
    own = sorted(1000 * (seconds - middle) for seconds in direct)
    print(f"{mode}: first token added {statistics.median(added):.1f} ms median, {share(added, 0.99):.1f} ms p99 ({BUDGETS}); direct"
          f" {1000 * middle:.2f} ms, its own p99 +{share(own, 0.99):.1f} ms; {each_ms:.1f} ms of processor an exchange", flush=True)  # fmt: skip
    wanted = asked.streams * int(RATE * asked.seconds)
    for what, port in (("direct", provider), ("gateway", gateway.port)):
        cpu = gateway.cpu_s()
        late, over = asyncio.run(streams(port, asked.streams, asked.seconds))
        each_us = 1e6 * (gateway.cpu_s() - cpu) / max(1, len(late))
        told = f", {each_us:.0f} µs of processor a delta" if port == gateway.port else ""
        print(f"{mode}: {asked.streams} streams {what}: {len(late)} of {wanted} deltas, late by {share(late, 0.5) / 1000:.1f} ms median,"
              f" {share(late, 0.99) / 1000:.1f} ms p99; the end {over:+.2f} s{told}", flush=True)  # fmt: skip
    if asked.exchanges:
        asyncio.run(first_tokens((gateway.port,), REMEMBERED))
        before, cpu = gateway.memory_mb(), gateway.cpu_s()
        asyncio.run(first_tokens((gateway.port,), asked.exchanges))
        each_ms = 1000 * (gateway.cpu_s() - cpu) / asked.exchanges
        print(f"{mode}: memory {before:.0f} MB, {gateway.memory_mb():.0f} MB after {asked.exchanges} exchanges more;"
              f" {each_ms:.1f} ms of processor each", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--exchanges", type=int, default=3_000)
    parser.add_argument("--provider", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.provider:
        asyncio.run(provide())
        return
    provider = Process([sys.executable, __file__, "--provider"])
    try:
        for mode in options.modes.split(","):
            with tempfile.TemporaryDirectory() as name:
                gateway = Process(command(Path(name), mode, provider.port))
                try:
                    measure(mode, provider.port, gateway, Asked(options.streams, options.seconds, options.exchanges))
                finally:
                    gateway.end()
    finally:
        provider.end()


def command(home: Path, mode: str, provider: int) -> list[str]:
    """A gateway whose provider has the default settings: it is the client that decides how much goes on at once."""
    text = f'[providers.Up]\nwire = "openai_chat"\nbase_url = "http://127.0.0.1:{provider}/v1"\nkey = "none"\n'
    (home / "settings.toml").write_text(text + 'tools = "native"\n', encoding="utf-8")
    way, more = MODES[mode]
    profile = ["-m", "cProfile", "-o", os.environ["PROFILE"]] if "PROFILE" in os.environ else []
    return [sys.executable, *profile, "-m", "workbench", "--home", str(home), "gateway", "--port", "0", "--no-token",
            "--mode", way, "--map", f"*=provider=Up,model=up{more}"]  # fmt: skip


if __name__ == "__main__":
    main()
