"""The gateway among clients that leave, providers that break off, and kills, each at a random moment.

What a client saw the end of is recorded whole; nothing goes on upstream for a client that has left; the database stays sound.
Some dozens in every test run, 1,000 with `--long`.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from tests.kit.command import command
from tests.kit.gateway import chat_stream
from tests.kit.waiting import LIMIT_S, until
from workbench.core.events import StopReason
from workbench.loopback import BreakConnection, LoopbackRequest, LoopbackServer, Reply, StreamReply
from workbench.store import Store, StoredRun

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills by signal")
EXCHANGES = 24
"""Of one gateway, all at once; then it is killed, or stopped in peace every other time."""
FEW, MANY = 2, 64
"""Gateways."""
DELTAS = 12
TARGETS = (("pass-through", ""), ("route", ""), ("repair", ""), ("route", ",format=qwen_xml"))


class Upstream:
    """A provider whose reply goes on for a while, and breaks off where the request says so."""

    def __init__(self) -> None:
        self.asked: set[str] = set()
        """What each request said, which is the number of its exchange."""
        self.open = 0
        self.server = LoopbackServer(self._answer)

    async def _answer(self, request: LoopbackRequest) -> Reply | StreamReply:
        said, _, breaks = json.loads(request.body)["messages"][-1]["content"].partition(" breaks at ")
        self.asked.add(said)
        return StreamReply(self._deltas(int(breaks or 99)))

    async def _deltas(self, breaks: int) -> AsyncGenerator[bytes, None]:
        self.open += 1
        try:
            for number, piece in enumerate(chat_stream(*({"content": f"word{n} "} for n in range(DELTAS)))):
                if number == breaks:
                    raise BreakConnection
                yield piece
                await asyncio.sleep(0.01)
        finally:
            self.open -= 1


class Seen(NamedTuple):
    """What one client saw."""

    run_id: str
    """Empty where it left before the head."""
    ended: bool
    """It had the end of the reply, also that of a broken one."""


async def ask(client: httpx.AsyncClient, number: str, chance: random.Random) -> Seen:
    """One exchange with its fate: read whole, left at a random moment, or broken upstream at a random place."""
    fate = chance.choice(("whole", "leaves", "breaks"))
    said = f"{number} breaks at {chance.randrange(DELTAS)}" if fate == "breaks" else number
    leaves_s = chance.uniform(0.0, 0.4) if fate == "leaves" else LIMIT_S
    run_id = ""
    await asyncio.sleep(chance.uniform(0.0, 0.3))
    try:
        async with asyncio.timeout(leaves_s):
            body = {"model": "any", "stream": True, "messages": [{"role": "user", "content": said}]}
            async with client.stream("POST", "/v1/chat/completions", json=body) as reply:
                run_id = reply.headers.get("x-workbench-run", "")
                text = "".join([piece async for piece in reply.aiter_text()])
            return Seen(run_id, ended="[DONE]" in text or reply.status_code >= 400)
    except (TimeoutError, httpx.HTTPError):
        return Seen(run_id, ended=False)


class Gateway:
    """The real command, in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process, url: str) -> None:
        self.process, self.url = process, url

    @classmethod
    async def start(cls, home: Path, upstream: Upstream, mode: str, more: str) -> Gateway:
        text = (
            f'[providers.Up]\nwire = "openai_chat"\nbase_url = "{upstream.server.url}/v1"\nkey = "none"\nretries = 0\n'
        )
        (home / "settings.toml").write_text(text + 'tools = "native"\n', encoding="utf-8")
        argv = [*"gateway --port 0 --no-token --json --mode".split(), mode, "--map", f"*=provider=Up,model=up{more}"]
        process = await asyncio.create_subprocess_exec(
            *command(argv), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
        assert process.stdout is not None
        return cls(process, json.loads(await process.stdout.readline())["url"])

    async def end(self, how: signal.Signals) -> None:
        if self.process.returncode is None:
            self.process.send_signal(how)
        await self.process.communicate()


async def one_gateway(home: Path, upstream: Upstream, chance: random.Random, *, kill: bool) -> list[Seen]:
    """Let exchanges meet their fates; kill the gateway in their midst, or look at what stays behind and stop it."""
    upstream.asked.clear()
    gateway = await Gateway.start(home, upstream, *chance.choice(TARGETS))
    try:
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(base_url=gateway.url, timeout=LIMIT_S, limits=limits) as client:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(ask(client, f"number {at}", chance)) for at in range(EXCHANGES)]
                if kill:
                    await asyncio.sleep(chance.uniform(0.05, 1.2))
                    await gateway.end(signal.SIGKILL)
            seen = [task.result() for task in tasks]
        await until(lambda: upstream.open == 0)
        if not kill:
            await until(lambda: all_over(home, upstream.asked, seen))
    finally:
        await gateway.end(signal.SIGINT)
    return seen


def gateway_runs(home: Path) -> list[StoredRun]:
    store = Store.open(home / "workbench.db")
    try:
        assert store.check().problems == ()
        return [store.load(row.id) for row in store.list_runs("origin:gateway", None, 10_000)]
    finally:
        store.close()


def all_over(home: Path, asked: set[str], seen: list[Seen]) -> bool:
    """Whether all that went upstream is recorded to its end; true sooner or later."""
    runs = {run.run.id: run for run in gateway_runs(home)}
    over = {run.run.title.partition(" breaks")[0] for run in runs.values() if run.summary().finished is not None}
    return asked <= over and all(one.run_id in runs for one in seen if one.run_id)


def judge(home: Path, seen: list[Seen]) -> None:
    """What a client saw the end of is there, to its end and with its bytes; a cancelled run is told as one."""
    runs = {run.run.id: run for run in gateway_runs(home)}
    for one in seen:
        if not one.ended:
            continue
        assert one.run_id in runs, f"the run of a reply that was read to its end is lost: {one}"
        finished = runs[one.run_id].summary().finished
        assert finished is not None, f"the record of {one} has no end"
        if finished.stop is StopReason.ANSWER:
            assert f"word{DELTAS - 1}" in finished.answer


@pytest.mark.timeout(7200)
def test_no_exchange_is_lost_whatever_ends_it(
    home: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = bool(request.config.getoption("--long"))
    chance = random.Random(time.time_ns() if long else 13)

    async def main() -> tuple[int, int]:
        upstream = Upstream()
        await upstream.server.start()
        fates = ended = 0
        try:
            for number in range(MANY if long else FEW):
                place = home / f"{number // 6}"
                place.mkdir(parents=True, exist_ok=True)
                monkeypatch.setenv("WORKBENCH_HOME", str(place))
                seen = await one_gateway(place, upstream, chance, kill=number % 2 == 0)
                judge(place, seen)
                fates, ended = fates + len(seen), ended + sum(one.ended for one in seen)
                if long:
                    print(f"{fates} exchanges, {ended} read to their end", file=sys.stderr, flush=True)
        finally:
            await upstream.server.aclose()
        return fates, ended

    fates, ended = asyncio.run(main())
    assert ended > fates // 20
    print(f"{fates} exchanges and {(MANY if long else FEW) // 2} kills: nothing lost", file=sys.stderr)
