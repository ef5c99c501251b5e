"""Carrying out `workbench suite run`: a batch from its order to its report. Ctrl+C leaves it to be resumed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.app import Workbench
from workbench.app.batch_plan import demo_targets, draft_of, fast
from workbench.cases.files import BUILT_IN, load_suite
from workbench.cli.failures import FAILED, FINE, say
from workbench.cli.output import progress
from workbench.cli.suite_report import report
from workbench.core.batch import BatchState
from workbench.core.errors import InvalidInput, ProviderError
from workbench.core.target import parse_target
from workbench.core.verdict import VerdictState
from workbench.grading.honesty import GateState
from workbench.grading.matrix import matrix
from workbench.grading.regression import regressions

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.app.batches import BatchHandle
    from workbench.core.batch import Batch, BatchProgress
    from workbench.core.case import Suite
    from workbench.core.target import Target

REPEAT, PARALLEL = 3, 4


@dataclass(frozen=True, slots=True)
class Order:
    """What the command line asks for."""

    suite: str
    targets: tuple[str, ...]
    repeat: int | None
    parallel: int | None
    seed: int
    resume: str
    retry_errors: bool
    max_cost: float | None
    junit: str
    markdown: str
    min_rate: float | None
    baseline: str
    json: bool
    quiet: bool


def perform(order: Order) -> int:
    """Run or resume the batch and report it; return the exit code."""
    _check_order(order)
    handle, baseline = asyncio.run(_perform(order))
    batch, halted = handle.batch, handle.halted
    report(batch, junit=order.junit, markdown=order.markdown, json=order.json, baseline=baseline, halted=halted)
    if halted:
        say(f"{halted} Go on: workbench suite run --resume {batch.spec.id} --max-cost …")
    return exit_code(batch, order.min_rate, baseline) or (FAILED if halted else FINE)


def _check_order(order: Order) -> None:
    """Complain before anything is run."""
    if order.suite and order.resume:
        raise InvalidInput("A resumed batch has its suite.", hint=f"Leave {order.suite!r} out, or --resume.")
    if not order.suite and not order.resume:
        raise InvalidInput("Which suite?", hint="Give SUITE (such as `demo`), or --resume ID to go on with a batch.")
    if order.resume and (order.targets or order.repeat is not None):
        raise InvalidInput("A resumed batch keeps its targets and repeats.", hint="Leave --target and --repeat out.")
    for name in (order.junit, order.markdown):
        if name and not Path(name).expanduser().resolve().parent.is_dir():
            raise InvalidInput(f"The folder of {name!r} does not exist.", hint="Make it, or give another file.")


async def _perform(order: Order) -> tuple[BatchHandle, Batch | None]:
    async with Workbench.open() as wb:
        service = wb.batches
        baseline = await service.load(order.baseline) if order.baseline else None
        if order.resume:
            handle = await service.resume(
                order.resume, parallel=order.parallel, retry_errors=order.retry_errors, max_cost=order.max_cost
            )
        else:
            suite = load_suite(order.suite, wb.home.suites)
            targets = _targets(order)
            await _check(wb, suite, targets)
            _check_baseline(baseline, targets)
            handle = await service.start(
                suite,
                targets,
                repeats=order.repeat or REPEAT,
                seed=order.seed,
                parallel=order.parallel or PARALLEL,
                max_cost=order.max_cost,
            )
        await _watched(handle, quiet=order.quiet)
    return handle, baseline


def _targets(order: Order) -> tuple[Target, ...]:
    if order.targets:
        return tuple(fast(parse_target(text)) for text in order.targets)
    if order.suite in BUILT_IN:
        return demo_targets()
    raise InvalidInput("Which target?", hint="Add --target provider=P,model=M[,format=F][,boost=P/M].")


async def _check(wb: Workbench, suite: Suite, targets: tuple[Target, ...]) -> None:
    """Build a first request for each target, so that a wrong name costs nothing."""
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
        handle.watch(_advancing(advance, begun.done))
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


def _advancing(advance: Callable[[int], None], done: int) -> Callable[[BatchProgress], None]:
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
