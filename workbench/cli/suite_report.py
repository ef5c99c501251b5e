"""A batch told: the matrix with k/n and intervals, every pair of targets in a sentence, and what was left out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.cli.output import write, write_json, write_table
from workbench.cli.suite_files import write_junit
from workbench.cli.suite_numbers import numbers, pair
from workbench.core.atomic_files import write_file
from workbench.export.batch_report import against, cell_text, footer, letter, percent, sentences
from workbench.export.batch_report import markdown as markdown_report
from workbench.grading.comparison import compare_all
from workbench.grading.matrix import matrix
from workbench.grading.paired import sentence
from workbench.grading.rates import TOO_FEW
from workbench.grading.regression import regressions
from workbench.grading.scores import format_tax, ranks

if TYPE_CHECKING:
    from workbench.core.batch import Batch
    from workbench.grading.comparison import Comparison
    from workbench.grading.matrix import Cell, Column, Matrix
    from workbench.grading.regression import Regression
    from workbench.grading.suite import SuiteScore


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
        write_file(Path(markdown).expanduser(), markdown_report(batch, baseline, halted))
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
