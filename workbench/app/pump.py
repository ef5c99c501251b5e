"""The pump: takes a run's events, commits them in batches, and only then hands them to whoever watches.

Chunks wait at most 33 ms for company; structural events go at once. Where somebody has the events by a tap as they
happen (a client of the gateway), all wait 200 ms, but for the run's end: each commit takes the time of many events. When too many events wait, the producer waits
too, and through it the socket; the time is summed up and recorded.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from workbench.core.events import ChunkReceived

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.core.events import RunEvent
    from workbench.core.protocols import Recorder

TICK_S = 0.033
CALM_S = 0.2
"""A tick of runs whose events somebody has by the tap before they are committed: fewer, larger commits."""
LIMIT = 2000
"""Events that may wait before the producer has to."""


class Pump:
    """One run's way from the engine to disk and then to the screen."""

    def __init__(
        self,
        run_id: str,
        recorder: Recorder,
        watchers: list[Callable[[Sequence[RunEvent]], None]],
        mask: Callable[[RunEvent], RunEvent] | None = None,
        tap: Callable[[RunEvent], None] | None = None,
    ) -> None:
        """With a tap, structural events wait for company too: they are needed on disk by the end, not one by one."""
        self._run_id, self._recorder, self._watchers = run_id, recorder, watchers
        self._mask, self._tap = mask, tap
        self._waiting: list[RunEvent] = []
        self._some = asyncio.Event()
        self._urgent = asyncio.Event()
        self._room = asyncio.Event()
        self._closed = False
        self._dead = False
        self.waited_us = 0
        """How long the producer had to wait for the disk or the screen."""

    async def put(self, event: RunEvent) -> None:
        """Hand over an event; it is never lost, also when the waiting task is cancelled here."""
        if self._tap is not None:
            self._tap(event)
        self._waiting.append(self._mask(event) if self._mask else event)
        self._some.set()
        if self._tap is None and not isinstance(event, ChunkReceived):
            self._urgent.set()
        if len(self._waiting) >= LIMIT and not self._dead:
            self._urgent.set()
            self._room.clear()
            begun = time.perf_counter_ns()
            try:
                await self._room.wait()
            finally:
                self.waited_us += (time.perf_counter_ns() - begun) // 1000

    def close(self) -> None:
        """Nothing more will come; `run` ends when everything is delivered."""
        self._closed = True
        self._some.set()
        self._urgent.set()

    async def run(self) -> None:
        """Commit and deliver until closed; a StoreError ends it, and what was not committed is not shown."""
        try:
            while not self._closed or self._waiting:
                await self._some.wait()
                if not self._urgent.is_set():
                    await self._company()
                batch, self._waiting = self._waiting, []
                if not self._closed:
                    self._some.clear()
                self._urgent.clear()
                self._room.set()
                if batch:
                    await self._recorder.commit(self._run_id, batch)
                    for watcher in self._watchers:
                        watcher(batch)
                await asyncio.sleep(0)
        finally:
            self._dead = True
            self._room.set()

    async def _company(self) -> None:
        """Wait a tick for more, or until something structural comes."""
        try:
            async with asyncio.timeout(TICK_S if self._tap is None else CALM_S):
                await self._urgent.wait()
        except TimeoutError:
            pass
