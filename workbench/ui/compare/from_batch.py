"""From a batch to what the comparison shows. Everything here may run in a thread: it touches no widget."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from workbench.core.batch import ItemState
from workbench.grading.comparison import compare, compare_among_all
from workbench.grading.counts import needed_line
from workbench.grading.matrix import matrix
from workbench.grading.rates import Rate
from workbench.grading.scores import decisions, format_tax, funnel, reliability
from workbench.store.filter import Term, write_term
from workbench.ui.compare.matrix_values import Matrix, MatrixCase, MatrixCell, MatrixTarget, MatrixTotal
from workbench.ui.compare.matrix_words import rate_words
from workbench.ui.compare.values import (
    BatchChoice,
    CellView,
    CurveLine,
    Moved,
    Pair,
    ProgressLine,
    ProgressView,
    RunLine,
    Scores,
    TaxLine,
)
from workbench.ui.widgets.quantities import short_time

if TYPE_CHECKING:
    from workbench.core.batch import Batch, BatchItem, BatchProgress, BatchRow, BatchSpec
    from workbench.core.case import Case
    from workbench.core.target import Target
    from workbench.grading.comparison import Comparison
    from workbench.grading.matrix import Cell, Column

_MOST_PAIRS = 190
"""Beyond this many pairs only the chosen one is computed; it pays for all of them at once, and says so."""
_CURVES = 3


def matrix_of(batch: Batch, baseline: Batch | None = None) -> Matrix:
    """The matrix, columns of one model side by side."""
    found = matrix(batch, baseline)
    first: dict[str, int] = {}
    for column in found.columns:
        first.setdefault(str(column.value.executor), column.target)
    columns = sorted(found.columns, key=lambda one: (first[str(one.value.executor)], one.target))
    cells = {(row.case.id, cell.target): _cell(cell) for row in found.rows for cell in row.cells}
    cases = tuple(MatrixCase(row.case.id, row.case.title, note_of(row.case)) for row in found.rows)
    return Matrix(tuple(map(_target, columns)), cases, cells, tuple(map(_total, columns)))


def _target(column: Column) -> MatrixTarget:
    value = column.value
    notes = [f"planner {value.planner}"] if value.planner else []
    notes += [f"policy {value.policy.value}"] if value.policy.value != "tolerant" else []
    sampling = value.sampling
    notes += [f"temperature {sampling.temperature:g}"] if sampling.temperature is not None else []
    return MatrixTarget(
        column.target, value.executor.model, column.format, value.mode, column.simulated, ", ".join(notes)
    )


def _cell(cell: Cell) -> MatrixCell:
    return MatrixCell(
        state=cell.state.value, passed=cell.rate.passed, runs=cell.rate.runs,
        low=cell.interval.low, high=cell.interval.high, worst=cell.bounds.low, best=cell.bounds.high,
        heat="" if cell.heat.value == "none" else cell.heat.value, errors=cell.errors, cancelled=cell.cancelled,
        ungraded=cell.ungraded, clean=cell.clean.passed, left=cell.left, strict=cell.strict, flipped=cell.flipped,
        run_ids=cell.runs, codes=cell.codes,
    )  # fmt: skip


def _total(column: Column) -> MatrixTotal:
    if column.score is None:
        return MatrixTotal()
    low, high = column.score.interval
    return MatrixTotal(column.score.value, low, high, column.rate.passed, column.rate.runs, column.score.cases)


def note_of(case: Case) -> str:
    """A case's second line: its tags, or what it expects."""
    if case.tags:
        return ", ".join(case.tags)
    if case.expectation is None:
        return "no expectation"
    if case.expectation.no_call:
        return "no call expected"
    names = [call.name for call in case.expectation.calls]
    return names[0] if len(names) == 1 else f"{len(names)} calls, {case.expectation.order} order"


def default_pair(shown: Matrix) -> tuple[int, int] | None:
    """What is compared where nobody chose: the best target against the second, else the first two columns."""
    if len(shown.targets) < 2:
        return None
    judged = [
        (-total.mean, place, target.index)
        for place, (target, total) in enumerate(zip(shown.targets, shown.totals, strict=True))
        if total.mean is not None
    ]
    if len(judged) < 2:
        return shown.targets[0].index, shown.targets[1].index
    (_, _, best), (_, _, second) = sorted(judged)[:2]
    return second, best


def pair_of(batch: Batch, a: int, b: int) -> Pair:
    """Two targets in a sentence; paid for by the number of pairs that could be picked."""
    count = len(batch.spec.targets)
    pairs = count * (count - 1) // 2
    if pairs > _MOST_PAIRS:
        return replace(pair_view(compare(batch, a, b).among(pairs)), note=f"Bonferroni over {pairs} pairs")
    return pair_view(compare_among_all(batch, a, b))


def pair_view(found: Comparison) -> Pair:
    """A comparison as the panel shows it."""
    lead, rest = split_sentence(found.sentence())
    moved = tuple(Moved(one.case_id, one.before[:2], one.after[:2]) for one in found.moved)
    note = f"Holm over {found.comparisons} pairs" if found.comparisons > 1 else ""
    warnings = (f"Not comparable: {', '.join(found.warnings)}",) if found.warnings else ()
    return Pair(lead, rest, found.points, found.low, found.high, found.shown, note, moved, warnings)


def split_sentence(words: str) -> tuple[str, str]:
    """The claim, which is set in bold, and what follows from the bracket on."""
    lead, bracket, rest = words.partition(" (")
    return lead, f"({rest}" if bracket else ""


def scores_of(batch: Batch, shown: Matrix) -> Scores:
    """Format tax, decisions apart from arguments, and the curves of three targets that lie far apart."""
    tax = tuple(
        TaxLine(short_of(shown, one.target), one.strict.value, one.tolerant.value, one.tolerant.runs)
        for one in format_tax(batch)
        if one.strict.value is not None and one.tolerant.value is not None and not one.tolerant.too_few
    )
    curves = [
        CurveLine(short_of(shown, one.target), tuple(point.value for point in one.points))
        for one in reliability(batch)
        if len(one.points) >= 2
    ]
    curves.sort(key=lambda one: -one.values[-1])
    if len(curves) > _CURVES:
        curves = [curves[0], curves[len(curves) // 2], curves[-1]]
    lines = tuple(
        (short_of(shown, at), _rate(decisions(batch, at).accuracy), _rate(_arguments(batch, at)))
        for at in range(len(batch.spec.targets))
        if decisions(batch, at).accuracy.runs
    )
    best = max((cell for cell in shown.cells.values() if cell.runs), key=lambda one: one.low, default=None)
    needed = needed_line(Rate(best.passed, best.runs)) if best is not None and best.passed == best.runs else ""
    return Scores(tax, tuple(curves), lines, needed)


def short_of(shown: Matrix, index: int) -> str:
    """A target's shortest name that is its own here: the format, the model, or both."""
    target = next(one for one in shown.targets if one.index == index)
    boost = ", boost" if target.mode == "boost" else ""
    for name in (target.model, target.format):
        others = (one for one in shown.targets if one.index != index)
        if all(f"{name}{boost}" not in (one.model, one.format) or one.mode != target.mode for one in others):
            return f"{name}{boost}"
    return f"{target.model} {target.format}{boost}"


def _arguments(batch: Batch, target: int) -> Rate:
    return next((stage.rate for stage in funnel(batch, target) if stage.name == "arguments right"), Rate(0, 0))


def _rate(rate: Rate) -> str:
    if rate.value is None:
        return "–"
    if rate.too_few:
        return f"{rate.passed} / {rate.runs}"
    return f"{rate.value * 100:.0f} %  {rate.passed} / {rate.runs}"


def progress_view(progress: BatchProgress, spec: BatchSpec) -> ProgressView:
    """A running batch's progress."""
    lines = tuple(
        ProgressLine(label_of(spec.targets[one.target]), one.done, one.running, one.failed, one.errors, one.left,
                     one.trimmed)
        for one in progress.targets
    )  # fmt: skip
    return ProgressView(
        progress.state.value, progress.done, progress.total, progress.running, progress.errors, progress.left_s, lines,
        progress.cost, progress.max_cost,
    )  # fmt: skip


def standing_view(batch: Batch, *, alive: bool) -> ProgressView:
    """How far a batch came that nobody works on here."""
    lines = []
    for at, target in enumerate(batch.spec.targets):
        items = [item for item in batch.items if item.target == at]
        done = [item for item in items if item.state is ItemState.DONE]
        states = [item.result.verdict.state.value for item in done if item.result]
        trimmed = sum(item.state is ItemState.TRIMMED for item in items)
        left = len(items) - len(done) - trimmed
        lines.append(
            ProgressLine(label_of(target), len(done), 0, states.count("fail"), states.count("error"), left, trimmed)
        )
    done_all, total = sum(one.done for one in lines), sum(one.total for one in lines)
    state = "done" if done_all >= total else "elsewhere" if alive else "stopped"
    return ProgressView(state, done_all, total, errors=sum(one.errors for one in lines), lines=tuple(lines))


def label_of(target: Target) -> str:
    """A target's name without its provider."""
    return " · ".join((target.executor.model, target.format, target.mode))


def cell_of(batch: Batch, case: MatrixCase, target: MatrixTarget, cell: MatrixCell) -> CellView:
    """A cell with its runs."""
    items = [item for item in batch.items if item.case_id == case.id and item.target == target.index and item.run_id]
    runs = tuple(_run_line(item) for item in sorted(items, key=lambda item: item.repeat))
    words = rate_words(cell) or "No run has been graded."
    if cell.ungraded:
        words = f"{cell.clean} of {cell.ungraded} without a fault of their own; the case says nothing about right."
    if cell.runs and cell.strict != cell.passed:
        words += f". Read strictly: {cell.strict} of {cell.runs}"
    return CellView(case.id, case.title, target.label, cell.state, words, runs)


def cell_filter(batch: Batch, case: MatrixCase, target: MatrixTarget) -> str:
    """The history's filter that leaves a cell's runs; targets that differ in parameters alone share one."""
    value = batch.spec.targets[target.index]
    terms = {"batch": batch.spec.id, "case": case.id, "model": value.executor.model, "format": target.format}
    terms["mode"] = value.mode
    return " ".join(write_term(Term(name, (text,), negated=False, start=0, end=0)) for name, text in terms.items())


def _run_line(item: BatchItem) -> RunLine:
    if item.result is None:
        return RunLine(item.run_id, item.repeat + 1, "running", "running", "", 0.0)
    verdict = item.result.verdict
    code = verdict.codes[0] if verdict.codes else ""
    seconds = item.sample.duration_us / 1_000_000
    return RunLine(item.run_id, item.repeat + 1, verdict.state.value, verdict.reason, code, seconds)


def choice_of(row: BatchRow, now: datetime) -> BatchChoice:
    """A line of the list of batches."""
    when = short_time(row.created_us, now)
    note = f"{when} · {row.cases} cases × {row.targets} targets × {row.repeats}"
    return BatchChoice(row.id, row.title, note, row.done, row.total, row.resumable)


def context_of(batch: Batch) -> str:
    """What stands beside the page's title."""
    spec = batch.spec
    words = [spec.suite, f"{len(spec.targets)} targets", f"{spec.repeats} repeats"]
    done = [item for item in batch.items if item.state is ItemState.DONE]
    if done and all(item.sample.simulated for item in done):
        words.append("simulated")
    return " · ".join(words)


def foot_of(batch: Batch) -> tuple[str, str]:
    """Both ends of the status bar: what was left out, and with what it was read."""
    done = [item for item in batch.items if item.state is ItemState.DONE]
    errors = sum(item.result.verdict.state.value == "error" for item in done if item.result)
    trimmed = sum(item.state is ItemState.TRIMMED for item in batch.items)
    total = len(batch.items) - trimmed
    left = f"{len(done):,} of {total:,} runs done · {errors} errors left out of rates (bounds in the tool tip)"
    left += f" · {trimmed} taken out by hand" if trimmed else ""
    parsers = sorted({item.sample.parser for item in done if item.sample.parser})
    graders = sorted({item.sample.grader for item in done if item.sample.grader})
    parts = [f"parser {', '.join(parsers)}"] if parsers else []
    parts += [f"grader {', '.join(graders)}"] if graders else []
    return left, " · ".join([*parts, f"seed asked {batch.spec.seed}"])
