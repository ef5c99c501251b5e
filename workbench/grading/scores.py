"""What a batch says about tool calling: format tax, decisions, funnel, arguments, reliability, ranks, speed, boost."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import CallRow, CallState, CaseVerdict, FieldState, ItemState, Mark
from workbench.core.calls import Outcome
from workbench.core.target import Policy
from workbench.core.verdict import Basis, VerdictState
from workbench.grading.matrix import case_rates
from workbench.grading.ranks import RankRange, rank_ranges
from workbench.grading.rates import Rate
from workbench.grading.reliability import CurvePoint, reliability_curve
from workbench.grading.resampling import bootstrap, quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.core.batch import Batch, BatchItem


class FormatTax(NamedTuple):
    """What a target pays for its format."""

    target: int
    strict: Rate
    """Runs that passed and that a strict parser would have accepted: a counterfactual."""
    tolerant: Rate
    """Runs that passed as they were read."""
    points: float
    """Tolerant minus strict, percentage points."""


class Stage(NamedTuple):
    """One stage of the funnel: of those that came this far, how many went on."""

    name: str
    rate: Rate


class Decisions(NamedTuple):
    """Call needed or not × called or not; calls that were lost count as called, what cannot be known is left out."""

    called_needed: int
    quiet_needed: int
    called_unneeded: int
    quiet_unneeded: int
    unknown: int = 0
    """Runs whose decision cannot be known, such as a marker without a call."""

    @property
    def recall(self) -> Rate:
        """Called where a call was needed."""
        return Rate(self.called_needed, self.called_needed + self.quiet_needed)

    @property
    def specificity(self) -> Rate:
        """Did not call where none was needed."""
        return Rate(self.quiet_unneeded, self.quiet_unneeded + self.called_unneeded)

    @property
    def precision(self) -> Rate:
        """Calls that were needed."""
        return Rate(self.called_needed, self.called_needed + self.called_unneeded)

    @property
    def accuracy(self) -> Rate:
        """Right decisions of either kind."""
        return Rate(self.called_needed + self.quiet_unneeded, sum(self[:4]))

    @property
    def balanced_accuracy(self) -> float | None:
        """Mean of recall and specificity; None where a kind is absent."""
        return _mean_of(self.recall.value, self.specificity.value)

    @property
    def never_calls(self) -> Rate:
        """Accuracy of a model that never calls: what must be beaten."""
        return Rate(self.quiet_unneeded + self.called_unneeded, sum(self[:4]))

    @property
    def always_calls(self) -> Rate:
        """Accuracy of a model that always calls."""
        return Rate(self.called_needed + self.quiet_needed, sum(self[:4]))


class Arguments(NamedTuple):
    """Calls of the right tool, argument by argument."""

    exact: Rate
    """Calls whose arguments were all right."""
    right: Rate
    """Arguments that were right."""
    missing: Rate
    invented: Rate
    wrong_type: Rate
    wrong_value: Rate


class Quantiles(NamedTuple):
    """Of times in microseconds, or of speeds; each with its bootstrap interval."""

    runs: int
    median: float
    median_interval: tuple[float, float]
    p95: float
    p95_interval: tuple[float, float]


class Latency(NamedTuple):
    """Times of a target's runs; None where nothing was measured."""

    first_token: Quantiles | None
    first_call: Quantiles | None
    total: Quantiles | None


class Curve(NamedTuple):
    """All-k-pass of one target."""

    target: int
    points: tuple[CurvePoint, ...]


def _mean_of(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else (one + other) / 2


def _items(batch: Batch, target: int) -> list[BatchItem]:
    return [item for item in batch.items if item.target == target and item.state is ItemState.DONE and item.result]


def _results(batch: Batch, target: int) -> list[CaseVerdict]:
    """Results by expectation that say something about the model."""
    return [
        item.result
        for item in _items(batch, target)
        if item.result
        and item.result.verdict.basis is Basis.EXPECTATION
        and item.result.verdict.state in (VerdictState.PASS, VerdictState.FAIL)
    ]


def format_tax(batch: Batch) -> tuple[FormatTax, ...]:
    """Strict against tolerant for every target; targets that run strictly pay nothing by definition."""
    taxes = []
    for target, value in enumerate(batch.spec.targets):
        results = _results(batch, target)
        passed = [result for result in results if result.verdict.state is VerdictState.PASS]
        strict = sum(result.strict or value.policy is Policy.STRICT for result in passed)
        gap = 100 * (len(passed) - strict) / len(results) if results else 0.0
        taxes.append(FormatTax(target, Rate(strict, len(results)), Rate(len(passed), len(results)), gap))
    return tuple(taxes)


def decisions(batch: Batch, target: int) -> Decisions:
    """To call or not to call, over all judged runs of a target."""
    results = _results(batch, target)
    seen = Counter((result.needed, result.called) for result in results)
    unknown = sum(count for (needed, called), count in seen.items() if needed is None or called is None)
    return Decisions(seen[True, True], seen[True, False], seen[False, True], seen[False, False], unknown)


def funnel(batch: Batch, target: int) -> tuple[Stage, ...]:
    """Conditional rates of the runs in which a call was needed; their product is the end-to-end rate of these runs.

    Errors fail the first stage here, unlike in every rate of correctness: the funnel asks what becomes of a request.
    """
    calling = {case.id for case in batch.spec.cases if case.expectation and case.expectation.calls}
    left = [
        item.result
        for item in _items(batch, target)
        if item.result
        and item.case_id in calling
        and item.result.verdict.state in (VerdictState.PASS, VerdictState.FAIL, VerdictState.ERROR)
    ]
    stages = []
    for name, goes_on in _STAGES:
        on = [result for result in left if goes_on(result)]
        stages.append(Stage(name, Rate(len(on), len(left))))
        left = on
    return tuple(stages)


def _passed(result: CaseVerdict) -> bool:
    return result.verdict.state is VerdictState.PASS


def _parsed(result: CaseVerdict) -> bool:
    return _passed(result) or result.format is not Outcome.REPORTED


_STAGES: tuple[tuple[str, Callable[[CaseVerdict], bool]], ...] = (
    ("answered", lambda result: result.verdict.state is not VerdictState.ERROR),
    ("format recognised", lambda result: result.recognised or _passed(result)),
    ("parsed", _parsed),
    ("decision right", lambda result: result.decision is Mark.RIGHT),
    ("tool right", lambda result: result.tool is Mark.RIGHT),
    ("arguments right", lambda result: result.arguments is not Mark.WRONG),
    ("final answer right", _passed),
)


def arguments(batch: Batch, target: int) -> Arguments:
    """Argument by argument, over calls that were paired with an expected one; mode: JSON values, see `folding`."""
    rows = [row for result in _results(batch, target) for row in result.calls if row.state in _PAIRED]
    exact = sum(row.state is not CallState.MISMATCH for row in rows)
    total = sum(row.compared for row in rows)
    counted = Counter(state for row in rows for state in _worst_by_argument(row).values())
    missing, invented, wrong_type, wrong_value = (Rate(counted[state], total) for state in _FAULTS)
    right = Rate(total - sum(counted.values()), total)
    return Arguments(Rate(exact, len(rows)), right, missing, invented, wrong_type, wrong_value)


def _worst_by_argument(row: CallRow) -> dict[str | int, FieldState]:
    """One fault per argument, however deep and often it shows: the first in the order of `_FAULTS`."""
    worst: dict[str | int, FieldState] = {}
    for field in row.fields:
        if field.path and field.state in _FAULTS:
            nested = len(field.path) > 1 and field.state in (FieldState.MISSING, FieldState.EXTRA)
            state = FieldState.WRONG_VALUE if nested else field.state
            known = worst.get(field.path[0], state)
            worst[field.path[0]] = min(known, state, key=_FAULTS.index)
    return worst


_PAIRED = (CallState.MATCHED, CallState.MISMATCH, CallState.OUT_OF_ORDER)
_FAULTS = (FieldState.MISSING, FieldState.EXTRA, FieldState.WRONG_TYPE, FieldState.WRONG_VALUE)


def leak_rate(batch: Batch, target: int) -> Rate:
    """Runs with a marker in what a user would have seen without the sanitizer."""
    results = _results(batch, target)
    return Rate(sum(result.leaked for result in results), len(results))


def reliability(batch: Batch) -> tuple[Curve, ...]:
    """All-k-pass of every target, unbiased, for each k that its runs allow."""
    curves = []
    for target in range(len(batch.spec.targets)):
        rates = case_rates(batch, target)
        points = reliability_curve([item.rate for item in rates], [item.cluster for item in rates], batch.spec.seed)
        curves.append(Curve(target, points))
    return tuple(curves)


def ranks(batch: Batch) -> tuple[RankRange, ...]:
    """Range of places of every target, over the cases that all of them were judged on."""
    tables = [case_rates(batch, target) for target in range(len(batch.spec.targets))]
    common = [place for place in range(len(batch.spec.cases)) if all(table[place].rate.runs for table in tables)]
    scores = [[table[place].rate.passed / table[place].rate.runs for place in common] for table in tables]
    clusters = [tables[0][place].cluster for place in common] if tables else []
    return rank_ranges(scores, clusters, seed=batch.spec.seed)


def latency(batch: Batch, target: int) -> Latency:
    """First token and first call apart from the total; failed exchanges are left out."""
    samples = [
        item.sample
        for item in _items(batch, target)
        if item.result and item.result.verdict.state in (VerdictState.PASS, VerdictState.FAIL)
    ]
    return Latency(
        quantiles([sample.first_token_us for sample in samples], batch.spec.seed),
        quantiles([sample.first_call_us for sample in samples], batch.spec.seed),
        quantiles([sample.duration_us or None for sample in samples], batch.spec.seed),
    )


def quantiles(measured: Sequence[float | None], seed: int) -> Quantiles | None:
    """Median and 95th percentile of what was measured; None where nothing was."""
    values = [float(value) for value in measured if value is not None]
    if not values:
        return None
    names = [str(place) for place in range(len(values))]
    rounds = max(100, min(500, 200_000 // len(values)))
    bounds = [
        bootstrap(values, names, lambda drawn, share=share: quantile(drawn, share), seed=seed, rounds=rounds)  # type: ignore[misc]
        for share in (0.5, 0.95)
    ]
    return Quantiles(len(values), quantile(values, 0.5), bounds[0], quantile(values, 0.95), bounds[1])


def solved_by_loop(batch: Batch, target: int) -> tuple[Rate, ...]:
    """Boost: share of runs that passed by loop 1, 2, 3; what is missing to 1 gave up or was wrong."""
    runs = [
        (item.sample.loops, item.result.verdict.state is VerdictState.PASS)
        for item in _items(batch, target)
        if item.result and item.result.verdict.state in (VerdictState.PASS, VerdictState.FAIL)
    ]
    most = max((loops for loops, _ in runs), default=0)
    return tuple(
        Rate(sum(passed and loops <= loop for loops, passed in runs), len(runs)) for loop in range(1, most + 1)
    )


def tokens_per_success(batch: Batch, target: int) -> float | None:
    """Tokens of all runs by passed ones; None, not zero, where none passed."""
    items = _items(batch, target)
    passed = sum(item.result.verdict.state is VerdictState.PASS for item in items if item.result)
    total = math.fsum(item.sample.input_tokens + item.sample.output_tokens for item in items)
    return total / passed if passed else None


class Cost(NamedTuple):
    """What a target's runs cost, in the currency that prices are kept in."""

    total: float | None
    """None: no price is known."""
    runs: int
    """Runs whose cost is known."""
    each: float | None
    """By passed runs; None, not zero, where none passed."""
    interval: tuple[float, float] | None = None
    """Of `each`, by bootstrap over cases."""


def cost_per_success(batch: Batch, target: int) -> Cost:
    """Cost of all runs, those that failed too, by passed ones."""
    known = [
        (item.case_id, item.sample.cost, bool(item.result and item.result.verdict.state is VerdictState.PASS))
        for item in _items(batch, target)
        if item.sample.cost is not None
    ]
    if not known:
        return Cost(None, 0, None)
    passed, total = sum(one for _, _, one in known), math.fsum(cost for _, cost, _ in known)
    if not passed or not total:
        return Cost(total, len(known), total / passed if passed else None)
    family = {case.id: case.family or case.id for case in batch.spec.cases}

    def each(drawn: Sequence[float]) -> float:
        chosen = [known[int(place)] for place in drawn]
        hits = sum(one for _, _, one in chosen)
        return math.fsum(cost for _, cost, _ in chosen) / hits if hits else math.inf

    names = [family[case] for case, _, _ in known]
    low, high = bootstrap([float(place) for place in range(len(known))], names, each, seed=batch.spec.seed, rounds=300)
    bounds = (low, high) if math.isfinite(high) else None
    return Cost(total, len(known), total / passed, bounds)
