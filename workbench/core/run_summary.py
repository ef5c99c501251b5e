"""A run's events folded into the facts that many readers need: who was asked, what was said, called and given back.

The one place that knows how the events of a run belong together. Verdicts, costs, the history, exports, reports and
commands are made from a `RunSummary`; only what needs the bytes (playback, forensics, the live view) reads chunks itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from workbench.core.calls import Outcome
from workbench.core.events import (
    ApprovalDecided,
    ChunkReceived,
    ExchangeStarted,
    LoopStarted,
    PlannerRead,
    RunFinished,
    RunStarted,
    StepFinished,
    StepReply,
    StepRole,
    StepStarted,
    ToolFinished,
    ToolStarted,
    VerdictGiven,
)
from workbench.core.tools import ToolMode
from workbench.core.verdict import VerdictState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.approvals import ApprovalDecision
    from workbench.core.calls import ParsedCall, ParseProblem
    from workbench.core.events import PartyInfo, PlannerReply, RunEvent
    from workbench.core.tools import ToolResult, ToolSpec
    from workbench.core.verdict import Verdict

MICROSECONDS = 1_000_000


def summarize(events: Iterable[RunEvent]) -> RunSummary:
    """Fold a run's events in order."""
    summary = RunSummary()
    summary.add_all(events)
    return summary


@dataclass(slots=True)
class StepSummary:
    """One request to a model and what came back."""

    number: int
    asked: StepStarted | None = None
    """None: only its end was recorded."""
    reply: StepReply | None = None
    """None: it has not ended."""
    plan: PlannerReply | None = None
    """The reply of a planner, classified."""
    exchanges: list[ExchangeStarted] = field(default_factory=list)
    """Its HTTP tries."""

    @property
    def role(self) -> StepRole:
        """Who was asked; the executor where that is not known."""
        return self.asked.role if self.asked else StepRole.EXECUTOR


class ToolRate(NamedTuple):
    """How many of the calls that a model tried could be executed."""

    executed: int
    tried: int
    """Calls made, those with arguments that break the schema and those that nobody could read included."""


@dataclass(slots=True)
class RunSummary:
    """What is known of a run so far; `add` takes the next event. Whatever is missing from the events stays empty."""

    started: RunStarted | None = None
    finished: RunFinished | None = None
    verdict: Verdict | None = None
    """The last one given."""
    loops: int = 0
    """Boost rounds begun; direct runs are one."""
    steps: dict[int, StepSummary] = field(default_factory=dict)
    """By number, in the order in which they began."""
    calls: list[ToolStarted] = field(default_factory=list)
    """Calls handed to a tool, refused ones included, in order."""
    results: list[ToolFinished] = field(default_factory=list)
    """What the tools gave back, in order."""
    decisions: dict[tuple[int, int], ApprovalDecision] = field(default_factory=dict)
    """What people decided about calls, by step and index."""
    last_us: int = 0
    """Time of the latest event since the run's start."""

    def add_all(self, events: Iterable[RunEvent]) -> None:
        """Take events in order."""
        for event in events:
            self.add(event)

    def add(self, event: RunEvent) -> None:
        """Take the next event."""
        if not isinstance(event, VerdictGiven):  # its time is that of a correction, by the calendar
            self.last_us = max(self.last_us, getattr(event, "at_us", 0))
        match event:
            case ChunkReceived():
                pass  # by far the most frequent one
            case StepStarted(step=number):
                self._step(number).asked = event
            case StepFinished(step=number, reply=reply):
                self._step(number).reply = reply
            case ExchangeStarted(step=number):
                self._step(number).exchanges.append(event)
            case PlannerRead(step=number, reply=plan):
                self._step(number).plan = plan
            case ToolStarted():
                self.calls.append(event)
            case ApprovalDecided(step=step, index=index, decision=decision):
                self.decisions[step, index] = decision
            case ToolFinished():
                self.results.append(event)
            case LoopStarted():
                self.loops += 1
            case RunStarted():
                self.started = event
            case RunFinished():
                self.finished = event
            case VerdictGiven(verdict=verdict):
                self.verdict = verdict
            case _:
                pass

    def _step(self, number: int) -> StepSummary:
        found = self.steps.get(number)
        if found is None:
            found = self.steps[number] = StepSummary(number)
        return found

    @property
    def state(self) -> VerdictState:
        """Of the last verdict; running where none was given."""
        return self.verdict.state if self.verdict else VerdictState.RUNNING

    # who took part

    @property
    def run_id(self) -> str:
        """Empty until the run's beginning is known."""
        return self.started.run_id if self.started else ""

    def party(self, role: StepRole) -> PartyInfo | None:
        """The model that is asked in a role; a direct run has no planner."""
        if self.started is None:
            return None
        return self.started.planner if role is StepRole.PLANNER else self.started.executor

    @property
    def prompt(self) -> str:
        """The last user message; without any, the last message."""
        messages = self.started.messages if self.started else ()
        asked = [message.text for message in messages if message.role == "user"] or [item.text for item in messages]
        return asked[-1] if asked else ""

    @property
    def tools(self) -> dict[str, ToolSpec]:
        """The tools that were offered, by name."""
        return {setup.spec.name: setup.spec for setup in self.started.tools} if self.started else {}

    # what was said

    @property
    def replies(self) -> list[tuple[StepSummary, StepReply]]:
        """All steps that have ended, with their replies."""
        return [(step, step.reply) for step in self.steps.values() if step.reply is not None]

    @property
    def executor_replies(self) -> list[tuple[StepSummary, StepReply]]:
        """Those of the executor that were not cancelled."""
        return [(step, reply) for step, reply in self.replies if step.role is StepRole.EXECUTOR and not reply.cancelled]

    @property
    def parsed_calls(self) -> list[tuple[StepSummary, ParsedCall]]:
        """Calls that a parser gave out, executed or not."""
        return [(step, call) for step, reply in self.replies for call in reply.result.calls]

    @property
    def problems(self) -> list[tuple[StepSummary, ParseProblem]]:
        """What parsers found wrong with the replies."""
        return [(step, problem) for step, reply in self.replies for problem in reply.result.problems]

    @property
    def exchanges(self) -> list[ExchangeStarted]:
        """All HTTP tries of the run."""
        return [exchange for step in self.steps.values() for exchange in step.exchanges]

    @property
    def last_plan(self) -> PlannerReply | None:
        """What the planner said last, classified."""
        return next((step.plan for step in reversed(self.steps.values()) if step.plan), None)

    @property
    def served_model(self) -> str:
        """The model that the server says answered last as executor; empty where it does not say."""
        return next((reply.served_model for _, reply in reversed(self.executor_replies) if reply.served_model), "")

    @property
    def answer(self) -> str:
        """What the user got; of a run that is not over, the last text that could be shown."""
        if self.finished:
            return self.finished.answer
        return next((reply.sanitized for _, reply in reversed(self.replies) if reply.sanitized), "")

    # what was done

    @property
    def refused(self) -> set[tuple[int, int]]:
        """Step and index of each call that was not executed, since its arguments break the schema."""
        return {(result.step, result.index) for result in self.results if result.problems}

    def split_calls(self) -> tuple[list[ToolStarted], list[ToolStarted]]:
        """The calls that were executed (or recorded), and those that were refused."""
        refused = self.refused
        made = [call for call in self.calls if (call.step, call.index) not in refused]
        return made, [call for call in self.calls if (call.step, call.index) in refused]

    @property
    def paired_results(self) -> list[tuple[ToolStarted, ToolFinished]]:
        """Each result with its call, in the order of the results."""
        calls = {(call.step, call.index): call for call in self.calls}
        return [(calls[key], item) for item in self.results if (key := (item.step, item.index)) in calls]

    @property
    def executed_calls(self) -> list[tuple[str, dict[str, Any], ToolResult]]:
        """What tools really answered: name, the arguments that they got, and the result, in order."""
        executed = []
        for call, item in self.paired_results:
            decision = self.decisions.get((call.step, call.index))
            if item.problems or item.result.refused or (decision is not None and decision.answered):
                continue
            edited = decision.arguments if decision is not None else None
            executed.append((call.name, call.arguments if edited is None else edited, item.result))
        return executed

    @property
    def called_tools(self) -> tuple[str, ...]:
        """Names of all tools that were called, executed or not, each once."""
        given = [call.name for _, call in self.parsed_calls]
        return tuple(dict.fromkeys([*given, *(call.name for call in self.calls)]))

    @property
    def tool_rate(self) -> ToolRate:
        """Calls that were executed among those that were tried; a mock that is set up to fail was executed.

        What a person refused says nothing about the model and is left out.
        """
        results = [item for item in self.results if not item.result.refused]
        executed = sum(
            not item.problems and (item.result.success or item.result.source is ToolMode.MOCK) for item in results
        )
        lost = sum(problem.outcome is Outcome.REPORTED for _, problem in self.problems)
        return ToolRate(executed, len(results) + lost)

    # how much and how long

    @property
    def step_count(self) -> int:
        """As the engine counted them, or those that have ended so far."""
        return self._total("steps") or len(self.replies)

    @property
    def call_count(self) -> int:
        """As the engine counted them, or those given out so far."""
        return self._total("calls") or len(self.parsed_calls)

    @property
    def input_tokens(self) -> int:
        """Of all steps; those that the provider does not count are left out."""
        return self._total("input_tokens") or sum(reply.usage.input or 0 for _, reply in self.replies)

    @property
    def output_tokens(self) -> int:
        """Of all steps; those that the provider does not count are left out."""
        return self._total("output_tokens") or sum(reply.usage.output or 0 for _, reply in self.replies)

    @property
    def duration_us(self) -> int:
        """As the engine counted it, or up to the latest event."""
        return self._total("duration_us") or self.last_us

    def _total(self, name: str) -> int:
        return int(getattr(self.finished.totals, name)) if self.finished else 0

    def first_us(self, moment: Literal["first_byte", "first_token", "first_call"]) -> int | None:
        """Microseconds from the run's start to the first step's such moment; None where there was none."""
        moments = [
            step.asked.at_us + after
            for step, reply in self.replies
            if step.asked is not None and (after := getattr(reply.timing, moment)) is not None
        ]
        return min(moments, default=None)

    @property
    def tokens_per_second(self) -> float | None:
        """Tokens written by the executor a second of its replies, the wait for the first one included.

        None where the provider does not count them.
        """
        counted = [reply for _, reply in self.executor_replies if reply.usage.output and reply.timing.total]
        return token_speed([(reply.usage.output or 0, reply.timing.total) for reply in counted])


def token_speed(replies: Sequence[tuple[int, int]]) -> float | None:
    """Tokens a second over pairs of tokens and microseconds; None without any."""
    spent = sum(duration for _, duration in replies)
    return sum(tokens for tokens, _ in replies) * MICROSECONDS / spent if spent else None
