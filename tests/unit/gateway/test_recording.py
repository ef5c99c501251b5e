from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tests.kit import runs
from workbench.core.events import RunEvent
from workbench.gateway.recording import Sieve


class Kept:
    def __init__(self) -> None:
        self.events: list[RunEvent] = []

    async def commit(self, run_id: str, events: Sequence[RunEvent]) -> None:
        self.events += events


def test_events_wait_until_they_are_wanted_and_come_in_order() -> None:
    async def main() -> None:
        kept, wanted, events = Kept(), [None], [runs.started(), *runs.step(0), runs.finished()]
        sieve = Sieve(kept, lambda: wanted[0])
        await sieve.commit("r", events[:2])
        assert kept.events == []
        wanted[0] = True
        await sieve.commit("r", events[2:])
        assert kept.events == events

    asyncio.run(main())


def test_unwanted_events_are_never_written() -> None:
    async def main() -> None:
        kept, wanted = Kept(), [None]
        sieve = Sieve(kept, lambda: wanted[0])
        await sieve.commit("r", [runs.started()])
        wanted[0] = False
        await sieve.commit("r", [runs.finished()])
        wanted[0] = True
        await sieve.commit("r", [])
        assert kept.events == []

    asyncio.run(main())
