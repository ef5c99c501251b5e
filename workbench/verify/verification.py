"""A verification as it stands: endpoints, pairs and what they come to. Reports and the window are made from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import BatchState, ItemState
from workbench.grading.sequential import look_level
from workbench.verify.judgement import Verdicts
from workbench.verify.observation import Observation
from workbench.verify.pairs import Pair
from workbench.verify.plan import label_of, planned_pair
from workbench.verify.verdicts import verdicts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.batch import Batch
    from workbench.core.target import Target
    from workbench.verify.plan import VerifySpec
    from workbench.verify.policy import VerifyPolicy

REFERENCE = "reference"


class EndpointSeen(NamedTuple):
    """One endpoint of a verification."""

    label: str
    wire: str = ""
    """Empty until something has come of it."""
    simulated: bool = False
    served: tuple[str, ...] = ()
    """Models that it says it serves."""
    errors: int = 0
    replies: int = 0
    """Answered or not."""
    target: Target | None = None
    """None: replies that others recorded."""


@dataclass(frozen=True, slots=True)
class Verification:
    """Everything that is known of one verification."""

    id: str
    """Of its batch; empty where all was recorded by others."""
    model: str
    reference: EndpointSeen
    candidates: tuple[EndpointSeen, ...]
    policy: VerifyPolicy
    pairs: tuple[Pair, ...]
    """In the order in which they were planned, those that have begun."""
    planned: int
    """Pairs."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Of the requests, by id."""
    source: str = ""
    seed: int = 0
    measured: int = 2
    looks: int = 0
    state: BatchState = BatchState.DONE
    runs: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """Id of the run by pair and slot: the reference's measurements first, then the candidates."""
    cost: float | None = None
    """What all runs cost by the prices of that day; None: not known."""

    @property
    def level(self) -> float:
        """The chance of a false alarm that this look may spend."""
        return look_level(self.looks, self.policy.level) if self.looks else self.policy.level

    def judged(self) -> Verdicts:
        """All verdicts, computed anew."""
        return verdicts(self.pairs, len(self.candidates), self.policy, self.level)

    def run_of(self, pair: Pair, candidate: int | None) -> str:
        """Id of a candidate's run, or of the reference's first; empty where there is none."""
        return self.runs.get((pair.number, 0 if candidate is None else self.measured + candidate), "")

    @property
    def complete(self) -> int:
        """Pairs of which everything has come."""
        return sum(None not in (*pair.reference, *pair.candidates) for pair in self.pairs)

    @property
    def unanswered(self) -> int:
        """Requests that ended in an error."""
        return self.reference.errors + sum(candidate.errors for candidate in self.candidates)


def from_batch(batch: Batch, spec: VerifySpec, seen: Mapping[int, Observation]) -> Verification:
    """Put a recorded verification together; `seen` is by position of the item."""
    return _Assembled(batch, spec, seen).verification()


class _Assembled:
    """A batch's items, by pair and slot."""

    def __init__(self, batch: Batch, spec: VerifySpec, seen: Mapping[int, Observation]) -> None:
        self._batch, self._spec, self._seen = batch, spec, seen
        self._slots = len(batch.spec.targets)

    def verification(self) -> Verification:
        spec, batch = self._spec, self._batch
        cases = {case.id: case for case in batch.spec.cases}
        costs = [item.sample.cost for item in batch.items if item.state is ItemState.DONE]
        return Verification(
            batch.spec.id,
            spec.model,
            self._endpoint(range(spec.measured)),
            tuple(self._endpoint((slot,)) for slot in range(spec.measured, self._slots)),
            spec.policy,
            tuple(self._pair(place) for place in self._begun),
            len(batch.items) // self._slots,
            {name: case.title for name, case in cases.items()},
            spec.source,
            batch.spec.seed,
            spec.measured,
            spec.looks,
            batch.state,
            {(item.position // self._slots + 1, item.target): item.run_id for item in batch.items if item.run_id},
            None if None in costs or not costs else sum(cost for cost in costs if cost is not None),
        )

    @cached_property
    def _by_place(self) -> dict[int, dict[int, Observation]]:
        found: dict[int, dict[int, Observation]] = {}
        for item in self._batch.items:
            if item.state is ItemState.DONE and (seen := self._seen.get(item.position)) is not None:
                found.setdefault(item.position // self._slots, {})[item.target] = seen
        return found

    @property
    def _begun(self) -> list[int]:
        return sorted(self._by_place)

    def _pair(self, place: int) -> Pair:
        cases, seen = self._batch.spec.cases, self._by_place[place]
        planned = planned_pair(place, len(cases), self._spec.streams)
        case, measured = cases[planned.request], self._spec.measured
        return Pair(
            planned.number, case.id, case.family, planned.streamed,
            tuple(seen.get(slot) for slot in range(measured)),
            tuple(seen.get(slot) for slot in range(measured, self._slots)),
        )  # fmt: skip

    def _endpoint(self, slots: Sequence[int] | range) -> EndpointSeen:
        """One endpoint; the reference has as many slots as it was measured times."""
        items = [item for item in self._batch.items if item.target in slots and item.state is ItemState.DONE]
        seen = [found for item in items if (found := self._seen.get(item.position)) is not None]
        target = self._batch.spec.targets[slots[0]]
        return EndpointSeen(
            label_of(target),
            next((one.wire for one in seen if one.wire), ""),
            any(item.sample.simulated for item in items),
            tuple(sorted({one.served_model for one in seen} - {""})),
            sum(not one.answered for one in seen),
            len(seen),
            target,
        )
