"""PASS, FAIL or INCONCLUSIVE for each metric of each candidate. Never one number for all of them.

Each metric is a difference to the reference, turned so that more is worse, held against a limit:

    FAIL            the interval lies above the limit as a whole; its level is adjusted by Holm over all metrics and candidates
    PASS            the interval at twice the level ends at the limit or below: not worse by more, one-sided
    INCONCLUSIVE    neither; told with the pairs that would decide

The interval that is given is the one that decided, so that it never says anything else than the word. The reference's own
noise is how far its second measurement may differ from its first: the wider end of that interval at 95 %.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.grading.multiplicity import holm_levels
from workbench.grading.rates import TOO_FEW
from workbench.verify.intervals import (
    Difference,
    Share,
    median_difference,
    ratio_difference,
    share_difference,
    share_of,
)
from workbench.verify.judgement import Judgement, Reference, Result, Verdicts
from workbench.verify.limit_comparison import NOISE_LEVEL, MetricComparison, further_pairs, noise_width
from workbench.verify.metrics import METRICS, Better, Kind, Metric, faulty
from workbench.verify.pairs import (
    candidate_moves,
    candidate_parts,
    middle,
    reference_moves,
    reference_parts,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.verify.intervals import PairShare
    from workbench.verify.observation import Observation
    from workbench.verify.pairs import Pair
    from workbench.verify.policy import Limit, VerifyPolicy


def verdicts(pairs: Sequence[Pair], candidates: int, policy: VerifyPolicy, level: float | None = None) -> Verdicts:
    """Judge all metrics of all candidates; `level` is that of this look, where there are several."""
    level = policy.level if level is None else level
    metrics = [metric for metric in METRICS.values() if not metric.published or policy.judges(metric)]
    noises = {metric.id: _noise(metric, pairs) for metric in metrics}
    references = tuple(_reference(metric, pairs, noises[metric.id], policy) for metric in metrics)
    found = [
        _compared(reference, noises[reference.metric.id], pairs, candidate, policy)
        for candidate in range(candidates)
        for reference in references
    ]
    asked = [one for one in found if isinstance(one, MetricComparison)]
    chances = [comparison.p() for comparison in asked]
    alarms = dict(zip(map(id, asked), holm_levels(chances, level), strict=True))
    judged = iter([
        _judged(one, level, alarms[id(one)], len(pairs)) if isinstance(one, MetricComparison) else one for one in found
    ])  # fmt: skip
    rows = tuple(tuple(next(judged) for _ in references) for _ in range(candidates))
    return Verdicts(references, rows, len(asked), level)


def _noise(metric: Metric, pairs: Sequence[Pair]) -> Difference | Share | None:
    """The reference against itself."""
    if not any(len(pair.references) > 1 for pair in pairs):
        return None
    match metric.kind:
        case Kind.SHARE:
            return share_difference(*_measured(metric, pairs), unit=metric.weight)
        case Kind.RELATION:
            return share_of(reference_parts(metric, pairs), metric.weight)
        case Kind.MEDIAN:
            return median_difference(reference_moves(metric, pairs))
        case Kind.RATIO:
            return ratio_difference(*_measured(metric, pairs))


def _measured(metric: Metric, pairs: Sequence[Pair]) -> tuple[list[PairShare], list[PairShare]]:
    """The reference's first measurement and its second."""
    return reference_parts(metric, pairs, 0), reference_parts(metric, pairs, 1)


def _reference(
    metric: Metric, pairs: Sequence[Pair], noise: Difference | Share | None, policy: VerifyPolicy
) -> Reference:
    seen = [one for pair in pairs for one in pair.references]
    value: float | None
    if metric.kind is Kind.MEDIAN:
        value = middle(metric, seen)
    else:
        value = _value(reference_parts(metric, pairs))
    if value is None:
        return Reference(metric, None, None)
    low, high = noise.interval(NOISE_LEVEL) if noise is not None else (0.0, 0.0)
    faults, replies = _faults(metric, pairs, None)
    found = Reference(
        metric, value, noise_width(noise) if noise is not None else None, low, high,
        sum(len(pair.references) > 1 for pair in pairs), faults, replies,
    )  # fmt: skip
    return replace(found, judgement=_of_itself(found, noise, policy))


def _of_itself(found: Reference, noise: Difference | Share | None, policy: VerifyPolicy) -> Judgement | None:
    """The reference held against its own limit: one that fails says that the limit does not fit."""
    limit = policy.limit(found.metric)
    assert found.value is not None
    if not policy.judges(found.metric) or noise is None:
        return None
    if limit.absolute:
        return Judgement.PASS if _shortfall(found.value, limit) <= 0 else Judgement.FAIL
    moved = 0.0 if isinstance(noise, Share) else noise.value
    return Judgement.PASS if abs(moved) <= limit.allowed(noise_width(noise), found.value) else Judgement.FAIL


def _shortfall(value: float, limit: Limit) -> float:
    """How much a value misses an absolute limit by; more is worse."""
    return limit.at_least - value if limit.at_least is not None else value - (limit.at_most or 0.0)


def _value(parts: Sequence[PairShare]) -> float | None:
    total = math.fsum(part.of for part in parts)
    return math.fsum(part.amount for part in parts) / total if total else None


def _faults(metric: Metric, pairs: Sequence[Pair], candidate: int | None) -> tuple[int, int]:
    """How many replies make the metric worse, and how many say something of it."""
    faults = replies = 0
    for pair in pairs:
        for own, other in _replies(metric, pair, candidate):
            amount = metric.between(own, other) if metric.kind is Kind.RELATION and other else metric.of(own)
            replies += bool(amount[1])
            faults += bool(amount[1]) and faulty(metric, own, other)
    return faults, replies


def _replies(metric: Metric, pair: Pair, candidate: int | None) -> list[tuple[Observation, Observation | None]]:
    """The replies of a candidate, or of the reference, each with what it is held against."""
    both = pair.references
    first = both[0] if both else None
    if candidate is not None:
        own = pair.candidates[candidate]
        return [] if own is None else [(own, first)]
    return [(own, first) for own in both[1:]] if metric.kind is Kind.RELATION else [(own, None) for own in both]


def _compared(
    reference: Reference, noise: Difference | Share | None, pairs: Sequence[Pair], candidate: int, policy: VerifyPolicy
) -> MetricComparison | Result:
    """What is to be judged, or a result that needs no statistics."""
    metric, limit = reference.metric, policy.limit(reference.metric)
    parts = candidate_parts(metric, pairs, candidate)
    value = (
        middle(metric, (pair.candidates[candidate] for pair in pairs)) if metric.kind is Kind.MEDIAN else _value(parts)
    )
    faults, replies = _faults(metric, pairs, candidate)
    result = Result(metric, candidate, value, faults=faults, replies=replies, pairs=replies, level=policy.level)
    if value is None:
        return replace(result, reason="no reply says anything about it")
    if limit.absolute:
        return _absolute(result, parts, limit, policy)
    test = _difference(metric, pairs, parts, candidate)
    if test is None or reference.value is None:
        return replace(result, reason="the reference says nothing about it")
    result = replace(result, difference=test.value)
    if not policy.judges(metric):
        return result
    if reference.noise is None and limit.drop is None:
        return replace(
            result,
            judgement=Judgement.INCONCLUSIVE,
            reason="the reference was measured once, so its noise is not known",
        )
    turn = -1.0 if metric.better is Better.HIGH else 1.0
    return MetricComparison(result, test, noise, limit, reference.value, turn)


def _absolute(
    result: Result, parts: Sequence[PairShare], limit: Limit, policy: VerifyPolicy
) -> MetricComparison | Result:
    """A limit on the candidate's own value."""
    share = share_of(parts, result.metric.weight)
    assert share is not None
    low = limit.at_least is not None
    edge = limit.at_least if low else limit.at_most
    result = replace(result, threshold=edge, difference=_shortfall(share.value, limit), limit=0.0)
    if not policy.judges(result.metric):
        return result
    if limit.decide == "value":
        ends = (result.difference or 0.0,) * 2
        judgement = Judgement.PASS if _shortfall(share.value, limit) <= 0 else Judgement.FAIL
        return replace(
            result, judgement=judgement, low=ends[0], high=ends[1], reason="decided by the value, as published"
        )
    assert edge is not None
    return MetricComparison(result, share, None, limit, share.value, -1.0 if low else 1.0, edge if low else -edge)


def _difference(metric: Metric, pairs: Sequence[Pair], parts: Sequence[PairShare], candidate: int) -> Difference | None:
    match metric.kind:
        case Kind.MEDIAN:
            return median_difference(candidate_moves(metric, pairs, candidate))
        case Kind.RATIO:
            return ratio_difference(reference_parts(metric, pairs), parts)
        case _:
            return share_difference(reference_parts(metric, pairs), parts, metric.weight)


def _judged(comparison: MetricComparison, level: float, alarm: float, pairs: int) -> Result:
    """The verdict, with the interval that decided."""
    limit, result = comparison.allowed(), comparison.result
    judgement = comparison.judge(level, alarm)
    if result.pairs < TOO_FEW and judgement is not Judgement.FAIL:
        judgement = Judgement.INCONCLUSIVE
    shown = min(1.0, 2 * level) if judgement is Judgement.PASS else alarm
    low, high = comparison.interval(shown)
    return replace(
        result, difference=comparison.worse, low=low, high=high, limit=limit, level=shown, judgement=judgement,
        reason=_too_few(result.pairs),
        further=further_pairs(comparison, level, alarm, pairs) if judgement is Judgement.INCONCLUSIVE else None,
        threshold=result.threshold if result.threshold is not None else _threshold(comparison, limit),
    )  # fmt: skip


def _too_few(pairs: int) -> str:
    if pairs >= TOO_FEW:
        return ""
    return f"only {pairs} {'pair says' if pairs == 1 else 'pairs say'} anything about it, too few to judge"


def _threshold(comparison: MetricComparison, limit: float) -> float:
    """The limit as a value of the candidate's own."""
    worse_is_less = comparison.result.metric.better is Better.HIGH
    return comparison.reference - limit if worse_is_less else comparison.reference + limit
