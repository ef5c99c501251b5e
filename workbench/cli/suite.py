"""`workbench suite`: cases × targets × repeats, graded, compared and reported; what was stopped can be resumed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli import suite_baseline
from workbench.cli.failures import FAILED, FINE, say, tell_notes
from workbench.cli.options import (
    AsJson,
    Bounds,
    MaxCalls,
    MaxRunCost,
    MaxRunTokens,
    MaxSeconds,
    Quiet,
    ReasoningAmount,
    Thoughts,
    laid_reasoning,
)
from workbench.cli.output import progress, write, write_file_here, write_json, write_table
from workbench.cli.suite_order import (
    MOST_REPEATS,
    PARALLEL,
    REPEAT,
    Ablation,
    Alpha,
    Baseline,
    JUnit,
    LookEvery,
    Margin,
    Markdown,
    MaxCost,
    MinRate,
    On,
    Parallel,
    Repeat,
    Reports,
    Resume,
    Retry,
    Seed,
    SuiteName,
    SuiteOrder,
    Targets,
    Until,
    Vary,
    check_options,
    report_orders,
)
from workbench.cli.text import one_line
from workbench.core.batch import BatchState
from workbench.core.errors import InvalidInput, ProviderError
from workbench.core.target import parse_target
from workbench.core.variations import with_variations
from workbench.core.verdict import VerdictState

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.app import Workbench
    from workbench.app.batches import BatchHandle
    from workbench.core.batch import Batch, BatchProgress
    from workbench.core.case import Suite
    from workbench.core.target import Target
    from workbench.jobs import Executor


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help="Cases as regression tests, through one target or many.", no_args_is_help=True)
    group.command("run")(run)
    group.command("list")(list_suites)
    group.command("show")(show)
    group.command("diff")(diff)
    group.command("export")(export)
    suite_baseline.register(group)
    app.add_typer(group, name="suite")


def run(
    suite: SuiteName = "",
    *,
    target: Targets = None,
    repeat: Repeat = None,
    parallel: Parallel = None,
    seed: Seed = 0,
    junit: JUnit = "",
    markdown: Markdown = "",
    min_rate: MinRate = None,
    baseline: Baseline = "",
    resume: Resume = "",
    retry_errors: Retry = False,
    max_cost: MaxCost = None,
    reasoning: ReasoningAmount = "",
    thoughts: Thoughts = "",
    max_calls: MaxCalls = None,
    max_seconds: MaxSeconds = None,
    max_run_tokens: MaxRunTokens = None,
    max_run_cost: MaxRunCost = None,
    report: Reports = None,
    vary: Vary = None,
    ablation: Ablation = False,
    until: Until = "",
    margin: Margin = None,
    alpha: Alpha = None,
    look_every: LookEvery = None,
    on: On = "",
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run every case through every target, and say what that shows."""
    order = SuiteOrder(
        suite, tuple(target or ()), repeat, parallel, seed, resume, retry_errors, max_cost, junit, markdown, min_rate, baseline,
        json, quiet, reasoning, thoughts, report_orders(report or ()), tuple(vary or ()), ablation, until, margin, alpha,
        look_every, on, Bounds(max_calls, max_seconds, max_run_tokens, max_run_cost),
    )  # fmt: skip
    if code := perform(order):
        raise typer.Exit(code)


def show(
    batch: Annotated[str, typer.Argument(metavar="ID", help="A batch; `last` is the newest.")] = "last",
    *,
    junit: JUnit = "",
    markdown: Markdown = "",
    baseline: Annotated[
        str, typer.Option(metavar="ID", help="Beside an earlier batch; `pinned` is the suite's own.")
    ] = "",
    report: Reports = None,
    json: AsJson = False,
) -> None:
    """Report a batch that has run, or what there is of it."""
    from workbench.cli.suite_report import report as tell
    from workbench.cli.suite_report import write_reports
    from workbench.store.opinions import in_force

    wanted = report_orders(report or ())
    with DataFolder.find() as folder:
        found = folder.store.batches.load(batch)
        baseline = suite_baseline.baseline_id(folder, found.spec.suite, baseline)
        before = folder.store.batches.load(baseline) if baseline else None
        write_reports(folder, found, wanted, before)
        said = in_force(folder.store.opinions.of_batch(found.spec.id))
    tell(found, junit=junit, markdown=markdown, json=json, baseline=before, said=said)


def diff(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The earlier batch.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The later batch; `last` is the newest.")] = "last",
    *,
    json: AsJson = False,
) -> None:
    """Hold two batches against each other: each target in a sentence, and the cells that flipped."""
    from workbench.cli.suite_why import difference_json, difference_lines
    from workbench.export.batch_report import letter
    from workbench.grading.flips import difference

    with DataFolder.find() as folder:
        earlier, later = folder.store.batches.load(before), folder.store.batches.load(after)
    found = difference(earlier, later)
    if not found.common:
        raise InvalidInput(
            "The two batches have no target in common.", hint="`workbench suite list` shows all of them."
        )
    if json:
        write_json({"before": earlier.spec.id, "after": later.spec.id} | difference_json(found))
        return
    for line in difference_lines(found):
        write(line)
    if found.flips:
        rows = [
            (one.case_id, letter(one.target), f"{one.before.passed}/{one.before.runs}",
             f"{one.after.passed}/{one.after.runs}", "up" if one.up else "down", f"{one.p:.2g}", "flip" if one.whole else "")
            for one in found.flips
        ]  # fmt: skip
        write_table(("case", "", "before", "now", "", "p", ""), rows, whole=("case",))


def list_suites(json: AsJson = False) -> None:
    """List the suites that can be run, and the batches that were."""
    from workbench.cases.files import list_suites as names

    with DataFolder.find() as folder:
        suites = names(folder.home.suites)
        batches = folder.store.batches.list()
        models = folder.store.batches.models([row.id for row in batches])
    if json:
        rows = [
            {"id": row.id, "title": row.title, "suite": row.suite, "state": row.state, "done": row.done,
             "total": row.total, "resumable": row.resumable, "models": list(models.get(row.id, ()))} for row in batches
        ]  # fmt: skip
        write_json({"suites": list(suites), "batches": rows})
        return
    write(f"suites: {', '.join(suites)}")
    if batches:
        write("")
        shown = [
            (
                row.id,
                row.title,
                f"{row.cases} × {row.targets} × {row.repeats}",
                one_line(", ".join(models.get(row.id, ())), 60),
                f"{row.done}/{row.total}",
                "running" if row.alive else "can be resumed" if row.resumable else "",
            )
            for row in batches
        ]
        write_table(("batch", "suite", "cases × targets × repeats", "models", "done", ""), shown, whole=("batch",))


def export(
    suite: Annotated[str, typer.Argument(metavar="SUITE", help="A folder, a file, a suite of yours, or `demo`.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="PATH", help="A folder, a file that ends in .yaml, .json or .jsonl, or - to print YAML."
        ),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace what stands there.")] = False,
    json: AsJson = False,
) -> None:
    """Write a suite's cases: documents of their own, one document, or rows. Keys that are known are stars."""
    from workbench.cases.files import load_suite
    from workbench.cases.writing import suite_texts, write_suite

    folder = DataFolder.find()
    found = load_suite(suite, folder.home.suites)
    cases = folder.mask().mask_value(found.cases)
    if out == Path("-"):
        ((_, text),) = suite_texts(cases, Path("-.yaml")).items()
        write_file_here(text.encode("utf-8", "backslashreplace"))
        return
    written = write_suite(cases, out, replace=force)
    if json:
        write_json({"suite": found.name, "cases": len(found.cases), "written": [str(path) for path in written]})
        return
    files = "1 file" if len(written) == 1 else f"{len(written)} files"
    write(f"{len(found.cases)} cases of {found.name!r} in {files}: {out}")


def perform(order: SuiteOrder) -> int:
    """Run or resume the batch and report it; return the exit code."""
    from workbench.cli.suite_report import report, write_reports
    from workbench.jobs import executor_on

    check_options(order)
    with executor_on(order.on) as executor:
        handle, baseline = asyncio.run(_perform(order, executor if order.on else None))
    batch, halted = handle.batch, handle.halted
    if order.reports:
        with DataFolder.find() as folder:
            write_reports(folder, batch, order.reports, baseline, halted)
    report(batch, junit=order.junit, markdown=order.markdown, json=order.json, baseline=baseline, halted=halted)
    if halted:
        say(f"{halted} Go on: workbench suite run --resume {batch.spec.id} --max-cost …")
    return exit_code(batch, order.min_rate, baseline) or (FAILED if halted else FINE)


async def _perform(order: SuiteOrder, executor: Executor | None) -> tuple[BatchHandle, Batch | None]:
    from workbench.app import Workbench
    from workbench.cases.files import load_suite

    async with Workbench.open() as wb:
        tell_notes(wb.notes)
        service = wb.batches
        parallel = workers_of(wb, executor, order.parallel)
        baseline = None
        if order.baseline:
            meant = (await service.load(order.resume)).spec.suite if order.resume else order.suite
            name = meant if order.resume else load_suite(meant, wb.home.suites).name
            baseline = await service.load(suite_baseline.baseline_id(wb, name, order.baseline))
        if order.resume:
            handle = await service.resume(
                order.resume, parallel=parallel, retry_errors=order.retry_errors, max_cost=order.max_cost
            )
        else:
            suite = load_suite(order.suite, wb.home.suites)
            targets = _targets(order)
            await _check_targets(wb, suite, targets)
            _check_baseline(baseline, targets)
            repeats = order.repeat or (MOST_REPEATS if order.until else REPEAT)
            _tell_power(suite, len(targets), repeats, order)
            handle = await service.start(
                suite,
                targets,
                repeats=repeats,
                seed=order.seed,
                parallel=parallel or PARALLEL,
                max_cost=order.max_cost,
                stopping=order.stopping,
            )
        await _watched(handle, quiet=order.quiet)
    return handle, baseline


def _tell_power(suite: Suite, targets: int, repeats: int, order: SuiteOrder) -> None:
    """Say before anything is spent that a rule can hardly decide."""
    from workbench.grading.stopping import looks_of, power_words

    if (rule := order.stopping) is not None and not order.quiet:
        families = {case.family or case.id for case in suite.cases}
        if words := power_words(len(families), targets, len(looks_of(rule, repeats)), rule.level):
            say(words)


def workers_of(wb: Workbench, executor: Executor | None, parallel: int | None) -> int | None:
    """Have the runs of batches done by a job's workers, if there are any; return how many at the same time."""
    if executor is None:
        return parallel
    from workbench.app.away_runs import Away

    wb.batches.away = Away(wb, executor)
    return min(parallel or executor.workers, executor.workers)


def _targets(order: SuiteOrder) -> tuple[Target, ...]:
    from workbench.app.batch_plan import demo_targets, fast
    from workbench.cases.files import BUILT_IN
    from workbench.grading.ablation import with_parts

    if order.targets:
        plain = tuple(fast(_laid(parse_target(text), order)) for text in order.targets)
    elif order.suite in BUILT_IN:
        plain = tuple(_laid(target, order) for target in demo_targets())
    else:
        raise InvalidInput("Which target?", hint="Add --target provider=P,model=M[,format=F][,boost=P/M].")
    plain = with_parts(plain) if order.ablation else plain
    return with_variations(plain, [one for words in order.vary for one in _ways(words)])


def _ways(words: str) -> tuple[str, ...]:
    """One way, every format there is, or several values of one kind: `parser=server,workbench`."""
    from workbench.formats import list_formats

    if words == "formats":
        return tuple(f"format={one.id}" for one in list_formats())
    kind, _, values = words.partition("=")
    return tuple(f"{kind}={value}" for value in values.split(",")) if "," in values and "+" not in words else (words,)


def _laid(target: Target, order: SuiteOrder) -> Target:
    """The target with the options for reasoning and limits, where there are any."""
    setting = laid_reasoning(target.sampling.reasoning, order.reasoning, order.thoughts)
    sampling = replace(target.sampling, reasoning=setting)
    return replace(target, sampling=sampling, limits=order.bounds.over(target.limits))


async def _check_targets(wb: Workbench, suite: Suite, targets: tuple[Target, ...]) -> None:
    """Build a first request for each target, so that a wrong name costs nothing."""
    from workbench.app.batch_plan import draft_of

    for target in targets:
        await wb.preview(draft_of(suite.cases[0], target, 0))


def _check_baseline(baseline: Batch | None, targets: tuple[Target, ...]) -> None:
    """A gate without a common target would always be open."""
    known = {target.identity() for target in baseline.spec.targets} if baseline else set()
    if baseline and not known & {target.identity() for target in targets}:
        raise InvalidInput(
            f"The baseline {baseline.spec.id!r} has none of these targets.", hint="Name them as they were named then."
        )


async def _watched(handle: BatchHandle, *, quiet: bool) -> None:
    begun = handle.progress
    with progress("suite runs", begun.total - begun.done, hidden=quiet) as advance:
        handle.watch(advancing(advance, begun.done))
        try:
            await handle.wait()
        except asyncio.CancelledError:
            say("Stopping; what has arrived is kept.")
            handle.cancel()
            batch = await handle.wait()
            if batch.state is not BatchState.DONE:
                done = len(batch.items) - batch.left
                say(f"{done} of {len(batch.items)} runs are done. Go on: workbench suite run --resume {batch.spec.id}")
            raise


def advancing(advance: Callable[[int], None], done: int) -> Callable[[BatchProgress], None]:
    """A watcher that moves the bar by what has ended since it was last called."""

    def watch(now: BatchProgress) -> None:
        nonlocal done
        if now.done > done:
            advance(now.done - done)
            done = now.done

    return watch


def exit_code(batch: Batch, min_rate: float | None, baseline: Batch | None = None) -> int:
    """3 if a provider or the network failed, 1 if a check failed or a target regressed, else 0.

    Without a rate or a baseline to measure by, every judged run must pass.
    """
    from workbench.grading.honesty import GateState
    from workbench.grading.matrix import matrix
    from workbench.grading.regression import regressions

    states = [item.result.verdict.state for item in batch.items if item.result]
    if VerdictState.ERROR in states:
        return ProviderError.exit_code
    failed = VerdictState.FAIL in states and min_rate is None and baseline is None
    if min_rate is not None:
        scores = [column.score for column in matrix(batch).columns]
        failed = any(score is None or score.value < min_rate - 1e-12 for score in scores)
    if baseline is not None:
        failed = failed or any(found.state is GateState.FAILED for found in regressions(batch, baseline))
    return FAILED if failed else FINE
