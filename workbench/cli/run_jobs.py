"""Carrying out `workbench run`: one run or many, a few at a time, results in the order they were asked for."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from workbench.app import RunDraft, Workbench
from workbench.app.simulator import SIMULATOR
from workbench.cli.asking import terminal_approver
from workbench.cli.failures import FAILED, FINE, say, tell_notes
from workbench.cli.formats import read_choice
from workbench.cli.inputs import read_tools
from workbench.cli.output import progress
from workbench.cli.run_job import Job
from workbench.cli.run_report import Reporter
from workbench.core.errors import InvalidInput, ProviderError, SecretError, UnknownName
from workbench.core.events import CancelCause, StopReason
from workbench.core.target import Target
from workbench.core.tools import ToolMode
from workbench.core.verdict import VerdictState
from workbench.settings.config import ProviderConfig
from workbench.wires import get_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from workbench.cli.options import TargetOptions
    from workbench.cli.run_order import EndpointOptions, RunOrder
    from workbench.core.events import RunEvent
    from workbench.core.tools import ToolSetup

ORIGIN = "cli"


def perform(order: RunOrder) -> int:
    """Carry the order out; return the exit code."""
    return asyncio.run(_perform(order))


async def _perform(order: RunOrder) -> int:
    mode = _mode(order.tool_mode)
    async with Workbench.open() as wb:
        tell_notes(wb.notes)
        setups = chosen_tools(wb, order.tools, mode) if order.tools else ()
        if order.endpoint is not None:
            use_endpoint(wb, order.endpoint)
        jobs = list(_jobs(wb, order, setups))
        await _check(wb, jobs)
        reporter = Reporter(order)
        with progress("runs", len(jobs), hidden=order.quiet or order.parallel == 1) as done:
            await Queue(wb, reporter, order.parallel, done).run(jobs)
        reporter.close()
    return _exit_code(jobs, order)


def chosen_tools(wb: Workbench, place: str, mode: ToolMode | None) -> tuple[ToolSetup, ...]:
    """The tools of a file, of a set, or the built-in ones; with a mode, each of the latter two has it."""
    if place == "builtin" or place.startswith("set:"):
        found = wb.tools.chosen(place)
        return found if mode is None else tuple(replace(setup, mode=mode) for setup in found)
    return read_tools(place, mode or ToolMode.MOCK)


async def _check(wb: Workbench, jobs: list[Job]) -> None:
    """Build each target's first request before anything runs, so that a wrong name in the last row costs nothing."""
    for job in {job.draft.target.identity(): job for job in jobs}.values():
        await wb.preview(job.draft)


def _jobs(wb: Workbench, order: RunOrder, setups: tuple[ToolSetup, ...]) -> Iterator[Job]:
    if order.tool_choice and not setups:
        raise InvalidInput("--tool-choice has nothing to choose from.", hint="Add --tools FILE.")
    choice = read_choice(order.tool_choice, [setup.spec.name for setup in setups]) if order.tool_choice else None
    approver = terminal_approver()
    workspace = wb.tools.use_workspace(Path(order.workspace)) if order.workspace else ""
    for case in order.cases:
        target = _target(wb, order, case.target)
        for repetition in range(order.repeat):
            draft = RunDraft(
                case.messages, target, setups, choice, order.title or case.id, ORIGIN,
                approver=approver, workspace=workspace,
            )  # fmt: skip
            yield Job(case.id, repetition, draft)


def _target(wb: Workbench, order: RunOrder, own: str) -> Target:
    """Return a case's own target, or that of the options; what they leave open comes from the settings."""
    options = order.options
    if own:
        return replace(options, target=own, provider="", model="", boost="", format="auto").resolve()
    if not options.target:
        options = replace(options, provider=order.endpoint.name if order.endpoint else options.provider)
        options = _with_defaults(wb, options)
    return options.resolve()


def _with_defaults(wb: Workbench, options: TargetOptions) -> TargetOptions:
    options = _split_model(wb, options)
    behind = wb.behind_tier(options.model) if options.model and not options.provider else None
    provider = behind.provider if behind else options.provider or wb.settings.run.provider or SIMULATOR
    planner = wb.boost_planner(options.model or default_model(wb, provider)) if not options.boost else None
    model = behind.model if behind else options.model or default_model(wb, provider)
    return replace(options, provider=provider, model=model, boost=str(planner) if planner else options.boost)


def _split_model(wb: Workbench, options: TargetOptions) -> TargetOptions:
    """Read PROVIDER/MODEL as it is shown everywhere, where the simulator would be asked for a model of that name."""
    provider, _, model = options.model.partition("/")
    if options.provider or wb.settings.run.provider or not model:
        return options
    known = any(config.name == provider for config in wb.settings.providers)
    return replace(options, provider=provider, model=model) if known else options


def default_model(wb: Workbench, provider: str) -> str:
    """Return the model that a provider is asked for when none is named; empty if that is not decided."""
    config = wb.provider(provider)
    if config.name == SIMULATOR:
        return next(name for name, persona in wb.simulator.personas.items() if not persona.planner)
    return config.default_model


def use_endpoint(wb: Workbench, endpoint: EndpointOptions) -> None:
    """Make an endpoint of the command line a provider of this process; the settings file does not learn of it."""
    if endpoint.key_env and not os.environ.get(endpoint.key_env):
        raise SecretError(
            f"The environment variable {endpoint.key_env!r} holds no key.", hint="Set it, or leave --key-env out."
        )
    get_wire(endpoint.wire)
    key = f"env:{endpoint.key_env}" if endpoint.key_env else "none"
    config = ProviderConfig(endpoint.name, endpoint.wire, endpoint.base_url, key, tools=endpoint.tools)
    wb.use(config)


class JobWatcher(Protocol):
    """Who hears of jobs."""

    def watcher(self, job: Job) -> Callable[[Sequence[RunEvent]], None]:
        """Return what gets a job's events after they were committed; it adds them to the job."""
        ...

    def ended(self, job: Job) -> object:
        """A job is over; heard in the order of the jobs."""
        ...


class Queue:
    """Runs jobs, some at a time; ends are reported in order."""

    def __init__(self, wb: Workbench, reporter: JobWatcher, parallel: int, done: Callable[[int], None]) -> None:
        self._wb, self._reporter, self._parallel, self._done = wb, reporter, parallel, done
        self._under_way: deque[Job] = deque()

    async def run(self, jobs: list[Job]) -> None:
        """Run all jobs. A cancel stops what is under way and reports it; nothing that came is lost."""
        try:
            for job in jobs:
                job.handle = await self._wb.runs.start(job.draft, self._reporter.watcher(job))
                self._under_way.append(job)
                if len(self._under_way) >= self._parallel:
                    await self._finish_first()
            while self._under_way:
                await self._finish_first()
        except asyncio.CancelledError:
            await self._stop()
            raise

    async def _finish_first(self) -> None:
        job = self._under_way[0]
        await job.finish(self._wb.store)
        self._under_way.popleft()
        self._reporter.ended(job)
        self._done(1)

    async def _stop(self) -> None:
        say("Stopping; what has arrived is kept.")
        for job in self._under_way:
            if job.handle is not None:
                job.handle.cancel(CancelCause.USER)
        while self._under_way:
            await self._finish_first()


def _mode(name: str) -> ToolMode | None:
    try:
        return ToolMode(name) if name else None
    except ValueError as error:
        raise UnknownName("tool mode", name, [mode.value for mode in ToolMode]) from error


def _exit_code(jobs: list[Job], order: RunOrder) -> int:
    if any(job.run.finished and job.run.finished.stop is StopReason.ERROR for job in jobs):
        return ProviderError.exit_code
    if order.check and any(job.run.state is not VerdictState.PASS for job in jobs):
        return FAILED
    return FINE
