"""How many of a model's tool calls could be executed, and how fast it answers: over the runs of a batch, or any others.

A call counts as tried when it was made or visibly attempted: lost ones and ones whose arguments break the schema too.
Calls of one case or one run go wrong together, so the interval stands on clusters of them, not on single calls.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import ItemState
from workbench.core.verdict import VerdictState
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


class Performance(NamedTuple):
    """What several runs come to; None where nothing was measured."""

    runs: int
    calls: PooledRate | None
    first_token: Quantiles | None
    """Microseconds, as the next two."""
    first_call: Quantiles | None
    total: Quantiles | None
    tokens_per_second: Quantiles | None

    @property
    def met(self) -> Met:
        """Whether more than 95 % of the calls are executed."""
        if self.calls is None:
            return Met.UNKNOWN
        low, high = self.calls.interval
        return Met.YES if low > WANTED else Met.NO if high <= WANTED else Met.UNKNOWN


def performance(runs: Iterable[RunPerformance], seed: int = 0) -> Performance:
    """Sum runs up; the same runs and seed give the same intervals."""
    found = list(runs)
    timed = [run for run in found if run.timed]
    return Performance(
        len(found),
        pooled_rate([(run.executed, run.tried) for run in found], [run.cluster for run in found]),
        quantiles([run.first_token_us for run in timed], seed),
        quantiles([run.first_call_us for run in timed], seed),
        quantiles([run.duration_us or None for run in timed], seed),
        quantiles([run.tokens_per_second for run in timed], seed),
    )


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
