"""Carrying out `workbench run`: one run or many, a few at a time, results in the order they were asked for."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app import RunDraft, Workbench
from workbench.app.simulator import SIMULATOR
from workbench.cli.failures import FAILED, FINE, say
from workbench.cli.formats import read_choice
from workbench.cli.inputs import read_tools
from workbench.cli.jobs import Job, Plan
from workbench.cli.output import progress
from workbench.cli.reporting import Reporter
from workbench.core.errors import InvalidInput, ProviderError, SecretError, UnknownName
from workbench.core.events import CancelCause, StopReason
from workbench.core.target import Target
from workbench.core.tools import ToolMode
from workbench.settings.config import ProviderConfig
from workbench.wires import get_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.cli.jobs import Endpoint
    from workbench.cli.options import TargetOptions
    from workbench.cli.outcome import Outcome
    from workbench.core.tools import ToolSetup

ORIGIN = "cli"


def perform(plan: Plan) -> int:
    """Carry the plan out; return the exit code."""
    return asyncio.run(_perform(plan))


async def _perform(plan: Plan) -> int:
    mode = _mode(plan.tool_mode)
    setups = read_tools(plan.tools, mode) if plan.tools else ()
    async with Workbench.open() as wb:
        if plan.endpoint is not None:
            use_endpoint(wb, plan.endpoint)
        jobs = list(_jobs(wb, plan, setups))
        await _check(wb, jobs)
        reporter = Reporter(plan)
        with progress("runs", len(jobs), hidden=plan.quiet or plan.parallel == 1) as done:
            outcomes = await Queue(wb, reporter, plan.parallel, done).run(jobs)
        reporter.close()
    return _exit_code(outcomes, plan)


async def _check(wb: Workbench, jobs: list[Job]) -> None:
    """Build each target's first request before anything runs, so that a wrong name in the last row costs nothing."""
    for job in {job.draft.target.identity(): job for job in jobs}.values():
        await wb.preview(job.draft)


def _jobs(wb: Workbench, plan: Plan, setups: tuple[ToolSetup, ...]) -> Iterator[Job]:
    if plan.tool_choice and not setups:
        raise InvalidInput("--tool-choice has nothing to choose from.", hint="Add --tools FILE.")
    choice = read_choice(plan.tool_choice, [setup.spec.name for setup in setups]) if plan.tool_choice else None
    for case in plan.cases:
        target = _target(wb, plan, case.target)
        for repetition in range(plan.repeat):
            draft = RunDraft(case.messages, target, setups, choice, plan.title or case.id, ORIGIN)
            yield Job(case.id, repetition, draft)


def _target(wb: Workbench, plan: Plan, own: str) -> Target:
    """Return a case's own target, or that of the options; what they leave open comes from the settings."""
    options = plan.options
    if own:
        return replace(options, target=own, provider="", model="", boost="", format="auto").resolve()
    if not options.target:
        options = replace(options, provider=plan.endpoint.name if plan.endpoint else options.provider)
        options = _with_defaults(wb, options)
    return options.resolve()


def _with_defaults(wb: Workbench, options: TargetOptions) -> TargetOptions:
    provider = options.provider or wb.settings.run.provider or SIMULATOR
    model = options.model or default_model(wb, provider)
    planner = wb.boost_planner(model) if not options.boost else None
    return replace(options, provider=provider, model=model, boost=str(planner) if planner else options.boost)


def default_model(wb: Workbench, provider: str) -> str:
    """Return the model that a provider is asked for when none is named; empty if that is not decided."""
    config = wb.provider(provider)
    if config.name == SIMULATOR:
        return next(name for name, persona in wb.simulator.personas.items() if not persona.planner)
    return config.default_model


def use_endpoint(wb: Workbench, endpoint: Endpoint) -> None:
    """Make an endpoint of the command line a provider of this process; the settings file does not learn of it."""
    if endpoint.key_env and not os.environ.get(endpoint.key_env):
        raise SecretError(
            f"The environment variable {endpoint.key_env!r} holds no key.", hint="Set it, or leave --key-env out."
        )
    get_wire(endpoint.wire)
    key = f"env:{endpoint.key_env}" if endpoint.key_env else "none"
    config = ProviderConfig(endpoint.name, endpoint.wire, endpoint.base_url, key, tools=endpoint.tools)
    wb.use(config)


class Queue:
    """Runs jobs, some at a time; ends are reported in order."""

    def __init__(self, wb: Workbench, reporter: Reporter, parallel: int, done: Callable[[int], None]) -> None:
        self._wb, self._reporter, self._parallel, self._done = wb, reporter, parallel, done
        self._under_way: deque[Job] = deque()
        self._outcomes: list[Outcome] = []

    async def run(self, jobs: list[Job]) -> list[Outcome]:
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
        return self._outcomes

    async def _finish_first(self) -> None:
        job = self._under_way[0]
        await job.finish(self._wb.store)
        self._under_way.popleft()
        self._outcomes.append(self._reporter.ended(job))
        self._done(1)

    async def _stop(self) -> None:
        say("Stopping; what has arrived is kept.")
        for job in self._under_way:
            if job.handle is not None:
                job.handle.cancel(CancelCause.USER)
        while self._under_way:
            await self._finish_first()


def _mode(name: str) -> ToolMode:
    usable = (ToolMode.MOCK, ToolMode.RECORD)
    if name not in usable:
        raise UnknownName("tool mode", name, usable)
    return ToolMode(name)


def _exit_code(outcomes: list[Outcome], plan: Plan) -> int:
    if any(outcome.finished and outcome.finished.stop is StopReason.ERROR for outcome in outcomes):
        return ProviderError.exit_code
    if plan.check and any(outcome.state != "pass" for outcome in outcomes):
        return FAILED
    return FINE
