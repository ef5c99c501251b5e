"""What `workbench suite run` does: a batch started or resumed, watched to its end and reported, with its exit code."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.data_folder import DataFolder
from workbench.cli import suite_baseline
from workbench.cli.failures import FAILED, FINE, say, tell_notes
from workbench.cli.options import laid_reasoning
from workbench.cli.output import progress
from workbench.cli.suite_order import MOST_REPEATS, PARALLEL, REPEAT, SuiteOrder, check_options
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
    from workbench.jobs import PieceExecutor


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


async def _perform(order: SuiteOrder, executor: PieceExecutor | None) -> tuple[BatchHandle, Batch | None]:
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
        await watch_batch(handle, "suite runs", "suite run", quiet=order.quiet)
    return handle, baseline


def _tell_power(suite: Suite, targets: int, repeats: int, order: SuiteOrder) -> None:
    """Say before anything is spent that a rule can hardly decide."""
    from workbench.grading.stopping import looks_of, power_words

    if (rule := order.stopping) is not None and not order.quiet:
        families = {case.family or case.id for case in suite.cases}
        if words := power_words(len(families), targets, len(looks_of(rule, repeats)), rule.level):
            say(words)


def workers_of(wb: Workbench, executor: PieceExecutor | None, parallel: int | None) -> int | None:
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


async def watch_batch(handle: BatchHandle, title: str, command: str, *, quiet: bool) -> None:
    """Show how far it is; an interrupt stops it so that `command` can resume it. The title's last word is what is counted."""
    begun = handle.progress
    with progress(title, begun.total - begun.done, hidden=quiet) as advance:
        handle.watch(advancing(advance, begun.done))
        try:
            await handle.wait()
        except asyncio.CancelledError:
            say("Stopping; what has arrived is kept.")
            handle.cancel()
            batch = await handle.wait()
            if batch.state is not BatchState.DONE:
                done, counted = len(batch.items) - batch.left, title.rsplit(maxsplit=1)[-1]
                again = f"workbench {command} --resume {handle.batch_id}"
                say(f"{done} of {len(batch.items)} {counted} are done. Go on: {again}")
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
