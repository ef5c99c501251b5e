"""Executed tool calls with an interval by clusters, and times of runs that say something about the model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit import runs
from tests.kit.batches import batch
from workbench.core.run_summary import summarize
from workbench.grading.performance import HEADS, Met, RunPerformance, batch_performance, performance, run_performance


def part(cluster: str, executed: int, tried: int, **more: object) -> RunPerformance:
    return RunPerformance(cluster, executed, tried, 10, 20, 30, 5.0)._replace(**more)


def test_nothing_was_run() -> None:
    found = performance([])
    assert (found.runs, found.calls, found.first_token.median, found.total.quantiles()) == (0, None, None, None)
    assert found.met is Met.UNKNOWN


def test_runs_without_a_call_have_times_and_no_rate() -> None:
    found = performance([part("a", 0, 0), part("b", 0, 0)])
    assert found.calls is None
    assert found.first_token.median == 10


@pytest.mark.parametrize(
    ("parts", "met"),
    [
        ([part(str(number), 1, 1) for number in range(100)], Met.YES),
        ([part(str(number), 1, 1) for number in range(20)], Met.UNKNOWN),
        ([part(str(number), number % 2, 1) for number in range(100)], Met.NO),
        ([part("one case", 200, 200)], Met.UNKNOWN),
    ],
)
def test_target_share_is_met_by_the_interval_bound(parts: list[RunPerformance], met: Met) -> None:
    assert performance(parts).met is met


def test_calls_of_one_case_are_no_independent_calls() -> None:
    apart = performance([part(str(number), number % 2, 1) for number in range(40)]).calls
    together = performance([part(str(number % 4), number % 2, 1) for number in range(40)]).calls
    assert apart is not None
    assert together is not None
    assert (apart.value, together.value) == (0.5, 0.5)
    assert (apart.clusters, together.clusters) == (40, 4)
    assert apart.interval.low > together.interval.low


def test_times_of_failed_and_stopped_runs_are_left_out_their_calls_are_not() -> None:
    found = performance([part("a", 1, 1), part("b", 0, 1, first_token_us=900, timed=False)])
    assert (len(found.first_token.values), found.first_token.median) == (1, 10)
    assert found.calls is not None
    assert (found.calls.passed, found.calls.of) == (1, 2)


def test_a_batch_counts_one_target() -> None:
    made = batch({"a": ["ss", "ff"], "b": ["se", "ff"]})
    items = tuple(
        replace(item, sample=replace(item.sample, calls_executed=1, calls_tried=2, first_token_us=7))
        for item in made.items
    )
    found = batch_performance(replace(made, items=items), 0)
    assert found.runs == 4
    assert found.calls is not None
    assert (found.calls.passed, found.calls.of, found.calls.clusters) == (4, 8, 2)
    assert len(found.first_token.values) == 3, "the provider failed once"


def test_a_recorded_run() -> None:
    found = run_performance(summarize(runs.make_run("r7")))
    assert (found.cluster, found.executed, found.tried, found.timed) == ("r7", 1, 1, True)
    assert (found.first_token_us, found.first_call_us, found.duration_us) == (12, None, 2_500_000)
    assert not run_performance(summarize(runs.make_run(verdict=None))).timed


def test_short_words() -> None:
    found = performance([RunPerformance(str(number), 1, 1, 100_000, None, 1_500_000, 40.0) for number in range(3)])
    cells = dict(zip(HEADS, found.cells, strict=True))
    assert cells == {
        "calls executed": "3/3",
        "95 %": "44–100 %",
        "> 95 %": "cannot tell",
        "first token": "0.10 s",
        "first call": "",
        "total": "1.50 s",
        "tokens/s": "40",
    }
    assert set(performance([]).cells) == {""}
