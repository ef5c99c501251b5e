"""How much later a client gets its first token than it would without the gateway.

Of one exchange it is the time from the request's arrival to the first piece that goes to the client, without the time
between the request upstream and the chunk that made this piece. Only exchanges that ask once count: repeated
ones, boosted ones and those that were held have other reasons to be late.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

from workbench.core.events import ChunkReceived, ExchangeStarted

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.core.events import RunEvent

REMEMBERED = 2_000
"""Exchanges whose times count, at most."""


class FirstToken:
    """One exchange's way to its first token; made when the request arrives."""

    def __init__(self, on_added: Callable[[int], None] | None = None) -> None:
        """`on_added` is told the added time once it is known."""
        self._on_added = on_added
        self._arrived = time.perf_counter_ns()
        self._asked_us = self._chunk_us = self._asked_ns = 0
        self._asked = 0
        self._held = False
        self.added_us: int | None = None
        """Microseconds; None until the first token, and where it does not count."""

    def take(self, event: RunEvent) -> None:
        """Follow the exchange's run."""
        match event:
            case ExchangeStarted(at_us=at_us):
                self._asked, self._asked_us = self._asked + 1, at_us
                self._asked_ns = time.perf_counter_ns()
            case ChunkReceived(at_us=at_us):
                self._chunk_us = at_us
            case _:
                pass

    def came(self) -> None:
        """A piece came that goes to the client before an event tells of it."""
        self._chunk_us = self._asked_us + (time.perf_counter_ns() - self._asked_ns) // 1_000

    def hold(self) -> None:
        """A person held the exchange: it counts no longer."""
        self._held = True

    def out(self) -> None:
        """A piece goes to the client; the first one counts."""
        if self._asked == 1 and not self._held and self._chunk_us:
            whole = (time.perf_counter_ns() - self._arrived) // 1_000
            self.added_us = max(0, whole - (self._chunk_us - self._asked_us))
            if self._on_added is not None:
                self._on_added(self.added_us)
        self._held = True


class AddedTimes:
    """The added times of the last exchanges, in microseconds."""

    def __init__(self) -> None:
        self._times: deque[int] = deque(maxlen=REMEMBERED)

    def add(self, time_us: int) -> None:
        """Take another exchange's time."""
        self._times.append(time_us)

    def __len__(self) -> int:
        return len(self._times)

    def quantile(self, share: float) -> int | None:
        """The time that this share of the exchanges does not exceed; None before the first one."""
        if not self._times:
            return None
        ordered = sorted(self._times)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    @property
    def median(self) -> int | None:
        """Half of the exchanges are at most so late."""
        return self.quantile(0.5)

    @property
    def p99(self) -> int | None:
        """One exchange in a hundred is later."""
        return self.quantile(0.99)
