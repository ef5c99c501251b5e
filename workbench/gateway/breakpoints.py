"""Breakpoints: where an exchange stops for a person, and the desk where stopped ones wait.

    part           request, before anything is sent; reply, before anything reaches the client
    when           always · result: a tool result is new in the request · call: of a request, its last turn of the
                   model called; of a reply, a call is in it
    conversation   one, or every one

What is held is a document: the client's own request, or the reply, in the client's own protocol. It goes on as it is when
the time is over.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.core.messages import Message
    from workbench.gateway.conversations import ExchangeSeen

SECONDS = 60.0
"""After so long a held exchange goes on."""
LONGEST_S = 3600.0


class Part(StrEnum):
    """What is held."""

    REQUEST = "request"
    REPLY = "reply"


class When(StrEnum):
    """On what condition."""

    ALWAYS = "always"
    RESULT = "result"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """Where exchanges stop."""

    part: Part
    when: When = When.ALWAYS
    conversation: str = ""
    """Its id; empty: every conversation."""
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        if not 1.0 <= self.seconds <= LONGEST_S:
            raise InvalidInput(
                f"A held exchange cannot wait {self.seconds:g} seconds.", hint=f"From 1 to {LONGEST_S:g} seconds."
            )


class Contents(NamedTuple):
    """What is in a request or a reply, as far as breakpoints ask."""

    result: bool
    """A tool result is new in the request."""
    call: bool

    def meet(self, when: When) -> bool:
        """Whether a condition holds."""
        return {When.ALWAYS: True, When.RESULT: self.result, When.CALL: self.call}[when]


def contents_of(messages: Sequence[Message]) -> Contents:
    """What a request brings: results after the model's last turn, and whether that turn called."""
    result = False
    for message in reversed(messages):
        if message.role == "assistant":
            return Contents(result, bool(message.tool_calls))
        result = result or message.role == "tool"
    return Contents(result, call=False)


class Ruling(StrEnum):
    """What becomes of a held exchange."""

    RELEASE = "release"
    ANSWER = "answer"
    """The document is the reply; no model is asked any more."""
    REFUSE = "refuse"


class Decision(NamedTuple):
    """What was decided, and by whom."""

    ruling: Ruling
    document: str | None = None
    """The edited document; None: as it came."""
    by_clock: bool = False


@dataclass(slots=True, eq=False)
class Held:
    """One exchange that waits at the desk."""

    number: int
    """By which a person names it; never given twice."""
    part: Part
    seen: ExchangeSeen
    document: str
    """JSON in the client's protocol, indented."""
    point: Breakpoint
    since: float
    """Loop time, in seconds."""
    until: float
    check: Callable[[Ruling, str], None]
    """Raise InvalidInput where an edited document cannot be used."""
    blank_reply: str = ""
    """Of a request: what an answer may begin with."""
    notes: tuple[str, ...] = ()
    """What becomes of it on the way, and what is left out."""
    streams: bool = False
    """The client gets the reply streamed: it is kept in patience meanwhile."""
    decided: asyncio.Future[Decision] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    async def decision(self, limit_s: float) -> Decision | None:
        """Wait for the decision, at most so long; None: it is still to come."""
        left = self.until - asyncio.get_running_loop().time()
        if not self.decided.done() and left > 0:
            await asyncio.wait({self.decided}, timeout=min(limit_s, left))
        if not self.decided.done() and self.until <= asyncio.get_running_loop().time():
            self.decided.set_result(Decision(Ruling.RELEASE, by_clock=True))
        return self.decided.result() if self.decided.done() else None


class HoldDesk:
    """The breakpoints in force, and what they hold; whoever is told of a change looks at `waiting`."""

    def __init__(self) -> None:
        self._points: tuple[Breakpoint, ...] = ()
        self._waiting: dict[int, Held] = {}
        self._watchers: list[Callable[[], None]] = []
        self._given = 0

    @property
    def points(self) -> tuple[Breakpoint, ...]:
        """The breakpoints in force."""
        return self._points

    @property
    def waiting(self) -> tuple[Held, ...]:
        """What is held now, oldest first."""
        return tuple(self._waiting.values())

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Have a function called when something is held or let go; return what ends that."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def set_points(self, points: Sequence[Breakpoint]) -> None:
        """Put other breakpoints in force; what is held stays held."""
        self._points = tuple(points)

    def wanted(self, part: Part, conversation: str, contents: Contents | None = None) -> Breakpoint | None:
        """The first breakpoint that stops here; without contents: that may stop here."""
        for point in self._points:
            here = point.part is part and point.conversation in ("", conversation)
            if here and (contents is None or contents.meet(point.when)):
                return point
        return None

    def hold(
        self,
        part: Part,
        seen: ExchangeSeen,
        point: Breakpoint,
        document: str,
        check: Callable[[Ruling, str], None],
        *,
        blank_reply: str = "",
        notes: Sequence[str] = (),
        streams: bool = False,
    ) -> Held:
        """Take an exchange; whoever took it asks `Held.decision`, and gives it back with `let_go`."""
        self._given += 1
        now = asyncio.get_running_loop().time()
        held = Held(
            self._given,
            part,
            seen,
            document,
            point,
            now,
            now + point.seconds,
            check,
            blank_reply,
            tuple(notes),
            streams,
        )
        self._waiting[held.number] = held
        self._tell()
        return held

    def let_go(self, held: Held) -> None:
        """Forget what is decided, or whose client has left."""
        if self._waiting.pop(held.number, None) is not None:
            held.decided.cancel()
            self._tell()

    def decide(self, number: int, ruling: Ruling, document: str | None = None) -> Held:
        """Decide about what is held; raise InvalidInput for a number that is not waiting, or a document of no use."""
        held = self._waiting.get(number)
        if held is None or held.decided.done():
            waiting = ", ".join(map(str, self._waiting)) or "nothing"
            raise InvalidInput(f"Nothing with the number {number} is held.", hint=f"Held: {waiting}.")
        if document == held.document and ruling is Ruling.RELEASE:
            document = None
        if document is not None:
            held.check(ruling, document)
        elif ruling is Ruling.ANSWER:
            raise InvalidInput("An answer needs a document.", hint="Give the reply in the client's own protocol.")
        held.decided.set_result(Decision(ruling, document))
        return held

    def release_all(self) -> int:
        """Let everything go on as it is; return how many that were."""
        waiting = [held for held in self._waiting.values() if not held.decided.done()]
        for held in waiting:
            held.decided.set_result(Decision(Ruling.RELEASE))
        return len(waiting)

    def _tell(self) -> None:
        for watcher in tuple(self._watchers):
            watcher()
