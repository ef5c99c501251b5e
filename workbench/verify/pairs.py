"""Observations side by side: one request, sent once to each endpoint within one round, the reference twice.

From pairs to what the statistics take: parts of sums, or paired differences, each with its request as cluster.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.grading.resampling import quantile
from workbench.verify.intervals import PairShare
from workbench.verify.metrics import NOTHING, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.verify.metrics import Amount, Metric
    from workbench.verify.observation import Observation


@dataclass(frozen=True, slots=True)
class Pair:
    """One request's replies of one round; what has not come yet is None."""

    number: int
    """Counted from 1, in the order in which they are sent."""
    request: str
    """Id of the request: the cluster."""
    family: str
    streamed: bool
    reference: tuple[Observation | None, ...]
    """As often as the reference was measured: twice, or once where it was recorded by others."""
    candidates: tuple[Observation | None, ...]

    @property
    def references(self) -> list[Observation]:
        """What has come of the reference."""
        return [seen for seen in self.reference if seen is not None]


def _sum(amounts: Iterable[Amount]) -> Amount:
    found = list(amounts)
    return math.fsum(amount for amount, _ in found), math.fsum(of for _, of in found)


def candidate_parts(metric: Metric, pairs: Sequence[Pair], candidate: int) -> list[PairShare]:
    """What a candidate adds to a share or ratio; of a relation, held against every measurement of the reference."""
    found = []
    for pair in pairs:
        own = pair.candidates[candidate]
        if own is None:
            continue
        if metric.kind is Kind.RELATION:
            amount = _sum(metric.between(own, reference) for reference in pair.references)
        else:
            amount = metric.of(own)
        found.append(PairShare(pair.request, *amount))
    return found


def reference_parts(metric: Metric, pairs: Sequence[Pair], which: int | None = None) -> list[PairShare]:
    """What the reference adds: all its measurements, or one of them; of a relation, the second held against the first."""
    found = []
    for pair in pairs:
        if metric.kind is Kind.RELATION:
            both = pair.references
            amount = metric.between(both[1], both[0]) if len(both) > 1 else NOTHING
        else:
            chosen = pair.reference if which is None else pair.reference[which : which + 1]
            amount = _sum(metric.of(seen) for seen in chosen if seen is not None)
        found.append(PairShare(pair.request, *amount))
    return found


def candidate_moves(metric: Metric, pairs: Sequence[Pair], candidate: int) -> list[tuple[str, float]]:
    """Of a quantity: the candidate's minus the mean of the reference's, by request."""
    found = []
    for pair in pairs:
        own, known = _quantity(metric, pair.candidates[candidate]), _quantities(metric, pair.reference)
        if own is not None and known:
            found.append((pair.request, own - math.fsum(known) / len(known)))
    return found


def reference_moves(metric: Metric, pairs: Sequence[Pair]) -> list[tuple[str, float]]:
    """Of a quantity: the reference's second measurement minus its first."""
    rows = [(pair.request, [_quantity(metric, seen) for seen in pair.reference]) for pair in pairs]
    return [(request, two[1] - two[0]) for request, two in rows
            if len(two) > 1 and two[0] is not None and two[1] is not None]  # fmt: skip


def middle(metric: Metric, observations: Iterable[Observation | None]) -> float | None:
    """The median of a quantity; None where nobody says it."""
    values = _quantities(metric, observations)
    return quantile(values, 0.5) if values else None


def _quantities(metric: Metric, observations: Iterable[Observation | None]) -> list[float]:
    return [value for seen in observations if (value := _quantity(metric, seen)) is not None]


def _quantity(metric: Metric, seen: Observation | None) -> float | None:
    amount, of = metric.of(seen) if seen is not None else NOTHING
    return amount if of else None
