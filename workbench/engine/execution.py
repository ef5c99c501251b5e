"""Executing the calls of one reply: arguments checked, people asked, tools run, each as events."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.approvals import ApprovalDecision, ApprovalRequest, DecidedBy
from workbench.core.calls import ParsedCall, ParseProblem
from workbench.core.events import ApprovalAsked, ApprovalDecided, RunEvent, ToolFinished, ToolStarted
from workbench.core.tools import ToolMode, ToolResult, ToolSetup
from workbench.engine.habits import bounded

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from workbench.engine.context import RunContext

REFUSALS = {
    DecidedBy.USER: "The user refused this call.",
    DecidedBy.RULE: "The user refused calls like this one.",
    DecidedBy.CLOCK: "Nobody allowed this call in time, so it was not made.",
    DecidedBy.NOBODY: "This call needs somebody's permission, and nobody could be asked.",
}


class Execution:
    """Executes one call; `events()` is consumed once, then `result` holds what goes back."""

    def __init__(self, context: RunContext, step: int, index: int, call: ParsedCall, setup: ToolSetup) -> None:
        self._context, self._step, self._index, self._call, self._setup = context, step, index, call, setup
        self.result = ToolResult(False)

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        """Yield what happens."""
        context, call, setup = self._context, self._call, self._setup
        yield ToolStarted(self._step, self._index, call.id, call.name, call.arguments, setup.mode, context.since())
        problems = violations(context, setup, call)
        if setup.mode is ToolMode.RECORD:
            self.result = ToolResult(True, None, None, ToolMode.RECORD)
        elif problems:
            self.result = ToolResult(False, None, unfit(problems), setup.mode)
        elif setup.mode is ToolMode.ASK:
            yield ApprovalAsked(self._step, self._index, call.id, call.name, setup.ask_seconds, context.since())
            decision = await self._decision()
            yield ApprovalDecided(self._step, self._index, call.id, decision, context.since())
            self.result = await self._after(decision)
        else:
            self.result = await context.tools.run(setup, call, context.place(call.name))
        self.result = bounded(self.result, context.plan.target.limits.result_characters)
        yield ToolFinished(self._step, self._index, call.id, self.result, context.since(), problems)

    async def _decision(self) -> ApprovalDecision:
        context, setup = self._context, self._setup
        request = ApprovalRequest(
            context.plan.run_id, self._step, self._index, setup, self._call.arguments, setup.ask_seconds,
            context.plan.workspace,
        )  # fmt: skip
        try:
            async with asyncio.timeout(setup.ask_seconds):
                return await context.approver.decide(request)
        except TimeoutError:
            return ApprovalDecision(False, DecidedBy.CLOCK)

    async def _after(self, decision: ApprovalDecision) -> ToolResult:
        context, setup = self._context, self._setup
        if not decision.allowed:
            words = f"{REFUSALS[decision.by]} {decision.reason}".strip()
            return ToolResult(False, None, words, ToolMode.ASK, refused=True)
        if decision.answered:
            return ToolResult(True, decision.result, None, ToolMode.ASK, by="the user")
        call = self._call if decision.arguments is None else self._call._replace(arguments=decision.arguments)
        if problems := violations(context, setup, call):
            return ToolResult(False, None, unfit(problems), ToolMode.ASK)
        return replace(await context.tools.run(setup, call, context.place(call.name)), source=ToolMode.ASK)


def violations(context: RunContext, setup: ToolSetup, call: ParsedCall) -> tuple[ParseProblem, ...]:
    """Where the arguments do not fit the tool's schema."""
    found = context.check.problems(setup.spec, call.arguments)
    return tuple(
        ParseProblem("schema", call.arguments_span, f"{_dotted(path)}: {message}", name=call.name)
        for path, message in found
    )


def unfit(problems: Sequence[ParseProblem]) -> str:
    """What the model is told of arguments that do not fit."""
    return f"The arguments do not fit the schema: {'; '.join(problem.message for problem in problems)}"


def _dotted(path: Sequence[str | int]) -> str:
    return ".".join(str(part) for part in path) or "arguments"
