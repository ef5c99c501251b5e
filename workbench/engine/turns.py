"""The tool loop of one executor: ask, run the calls, return the results, until it answers or a limit is reached."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.events import RunEvent, StepReply, StepRole, StopReason
from workbench.core.messages import Message, chosen_tool
from workbench.core.target import Policy
from workbench.core.tools import ToolMode, ToolResult
from workbench.engine.execution import Execution
from workbench.engine.feedback import as_written, fault_of, feedback_messages, results_marked
from workbench.engine.guidance import MadeCall
from workbench.engine.habits import Habits
from workbench.engine.request import executor_request, image_messages, told_results, with_images

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from workbench.core.calls import ParsedCall
    from workbench.engine.context import RunContext
    from workbench.engine.step import Step


class ExecutorTurns:
    """Drives the executor through one loop; afterwards `stop`, `reply` and `made` say how it went."""

    def __init__(self, context: RunContext, loop: int, messages: Sequence[Message], news: Sequence[str]) -> None:
        self._context = context
        self._loop = loop
        self._messages = list(messages)
        self._news = tuple(news)
        self._last_fault = ""
        self.stop: StopReason | None = None
        """Set when the turns have ended."""
        self.reply = StepReply()
        self.made: list[MadeCall] = []
        self.codes: list[str] = []
        self._habits = Habits()

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        """Run turns until something ends them."""
        plan = self._context.plan
        for _ in range(plan.target.limits.iterations):
            if self._context.over_limit():
                self.stop = StopReason.LIMIT
                return
            request = executor_request(plan, self._messages)
            step = self._context.step(self._loop, StepRole.EXECUTOR, plan.executor, request, self._news)
            async with aclosing(step.events()) as events:
                async for event in events:
                    yield event
            self.reply = step.reply
            if step.reply.error:
                self.stop = StopReason.ERROR
                self.codes += self._habits.of_error(step.reply.error)
                return
            self._check_choice(step)
            calls, dropped = self._accepted(step.reply)
            if calls:
                self._last_fault = ""
                async with aclosing(self._run_calls(step, calls, dropped)) as tool_events:
                    async for event in tool_events:
                        yield event
            else:
                self._answer_or_tell(step.reply)
            if self.stop:
                return
        self.stop = StopReason.ITERATIONS

    def _accepted(self, reply: StepReply) -> tuple[list[ParsedCall], list[ParsedCall]]:
        """Calls to run, and calls beyond the one that a format allows."""
        plan = self._context.plan
        calls = [call for call in reply.result.calls if plan.setup(call.name)]
        native = plan.executor.format is not None and plan.executor.format.native
        if not native and any("extra_calls" in call.repairs for call in calls):
            return calls[:1], calls[1:]
        return calls, []

    def _answer_or_tell(self, reply: StepReply) -> None:
        """Without a call to run: the reply is the answer, or the model is told what was wrong with its call."""
        target = self._context.plan.target
        fault = fault_of(reply.result.lost)
        if not fault:
            self.stop = StopReason.ANSWER
            self.codes += self._habits.of_answer(reply.sanitized)
        elif fault == self._last_fault or target.policy is Policy.STRICT or not target.limits.feedback_per_iteration:
            self.stop = StopReason.LOST_CALL
        else:
            self._last_fault = fault
            self._messages += feedback_messages(reply, self._context.plan.specs)
            self._news = ("+ parse error told",)

    def _check_choice(self, step: Step) -> None:
        """`tool_choice` is asked for through the prompt or the field, and checked afterwards all the same (S1)."""
        choice = self._context.plan.tool_choice
        if not self._context.plan.tools or choice in (None, "auto") or self.made:
            return
        names = [call.name for call in step.reply.result.calls]
        forced = chosen_tool(choice)
        if (choice == "none" and names) or (choice == "required" and not names) or (forced and forced not in names):
            self.codes.append("decision.tool_choice")

    async def _run_calls(
        self, step: Step, calls: Sequence[ParsedCall], dropped: Sequence[ParsedCall]
    ) -> AsyncGenerator[RunEvent, None]:
        results: list[tuple[ParsedCall, ToolResult]] = []
        for index, call in enumerate(calls):
            setup = self._context.plan.setup(call.name)
            assert setup is not None
            if self._context.over_limit():
                self.stop = StopReason.LIMIT
                break
            self.made.append(MadeCall(step.number, index, call.name))
            execution = Execution(self._context, step.number, index, call, setup)
            async with aclosing(execution.events()) as events:
                async for event in events:
                    yield event
            if setup.mode is ToolMode.RECORD:
                self.stop = StopReason.RECORDED
            results.append((call, execution.result))
            self.codes += self._habits.of_call(call, execution.result)
        if not results:
            return
        self._continue(step, results, dropped)

    def _continue(
        self, step: Step, results: Sequence[tuple[ParsedCall, ToolResult]], dropped: Sequence[ParsedCall]
    ) -> None:
        """Put the turn and its results into the conversation, in the format's own way."""
        chosen = self._context.plan.executor.format
        assert chosen is not None
        reply, wire = step.reply, self._context.plan.executor.info.wire
        results = told_results(results, wire)
        told = chosen.result_messages(results)
        calls = [call for call, _ in results]
        turn = chosen.render_turn(reply.result.text.strip() if not chosen.native else reply.text, calls)
        self._messages += [
            replace(as_written(turn, calls, reply), reasoning=reply.reasoning, extra={**turn.extra, **reply.send_back}),
            *results_marked(with_images(told, results, wire), results),
            *image_messages(told, results, wire),
        ]
        count = len(results)
        self._news = (f"+ {count} tool result{'s' if count > 1 else ''}",)
        notes = [f"Only the first call was executed; {call.name} was not." for call in dropped]
        notes += [f"Another call could not be read and was not executed: {lost.message}" for lost in reply.result.lost]
        if notes:
            self._messages.append(Message("user", "\n".join(notes)))
            self._news = (*self._news, "+ note on calls not executed")
