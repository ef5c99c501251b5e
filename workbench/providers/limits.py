"""How many requests a provider gets: at the same time, and within a minute."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import AsyncExitStack
from typing import Self

_WINDOW = 60.0


class Slots:
    """At most `size` requests at once and `per_minute` begun in any minute; whoever comes later waits in order.

    Shared by all clients of one provider, so that changed settings do not let the old ones through beside the new.
    """

    def __init__(self, size: int, per_minute: int = 0, pace: Pace | None = None) -> None:
        """Let through `size` at once; `per_minute` 0: as many a minute as come. A `pace` stands in place of the minute."""
        self._pace = pace
        self._free = asyncio.Semaphore(max(1, size))
        self._per_minute = max(0, per_minute)
        self._begun: deque[float] = deque()
        self._turn = asyncio.Lock()
        self.busy = 0
        """Requests that run now."""
        self.waiting = 0
        """Requests that wait for their turn."""

    def beside(self) -> Beside:
        """A way past the number at once, for requests that somebody else counts; the minute holds for them too."""
        return Beside(self)

    async def __aenter__(self) -> Self:
        self.waiting += 1
        try:
            async with AsyncExitStack() as unless_it_goes_on:
                await self._free.acquire()
                unless_it_goes_on.callback(self._free.release)
                await self._wait_for_the_minute()
                unless_it_goes_on.pop_all()
        finally:
            self.waiting -= 1
        self.busy += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        self.busy -= 1
        self._free.release()

    async def _wait_for_the_minute(self) -> None:
        if self._pace is not None:
            await self._pace.wait()
            return
        if not self._per_minute:
            return
        now = asyncio.get_running_loop().time
        async with self._turn:
            while self._begun and now() - self._begun[0] >= _WINDOW:
                self._begun.popleft()
            if len(self._begun) >= self._per_minute:
                await asyncio.sleep(self._begun[0] + _WINDOW - now())
                self._begun.popleft()
            self._begun.append(now())


class Pace:
    """Requests at even distances: the share of one worker, over all clients that it opens one after the other."""

    def __init__(self, per_minute: int) -> None:
        self._gap, self._next = _WINDOW / per_minute, 0.0

    async def wait(self) -> None:
        """Wait for the next turn."""
        now = time.monotonic()
        turn = max(now, self._next)
        self._next = turn + self._gap
        await asyncio.sleep(turn - now)


class Beside:
    """Requests that are as many at once as come: those of the gateway's clients, whose number is theirs to choose."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots

    def beside(self) -> Beside:
        """It is past the number already."""
        return self

    async def __aenter__(self) -> Self:
        slots = self._slots
        slots.waiting += 1
        try:
            await slots._wait_for_the_minute()
        finally:
            slots.waiting -= 1
        slots.busy += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        self._slots.busy -= 1
