"""A batch as one HTML file to be cited: targets, matrix, sentences, what was left out, and a row for every run."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from workbench.export.batch_report import cell_text, footer, left_out, letter, told_lines
from workbench.export.batch_samples import sample_rows
from workbench.export.batch_why import STANDS_ON, TRADE, provenance_rows, trade_rows, why_sections
from workbench.export.html_page import own_words, page, table, tag
from workbench.grading.comparison import compare_all
from workbench.grading.matrix import matrix
from workbench.grading.rates import percent

if TYPE_CHECKING:
    from workbench.core.batch import Batch
    from workbench.export.batch_why import WhySection
    from workbench.export.html_page import Markup
    from workbench.grading.matrix import Matrix, TargetColumn

SHOWN = tuple(
    "case target repeat verdict reason excluded seed_asked seed_honoured format served_model parser grader tools template"
    " wrapper run".split()
)
"""Columns of the table of runs; the CSV has all."""
_STATES = {"pass": "pass", "fail": "fail", "error": "error", "flaky": "flaky"}


def batch_html(batch: Batch, baseline: Batch | None = None, halted: str = "") -> str:
    """The whole document; `halted` says why the batch ended before its end."""
    found = matrix(batch, baseline)
    at = datetime.fromtimestamp(batch.spec.created_us / 1e6, UTC).strftime("%Y-%m-%d %H:%M UTC")
    pairs, names = compare_all(batch), [letter(column.target) for column in found.columns]
    return page(
        f"Suite {batch.spec.suite}",
        tag("h1", f"Suite {batch.spec.suite}"),
        tag("p", f"Batch {batch.spec.id}, {at}, seed {batch.spec.seed}", class_="second"),
        _targets(found),
        tag("h2", "Cases"),
        _cells(found),
        tag("h2", "Comparisons"),
        *(tag("p", line) for line in told_lines(batch, pairs, baseline)),
        *(part for section in why_sections(batch, pairs, names) for part in _section(section)),
        tag("h2", "Quality against price"),
        table(TRADE, trade_rows(batch, found, names), right=(1, 2, 3, 4)),
        tag("h2", "Runs"),
        table(STANDS_ON, [tuple(map(own_words, row)) for row in provenance_rows(batch, names)], right=(1,)),
        tag("p", left_out(batch)),
        *(tag("p", line, class_="second") for line in footer(batch, found, halted)),
        tag("details", tag("summary", f"Every run ({len(batch.items)})"), _runs(batch)),
    )


def _section(section: WhySection) -> tuple[Markup, ...]:
    return tag("h2", section.title.capitalize()), *(tag("p", line) for line in section.lines)


def _targets(found: Matrix) -> Markup:
    rows = [_target(column) for column in found.columns]
    return table(("", "target", "score", "95 %", "passed", "errors"), rows, right=(2, 4, 5))


def _target(column: TargetColumn) -> tuple[object, ...]:
    score = column.score
    bounds = f"{percent(score.interval.low)} – {percent(score.interval.high)}" if score else ""
    label = column.label + (" (simulated)" if column.simulated else "")
    passed = f"{column.rate.passed}/{column.rate.runs}"
    value = percent(score.value) if score else ""
    return letter(column.target), own_words(label), value, bounds, passed, column.errors or ""


def _cells(found: Matrix) -> Markup:
    heads = ("case", *(letter(column.target) for column in found.columns))
    rows = [
        (
            own_words(row.case.id),
            *(tag("span", cell_text(cell), class_=_STATES.get(cell.state.value, "")) for cell in row.cells),
        )
        for row in found.rows
    ]
    return table(heads, rows)


def _runs(batch: Batch) -> Markup:
    letters = {target.identity(): letter(at) for at, target in enumerate(batch.spec.targets)}
    rows = ({**row, "target": letters[row["target_id"]]} for row in sample_rows(batch))
    return table(SHOWN, (tuple(own_words("" if row[name] is None else row[name]) for name in SHOWN) for row in rows))
