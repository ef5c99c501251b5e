"""What a verification will send, in which order, and about what it will cost. Pure: nothing is sent here.

Each pair is one request, sent to every endpoint within one round: to the reference twice, to each candidate once. Who comes
first turns from pair to pair, so that time of day and warm caches favour nobody; half of the pairs are streamed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import BatchItem
from workbench.core.errors import InvalidInput
from workbench.core.seeds import seed_of
from workbench.core.target import RunLimits
from workbench.verify.policy import VerifyPolicy
from workbench.verify.request_sets import BUILT_IN, Asks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from workbench.core.case import Case
    from workbench.core.target import ModelRef, Target
    from workbench.verify.request_sets import VerifyRequest

MEASURED = 2
"""How often the reference answers each request: against itself it shows its own noise."""
MOST_PAIRS = 20_000
OUTPUT_TOKENS = 120
"""Tokens of a reply that a plan reckons with, where nobody can know them."""
_CHARACTERS = 4
"""Of a token, roughly."""


class Streams(StrEnum):
    """Which replies are streamed."""

    BOTH = "both"
    """Every other one."""
    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class VerifySpec:
    """What was decided before a verification began; its requests, endpoints and seed are those of its batch."""

    model: str
    policy: VerifyPolicy
    asks: dict[str, Asks] = field(default_factory=dict)
    """By id of the request, where there is more to say than its case."""
    source: str = BUILT_IN
    """Where the requests come from, for people."""
    streams: Streams = Streams.BOTH
    measured: int = MEASURED
    looks: int = 0
    """How often the verdicts were looked at to decide whether to go on; 0: once, at the end that was fixed before."""


class PlannedPair(NamedTuple):
    """One request of one round."""

    number: int
    """From 1."""
    request: int
    """Index into the requests."""
    round: int
    streamed: bool


def planned_pair(place: int, requests: int, streams: Streams) -> PlannedPair:
    """The pair at a place (from 0): all requests once, then all again with streaming turned round."""
    round_, request = divmod(place, requests)
    streamed = (request + round_) % 2 == 0 if streams is Streams.BOTH else streams is Streams.ON
    return PlannedPair(place + 1, request, round_, streamed)


def pairs_within(budget: int, slots: int) -> int:
    """How many whole pairs a budget of requests buys; raise InvalidInput for less than one."""
    if budget < slots:
        raise InvalidInput(
            f"A budget of {budget} requests is less than one pair.", hint=f"One pair is {slots} requests here."
        )
    return min(budget // slots, MOST_PAIRS)


def plan_pairs(
    cases: Sequence[Case], slots: int, places: Iterable[int], streams: Streams, seed: int
) -> tuple[BatchItem, ...]:
    """The items of these pairs, in the order in which they are sent."""
    found = []
    for place in places:
        pair = planned_pair(place, len(cases), streams)
        case = cases[pair.request].id
        for turn in range(slots):
            slot = (place + turn) % slots
            found.append(BatchItem(place * slots + turn, case, slot, pair.round, _seed(seed, case, pair.round, slot)))
    return tuple(found)


def _seed(seed: int, case: str, round_: int, slot: int) -> int:
    """A seed of its own for every reply: two measurements of the reference must not draw alike."""
    return seed_of(seed, case, round_, slot)


def asked_target(target: Target, asks: Asks, *, stream: bool, seed: int) -> Target:
    """The target as one request is sent through it: what the user set wins over what the request brings."""
    own = target.sampling
    sampling = replace(
        own,
        temperature=asks.temperature if own.temperature is None else own.temperature,
        top_p=asks.top_p if own.top_p is None else own.top_p,
        max_tokens=asks.max_tokens if own.max_tokens is None else own.max_tokens,
        parallel_tool_calls=asks.parallel_tool_calls,
        reasoning=asks.reasoning if own.reasoning is None else own.reasoning,
        seed=seed,
    )
    limits = replace(RunLimits(), iterations=1, feedback_per_iteration=0)
    return replace(target, sampling=sampling, limits=limits, stream=stream)


@dataclass(frozen=True, slots=True)
class EndpointPlan:
    """What one endpoint will get."""

    label: str
    role: str
    """`reference` or `candidate`."""
    requests: int
    input_tokens: int
    """About: a character count, without what a chat template adds."""
    output_tokens: int
    """About: so many a reply as a plan reckons with."""
    cost: float | None
    """In the currency of the settings; None: the price is not known."""


def endpoint_plans(
    requests: Sequence[VerifyRequest],
    targets: Sequence[Target],
    pairs: int,
    price: Callable[[ModelRef], tuple[float, float] | None],
    measured: int = MEASURED,
) -> tuple[EndpointPlan, ...]:
    """The reference first; `price` is of a million input and output tokens."""
    once = [_input_tokens(request) for request in requests]
    whole, rest = divmod(pairs, len(once))
    given = whole * sum(once) + sum(once[:rest])
    found = []
    for number, target in enumerate(targets):
        times = 1 if number else measured
        count, tokens = pairs * times, given * times
        out, known = count * OUTPUT_TOKENS, price(target.executor)
        cost = None if known is None else (tokens * known[0] + out * known[1]) / 1e6
        found.append(EndpointPlan(label_of(target), "candidate" if number else "reference", count, tokens, out, cost))
    return tuple(found)


def _input_tokens(request: VerifyRequest) -> int:
    said = sum(len(json.dumps(message.to_openai(), ensure_ascii=False)) for message in request.case.messages)
    tools = sum(len(json.dumps(setup.spec.to_document(), ensure_ascii=False)) for setup in request.case.tools)
    return (said + tools) // _CHARACTERS


def label_of(target: Target) -> str:
    """Provider and model, and the format where calls are written in text."""
    plain = target.format == "auto" or target.format.startswith("native_")
    return str(target.executor) if plain else f"{target.executor} · {target.format}"
