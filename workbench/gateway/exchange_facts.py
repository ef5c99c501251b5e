"""What stays in memory of a finished exchange: a few words and numbers. Everything else is in its record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.calls import danger_of
from workbench.core.events import StepRole, StopReason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.messages import Message
    from workbench.core.run_summary import RunSummary


@dataclass(frozen=True, slots=True)
class ExchangeFacts:
    """A finished exchange in a few words."""

    calls: tuple[str, ...] = ()
    """Names of the tools that the model called, in order."""
    repairs: tuple[str, ...] = ()
    """Codes of what had to be put right in its calls, each once."""
    danger: str = ""
    """How certain these repairs are: a word of `core.calls.Danger`; empty without any."""
    offered: int = 0
    """Tools that the agent offered."""
    results: int = 0
    """Tool results that came with the request."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    duration_us: int = 0
    error: str = ""
    """Why there was no reply."""
    cancelled: bool = False
    fallback: str = ""
    """Why a boosted exchange was not answered as planned: the planner could not be asked, or the time was over."""


def facts_of(run: RunSummary) -> ExchangeFacts:
    """Return the facts of a run that has ended."""
    calls = [call for _, call in run.parsed_calls]
    usages = [reply.usage for _, reply in run.replies]
    told_in = [usage.input for usage in usages if usage.input is not None]
    told_out = [usage.output for usage in usages if usage.output is not None]
    repairs = tuple(dict.fromkeys(code for call in calls for code in call.repairs))
    finished = run.finished
    return ExchangeFacts(
        calls=tuple(call.name for call in calls),
        repairs=repairs,
        danger=danger_of(repairs).value if repairs else "",
        offered=len(run.started.tools) if run.started else 0,
        results=new_results(run.started.messages) if run.started else 0,
        input_tokens=sum(told_in) if told_in else None,
        output_tokens=sum(told_out) if told_out else None,
        duration_us=finished.at_us if finished else run.last_us,
        error=finished.error.message if finished and finished.error else "",
        cancelled=bool(finished and finished.cancel is not None),
        fallback=_fallback(run),
    )


def new_results(messages: Sequence[Message]) -> int:
    """How many tool results stand after the last turn of the model."""
    count = 0
    for message in reversed(messages):
        if message.role == "assistant":
            break
        count += message.role == "tool"
    return count


def _fallback(run: RunSummary) -> str:
    finished = run.finished
    if run.started is None or finished is None:
        return ""
    if run.started.planner is None:
        left_out = run.started.client.left_out if run.started.client else ()
        return next((note.removeprefix("boost: ") for note in left_out if note.startswith("boost: ")), "")
    planned = [reply for step, reply in run.replies if step.role is StepRole.PLANNER]
    if planned and planned[-1].error is not None:
        return "the planner could not be asked"
    return finished.reason if finished.stop in (StopReason.LIMIT, StopReason.BOOST_LOOPS) else ""
