"""What has gone through the gateway since it was started: conversations, their exchanges, and what went wrong in them.

Everything here can be made anew from the records; it is kept for the live view and bounded. Of an exchange that has
ended only a few words and numbers stay.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from workbench.core.events import ChunkReceived, RunFinished, VerdictGiven
from workbench.core.run_summary import RunSummary
from workbench.gateway.exchange_facts import ExchangeFacts, facts_of
from workbench.gateway.first_token import AddedTimes, FirstToken
from workbench.gateway.recording import Recording
from workbench.grading.incidents import Incident, incidents_of

if TYPE_CHECKING:
    from workbench.core.events import ClientRequest, RunEvent
    from workbench.core.protocols import SchemaChecker

MOST = 2_000
"""Exchanges that are remembered, at most."""
REPAIRED = "repaired"

Watcher = Callable[["ExchangeSeen"], None]


class ExchangeState(StrEnum):
    """Where an exchange stands."""

    READ = "read"
    """Nothing was sent yet."""
    HELD_REQUEST = "held request"
    RUNNING = "running"
    HELD_REPLY = "held reply"
    DONE = "done"
    REFUSED = "refused"
    """No run came of it: it could not be sent, or a person refused it."""
    GONE = "client gone"
    """The client left while its request was held."""

    @property
    def over(self) -> bool:
        """Nothing more will happen."""
        return self in (ExchangeState.DONE, ExchangeState.REFUSED, ExchangeState.GONE)

    @property
    def held(self) -> bool:
        """A person has it."""
        return self in (ExchangeState.HELD_REQUEST, ExchangeState.HELD_REPLY)


@dataclass(slots=True, eq=False)
class ExchangeSeen:
    """One exchange, under way or done."""

    run_id: str
    """Empty until its run has begun."""
    client: ClientRequest
    target: str
    title: str
    begun: float
    """UTC seconds."""
    number: int = 1
    """Within its conversation, from 1."""
    state: ExchangeState = ExchangeState.READ
    summary: RunSummary | None = field(default_factory=RunSummary)
    """What its run has told so far; let go when it ends."""
    incidents: tuple[Incident, ...] = ()
    facts: ExchangeFacts = ExchangeFacts()
    """Filled when it ends."""
    judged: bool = False
    """Its run has ended: incidents and facts are known."""
    first_token: FirstToken = field(default_factory=FirstToken)
    recording: Recording = Recording.EVERYTHING
    """What of it was to be written down when it began."""
    kept_back: bool = False
    """Its reply goes to the client only after a person had a look at it: the end of its run is not its own end."""
    given_run_id: str = ""
    """The run that holds what the client got, where a person wrote it in place of the model's reply."""
    said: str = ""
    """What a person or the clock did with it, in a few words."""

    @property
    def done(self) -> bool:
        """It is over, well or not."""
        return self.state.over

    @property
    def recorded(self) -> bool | None:
        """Whether its run is written down; None as long as that is not known."""
        match self.recording:
            case Recording.EVERYTHING:
                return bool(self.run_id or self.given_run_id)
            case Recording.FINDINGS:
                return bool(self.incidents or self.facts.error) if self.judged else None
        return False

    @property
    def mended(self) -> int:
        """Incidents after which the client got a call all the same."""
        return sum(incident.mended for incident in self.incidents)

    @property
    def counts(self) -> Counter[str]:
        """Incidents by kind that nobody mended, and `repaired`."""
        return Counter(REPAIRED if one.mended else one.kind for one in self.incidents)


@dataclass(slots=True, eq=False)
class Conversation:
    """Exchanges of one client that belong together, oldest first."""

    id: str
    exchanges: list[ExchangeSeen] = field(default_factory=list)
    begun: int = 0
    """Exchanges that it has had, also those that are remembered no longer."""
    counts: Counter[str] = field(default_factory=Counter)
    """Incidents by kind that nobody mended, and `repaired`."""
    title: str = ""
    """What it is about."""

    def add(self, seen: ExchangeSeen) -> None:
        """Take the next exchange."""
        self.begun += 1
        seen.number = self.begun
        self.exchanges.append(seen)
        self.title = self.title or seen.client.name or seen.title

    @property
    def client(self) -> str:
        """Who asks."""
        return self.exchanges[-1].client.client if self.exchanges else ""

    @property
    def held(self) -> bool:
        """Something of it is held."""
        return any(one.state.held for one in self.exchanges)

    @property
    def last_at(self) -> float:
        """When its last exchange began, in UTC seconds."""
        return self.exchanges[-1].begun if self.exchanges else 0.0


class Conversations:
    """All that was seen, newest conversation last; watchers hear of each change."""

    def __init__(self, check: SchemaChecker) -> None:
        self._check = check
        self._known: OrderedDict[str, Conversation] = OrderedDict()
        self._kept = 0
        """Exchanges that are remembered."""
        self._watchers: list[Watcher] = []
        self.exchanges = 0
        """All that were begun."""
        self.recorded = 0
        """Those whose run is in the history."""
        self.open = 0
        """Those under way."""
        self.totals: Counter[str] = Counter()
        """Incidents by kind, mended ones under `repaired`."""
        self.added = AddedTimes()
        """How much later clients got their first token."""

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Have a function called with each exchange that began, went on or ended; return what ends that."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def all(self) -> tuple[Conversation, ...]:
        """Every conversation, the newest first."""
        return tuple(reversed(self._known.values()))

    def get(self, conversation: str) -> Conversation | None:
        """One of them by its id."""
        return self._known.get(conversation)

    def restore(self, earlier: Sequence[Conversation]) -> None:
        """Put conversations of before, oldest first, before those that were seen; they count nowhere."""
        for conversation in reversed(earlier):
            now = self._known.get(conversation.id)
            if now is not None:
                for seen in now.exchanges:
                    seen.number += conversation.begun
                now.exchanges[:0] = conversation.exchanges
                now.begun += conversation.begun
                now.counts.update(conversation.counts)
                now.title = conversation.title
            else:
                self._known[conversation.id] = conversation
                self._known.move_to_end(conversation.id, last=False)
            self._kept += len(conversation.exchanges)

    def begin(
        self,
        client: ClientRequest,
        target: str,
        title: str,
        first_token: FirstToken | None = None,
        recording: Recording = Recording.EVERYTHING,
    ) -> ExchangeSeen:
        """Note a request; `run_id` is set when its run has begun."""
        made = first_token or FirstToken()
        seen = ExchangeSeen("", client, target, title, time.time(), first_token=made, recording=recording)
        conversation = self._known.setdefault(client.conversation, Conversation(client.conversation))
        conversation.add(seen)
        self._known.move_to_end(client.conversation)
        self.exchanges, self.open, self._kept = self.exchanges + 1, self.open + 1, self._kept + 1
        self._forget()
        self.tell(seen)
        return seen

    def follow(self, seen: ExchangeSeen, event: RunEvent) -> None:
        """Take an event of the exchange's run."""
        seen.first_token.take(event)
        if isinstance(event, ChunkReceived) or seen.judged or seen.summary is None:
            return  # the reply is told with its step, and the end was told with the run's own end
        seen.summary.add(event)
        if isinstance(event, RunFinished):
            self._judge(seen)
            if not seen.kept_back:
                self.end(seen, ExchangeState.DONE)
        elif not isinstance(event, VerdictGiven):
            self.set_state(seen, ExchangeState.RUNNING)

    def set_state(self, seen: ExchangeSeen, state: ExchangeState, said: str = "") -> None:
        """Note that an exchange that goes on stands elsewhere, and what was done with it."""
        if not seen.done:
            seen.state, seen.said = state, said or seen.said
            self.tell(seen)

    def end(self, seen: ExchangeSeen, state: ExchangeState, said: str = "") -> None:
        """Note that an exchange is over; a second time changes nothing."""
        if seen.done:
            return
        seen.state, seen.said, seen.summary = state, said or seen.said, None
        self.open -= 1
        self.recorded += bool(seen.recorded)
        self.tell(seen)

    def _judge(self, seen: ExchangeSeen) -> None:
        """Keep of a run that has ended what is worth to be remembered."""
        assert seen.summary is not None
        seen.incidents, seen.facts = incidents_of(seen.summary, self._check), facts_of(seen.summary)
        seen.judged = True
        self.totals.update(seen.counts)
        if (conversation := self._known.get(seen.client.conversation)) is not None:
            conversation.counts.update(seen.counts)

    @property
    def findings(self) -> int:
        """Incidents that nobody mended."""
        return sum(count for kind, count in self.totals.items() if kind != REPAIRED)

    def _forget(self) -> None:
        while self._kept > MOST and len(self._known) > 1:
            _, oldest = self._known.popitem(last=False)
            self._kept -= len(oldest.exchanges)
        if self._kept > MOST:
            newest = next(reversed(self._known.values()))
            del newest.exchanges[: self._kept - MOST]
            self._kept = MOST

    def tell(self, seen: ExchangeSeen) -> None:
        """Have the watchers look at an exchange."""
        for watcher in tuple(self._watchers):
            watcher(seen)
