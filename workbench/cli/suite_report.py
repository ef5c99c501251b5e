"""A batch on the terminal: the matrix with k/n and intervals, every pair of targets in a sentence, what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.cli.failures import say
from workbench.cli.output import write, write_json, write_table
from workbench.cli.suite_json import batch_json
from workbench.cli.suite_why import by_hand_json, why_json, why_lines
from workbench.core.atomic_files import write_file
from workbench.core.whole_files import expanded
from workbench.export import batch_report
from workbench.export.batch_junit import junit as junit_report
from workbench.export.batch_report import against, cell_text, footer, letter, sentences
from workbench.export.batch_why import TRADE, trade_rows
from workbench.grading.by_hand import recount, recount_line
from workbench.grading.comparison import compare_all
from workbench.grading.matrix import matrix
from workbench.grading.performance import HEADS, batch_performance
from workbench.grading.rates import TOO_FEW, percent
from workbench.grading.regression import regressions
from workbench.grading.scores import format_tax, ranks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.app.data_folder import DataFolder
    from workbench.core.batch import Batch
    from workbench.grading.matrix import Matrix
    from workbench.grading.suite import SuiteScore
    from workbench.store.opinions import Opinion


def report(
    batch: Batch,
    *,
    junit: str = "",
    markdown: str = "",
    json: bool = False,
    baseline: Batch | None = None,
    halted: str = "",
    said: Mapping[str, Opinion] | None = None,
) -> None:
    """Write the files that are asked for, then print the batch, beside an earlier one if there is a baseline.

    `halted` says why it ended before its end, `said` which runs have a verdict set by hand.
    """
    counted = recount(batch, {run: one.state for run, one in (said or {}).items() if one.state is not None})
    table, pairs = matrix(batch, baseline), compare_all(batch)
    moved = regressions(batch, baseline) if baseline else ()
    told = [*sentences(pairs), *(line for found in moved for line in against(found))]
    if junit:
        write_file(expanded(junit), junit_report(batch, table))
    if markdown:
        write_file(expanded(markdown), batch_report.markdown(batch, baseline, halted))
    if json:
        write_json(
            batch_json(batch, table, pairs, moved)
            | why_json(batch, table, pairs)
            | {"halted": halted or None, "by_hand": by_hand_json(counted)}
        )
        return
    _write_targets(batch, table)
    write("")
    write_table(("case", *(letter(column.target) for column in table.columns)), _rows(table), whole=("case",))
    for line in ["", *told] if told else []:
        write(line)
    for line in ["", *reasons] if (reasons := why_lines(batch, table, pairs)) else []:
        write(line)
    if len(trade := trade_rows(batch, table, [letter(column.target) for column in table.columns])) > 1:
        write("\nquality against price")
        write_table(TRADE, trade, right=TRADE[1:5])
    write("")
    for line in (
        *footer(batch, table, halted),
        recount_line(counted, [letter(column.target) for column in table.columns]),
    ):
        if line:
            write(line)


def write_reports(
    folder: DataFolder, batch: Batch, orders: Sequence[tuple[str, str]], baseline: Batch | None = None, halted: str = ""
) -> None:
    """Write reports of a batch, each as a whole, in place of what stood there; what one cannot carry is told."""
    for kind, path in orders:
        made = folder.export_batch(kind, batch, baseline, halted)
        folder.write_export(made, expanded(path), replace=True)
        for line in made.left_out:
            say(f"{path}: left out: {line}")


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
    write("")
    found = [(letter(column.target), *batch_performance(batch, column.target).cells) for column in table.columns]
    write_table(("", *HEADS), found, right=HEADS)


def _score_text(score: SuiteScore | None) -> str:
    if score is None:
        return ""
    if score.runs < TOO_FEW:
        return "too few"
    return f"{percent(score.value)} ({percent(score.interval.low)} – {percent(score.interval.high)})"


def _rows(table: Matrix) -> list[tuple[object, ...]]:
    return [(row.case.id, *(cell_text(cell) for cell in row.cells)) for row in table.rows]
