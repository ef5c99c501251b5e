"""Telling a model that its call could not be read (requirement R6), once per iteration."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from workbench.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParseProblem
    from workbench.core.events import StepReply
    from workbench.core.tools import ToolSpec


def fault_of(lost: Sequence[ParseProblem]) -> str:
    """Name the fault of a reply whose calls were all lost, so that a repeat of it is known; empty without any."""
    return "+".join(sorted({f"{problem.code}:{problem.name}" for problem in lost}))


def feedback_messages(reply: StepReply, tools: Sequence[ToolSpec]) -> tuple[Message, ...]:
    """Return the turn as it came and what was wrong with it."""
    text = explain(reply.result.lost, tools)
    if not reply.native_calls:
        return (
            Message("assistant", reply.text, reasoning=reply.reasoning, extra=reply.send_back),
            Message("user", text),
        )
    calls = tuple(
        call._replace(id=call.id or f"call_{call.number + 1}", arguments=_json_or_empty(call.arguments))
        for call in reply.native_calls
    )
    answers = tuple(Message("tool", text, tool_call_id=call.id, name=call.name) for call in calls)
    return (Message("assistant", reply.text, calls, reasoning=reply.reasoning), *answers)


def explain(lost: Sequence[ParseProblem], tools: Sequence[ToolSpec]) -> str:
    """Return the error text that the model gets."""
    lines = ["Your tool call could not be executed:"]
    lines += [f"- {problem.message} {_hint(problem)}".rstrip() for problem in lost]
    lines.append(f"Tools: {', '.join(tool.name for tool in tools)}. Repeat the call in the exact format asked for.")
    return "\n".join(lines)


def _json_or_empty(arguments: str) -> str:
    """Providers refuse a history with arguments that are no JSON; the text itself stays in the record."""
    try:
        json.loads(arguments)
    except ValueError:
        return "{}"
    return arguments


def _hint(problem: ParseProblem) -> str:
    """Hints about other formats are for the user, not for the model."""
    return "" if problem.code == "wrong_family" else problem.hint
