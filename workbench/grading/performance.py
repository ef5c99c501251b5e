"""How many of a model's tool calls could be executed, and how fast it answers: over the runs of a batch, or any others.

A call counts as tried when it was made or visibly attempted: lost ones and ones whose arguments break the schema too.
Calls of one case or one run go wrong together, so the interval stands on clusters of them, not on single calls.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import ItemState
from workbench.core.verdict import VerdictState
from workbench.grading.rates import percent, whole_percent
from workbench.grading.resampling import quantile
from workbench.grading.scores import Quantiles, quantiles
from workbench.grading.suite import PooledRate, pooled_rate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.core.batch import Batch
    from workbench.core.run_summary import RunSummary

WANTED = 0.95
"""More of the calls than this should be executed (requirement R9)."""


class Met(StrEnum):
    """Whether the wanted share is reached, as far as the interval tells."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "cannot tell"


class RunPerformance(NamedTuple):
    """One run's part."""

    cluster: str
    """Runs of one case belong together; of other runs, each stands alone."""
    executed: int
    tried: int
    first_token_us: int | None
    first_call_us: int | None
    duration_us: int | None
    tokens_per_second: float | None
    timed: bool = True
    """False where the run was stopped or the provider failed: its times say nothing about the model."""


class Measured(NamedTuple):
    """One quantity of several runs, those left out where it was not measured."""

    values: tuple[float, ...]
    seed: int = 0

    @property
    def median(self) -> float | None:
        """None where nothing was measured."""
        return quantile(self.values, 0.5) if self.values else None

    def quantiles(self) -> Quantiles | None:
        """Median and 95th percentile, each with its interval: drawn anew, so it takes its time."""
        return quantiles(self.values, self.seed)


HEADS = ("calls executed", "95 %", "> 95 %", "first token", "first call", "total", "tokens/s")
"""Over `Performance.cells`: the rate, its interval, whether the wanted share is reached; times are medians."""


class Performance(NamedTuple):
    """What several runs come to."""

    runs: int
    calls: PooledRate | None
    """None where no call was tried."""
    first_token: Measured
    """Microseconds, as the next two."""
    first_call: Measured
    total: Measured
    tokens_per_second: Measured

    @property
    def met(self) -> Met:
        """Whether more than 95 % of the calls are executed."""
        if self.calls is None:
            return Met.UNKNOWN
        low, high = self.calls.interval
        return Met.YES if low > WANTED else Met.NO if high <= WANTED else Met.UNKNOWN

    @property
    def cells(self) -> tuple[str, ...]:
        """The same in short words; empty where nothing was measured."""
        calls, speed = self.calls, self.tokens_per_second.median
        return (
            f"{calls.passed}/{calls.of}" if calls else "",
            f"{whole_percent(calls.interval.low)}–{percent(calls.interval.high)}" if calls else "",
            self.met.value if calls else "",
            _seconds(self.first_token),
            _seconds(self.first_call),
            _seconds(self.total),
            "" if speed is None else f"{speed:.0f}",
        )


def _seconds(measured: Measured) -> str:
    return "" if measured.median is None else f"{measured.median / 1e6:.2f} s"


def performance(runs: Iterable[RunPerformance], seed: int = 0) -> Performance:
    """Sum runs up; the same runs and seed give the same intervals."""
    found = list(runs)
    timed = [run for run in found if run.timed]
    return Performance(
        len(found),
        pooled_rate([(run.executed, run.tried) for run in found], [run.cluster for run in found]),
        _measured((run.first_token_us for run in timed), seed),
        _measured((run.first_call_us for run in timed), seed),
        _measured((run.duration_us or None for run in timed), seed),
        _measured((run.tokens_per_second for run in timed), seed),
    )


def _measured(values: Iterable[float | None], seed: int) -> Measured:
    return Measured(tuple(value for value in values if value is not None), seed)


def batch_performance(batch: Batch, target: int) -> Performance:
    """One target's runs in a batch."""
    clusters = {case.id: case.family or case.id for case in batch.spec.cases}
    return performance(
        (
            RunPerformance(
                clusters[item.case_id],
                item.sample.calls_executed,
                item.sample.calls_tried,
                item.sample.first_token_us,
                item.sample.first_call_us,
                item.sample.duration_us,
                item.sample.tokens_per_second,
                _timed(item.result.verdict.state),
            )
            for item in batch.items
            if item.target == target and item.state is ItemState.DONE and item.result
        ),
        batch.spec.seed,
    )


def run_performance(run: RunSummary) -> RunPerformance:
    """A recorded run's part."""
    return RunPerformance(
        run.run_id,
        *run.tool_rate,
        run.first_us("first_token"),
        run.first_us("first_call"),
        run.duration_us,
        run.tokens_per_second,
        _timed(run.state),
    )


def _timed(state: VerdictState) -> bool:
    return state not in (VerdictState.ERROR, VerdictState.CANCELLED, VerdictState.RUNNING)
