"""The gateway killed, and its clients gone, at random moments: nothing that a client got whole is lost, nothing goes on upstream.

    python tests/bench/gateway_kills.py [--times 1000] [--seed 1]

A quarter of the times the gateway itself is killed (SIGKILL) while streams are open and started anew on the same records, else a
client leaves in the middle of its stream. At the end: every exchange whose end a client has read is in the history with all its words,
the provider has no stream open, and the database is sound with its chain of hashes.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import os
import random
import signal
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.kit.waiting import until
from workbench.core.verdict import VerdictState
from workbench.store import Store
from workbench.store.rows import RunRow

CLIENTS = 6
DELTAS = 20
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


class Provider:
    """Streams the words of a numbered request, and counts the streams that are open."""

    def __init__(self) -> None:
        self.open = self.begun = self.broken = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._serve(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        size = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
        body = json.loads(await reader.readexactly(size)) if size else {}
        if not body:
            data = b'{"object": "list", "data": [{"id": "up", "object": "model"}]}'
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
                % len(data)
                + data
            )
            await writer.drain()
            return
        number = body["messages"][-1]["content"]
        self.open, self.begun = self.open + 1, self.begun + 1
        try:
            writer.write(HEAD)
            for at in range(DELTAS):
                if reader.at_eof() or reader.exception() is not None:
                    self.broken += 1
                    return
                word = {"choices": [{"index": 0, "delta": {"content": f"{number}-{at} "}, "finish_reason": None}]}
                writer.write(
                    b"data: "
                    + json.dumps({"id": "x", "object": "chat.completion.chunk", "model": "up", **word}).encode()
                    + b"\n\n"
                )
                await writer.drain()
                await asyncio.sleep(0.01)
            end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
            writer.write(
                b"data: "
                + json.dumps({"id": "x", "object": "chat.completion.chunk", "model": "up", **end}).encode()
                + b"\n\ndata: [DONE]\n\n"
            )
            await writer.drain()
        finally:
            self.open -= 1


class Gateway:
    """A gateway process, forked from one that has everything imported."""

    def __init__(self, home: Path) -> None:
        self.home, self.pid, self.port = home, 0, 0

    def start(self) -> None:
        read, write = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.setsid()
            os.close(read)
            os.dup2(write, 1)
            os.dup2(os.open(os.devnull, os.O_RDWR), 2)
            os.dup2(2, 0)
            sys.stdout = os.fdopen(1, "w")
            code = 1
            try:
                from workbench.cli.dispatch import dispatch

                asyncio.set_event_loop(None)
                code = dispatch(
                    ["--home", str(self.home), "gateway", "--port", "0", "--no-token", "--json", "--map", "*=Up/up"]
                )
            finally:
                os._exit(code)
        os.close(write)
        with os.fdopen(read) as lines:
            self.port = int(json.loads(lines.readline())["url"].rpartition(":")[2])
            self._keep = os.dup(lines.fileno())

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._keep)


async def ask(port: int, number: int, leave: float | None) -> bool:
    """One stream; True where it was read to its end. `leave`: seconds after which the client goes."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    body = json.dumps({"model": "m", "stream": True, "messages": [{"role": "user", "content": f"n{number}"}]}).encode()
    writer.write(
        b"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        % (port, len(body))
        + body
    )
    got = b""
    try:
        async with asyncio.timeout(leave):
            while b"0\r\n\r\n" not in got[-7:]:
                data = await reader.read(1 << 16)
                if not data:
                    return False
                got += data
    except (TimeoutError, OSError):
        return False
    finally:
        writer.transport.abort()
    return b"[DONE]" in got


class Told(NamedTuple):
    """What happened."""

    kills: int
    leaves: int
    whole: list[int]
    """Numbers of the requests whose reply was read to its end."""


async def storm(gateway: Gateway, times: int, chance: random.Random) -> Told:
    """Streams, some of whose clients leave, and now and then the end of the gateway."""
    whole, done, kills, leaves, number = list[int](), 0, 0, 0, 0
    while done < times:
        numbers = range(number, number + CLIENTS)
        number += CLIENTS
        killing = chance.random() < 0.15
        stay = [None if killing or chance.random() < 0.3 else chance.uniform(0.0, 0.5) for _ in numbers]
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(ask(gateway.port, one, leave)) for one, leave in zip(numbers, stay, strict=True)]
            if killing:
                await asyncio.sleep(chance.uniform(0.02, 0.6))
                gateway.kill()
        found = [one.result() for one in asked]
        whole += [one for one, ok in zip(numbers, found, strict=True) if ok]
        gone = sum(leave is not None and not ok for leave, ok in zip(stay, found, strict=True))
        kills, leaves, done = kills + killing, leaves + gone, done + gone + CLIENTS * killing
        if killing:
            gateway.start()
    return Told(kills, leaves, whole)


async def check(times: int, seed: int, home: Path) -> int:
    """Run the storm, and look at what is left of it; 1 where something is wrong."""
    provider = Provider()
    server = await asyncio.start_server(provider.serve, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    settings = (
        f'[providers.Up]\nwire = "openai_chat"\nbase_url = "{address}"\nkey = "none"\ntools = "native"\nretries = 0\n'
    )
    (home / "settings.toml").write_text(settings, encoding="utf-8")
    gateway = Gateway(home)
    gateway.start()
    told = await storm(gateway, times, random.Random(seed))
    await until(lambda: not provider.open)
    os.kill(gateway.pid, signal.SIGINT)
    await asyncio.to_thread(os.waitpid, gateway.pid, 0)
    server.close()
    with closing(Store.open(home / "workbench.db")) as store:
        rows = {row.prompt: row for row in store.list_runs("", None, 1_000_000)}
        lost = [one for one in told.whole if not is_whole(store, rows.get(f"n{one}"), f"n{one}-{DELTAS - 1}")]
        running = sum(row.verdict.state is VerdictState.RUNNING for row in rows.values())
        problems = store.check().problems
    print(f"{told.kills} kills with {CLIENTS} streams open each, {told.leaves} clients that left; {provider.begun} requests upstream,"
          f" {provider.broken} given up there, {provider.open} open; {len(rows)} exchanges recorded, {len(told.whole)} read to the end,"
          f" {len(lost)} of these lost, {running} left running; {len(problems)} problems of the database {problems[:3]}")  # fmt: skip
    return 1 if lost or running or problems else 0


def is_whole(store: Store, row: RunRow | None, last: str) -> bool:
    """The record holds a reply up to its last word."""
    return row is not None and row.stop == "answer" and last in store.load(row.id).summary().answer


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    for name in ("aiohttp.web", "httpx", "workbench.app", "workbench.cli.gateway", "workbench.gateway.gateway"):
        importlib.import_module(name)  # once here, else by each gateway anew
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(check(options.times, options.seed, Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
