"""Boost mode (requirements B1–B6): a planner without tools plans in text, the executor acts, up to three loops."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from workbench.core.errors import ErrorKind
from workbench.core.events import (
    FellBack,
    GuidanceTraced,
    LoopFinished,
    LoopStarted,
    PlannerKind,
    PlannerRead,
    PlannerReply,
    RunEvent,
    StepReply,
    StepRole,
    StopReason,
)
from workbench.engine.guidance import trace
from workbench.engine.planner import read_plan
from workbench.engine.request import guidance_text, opening_messages, opening_news, planner_request
from workbench.engine.turns import ExecutorTurns
from workbench.engine.wrapper import FailedAttempt
from workbench.formats.sanitize import sanitize

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from workbench.engine.context import RunContext
    from workbench.engine.step import Step


class BoostLoops:
    """Drives the boost rounds; afterwards `stop`, `answer` and `reason` say how it ended."""

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self._attempts: list[FailedAttempt] = []
        self._said: dict[str, tuple[str, int]] = {}
        """The latest words of executor and planner that were no answer, with their loop."""
        self.stop = StopReason.BOOST_LOOPS
        self.answer = ""
        self.reason = ""
        self.codes: list[str] = []

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        """Run rounds until one leads to an answer, or the limit is reached."""
        context = self._context
        for loop in range(context.plan.target.limits.boost_loops):
            yield LoopStarted(loop, context.since())
            step = self._planner_step(loop)
            async with aclosing(step.events()) as events:
                async for event in events:
                    yield event
            if step.reply.error:
                async with aclosing(self._fall_back(loop, step)) as direct:
                    async for event in direct:
                        yield event
                return
            plan = read_plan(step.reply.text)
            yield PlannerRead(step.number, plan)
            async with aclosing(self._act(loop, step, plan)) as acted:
                async for event in acted:
                    yield event
            if self.reason:
                return
        self._give_best()

    def _planner_step(self, loop: int) -> Step:
        context = self._context
        assert context.plan.planner is not None
        news = [f"wrapper, loop {loop}"]
        if count := len(self._attempts):
            news.append(f"+ {count} failed attempt{'s' if count > 1 else ''}")
        request = planner_request(context.plan, loop, self._attempts)
        return context.step(loop, StepRole.PLANNER, context.plan.planner, request, news)

    async def _act(self, loop: int, step: Step, plan: PlannerReply) -> AsyncGenerator[RunEvent, None]:
        if plan.kind is PlannerKind.SUMMARY:
            self.stop, self.answer = StopReason.SUMMARY, sanitize(plan.section("SUMMARY"))
            self.reason = "the planner answered by itself"
            yield LoopFinished(loop, "summary", "planner answered, no executor needed", self._context.since())
        elif plan.kind is PlannerKind.OTHER:
            if said := sanitize(step.reply.text):
                self._said["planner"] = said, loop
            self._attempts.append(FailedAttempt(loop, plan.reason, step.reply.text))
            self.codes += [f"loop.{problem.code}" for problem in plan.problems] or ["loop.no_planner_heading"]
            yield LoopFinished(loop, "other", f"planner replied OTHER: {plan.reason}", self._context.since())
        else:
            async with aclosing(self._execute(loop, step, plan)) as events:
                async for event in events:
                    yield event

    async def _execute(self, loop: int, step: Step, plan: PlannerReply) -> AsyncGenerator[RunEvent, None]:
        context = self._context
        retry = any(attempt.why.startswith("executor") for attempt in self._attempts)
        free = context.plan.tool_choice != "none"
        guidance = guidance_text(plan.section("ANALYSIS"), plan.section("GUIDANCE"), retry=retry, may_call=free)
        turns = ExecutorTurns(
            context, loop, opening_messages(context.plan, guidance), opening_news(context.plan, guided=True)
        )
        async with aclosing(turns.events()) as events:
            async for event in events:
                yield event
        self.codes += turns.codes
        section = next(part for part in plan.sections if part.label == "GUIDANCE")
        lines, invented = trace(section, [spec.name for spec in context.plan.specs], turns.made)
        yield GuidanceTraced(loop, step.number, lines, invented)
        yield self._close(loop, plan, turns)

    def _close(self, loop: int, plan: PlannerReply, turns: ExecutorTurns) -> LoopFinished:
        now = self._context.since()
        if turns.stop is StopReason.ERROR:
            self.stop, self.reason = StopReason.ERROR, why_stopped(StopReason.ERROR, turns.reply)
            return LoopFinished(loop, "error", f"executor: {self.reason}", now)
        forbidden = self._context.plan.tool_choice == "none" and turns.stop is StopReason.ANSWER
        if not turns.made and not forbidden:
            if turns.reply.sanitized:
                self._said["executor"] = turns.reply.sanitized, loop
            unread = turns.stop is StopReason.LOST_CALL
            why = "executor's call could not be read" if unread else "executor called no tool"
            self._attempts.append(FailedAttempt(loop, why, f"{plan.section('GUIDANCE')}\nExecutor: {turns.reply.text}"))
            self.codes.append("loop.guidance_ignored")
            did = "its call could not be read" if unread else "called no tool"
            return LoopFinished(loop, "no_call", f"executor was guided and {did}", now)
        assert turns.stop is not None
        self.stop, self.answer = turns.stop, turns.reply.sanitized
        self.reason = STOP_REASONS[turns.stop]
        return LoopFinished(loop, turns.stop.value, LOOP_SUMMARIES.get(turns.stop, self.reason), now)

    async def _fall_back(self, loop: int, step: Step) -> AsyncGenerator[RunEvent, None]:
        """The planner cannot be asked: direct execution, visibly marked (B6)."""
        context = self._context
        assert step.reply.error is not None
        yield FellBack(step.number, step.reply.error, context.since())
        self.codes.append("loop.planner_failed")
        turns = ExecutorTurns(context, loop, opening_messages(context.plan), opening_news(context.plan, guided=False))
        async with aclosing(turns.events()) as events:
            async for event in events:
                yield event
        self.codes += turns.codes
        assert turns.stop is not None
        self.stop, self.answer = turns.stop, turns.reply.sanitized
        self.reason = f"planner failed, direct execution: {why_stopped(turns.stop, turns.reply)}"
        yield LoopFinished(loop, "fallback", "planner failed, executor asked directly", context.since())

    def _give_best(self) -> None:
        """Three loops failed: the user gets the best reply there is, with the reason (B4)."""
        self.stop = StopReason.BOOST_LOOPS
        who = "executor" if "executor" in self._said else "planner"
        self.answer, loop = self._said.get(who, ("", 0))
        self.reason = f"{len(self._attempts)} failed attempts; " + (
            f"showing what the {who} said in loop {loop}, the latest with words" if self.answer else "no usable reply"
        )


STOP_REASONS = {
    StopReason.ANSWER: "answered",
    StopReason.RECORDED: "calls recorded, nothing executed",
    StopReason.ITERATIONS: "iteration limit reached",
    StopReason.LIMIT: "a limit of the run was reached",
    StopReason.LOST_CALL: "a call could not be read",
    StopReason.ERROR: "the model could not be asked",
}
BROKEN = {
    ErrorKind.CUT_OFF: "the reply broke off",
    ErrorKind.TIMEOUT: "the model stopped answering",
    ErrorKind.PROTOCOL: "the reply could not be understood",
}


def why_stopped(stop: StopReason, reply: StepReply) -> str:
    """One line for the verdict bar."""
    if stop is StopReason.ERROR and reply.error is not None:
        return BROKEN.get(reply.error.kind, STOP_REASONS[stop])
    return STOP_REASONS[stop]


LOOP_SUMMARIES = {StopReason.ANSWER: "guidance followed, answered"}
