"""A run gone another way: its conversation up to one of the executor's requests, with something changed, as a new run.

What was said before stands as it was sent then, byte for byte; a turn whose result is changed is written anew in the
format's own way. Where a planner guided the run its guidance stays in the conversation, and it is not asked again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.events import ParentRun, StepRole
from workbench.core.messages import Message
from workbench.core.tools import ToolResult
from workbench.engine.request import with_text
from workbench.formats import get_format

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.events import RunStarted
    from workbench.core.run_summary import RunSummary, StepSummary
    from workbench.core.target import Target
    from workbench.core.tools import ToolSetup


class CallAt(NamedTuple):
    """A call by what people count: iteration and call, both from 1."""

    iteration: int
    call: int = 1

    def __str__(self) -> str:
        return f"{self.iteration}.{self.call}"


@dataclass(frozen=True, slots=True)
class ForkEdits:
    """What is changed; None and nothing: as it was."""

    prompt: str | None = None
    """Text of the last user message."""
    system: str | None = None
    tools: tuple[ToolSetup, ...] | None = None
    results: Mapping[CallAt, ToolResult] = field(default_factory=dict)

    @property
    def words(self) -> tuple[str, ...]:
        """What is changed, for the record."""
        named = {"prompt": self.prompt, "system": self.system, "tools": self.tools}
        return (
            *(name for name, value in named.items() if value is not None),
            *(f"result {at}" for at in sorted(self.results)),
        )


class Fork(NamedTuple):
    """What the new run is asked."""

    messages: tuple[Message, ...]
    target: Target
    tools: tuple[ToolSetup, ...]
    parent: ParentRun


def iterations(run: RunSummary) -> list[StepSummary]:
    """The executor's requests, in order: iteration 1 is the first."""
    return [step for step in run.steps.values() if step.role is StepRole.EXECUTOR and step.asked]


class KnownResult(NamedTuple):
    """A result that stands before an iteration, and may be changed."""

    at: CallAt
    tool: str
    result: ToolResult


def results_before(run: RunSummary, iteration: int) -> list[KnownResult]:
    """The tool results that the executor had got when it was asked for the `iteration`-th time, in order."""
    return [
        KnownResult(CallAt(number, at), call.name, result)
        for number, step in _same_loop(iterations(run), iteration)[:-1]
        for at, (call, result) in enumerate(_answered(run, step), 1)
    ]


def fork(run: RunSummary, iteration: int, edits: ForkEdits | None = None) -> Fork:
    """The run as it stood before the executor's request number `iteration`, with the edits; raise InvalidInput."""
    edits = edits or ForkEdits()
    started, steps = run.started, iterations(run)
    if started is None:
        raise InvalidInput("The record does not say how the run began, so it cannot be forked.")
    if not 1 <= iteration <= len(steps):
        raise InvalidInput(
            f"There is no iteration {iteration}.",
            hint=f"The executor was asked {'once' if len(steps) == 1 else f'{len(steps)} times'}.",
        )
    before = _same_loop(steps, iteration)
    opening = _asked(before[0][1])
    from_start = iteration == 1
    messages = _edited_opening(list(started.messages), edits)
    if not from_start:
        _lay_guidance(messages, started, opening)
    known = {one.at for one in results_before(run, iteration)}
    for (number, step), (_, following) in pairwise(before):
        turn = _asked(following)[len(_asked(step)) :]
        calls = _answered(run, step)
        messages += _with_results(
            turn, calls, {at.call: edits.results[at] for at in edits.results if at.iteration == number}, started
        )
    if unknown := sorted(edits.results.keys() - known):
        told = f"Known: {', '.join(map(str, sorted(known)))}." if known else "No call was answered before it."
        raise InvalidInput(f"There is no result {unknown[0]} before iteration {iteration}.", hint=told)
    target = started.target if from_start else replace(started.target, planner=None, wrapper=None)
    tools = started.tools if edits.tools is None else edits.tools
    return Fork(tuple(messages), target, tools, ParentRun(started.run_id, iteration, edits.words))


def _same_loop(steps: Sequence[StepSummary], iteration: int) -> list[tuple[int, StepSummary]]:
    """The requests of one loop up to an iteration, with their numbers."""
    loop = _loop_of(steps[iteration - 1])
    return [(number, step) for number, step in enumerate(steps[:iteration], 1) if _loop_of(step) == loop]


def _loop_of(step: StepSummary) -> int:
    return step.asked.loop if step.asked else 0


def _asked(step: StepSummary) -> tuple[Message, ...]:
    return step.asked.request.messages if step.asked else ()


def _lay_guidance(messages: list[Message], started: RunStarted, opening: Sequence[Message]) -> None:
    """Put what a planner added to the last user message behind today's."""
    last = _last_user(started.messages)
    if started.planner is None or last is None:
        return
    then, behind = started.messages[last], len(started.messages) - last
    sent = opening[-behind].text if len(opening) >= behind else ""
    here = _last_user(messages)
    if here is not None and sent.startswith(then.text):
        messages[here] = with_text(messages[here], sent[len(then.text) :])


def _last_user(messages: Sequence[Message]) -> int | None:
    return max((at for at, message in enumerate(messages) if message.role == "user"), default=None)


def _edited_opening(messages: list[Message], edits: ForkEdits) -> list[Message]:
    if edits.system is not None:
        rest = [message for message in messages if message.role != "system"]
        messages = [Message("system", edits.system), *rest] if edits.system else rest
    if edits.prompt is not None:
        last = _last_user(messages)
        if last is None:
            messages.append(Message("user", edits.prompt))
        else:
            messages[last] = replace(messages[last], content=edits.prompt)
    return messages


def _answered(run: RunSummary, step: StepSummary) -> list[tuple[ParsedCall, ToolResult]]:
    """The calls of a step that got a result, in order."""
    made = {call.id: call for call in step.reply.result.calls} if step.reply else {}
    ended = [item for item in run.results if item.step == step.number]
    return [(made[item.call_id], item.result) for item in ended if item.call_id in made]


def _with_results(
    turn: Sequence[Message],
    calls: Sequence[tuple[ParsedCall, ToolResult]],
    changed: Mapping[int, ToolResult],
    started: RunStarted,
) -> list[Message]:
    """A turn as it was sent; with changed results, those are written anew and all else stays."""
    if not changed or not turn:
        return list(turn)
    form = get_format(started.executor.format)
    told = len(form.result_messages(calls))
    new = [(call, changed.get(at, result)) for at, (call, result) in enumerate(calls, 1)]
    return [turn[0], *form.result_messages(new), *turn[1 + told :]]
