"""What a batch says about each target, as JSON: more than a terminal has room for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.grading.matrix import case_rates
from workbench.grading.reliability import suite_flakiness
from workbench.grading.scores import (
    arguments,
    cost_per_success,
    decisions,
    funnel,
    latency,
    leak_rate,
    solved_by_loop,
    tokens_per_success,
)
from workbench.grading.suite import design_effect, noise_floor, variance_split

if TYPE_CHECKING:
    from workbench.core.batch import Batch
    from workbench.grading.rates import Rate
    from workbench.grading.scores import Quantiles


def numbers(batch: Batch, target: int) -> dict[str, Any]:
    """Decisions, arguments, funnel, noise, times and tokens of one target; rates are `[passed, runs]`."""
    made, given, times = decisions(batch, target), arguments(batch, target), latency(batch, target)
    rates = case_rates(batch, target)
    boosted = batch.spec.targets[target].planner is not None
    return {
        "decisions": {
            "recall": pair(made.recall),
            "specificity": pair(made.specificity),
            "precision": pair(made.precision),
            "accuracy": pair(made.accuracy),
            "balanced_accuracy": made.balanced_accuracy,
            "never_calls": pair(made.never_calls),
            "always_calls": pair(made.always_calls),
            "unknown": made.unknown,
        },
        "arguments": {name: pair(rate) for name, rate in given._asdict().items()},
        "funnel": [{"stage": stage.name, "rate": pair(stage.rate)} for stage in funnel(batch, target)],
        "leaked": pair(leak_rate(batch, target)),
        "flakiness": suite_flakiness([item.rate for item in rates]),
        "noise_floor": noise_floor(rates),
        "variance": _variance(batch, target),
        "latency_us": {name: _quantiles(found) for name, found in times._asdict().items()},
        "tokens_per_success": tokens_per_success(batch, target),
        "cost": _cost(batch, target),
        "solved_by_loop": [pair(rate) for rate in solved_by_loop(batch, target)] if boosted else None,
    }


def _cost(batch: Batch, target: int) -> dict[str, Any] | None:
    """What the runs cost; None where no price is known."""
    found = cost_per_success(batch, target)
    if found.total is None:
        return None
    bounds = [round(bound, 9) for bound in found.interval] if found.interval else None
    return {"total": round(found.total, 9), "runs": found.runs, "per_success": found.each, "interval": bounds}


def pair(rate: Rate) -> list[int]:
    """`[passed, runs]`: no percentage without its n."""
    return [rate.passed, rate.runs]


def _variance(batch: Batch, target: int) -> dict[str, Any] | None:
    """Difficulty and noise, and how much repeats of one case are worth less than other cases."""
    split = variance_split(case_rates(batch, target))
    if split is None:
        return None
    share = split.correlation
    effect = design_effect(batch.spec.repeats, share) if share is not None else None
    return {"between_cases": split.between, "within_cases": split.within, "correlation": share, "design_effect": effect}


def _quantiles(found: Quantiles | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "runs": found.runs,
        "median": found.median,
        "median_interval": list(found.median_interval),
        "p95": found.p95,
        "p95_interval": list(found.p95_interval),
    }
