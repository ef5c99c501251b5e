"""What every exchange under way shares: the application, the routes, what was seen, the breakpoints, the switches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from workbench.gateway.breakpoints import HoldDesk
from workbench.gateway.conversations import Conversations, ExchangeSeen
from workbench.gateway.recording import Recording, Sieve

if TYPE_CHECKING:
    from workbench.app import Workbench
    from workbench.app.runs import RunDraft, RunHandle
    from workbench.core.events import RunEvent
    from workbench.core.protocols import Recorder
    from workbench.gateway.routes import Route, Routes
    from workbench.providers.relay import Carried
    from workbench.wires.kit.server import Served

EventWatcher = Callable[[ExchangeSeen, Sequence["RunEvent"]], None]


class UnderWay:
    """Held by the gateway, handed to each exchange."""

    def __init__(self, wb: Workbench, routes: Routes, recording: Recording = Recording.EVERYTHING) -> None:
        self.wb, self.routes = wb, routes
        self.recording = recording
        """What is written down of exchanges that begin from now on."""
        self.conversations = Conversations(wb.check)
        self.desk = HoldDesk()
        self._watchers: list[EventWatcher] = []
        self._started: set[RunHandle] = set()

    def watch_events(self, watcher: EventWatcher) -> Callable[[], None]:
        """Have a function called with each batch of events that is on disk; return what ends that."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    async def start(
        self, seen: ExchangeSeen, draft: RunDraft, tap: Callable[[RunEvent], None], carried: Carried | None
    ) -> RunHandle:
        """Start the run of an exchange; raise WorkbenchError for what cannot be run."""

        def watch(events: Sequence[RunEvent]) -> None:
            for watcher in tuple(self._watchers):
                watcher(seen, events)

        handle = await self.wb.runs.start(draft, watch, tap, carried, recorder=self.recorder(seen))
        self._started = {one for one in self._started if not one.done} | {handle}
        return handle

    async def settle(self, limit_s: float) -> None:
        """Wait, at most so long, until every run that was started is over and on disk. That one failed is told elsewhere."""
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await asyncio.gather(*(handle.wait() for handle in self._started), return_exceptions=True)

    def recorder(self, seen: ExchangeSeen) -> Recorder | None:
        """Who keeps an exchange's run; None: the store, at once."""
        if seen.recording is Recording.EVERYTHING:
            return None
        return Sieve(self.wb.store.recorder, lambda: seen.recorded)

    def not_passed_through(self, served: Served, route: Route) -> str:
        """Why a request cannot go on as it is; empty where it can."""
        provider = self.wb.provider(route.target.executor.provider)
        if provider.wire != served.wire:
            return f"pass-through: {provider.name} speaks {provider.wire}, so the request was written anew"
        return "pass-through: boost asks in its own words" if route.target.planner else ""
