"""A batch told: the matrix with k/n and intervals, every pair of targets in a sentence, and what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.cli.output import write, write_json, write_table
from workbench.cli.suite_files import write_junit, write_markdown
from workbench.cli.suite_numbers import numbers, pair
from workbench.cli.suite_words import cell_text, letter, percent
from workbench.core.batch import ItemState
from workbench.core.verdict import VerdictState
from workbench.grading.comparison import compare_all
from workbench.grading.matrix import matrix
from workbench.grading.paired import sentence
from workbench.grading.rates import TOO_FEW
from workbench.grading.regression import regressions
from workbench.grading.scores import cost_per_success, format_tax, ranks

if TYPE_CHECKING:
    from workbench.core.batch import Batch
    from workbench.grading.comparison import Comparison
    from workbench.grading.matrix import Cell, Column, Matrix
    from workbench.grading.regression import Regression
    from workbench.grading.suite import SuiteScore


MOST_SENTENCES = 28
"""Comparisons that are told in words; all are adjusted for."""


def report(
    batch: Batch,
    *,
    junit: str = "",
    markdown: str = "",
    json: bool = False,
    baseline: Batch | None = None,
    halted: str = "",
) -> None:
    """Write the files that are asked for, then print the batch, beside an earlier one if there is a baseline.

    `halted` says why it ended before its end.
    """
    table, pairs = matrix(batch, baseline), compare_all(batch)
    moved = regressions(batch, baseline) if baseline else ()
    told = [*sentences(pairs), *(line for found in moved for line in against(found))]
    if junit:
        write_junit(junit, batch, table)
    if markdown:
        write_markdown(markdown, batch, table, told, footer(batch, table, halted))
    if json:
        write_json(document(batch, table, pairs, moved) | {"halted": halted or None})
        return
    _write_targets(batch, table)
    write("")
    write_table(("case", *(letter(column.target) for column in table.columns)), _rows(table), whole=("case",))
    for line in ["", *told] if told else []:
        write(line)
    write("")
    for line in footer(batch, table, halted):
        write(line)


def _write_targets(batch: Batch, table: Matrix) -> None:
    """Who is who, a line each, then what they came to: both fit a narrow terminal."""
    taxes, places = format_tax(batch), ranks(batch)
    for column in table.columns:
        notes = [column.format] if column.format != column.value.format else []
        notes += ["simulated"] if column.simulated else []
        write(f"{letter(column.target)}  {column.label}" + (f" ({', '.join(notes)})" if notes else ""))
    write("")
    rows = [
        (
            letter(column.target),
            _score_text(column.score),
            f"{column.rate.passed}/{column.rate.runs}",
            f"{taxes[column.target].strict.passed}/{column.rate.runs}",
            str(places[column.target]) if column.score else "",
            column.errors or "",
        )
        for column in table.columns
    ]
    write_table(("", "score, 95 %", "passed", "strict", "rank", "errors"), rows, right=("passed", "strict"))


def _score_text(score: SuiteScore | None) -> str:
    if score is None:
        return ""
    if score.runs < TOO_FEW:
        return "too few"
    return f"{percent(score.value)} ({percent(score.interval.low)} – {percent(score.interval.high)})"


def _rows(table: Matrix) -> list[tuple[object, ...]]:
    return [(row.case.id, *(cell_text(cell) for cell in row.cells)) for row in table.rows]


def sentences(pairs: tuple[Comparison, ...]) -> list[str]:
    """One sentence a pair, and for how many comparisons the p values were adjusted; of very many the largest."""
    known = [pair for pair in pairs if pair.found is not None]
    if len(known) > MOST_SENTENCES:
        known = sorted(known, key=lambda pair: (not pair.shown, -abs(pair.points)))[:MOST_SENTENCES]
    lines = [f"{pair.sentence(letter(pair.a), letter(pair.b))} p = {pair.adjusted_p:.2g}" for pair in known]
    if len(pairs) > 1:
        told = f"{len(pairs)} comparisons; p and intervals adjusted by Holm."
        if len(pairs) > MOST_SENTENCES:
            told = f"{told} Listed are {len(known)}, the shown and the largest first; --json has all."
        lines.append(told)
    return lines


def against(found: Regression) -> list[str]:
    """A target now and before: the sentence, the cases that do worse, and what else is not as it was."""
    lines = [f"{letter(found.target)} against the baseline: {found.state}. {sentence(found.found, 'before', 'now')}"]
    lines += [f"  {case}: {before.passed}/{before.runs} → {now.passed}/{now.runs}" for case, before, now in found.worse]
    if found.changed:
        lines.append(f"  changed or new, left out: {', '.join(found.changed)}")
    if found.warnings:
        lines.append(f"  not as it was: {', '.join(found.warnings)}")
    return lines


def footer(batch: Batch, table: Matrix, halted: str = "") -> list[str]:
    """What was run, what was left out of the rates, and by which versions it was judged."""
    done = [item for item in batch.items if item.state is ItemState.DONE and item.result]
    states = [item.result.verdict.state for item in done if item.result]
    trimmed = sum(item.state is ItemState.TRIMMED for item in batch.items)
    parts = [f"{len(done)} of {len(batch.items)} runs done"]
    if errors := states.count(VerdictState.ERROR):
        parts.append(f"{errors} errors left out of rates ({_bounds(table)})")
    for state, word in ((VerdictState.CANCELLED, "cancelled"), (VerdictState.NOT_GRADABLE, "not gradable")):
        if count := states.count(state):
            parts.append(f"{count} {word}")
    if trimmed:
        parts.append(f"{trimmed} taken out by hand")
    versions = [f"{name} {', '.join(sorted(found))}" for name in ("parser", "grader")
                if (found := {getattr(item.sample, name) for item in done} - {""})]  # fmt: skip
    lines = [" · ".join(parts), " · ".join([*versions, f"seed {batch.spec.seed}", f"batch {batch.spec.id}"])]
    lines += [halted] if halted else []
    lines += [_cost_line(batch)] if any(item.sample.cost for item in done) else []
    lines += table.warnings
    lines.append("score: mean over cases, interval by clusters of cases; strict: passed without a repair")
    return lines


def _cost_line(batch: Batch) -> str:
    """What it cost, and what a success cost: undefined, not nothing, where there was none."""
    parts = []
    for target in range(len(batch.spec.targets)):
        found = cost_per_success(batch, target)
        if found.total is not None:
            each = "no success" if found.each is None else f"{found.each:.3g} a success"
            parts.append(f"{letter(target)} {found.total:.3g} ({each})")
    return f"cost, by the prices of that day: {', '.join(parts)}"


def _bounds(table: Matrix) -> str:
    """How far errors might move the targets that have any."""
    found = []
    for column in table.columns:
        if column.errors:
            total = column.rate.runs + column.errors
            low, high = column.rate.passed / total, (column.rate.passed + column.errors) / total
            found.append(f"{letter(column.target)} between {percent(low)} and {percent(high)}")
    return ", ".join(found)


def document(
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
        "baseline": [_regression(found) for found in moved],
        "warnings": list(table.warnings),
    }


def _regression(found: Regression) -> dict[str, Any]:
    return {
        "target": found.target,
        "state": found.state.value,
        "chance_of_a_drop": round(found.chance, 4),
        "sentence": sentence(found.found, "before", "now"),
        "worse": [{"case": case, "before": pair(before), "now": pair(now)} for case, before, now in found.worse],
        "changed_cases": list(found.changed),
        "warnings": list(found.warnings),
    }


def _column(batch: Batch, column: Column) -> dict[str, Any]:
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
