"""A batch told to people: its cells in short words, every pair of targets in a sentence, and the whole as Markdown.

The terminal, the file of `--markdown` and the window's clipboard say the same.
"""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING

from workbench.core.batch import ItemState
from workbench.core.verdict import VerdictState
from workbench.export.batch_samples import exclusions
from workbench.export.batch_why import STANDS_ON, TRADE, provenance_rows, trade_rows, why_sections
from workbench.grading.comparison import compare_all
from workbench.grading.conclusion import conclude
from workbench.grading.honesty import CellState
from workbench.grading.matrix import matrix
from workbench.grading.rates import percent, whole_percent
from workbench.grading.regression import regressions
from workbench.grading.scores import cost_per_success
from workbench.grading.stopping import rule_words, stop_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import Batch
    from workbench.grading.comparison import Comparison
    from workbench.grading.matrix import Cell, Matrix, TargetColumn
    from workbench.grading.regression import Regression

MOST_APART = 6
MOST_SENTENCES = 28
"""Comparisons that are told in words; all are adjusted for."""


def letter(target: int) -> str:
    """A target's short name: A to Z, then AA, AB, …"""
    first, last = divmod(target, 26)
    return (letter(first - 1) if first else "") + ascii_uppercase[last]


def cell_text(cell: Cell) -> str:
    """`◐ 7/10 40–89`; without a rate, the state in words."""
    if cell.state is CellState.NOT_ASKED:
        return "not asked"
    if not cell.rate.runs:
        clean = f" {cell.clean.passed}/{cell.clean.runs} clean" if cell.clean.runs else ""
        return f"{cell.state.sign} {cell.state.word}{clean}"
    bounds = (
        "too few" if cell.rate.too_few else f"{whole_percent(cell.interval.low)}–{whole_percent(cell.interval.high)}"
    )
    errors = f" +{cell.errors} {CellState.ERROR.sign}" if cell.errors else ""
    return f"{cell.state.sign} {cell.text} {bounds}{errors}"


def markdown(batch: Batch, baseline: Batch | None = None, halted: str = "") -> str:
    """Targets, matrix, sentences and footer; `halted` says why the batch ended before its end."""
    table = matrix(batch, baseline)
    lines = [
        f"# Suite {_one_line(batch.spec.suite)}",
        "",
        "| | target | score | 95 % | passed | errors |",
        "|---|---|---|---|---|---|",
    ]
    lines += [_target_line(column) for column in table.columns]
    heads = [letter(column.target) for column in table.columns]
    lines += ["", f"| case | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    lines += [
        f"| {_one_line(row.case.id)} | {' | '.join(cell_text(cell) for cell in row.cells)} |" for row in table.rows
    ]
    pairs, names = compare_all(batch), [letter(target) for target in range(len(batch.spec.targets))]
    lines += ["", *(f"- {line}" for line in told_lines(batch, pairs, baseline))]
    for section in why_sections(batch, pairs, names):
        lines += ["", f"## {section.title.capitalize()}", "", *(f"- {_one_line(line)}" for line in section.lines)]
    lines += ["", "## Quality against price", "", *_table(TRADE, trade_rows(batch, table, names))]
    lines += ["", "## What the runs stand on", "", *_table(STANDS_ON, provenance_rows(batch, names))]
    return "\n".join([*lines, "", *(f"{line}  " for line in (*footer(batch, table, halted), left_out(batch)))]) + "\n"


def left_out(batch: Batch) -> str:
    """`Left out of the rates: 3 × error of provider or network.`"""
    found = ", ".join(f"{count} × {why}" for why, count in exclusions(batch))
    return f"Left out of the rates: {found}." if found else "No run was left out of the rates."


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    return lines + [f"| {' | '.join(_one_line(cell) for cell in row)} |" for row in rows]


def _target_line(column: TargetColumn) -> str:
    score = column.score
    bounds = f"{percent(score.interval.low)} – {percent(score.interval.high)}" if score else ""
    value = percent(score.value) if score else ""
    label = _one_line(column.label) + (" (simulated)" if column.simulated else "")
    passed = f"{column.rate.passed}/{column.rate.runs}"
    return f"| {letter(column.target)} | {label} | {value} | {bounds} | {passed} | {column.errors or ''} |"


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def told_lines(batch: Batch, pairs: tuple[Comparison, ...], baseline: Batch | None = None) -> list[str]:
    """The answer first, then every pair of targets in a sentence, then each target against the earlier batch."""
    moved, columns = regressions(batch, baseline) if baseline else (), matrix(batch).columns
    answer = conclude(batch, columns, pairs, [letter(column.target) for column in columns])
    return [*answer.lines, *sentences(pairs), *(line for found in moved for line in against(found))]


def sentences(pairs: tuple[Comparison, ...]) -> list[str]:
    """One sentence a pair, and for how many comparisons the p values were adjusted; of very many the largest."""
    known = [pair for pair in pairs if pair.found is not None]
    cut = len(known) > MOST_SENTENCES
    if cut:
        known = sorted(known, key=lambda pair: (not pair.shown, -abs(pair.points)))[:MOST_SENTENCES]
    lines = [_sentence(pair) for pair in known] + _apart(
        [pair for pair in pairs if pair.found is None and not pair.look]
    )
    if len(pairs) > 1:
        how = "the stopping rule" if any(pair.look for pair in pairs) else "Holm"
        told = f"{len(pairs)} comparisons; p and intervals adjusted by {how}."
        if cut:
            told = f"{told} Listed are {len(known)}, the shown and the largest first; --json has all."
        lines.append(told)
    return lines


def _sentence(pair: Comparison) -> str:
    told = pair.sentence(letter(pair.a), letter(pair.b))
    return told if pair.warnings else f"{told} p = {pair.adjusted_p:.2g}"


def _apart(pairs: Sequence[Comparison]) -> list[str]:
    """Pairs of which nothing can be said."""
    if not pairs:
        return []
    shown = ", ".join(f"{letter(pair.b)} and {letter(pair.a)}" for pair in pairs[:MOST_APART])
    more = f", {len(pairs) - MOST_APART:,} more pairs" if len(pairs) > MOST_APART else ""
    return [f"No judged case in common: {shown}{more}."]


def against(found: Regression) -> list[str]:
    """A target now and before: the sentence, the cases that do worse, and what else is not as it was."""
    lines = [f"{letter(found.target)} against the baseline: {found.state}. {found.told}"]
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
        parts.append(f"{errors} error{'' if errors == 1 else 's'} left out of rates ({_bounds(table)})")
    for state, word in ((VerdictState.CANCELLED, "cancelled"), (VerdictState.NOT_GRADABLE, "not gradable")):
        if count := states.count(state):
            parts.append(f"{count} {word}")
    if trimmed:
        parts.append(f"{trimmed} taken out by {'hand' if batch.spec.stopping is None else 'the stopping rule'}")
    versions = [f"{name} {', '.join(sorted(found))}" for name in ("parser", "grader")
                if (found := {getattr(item.sample, name) for item in done} - {""})]  # fmt: skip
    lines = [" · ".join(parts), " · ".join([*versions, f"seed {batch.spec.seed}", f"batch {batch.spec.id}"])]
    lines += [line for line in (stop_words(batch), rule_words(batch.spec), halted) if line]
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
