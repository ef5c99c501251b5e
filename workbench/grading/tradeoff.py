"""Quality against what it takes: each target's score, money, tokens and time of a run, all with their intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import ItemState
from workbench.core.verdict import VerdictState
from workbench.grading.resampling import bootstrap, quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.core.batch import Batch
    from workbench.grading.matrix import TargetColumn

_ROUNDS = 300


class Amount(NamedTuple):
    """One quantity with its interval, by bootstrap over families of cases."""

    value: float
    low: float
    high: float


class TradePoint(NamedTuple):
    """One target."""

    target: int
    quality: Amount
    """The suite's score, 0 to 1."""
    cost: Amount | None
    """Mean of a run, by the prices of that day; None where a run's is not known."""
    tokens: Amount
    """Mean of a run, input and output."""
    seconds: Amount | None
    """Median of a run; None where no time was measured."""
    runs: int

    def beaten_by(self, other: TradePoint, quantity: str) -> bool:
        """Whether another target is at least as good and takes no more of it, and better in one of the two."""
        here, there = getattr(self, quantity), getattr(other, quantity)
        if here is None or there is None:
            return False
        better = (other.quality.value >= self.quality.value, there.value <= here.value)
        return all(better) and (other.quality.value, there.value) != (self.quality.value, here.value)


def tradeoff(batch: Batch, columns: Sequence[TargetColumn]) -> tuple[TradePoint, ...]:
    """A point for every target that was judged, in the order of the columns."""
    family = {case.id: case.family or case.id for case in batch.spec.cases}
    found = []
    for column in columns:
        if column.score is None:
            continue
        items = [
            item for item in batch.items
            if item.target == column.target and item.state is ItemState.DONE and item.result
            and item.result.verdict.state in (VerdictState.PASS, VerdictState.FAIL)
        ]  # fmt: skip
        names, samples = [family[item.case_id] for item in items], [item.sample for item in items]
        costs = [sample.cost for sample in samples if sample.cost is not None]
        times = [sample.duration_us / 1e6 for sample in samples]
        tokens = [float(sample.input_tokens + sample.output_tokens) for sample in samples]
        seed = batch.spec.seed
        found.append(
            TradePoint(
                column.target,
                Amount(column.score.value, *column.score.interval),
                _amount(costs, names, _mean, seed) if len(costs) == len(items) else None,
                _amount(tokens, names, _mean, seed),
                _amount(times, names, lambda drawn: quantile(drawn, 0.5), seed) if any(times) else None,
                len(items),
            )
        )
    return tuple(found)


def front(points: Sequence[TradePoint], quantity: str) -> frozenset[int]:
    """Targets that no other one beats in quality and this quantity together: the choice lies among them."""
    return frozenset(one.target for one in points if not any(one.beaten_by(other, quantity) for other in points))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _amount(
    values: Sequence[float], names: Sequence[str], statistic: Callable[[Sequence[float]], float], seed: int
) -> Amount:
    low, high = bootstrap(values, names, statistic, seed=seed, rounds=_ROUNDS)
    return Amount(statistic(values), low, high)
