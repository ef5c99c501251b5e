"""What has gone through the gateway since it was started: conversations, their exchanges, and what went wrong in them.

Everything here can be made anew from the records; it is kept for the live view and bounded.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.core.events import ChunkReceived, RunFinished, VerdictGiven
from workbench.core.run_summary import RunSummary
from workbench.grading.incidents import Incident, incidents_of

if TYPE_CHECKING:
    from workbench.core.events import ClientRequest, RunEvent
    from workbench.core.protocols import SchemaChecker

MOST = 2_000
"""Exchanges that are remembered, at most."""

Watcher = Callable[["ExchangeSeen"], None]


@dataclass(slots=True)
class ExchangeSeen:
    """One exchange, under way or done."""

    run_id: str
    client: ClientRequest
    target: str
    title: str
    begun: float
    """UTC seconds."""
    done: bool = False
    summary: RunSummary = field(default_factory=RunSummary)
    incidents: tuple[Incident, ...] = ()

    @property
    def mended(self) -> int:
        """Incidents after which the client got a call all the same."""
        return sum(incident.mended for incident in self.incidents)


@dataclass(slots=True)
class Conversation:
    """Exchanges of one client that belong together, oldest first."""

    id: str
    exchanges: list[ExchangeSeen] = field(default_factory=list)

    @property
    def title(self) -> str:
        """What the conversation is about."""
        return self.exchanges[0].client.name or self.exchanges[0].title if self.exchanges else ""

    @property
    def client(self) -> str:
        """Who asks."""
        return self.exchanges[-1].client.client if self.exchanges else ""

    @property
    def counts(self) -> Counter[str]:
        """Incidents by kind that nobody mended, and `repaired`."""
        found = Counter(one.kind for exchange in self.exchanges for one in exchange.incidents if not one.mended)
        if repaired := sum(exchange.mended for exchange in self.exchanges):
            found["repaired"] = repaired
        return found


class Conversations:
    """All that was seen, newest conversation last; watchers hear of each change."""

    def __init__(self, check: SchemaChecker) -> None:
        self._check = check
        self._known: OrderedDict[str, Conversation] = OrderedDict()
        self._watchers: list[Watcher] = []
        self.exchanges = 0
        """All that were begun."""
        self.open = 0
        """Those under way."""
        self.totals: Counter[str] = Counter()
        """Incidents by kind, mended ones under `repaired`."""

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Have a function called with each exchange that began, went on or ended; return what ends that."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def all(self) -> tuple[Conversation, ...]:
        """Every conversation, the newest first."""
        return tuple(reversed(self._known.values()))

    def begin(self, client: ClientRequest, target: str, title: str) -> ExchangeSeen:
        """Note a request; `run_id` is set when its run has begun."""
        seen = ExchangeSeen("", client, target, title, time.time())
        conversation = self._known.setdefault(client.conversation, Conversation(client.conversation))
        conversation.exchanges.append(seen)
        self._known.move_to_end(client.conversation)
        self.exchanges, self.open = self.exchanges + 1, self.open + 1
        self._forget()
        self._tell(seen)
        return seen

    def follow(self, seen: ExchangeSeen, event: RunEvent) -> None:
        """Take an event of the exchange's run."""
        if isinstance(event, ChunkReceived):
            return  # the reply is told with its step
        seen.summary.add(event)
        if isinstance(event, RunFinished):
            self._finish(seen)
        if not isinstance(event, VerdictGiven):  # the end was told with the run's own end
            self._tell(seen)

    def give_up(self, seen: ExchangeSeen) -> None:
        """Note that no run came of a request."""
        if not seen.done:
            self._finish(seen)
            self._tell(seen)

    def _finish(self, seen: ExchangeSeen) -> None:
        seen.done = True
        seen.incidents = incidents_of(seen.summary, self._check)
        self.open -= 1
        self.totals.update("repaired" if one.mended else one.kind for one in seen.incidents)

    @property
    def findings(self) -> int:
        """Incidents that nobody mended."""
        return sum(count for kind, count in self.totals.items() if kind != "repaired")

    def _forget(self) -> None:
        kept = sum(len(conversation.exchanges) for conversation in self._known.values())
        while kept > MOST and len(self._known) > 1:
            _, oldest = self._known.popitem(last=False)
            kept -= len(oldest.exchanges)
        newest = next(reversed(self._known.values()))
        del newest.exchanges[: max(0, kept - MOST)]

    def _tell(self, seen: ExchangeSeen) -> None:
        for watcher in tuple(self._watchers):
            watcher(seen)
