"""How many requests a provider gets at the same time, and how many requests and tokens within a minute."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable

_WINDOW = 60.0
_LOOK_S = 0.25
"""How often a request that waits for tokens looks whether others have used fewer than was thought."""


class TokenMinute:
    """Tokens within any minute. What a request will use is known at its end: until then it counts as one of the mean.

    Of no event loop, so that a worker keeps it from one run to the next.
    """

    def __init__(self, limit: int, now: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._now = limit, now
        self._spent: deque[tuple[float, int]] = deque()
        self._mean = 0.0
        self._under_way = 0

    async def begin(self) -> None:
        """Wait until one more request fits; one that is larger than all of a minute is sent when nothing else was."""
        while not self._has_room():
            left = self._spent[0][0] + _WINDOW - self._now() if self._spent else _LOOK_S
            await asyncio.sleep(max(0.0, min(left, _LOOK_S) if self._under_way else left))
        self._under_way += 1

    def end(self) -> None:
        """A request is over."""
        self._under_way -= 1

    def spend(self, tokens: int) -> None:
        """Count what a request has used."""
        if tokens > 0:
            self._spent.append((self._now(), tokens))
            self._mean = sum(used for _, used in self._spent) / len(self._spent)

    def _has_room(self) -> bool:
        while self._spent and self._now() - self._spent[0][0] >= _WINDOW:
            self._spent.popleft()
        used = sum(tokens for _, tokens in self._spent)
        expected = used + (self._under_way + 1) * self._mean
        return expected <= self._limit or not (self._spent or self._under_way)


class Slots:
    """At most `size` requests at once, `per_minute` begun in any minute and so many `tokens`; who comes later waits.

    Shared by all clients of one provider, so that changed settings do not let the old ones through beside the new.
    """

    def __init__(
        self, size: int, per_minute: int = 0, pace: WorkerPace | None = None, tokens: TokenMinute | None = None
    ) -> None:
        """Let through `size` at once; `per_minute` 0: as many a minute as come. A `pace` stands in place of the minute."""
        self._pace, self._tokens = pace, tokens
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

    def spend(self, tokens: int) -> None:
        """Count tokens that a request has used."""
        if self._tokens is not None:
            self._tokens.spend(tokens)

    async def __aenter__(self) -> Self:
        self.waiting += 1
        try:
            async with AsyncExitStack() as unless_it_goes_on:
                await self._free.acquire()
                unless_it_goes_on.callback(self._free.release)
                await self._wait_for_the_minutes()
                unless_it_goes_on.pop_all()
        finally:
            self.waiting -= 1
        self.busy += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        self._leave()
        self._free.release()

    def _leave(self) -> None:
        self.busy -= 1
        if self._tokens is not None:
            self._tokens.end()

    async def _wait_for_the_minutes(self) -> None:
        await self._wait_for_requests()
        if self._tokens is not None:
            await self._tokens.begin()

    async def _wait_for_requests(self) -> None:
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


class WorkerPace:
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

    def spend(self, tokens: int) -> None:
        """Count tokens that a request has used."""
        self._slots.spend(tokens)

    async def __aenter__(self) -> Self:
        slots = self._slots
        slots.waiting += 1
        try:
            await slots._wait_for_the_minutes()
        finally:
            slots.waiting -= 1
        slots.busy += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        self._slots._leave()
