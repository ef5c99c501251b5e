"""The capability probe: asks an endpoint small questions, one after the other, and keeps the answers with their evidence.

It costs requests and tokens, so the price is told before. Cancel the task to stop it: the connection closes at once.
"""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from workbench.core.clock import Clock
from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput
from workbench.core.events import ChunkReceived, ExchangeEnded, ExchangeStarted, ResponseStarted
from workbench.core.exchange import Headers, Usage
from workbench.decoding import decoder_of
from workbench.providers.questions import MOST_TOKENS, QUESTIONS, TITLES, AbilityFinding, Answer, Heard, hear

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.core.exchange import Delta
    from workbench.core.messages import ChatRequest
    from workbench.core.protocols import ModelClient, Ticker
    from workbench.providers.questions import Question

_HOPELESS = frozenset(
    {ErrorKind.CONNECT, ErrorKind.AUTH, ErrorKind.NOT_FOUND, ErrorKind.QUOTA, ErrorKind.RATE_LIMIT, ErrorKind.TIMEOUT}
)
"""After such an error of the first question the others are not asked."""
_LARGEST = 100_000
"""Characters of a reply that are kept as evidence."""
_BYTES_PER_TOKEN = 4


class ProbeCost(NamedTuple):
    """What a probe takes at most."""

    requests: int
    input_tokens: int
    """Estimated from the size of the requests."""
    output_tokens: int
    """At most; thinking counts."""


@dataclass(frozen=True, slots=True)
class Ability:
    """One line of a card."""

    id: str
    answer: Answer
    detail: str
    """What was seen."""
    evidence: tuple[int, ...] = ()
    """Which exchanges it rests on."""

    @property
    def title(self) -> str:
        """What a user reads."""
        return TITLES.get(self.id, self.id)


@dataclass(frozen=True, slots=True)
class ProbeEvidence:
    """One exchange of a probe, secrets masked."""

    question: str
    method: str
    url: str
    headers: Headers
    body: str
    status: int | None = None
    reply_headers: Headers = ()
    reply: str = ""
    """The reply's body as it came."""
    error: ErrorInfo | None = None
    took_us: int = 0
    tries: int = 1


@dataclass(frozen=True, slots=True)
class CapabilityCard:
    """What an endpoint can do with one model, as seen on one day."""

    provider: str
    model: str
    wire: str
    base_url: str
    probed_us: int
    """UTC microseconds."""
    abilities: tuple[Ability, ...] = ()
    evidence: tuple[ProbeEvidence, ...] = ()
    usage: Usage = Usage()
    """Tokens that the provider counted, as far as it did."""
    simulated: bool = False

    def ability(self, name: str) -> Ability | None:
        """One line by its id."""
        return next((item for item in self.abilities if item.id == name), None)

    @property
    def requests(self) -> int:
        """Requests that were sent, tries again included."""
        return sum(item.tries for item in self.evidence)


def cost_of(client: ModelClient, model: str, extra: dict[str, Any] | None = None) -> ProbeCost:
    """What a probe will cost at most; nothing is sent. Raise InvalidInput for what cannot be sent."""
    requests = [request for question in QUESTIONS for request in question.build(model, extra or {})]
    size = sum(len(client.encode(request).body) for request in requests)
    return ProbeCost(len(requests), size // _BYTES_PER_TOKEN, sum(one.max_tokens or MOST_TOKENS for one in requests))


async def probe(
    client: ModelClient,
    model: str,
    *,
    extra: dict[str, Any] | None = None,
    clock: Ticker | None = None,
    watch: Callable[[Ability], None] = lambda _ability: None,
) -> CapabilityCard:
    """Ask everything; `watch` gets each answer as it is known. Errors become answers, only a cancel leaves early."""
    asking = _Asking(client, model, extra or {}, clock or Clock(), watch)
    for number, question in enumerate(QUESTIONS):
        await asking.ask(question)
        failed = asking.heard[-1].error if asking.heard else None
        if number == 0 and failed is not None and failed.kind in _HOPELESS:
            for skipped in QUESTIONS[1:]:
                asking.leave_out(skipped, "there is no answer from this endpoint")
            break
    return asking.card()


@dataclass(slots=True)
class _Asking:
    """A probe under way."""

    client: ModelClient
    model: str
    extra: dict[str, Any]
    clock: Ticker
    watch: Callable[[Ability], None]
    abilities: list[Ability] = field(default_factory=list)
    evidence: list[ProbeEvidence] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)

    async def ask(self, question: Question) -> None:
        """Ask one question, unless there is a reason not to."""
        if question.quirk and self.client.endpoint.quirks.get(question.quirk):
            self.leave_out(question, f"not sent: {question.quirk} is set for this provider")
            return
        if question.needs and not any(
            item.id == question.needs and item.answer in (Answer.YES, Answer.UNCLEAR) for item in self.abilities
        ):
            self.leave_out(question, f"needs {TITLES[question.needs]}")
            return
        first, heard = len(self.evidence), []
        for request in question.build(self.model, self.extra):
            reply = await self._exchange(question.id, request)
            heard.append(reply)
            if reply.error is not None:
                break
        self.heard += heard
        self._note(question.findings(heard), tuple(range(first, len(self.evidence))))

    def leave_out(self, question: Question, why: str) -> None:
        """Note that a question is not asked."""
        self._note([AbilityFinding(ability, Answer.NOT_ASKED, why) for ability in question.abilities], ())

    def card(self) -> CapabilityCard:
        """Everything so far."""
        endpoint = self.client.endpoint
        counted = [reply.usage for reply in self.heard if reply.usage is not None]
        usage = Usage(sum(one.input or 0 for one in counted), sum(one.output or 0 for one in counted))
        return CapabilityCard(
            endpoint.provider, self.model, endpoint.wire, endpoint.base_url, self.clock.now_us(),
            tuple(self.abilities), tuple(self.evidence), usage if counted else Usage(), endpoint.simulated,
        )  # fmt: skip

    def _note(self, findings: Sequence[AbilityFinding], evidence: tuple[int, ...]) -> None:
        for found in findings:
            ability = Ability(found.ability, found.answer, found.detail, evidence)
            self.abilities.append(ability)
            self.watch(ability)

    async def _exchange(self, question: str, request: ChatRequest) -> Heard:
        """Send one request; keep what was sent and what came of its last try."""
        sent: ExchangeStarted | None = None
        head: ResponseStarted | None = None
        data = bytearray()
        deltas: list[Delta] = []
        began = self.clock.tick_us()
        tries, error = 0, None
        async with aclosing(self.client.exchange(request)) as events:
            async for event in events:
                match event:
                    case ExchangeStarted():
                        sent, head, tries = event, None, tries + 1
                        data.clear()
                        deltas.clear()
                    case ResponseStarted():
                        head = event
                    case ChunkReceived():
                        data += event.data
                        deltas += event.deltas
                    case ExchangeEnded():
                        error = event.error
        assert sent is not None
        self.evidence.append(
            ProbeEvidence(
                question,
                sent.request.method,
                sent.request.url,
                sent.request.headers,
                _readable(sent.request.body),
                head.status if head else None,
                head.headers if head else (),
                _readable(bytes(data)),
                error,
                self.clock.tick_us() - began,
                tries,
            )
        )
        return hear(deltas, error)


def _readable(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return text if len(text) <= _LARGEST else text[:_LARGEST] + "…"


def card_to_json(card: CapabilityCard) -> bytes:
    """The card as one JSON document."""
    return msgspec.json.encode(card)


def card_from_json(data: bytes, place: str = "card") -> CapabilityCard:
    """Read a card; raise InvalidInput naming `place`."""
    try:
        return decoder_of(CapabilityCard).decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidInput(f"{place} is no capability card: {error}.", hint="Probe the model again.") from error
