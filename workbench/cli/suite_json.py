"""A batch as one JSON document: more than a terminal has room for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.cli.performance import performance_json, quantiles_json
from workbench.export.batch_report import letter
from workbench.grading.matrix import case_rates
from workbench.grading.performance import batch_performance
from workbench.grading.rates import TOO_FEW
from workbench.grading.reliability import suite_flakiness
from workbench.grading.scores import (
    arguments,
    cost_per_success,
    decisions,
    format_tax,
    funnel,
    latency,
    leak_rate,
    ranks,
    solved_by_loop,
    tokens_per_success,
)
from workbench.grading.stopping import rule_words, standing, stop_words
from workbench.grading.suite import design_effect, noise_floor, variance_split

if TYPE_CHECKING:
    from workbench.core.batch import Batch
    from workbench.grading.comparison import Comparison
    from workbench.grading.matrix import Cell, Matrix, TargetColumn
    from workbench.grading.rates import Rate
    from workbench.grading.regression import Regression


def batch_json(
    batch: Batch, table: Matrix, pairs: tuple[Comparison, ...], moved: tuple[Regression, ...] = ()
) -> dict[str, Any]:
    """The batch as one JSON document."""
    spec = batch.spec
    return {
        "batch": spec.id,
        "suite": spec.suite,
        "state": batch.state.value,
        "seed": spec.seed,
        "repeats": spec.repeats,
        "runs": {"planned": len(batch.items), "left": batch.left},
        "targets": [_column(batch, column) for column in table.columns],
        "cases": [
            {"case": row.case.id, "spread": round(row.spread, 4), "cells": [_cell(cell) for cell in row.cells]}
            for row in table.rows
        ],
        "counts": {name.value: count for name, count in table.counts.items()},
        "comparisons": [_comparison(found) for found in pairs],
        "stopping": _stopping(batch),
        "baseline": [_regression(found) for found in moved],
        "warnings": list(table.warnings),
    }


def _stopping(batch: Batch) -> dict[str, Any] | None:
    """The rule that was fixed beforehand, and how it stands; None without one."""
    rule = batch.spec.stopping
    if rule is None:
        return None
    found = standing(batch)
    return {
        "level": rule.level,
        "margin": 100 * rule.margin,
        "every": rule.every,
        "max_cost": rule.max_cost,
        "looks": found.looks,
        "planned_looks": found.planned,
        "repeats_seen": found.repeats,
        "decided": not found.needed,
        "beaten": sorted(found.beaten),
        "needed": sorted(found.needed),
        "why": stop_words(batch),
        "rule": rule_words(batch.spec),
    }


def _regression(found: Regression) -> dict[str, Any]:
    return {
        "target": found.target,
        "state": found.state.value,
        "chance_of_a_drop": round(found.chance, 4),
        "sentence": found.told,
        "worse": [{"case": case, "before": pair(before), "now": pair(now)} for case, before, now in found.worse],
        "changed_cases": list(found.changed),
        "warnings": list(found.warnings),
    }


def _column(batch: Batch, column: TargetColumn) -> dict[str, Any]:
    tax, score = format_tax(batch)[column.target], column.score
    return {
        "target": column.label,
        "identity": column.value.identity(),
        "format": column.format,
        "simulated": column.simulated,
        "score": round(score.value, 4) if score else None,
        "interval": _interval(score.interval) if score and score.runs >= TOO_FEW else None,
        "passed": column.rate.passed,
        "judged": column.rate.runs,
        "strict": tax.strict.passed,
        "format_tax_points": round(tax.points, 2),
        "errors": column.errors,
        "left": column.left,
        "rank": list(ranks(batch)[column.target]),
        **numbers(batch, column.target),
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "target": cell.target,
        "state": cell.state.value,
        "passed": cell.rate.passed,
        "judged": cell.rate.runs,
        "interval": None if cell.rate.too_few else _interval(cell.interval),
        "bounds": _interval(cell.bounds),
        "strict": cell.strict,
        "errors": cell.errors,
        "left": cell.left,
        "codes": dict(cell.codes),
        "runs": list(cell.runs),
    }


def _comparison(found: Comparison) -> dict[str, Any]:
    return {
        "a": found.a,
        "b": found.b,
        "points": round(found.points, 2) if found.found else None,
        "interval": [round(found.low, 2), round(found.high, 2)] if found.found else None,
        "p": found.found.p if found.found else None,
        "adjusted_p": found.adjusted_p,
        "comparisons": found.comparisons,
        "word": found.word,
        "shown": found.shown,
        "look": found.look or None,
        "level": found.found.level if found.found else None,
        "margin": 100 * found.found.margin if found.found else None,
        "needed": found.found.needed() if found.found and found.word == "cannot tell" else None,
        "up": found.found.up if found.found else 0,
        "down": found.found.down if found.found else 0,
        "sentence": found.sentence(letter(found.a), letter(found.b)),
        "moved": [
            {"case": moved.case_id, "before": pair(moved.before), "after": pair(moved.after), "p": moved.p}
            for moved in found.moved
        ],
    }


def _interval(found: tuple[float, float]) -> list[float]:
    return [round(found[0], 4), round(found[1], 4)]


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
        "latency_us": {name: quantiles_json(found) for name, found in times._asdict().items()},
        "tokens_per_success": tokens_per_success(batch, target),
        "performance": performance_json(batch_performance(batch, target)),
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
