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
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from workbench.grading.distributions import normal_quantile, t_cdf
from workbench.grading.multiplicity import holm_levels
from workbench.grading.paired import LEVEL, POWER
from workbench.grading.rates import TOO_FEW
from workbench.verify.intervals import (
    Difference,
    MedianDifference,
    Share,
    median_difference,
    ratio_difference,
    share_difference,
    share_of,
)
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

NOISE_LEVEL = 0.05
_MOST_FURTHER = 64
"""So many times the pairs there are: beyond that nobody is told to go on."""
_STEP = 1.1


class Judgement(StrEnum):
    """What is said of one metric."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"

    @property
    def word(self) -> str:
        """`PASS`."""
        return self.value.upper()


@dataclass(frozen=True, slots=True)
class Reference:
    """What the reference shows in one metric."""

    metric: Metric
    value: float | None
    """Of both measurements together; of a relation, the one held against the other; None: nothing to say."""
    noise: float | None
    """How far it may differ from itself, in the metric's unit; None: measured once."""
    low: float = 0.0
    high: float = 0.0
    """The interval of its second measurement against its first."""
    pairs: int = 0
    faults: int = 0
    """Replies that make the metric worse, of both measurements."""
    replies: int = 0
    judgement: Judgement | None = None
    """Held against its own limit; None where there is nothing to judge."""


@dataclass(frozen=True, slots=True)
class Result:
    """One metric of one candidate."""

    metric: Metric
    candidate: int
    value: float | None
    """The candidate's own."""
    difference: float | None = None
    """To the reference, more is worse (of `Better.SAME`: as it is); None where one of them has nothing."""
    low: float = -math.inf
    high: float = math.inf
    """The interval of the difference that decided."""
    limit: float | None = None
    """What is allowed of the difference."""
    level: float = LEVEL
    """1 minus the confidence of the interval."""
    judgement: Judgement | None = None
    """None: not judged, or nothing to judge."""
    reason: str = ""
    """Why it could not be decided, where that is not the interval's width."""
    pairs: int = 0
    """Pairs that say something."""
    faults: int = 0
    """The candidate's replies that make the metric worse."""
    replies: int = 0
    further: int | None = None
    """Pairs more that would likely decide; None: decided, or no affordable number would."""
    threshold: float | None = None
    """The limit as a value of the candidate's own."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Everything that a verification says."""

    references: tuple[Reference, ...]
    """By metric, in the table's order."""
    results: tuple[tuple[Result, ...], ...]
    """By candidate, then by metric."""
    comparisons: int
    """How many share the level."""
    level: float

    def counts(self, candidate: int) -> dict[Judgement, int]:
        """How many metrics of a candidate came out how."""
        found = [result.judgement for result in self.results[candidate]]
        return {judgement: found.count(judgement) for judgement in Judgement}

    def further(self, candidate: int) -> int | None:
        """Pairs more that would decide all that is open and can be decided."""
        return max((result.further for result in self.results[candidate] if result.further), default=None)

    @property
    def open(self) -> int:
        """Metrics of all candidates that more pairs would likely decide."""
        return sum(result.further is not None for row in self.results for result in row)

    @property
    def failed(self) -> bool:
        """Some metric of some candidate failed."""
        return any(result.judgement is Judgement.FAIL for row in self.results for result in row)


@dataclass(frozen=True, slots=True)
class _Question:
    """One comparison before it is judged."""

    result: Result
    test: Difference | _OwnShare
    noise: Difference | Share | None
    limit: Limit
    reference: float
    turn: float
    """1 or −1: times the test's difference, more is worse."""
    shift: float = 0.0
    """Added after that."""

    def allowed(self, factor: float = 1.0) -> float:
        """The limit, where so many times as many pairs had been seen."""
        return 0.0 if self.limit.absolute else self.limit.allowed(_width(self.noise, factor), self.reference)

    @property
    def both_ways(self) -> bool:
        return self.result.metric.better is Better.SAME and not self.limit.absolute

    @property
    def worse(self) -> float:
        return self.turn * self.test.value + self.shift

    def interval(self, level: float, factor: float = 1.0, widen: float = 0.0) -> tuple[float, float]:
        test = self.test if factor == 1.0 else self.test.scaled(factor)
        low, high = test.widened(level, widen)
        ends = sorted((self.turn * low + self.shift, self.turn * high + self.shift))
        return ends[0], ends[1]

    def p(self) -> float:
        """The p value that the difference is no more than allowed."""
        limit = self.allowed()
        edge = math.copysign(limit, self.worse) if self.both_ways else limit
        if (abs(self.worse) if self.both_ways else self.worse) <= limit:
            return 1.0
        return self.test.p_at((edge - self.shift) / self.turn)

    def judge(self, level: float, alarm: float, factor: float = 1.0, widen: float = 0.0) -> Judgement:
        """`level` is the policy's, `alarm` this comparison's share of it."""
        limit = self.allowed(factor)
        if math.isinf(limit):  # too few repeats of the reference's to say how far it differs from itself
            return Judgement.INCONCLUSIVE
        low, high = self.interval(alarm, factor, widen)
        if low > limit or (self.both_ways and high < -limit):
            return Judgement.FAIL
        low, high = self.interval(min(1.0, 2 * level), factor, widen)
        passed = high <= limit and (low >= -limit or not self.both_ways)
        return Judgement.PASS if passed else Judgement.INCONCLUSIVE


@dataclass(frozen=True, slots=True)
class _OwnShare:
    """A share by itself, held against a value that a policy names."""

    share: Share

    @property
    def value(self) -> float:
        return self.share.value

    def p_at(self, value: float) -> float:
        low, high = 0.0, 38.0
        for _ in range(60):
            middle_ = (low + high) / 2
            ends = self.share.ends(middle_)
            low, high = (low, middle_) if ends[0] <= value <= ends[1] else (middle_, high)
        return 2 * t_cdf(-low, self.share.clusters - 1) if self.share.clusters > 1 else 1.0

    def scaled(self, factor: float) -> _OwnShare:
        return _OwnShare(self.share.times(factor))

    def widened(self, level: float, widen: float) -> tuple[float, float]:
        return self.share.widened(level, widen)


def _width(noise: Difference | Share | None, factor: float = 1.0) -> float:
    """How far the reference may differ from itself; 0 where it was not measured twice."""
    if noise is None:
        return 0.0
    seen: Difference | Share = (
        noise if factor == 1.0 else noise.times(factor) if isinstance(noise, Share) else noise.scaled(factor)
    )
    low, high = seen.interval(NOISE_LEVEL)
    return max(seen.value - low, high - seen.value) if isinstance(seen, Share) else max(abs(low), abs(high))


def verdicts(pairs: Sequence[Pair], candidates: int, policy: VerifyPolicy, level: float | None = None) -> Verdicts:
    """Judge all metrics of all candidates; `level` is that of this look, where there are several."""
    level = policy.level if level is None else level
    metrics = [metric for metric in METRICS.values() if not metric.published or policy.judges(metric)]
    noises = {metric.id: _noise(metric, pairs) for metric in metrics}
    references = tuple(_reference(metric, pairs, noises[metric.id], policy) for metric in metrics)
    found = [
        _question(reference, noises[reference.metric.id], pairs, candidate, policy)
        for candidate in range(candidates)
        for reference in references
    ]
    asked = [one for one in found if isinstance(one, _Question)]
    chances = [question.p() for question in asked]
    alarms = dict(zip(map(id, asked), holm_levels(chances, level), strict=True))
    judged = iter([
        _judged(one, level, alarms[id(one)], len(pairs)) if isinstance(one, _Question) else one for one in found
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
        metric, value, _width(noise) if noise is not None else None, low, high,
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
    return Judgement.PASS if abs(moved) <= limit.allowed(_width(noise), found.value) else Judgement.FAIL


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


def _question(
    reference: Reference, noise: Difference | Share | None, pairs: Sequence[Pair], candidate: int, policy: VerifyPolicy
) -> _Question | Result:
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
    return _Question(result, test, noise, limit, reference.value, turn)


def _absolute(result: Result, parts: Sequence[PairShare], limit: Limit, policy: VerifyPolicy) -> _Question | Result:
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
    return _Question(result, _OwnShare(share), None, limit, share.value, -1.0 if low else 1.0, edge if low else -edge)


def _difference(metric: Metric, pairs: Sequence[Pair], parts: Sequence[PairShare], candidate: int) -> Difference | None:
    match metric.kind:
        case Kind.MEDIAN:
            return median_difference(candidate_moves(metric, pairs, candidate))
        case Kind.RATIO:
            return ratio_difference(reference_parts(metric, pairs), parts)
        case _:
            return share_difference(reference_parts(metric, pairs), parts, metric.weight)


def _judged(question: _Question, level: float, alarm: float, pairs: int) -> Result:
    """The verdict, with the interval that decided."""
    limit, result = question.allowed(), question.result
    judgement = question.judge(level, alarm)
    if result.pairs < TOO_FEW and judgement is not Judgement.FAIL:
        judgement = Judgement.INCONCLUSIVE
    shown = min(1.0, 2 * level) if judgement is Judgement.PASS else alarm
    low, high = question.interval(shown)
    return replace(
        result, difference=question.worse, low=low, high=high, limit=limit, level=shown, judgement=judgement,
        reason=_too_few(result.pairs),
        further=_further(question, level, alarm, pairs) if judgement is Judgement.INCONCLUSIVE else None,
        threshold=result.threshold if result.threshold is not None else _threshold(question, limit),
    )  # fmt: skip


def _too_few(pairs: int) -> str:
    if pairs >= TOO_FEW:
        return ""
    return f"only {pairs} {'pair says' if pairs == 1 else 'pairs say'} anything about it, too few to judge"


def _threshold(question: _Question, limit: float) -> float:
    """The limit as a value of the candidate's own."""
    worse_is_less = question.result.metric.better is Better.HIGH
    return question.reference - limit if worse_is_less else question.reference + limit


def _further(question: _Question, level: float, alarm: float, pairs: int) -> int | None:
    """Pairs more after which the verdict is likely given, if the differences stay as they are."""
    widen, factor = normal_quantile(POWER), 1.0
    if isinstance(question.test, MedianDifference) and len(question.test.values) < 2:
        return None
    while factor < _MOST_FURTHER:
        factor *= _STEP
        if question.result.pairs * factor < TOO_FEW:
            continue
        if question.judge(level, alarm, factor, widen) is not Judgement.INCONCLUSIVE:
            return max(1, math.ceil(pairs * (factor - 1)))
    return None
