"""From a batch to what the comparison shows beside the matrix. Everything here may run in a thread: no widget is touched."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING

from workbench.core.batch import BatchProgress, BatchState, ItemState, TargetProgress
from workbench.core.verdict import VerdictState
from workbench.grading.counts import needed_line
from workbench.grading.performance import batch_performance
from workbench.grading.rates import Rate
from workbench.grading.scores import decisions, format_tax, funnel, reliability
from workbench.store.filter import Term, write_term
from workbench.ui.compare.cell_runs import with_hand
from workbench.ui.compare.matrix_words import column_label, mode_words, rate_words
from workbench.ui.compare.values import BatchChoice, CellView, RunLine, Scores
from workbench.ui.theme.translation import tr, translated_sentence
from workbench.ui.widgets.quantities import counted, short_time

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from workbench.core.batch import Batch, BatchItem, BatchRow, BatchSpec
    from workbench.core.target import Target
    from workbench.store import Store
    from workbench.store.opinions import Opinion
from workbench.grading.matrix import Matrix, Row, TargetColumn

_CURVES = 3


def default_pair(columns: Sequence[TargetColumn]) -> tuple[int, int] | None:
    """What is compared where nobody chose: the best target against the second, else the first two columns."""
    if len(columns) < 2:
        return None
    judged = sorted((-one.score.value, place, one.target) for place, one in enumerate(columns) if one.score is not None)
    if len(judged) < 2:
        return columns[0].target, columns[1].target
    (_, _, best), (_, _, second) = judged[:2]
    return second, best


def scores_of(batch: Batch, table: Matrix) -> Scores:
    """Format tax, decisions apart from arguments, and the curves of three targets that lie far apart."""
    names = [short_of(table.columns, column) for column in table.columns]
    tax = tuple((names[one.target], one) for one in format_tax(batch) if not one.tolerant.too_few)
    curves = [(names[one.target], one.points) for one in reliability(batch) if len(one.points) >= 2]
    curves.sort(key=lambda one: -one[1][-1].value)
    if len(curves) > _CURVES:
        curves = [curves[0], curves[len(curves) // 2], curves[-1]]
    lines = tuple(
        (names[at], _rate(decisions(batch, at).accuracy), _rate(_arguments(batch, at)))
        for at in range(len(batch.spec.targets))
        if decisions(batch, at).accuracy.runs
    )
    judged = (cell for row in table.rows for cell in row.cells if cell.rate.runs)
    best = max(judged, key=lambda one: one.interval.low, default=None)
    needed = needed_line(best.rate) if best is not None and best.rate.passed == best.rate.runs else ""
    measured = [(names[at], batch_performance(batch, at)) for at in range(len(batch.spec.targets))]
    calls = tuple((name, *one.cells[:3]) for name, one in measured if one.calls)
    times = tuple((name, *one.cells[3:]) for name, one in measured if any(one.cells[3:]))
    return Scores(tax, tuple(curves), lines, needed, calls, times)


def short_of(columns: Sequence[TargetColumn], target: TargetColumn) -> str:
    """A target's shortest name that is its own here: the format, the model, or both."""
    model, mode = target.value.executor.model, mode_words(target.value)
    tail = "" if mode == "direct" else f", {mode}"
    for name in (model, target.format):
        others = (one for one in columns if one.target != target.target)
        if all(name not in (one.value.executor.model, one.format) or mode_words(one.value) != mode for one in others):
            return f"{name}{tail}"
    return f"{model} {target.format}{tail}"


def _arguments(batch: Batch, target: int) -> Rate:
    return next((stage.rate for stage in funnel(batch, target) if stage.name == "arguments right"), Rate(0, 0))


def _rate(rate: Rate) -> str:
    if rate.value is None:
        return "–"
    if rate.too_few:
        return f"{rate.passed} / {rate.runs}"
    return f"{rate.value * 100:.0f} %  {rate.passed} / {rate.runs}"


def standing(batch: Batch) -> BatchProgress:
    """How far a batch came that nobody works on here."""
    found: Counter[tuple[int, ItemState]] = Counter((item.target, item.state) for item in batch.items)
    states = Counter(
        (item.target, item.result.verdict.state) for item in batch.items if item.state is ItemState.DONE and item.result
    )
    lines = []
    for at in range(len(batch.spec.targets)):
        done, trimmed = found[at, ItemState.DONE], found[at, ItemState.TRIMMED]
        left = sum(found[at, state] for state in ItemState) - done - trimmed
        failed, errors = states[at, VerdictState.FAIL], states[at, VerdictState.ERROR]
        lines.append(TargetProgress(at, done, 0, failed, errors, left, trimmed))
    done_all = sum(one.done for one in lines)
    total = done_all + sum(one.left for one in lines)
    failed, errors = sum(one.failed for one in lines), sum(one.errors for one in lines)
    state = BatchState.DONE if done_all >= total else BatchState.STOPPED
    return BatchProgress(state, total, done_all, 0, failed, errors, 0.0, None, tuple(lines))


def names_of(spec: BatchSpec) -> list[str]:
    """The targets' names without their providers."""
    return [label_of(target) for target in spec.targets]


def label_of(target: Target) -> str:
    """A target's name without its provider."""
    return " · ".join((target.executor.model, target.format, mode_words(target)))


def cell_of(batch: Batch, row: Row, column: TargetColumn, hand: Mapping[str, Opinion] | None = None) -> CellView:
    """A cell with its runs."""
    case, cell = row.case, row.cells[column.target]
    items = [item for item in batch.items if item.case_id == case.id and item.target == column.target and item.run_id]
    runs = tuple(run_line(item, hand) for item in sorted(items, key=lambda item: item.repeat))
    words = rate_words(cell) or tr("No run has been graded.")
    if cell.ungraded:
        words = tr(
            "{passed} of {ungraded} without a fault of their own; the case says nothing about right.",
            passed=cell.clean.passed,
            ungraded=cell.ungraded,
        )
    if cell.rate.runs and cell.strict != cell.rate.passed:
        words += tr(". Read strictly: {strict} of {runs}", strict=cell.strict, runs=cell.rate.runs)
    history = cell_filter(batch, row, column)
    return CellView(case.id, case.title, column_label(column), cell.state, words, runs, history)


def cell_filter(batch: Batch, row: Row, column: TargetColumn) -> str:
    """The history's filter that leaves a cell's runs; targets that differ in parameters alone share one."""
    terms = {"batch": batch.spec.id, "case": row.case.id, "model": column.value.executor.model, "format": column.format}
    terms["mode"] = column.value.mode
    return " ".join(write_term(Term(name, (text,), negated=False, start=0, end=0)) for name, text in terms.items())


def run_line(item: BatchItem, hand: Mapping[str, Opinion] | None = None) -> RunLine:
    """One run in the list of a cell or a layer."""
    if item.result is None:
        return RunLine(item.run_id, item.repeat + 1, "running", "running", "", 0.0)
    verdict = item.result.verdict
    code = verdict.codes[0] if verdict.codes else ""
    seconds = item.sample.duration_us / 1_000_000
    reason = translated_sentence(verdict.reason)
    line = RunLine(item.run_id, item.repeat + 1, verdict.state.value, reason, code, seconds)
    return with_hand(line, (hand or {}).get(item.run_id))


def choice_of(row: BatchRow, now: datetime, models: Sequence[str] = (), *, verified: bool = False) -> BatchChoice:
    """A line of the list of batches, with the models that were asked; of a verification the first is the reference's."""
    size = tr(
        "{cases} cases × {targets} targets × {repeats}", cases=row.cases, targets=row.targets, repeats=row.repeats
    )
    if verified:  # the reference stands there twice
        size = tr(
            "verified, {pairs}, {candidates}",
            pairs=counted(row.cases, "pair"),
            candidates=counted(max(0, row.targets - 2), "candidate"),
        )
    note = " · ".join(filter(None, (short_time(row.created_us, now), size, ", ".join(models))))
    return BatchChoice(row.id, row.title, note, row.done, row.total, row.resumable)


def choices(store: Store, rows: Sequence[BatchRow], verified: Collection[str] = ()) -> list[BatchChoice]:
    """Lines of a list, local times as of now; `verified` are the ids of verifications."""
    now, models = datetime.now().astimezone(), store.batches.models([row.id for row in rows])
    return [choice_of(row, now, models.get(row.id, ()), verified=row.id in verified) for row in rows]


def context_of(batch: Batch) -> str:
    """What stands beside the page's title."""
    spec = batch.spec
    words = [
        spec.suite,
        tr("{targets} targets", targets=len(spec.targets)),
        tr("{repeats} repeats", repeats=spec.repeats),
    ]
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
    left = tr(
        "{done:,} of {total:,} runs done · {errors} errors left out of rates (bounds in the tool tip)",
        done=len(done),
        total=total,
        errors=errors,
    )
    by = "hand" if batch.spec.stopping is None else tr("the stopping rule")
    left += tr(" · {trimmed:,} taken out by {by}", trimmed=trimmed, by=by) if trimmed else ""
    parsers = sorted({item.sample.parser for item in done if item.sample.parser})
    graders = sorted({item.sample.grader for item in done if item.sample.grader})
    parts = [tr("parser {parsers}", parsers=", ".join(parsers))] if parsers else []
    parts += [tr("grader {graders}", graders=", ".join(graders))] if graders else []
    return left, " · ".join([*parts, tr("seed asked {seed}", seed=batch.spec.seed)])
