"""A whole run, from `RunStarted` to `RunFinished`, whatever happens in between."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from workbench.core.clock import Clock
from workbench.core.events import (
    LoopFinished,
    LoopStarted,
    RunEvent,
    RunFinished,
    RunStarted,
    StepReply,
    StopReason,
    ToolStarted,
)
from workbench.core.versions import PARSER_VERSION
from workbench.engine.boost import BoostLoops, why_stopped
from workbench.engine.context import RunContext
from workbench.engine.plan import CancelNote, RunPlan
from workbench.engine.request import opening_messages, opening_news
from workbench.engine.turns import ExecutorTurns

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from workbench.core.approvals import Approver
    from workbench.core.protocols import SchemaChecker, Ticker, ToolRunner


async def run(
    plan: RunPlan,
    tools: ToolRunner,
    check: SchemaChecker,
    *,
    approver: Approver | None = None,
    clock: Ticker | None = None,
    cancel: CancelNote | None = None,
) -> AsyncGenerator[RunEvent, None]:
    """Run the plan; without `approver`, calls that must be asked about are refused. A cancel of the consuming task ends it with `RunFinished(cancelled)`; nothing is swallowed."""
    context = RunContext(plan, tools, check, clock or plan.clock or Clock(), approver)
    yield _started(context)
    driver: Direct | BoostLoops = BoostLoops(context) if plan.planner else Direct(context)
    cancelled = False
    try:
        async with aclosing(driver.events()) as events:
            async for event in events:
                if isinstance(event, ToolStarted):
                    context.calls += 1
                yield event
    except asyncio.CancelledError:
        cancelled = True
    yield _finished(context, driver, cancel or CancelNote(), cancelled=cancelled)
    if cancelled:
        raise asyncio.CancelledError


class Direct:
    """A run without planner: one loop, number 0."""

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self._turns = ExecutorTurns(
            context, 0, opening_messages(context.plan), opening_news(context.plan, guided=False)
        )
        self.codes: list[str] = self._turns.codes

    @property
    def stop(self) -> StopReason:
        """Why it ended."""
        return self._turns.stop or StopReason.ANSWER

    @property
    def answer(self) -> str:
        """The last reply, sanitized."""
        return self._turns.reply.sanitized

    @property
    def reason(self) -> str:
        """One line for the verdict bar."""
        return why_stopped(self.stop, self._turns.reply)

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        """Run the executor's turns."""
        yield LoopStarted(0, self._context.since())
        async with aclosing(self._turns.events()) as events:
            async for event in events:
                yield event
        yield LoopFinished(0, self.stop.value, self.reason, self._context.since())


def _started(context: RunContext) -> RunStarted:
    plan = context.plan
    return RunStarted(
        run_id=plan.run_id,
        started_us=context.started_us,
        title=plan.title,
        target=plan.target,
        target_id=plan.target.identity(),
        messages=plan.messages,
        tools=plan.tools,
        tool_choice=plan.tool_choice,
        executor=plan.executor.info,
        planner=plan.planner.info if plan.planner else None,
        parser_version=PARSER_VERSION,
        origin=plan.origin,
        client=plan.client,
        parent=plan.parent,
    )


def _finished(context: RunContext, driver: Direct | BoostLoops, note: CancelNote, *, cancelled: bool) -> RunFinished:
    if cancelled:
        stop, reason = StopReason.CANCELLED, f"cancelled by {note.cause or 'the program'}"
    else:
        stop, reason = driver.stop, driver.reason
        if stop is StopReason.LIMIT:
            reason = context.limit
    last = context.steps[-1].reply if context.steps else StepReply()
    return RunFinished(
        stop=stop,
        answer=last.sanitized if cancelled else driver.answer,
        reason=reason,
        totals=context.totals(),
        at_us=context.since(),
        error=last.error if stop is StopReason.ERROR else None,
        cancel=note.cause if cancelled else None,
        codes=tuple(dict.fromkeys(driver.codes)),
    )
