"""Telling a model that its call could not be read (requirement R6), once per iteration."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.json_text import UNREADABLE, json_or
from workbench.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall, ParseProblem
    from workbench.core.events import StepReply
    from workbench.core.tools import ToolResult, ToolSpec


def fault_of(lost: Sequence[ParseProblem]) -> str:
    """Name the fault of a reply whose calls were all lost, so that a repeat of it is known; empty without any.

    A call in a format of another family and one in a format that nobody knows are one fault: not the format asked for.
    """
    return "+".join(sorted({f"{_OTHER_FORMAT.get(problem.code, problem.code)}:{problem.name}" for problem in lost}))


_OTHER_FORMAT = {"unknown_format": "wrong_family"}


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
    answers = tuple(Message("tool", text, tool_call_id=call.id, name=call.name, failed=True) for call in calls)
    return (Message("assistant", reply.text, calls, reasoning=reply.reasoning, extra=reply.send_back), *answers)


def as_written(turn: Message, made: Sequence[ParsedCall], reply: StepReply) -> Message:
    """Return a turn whose calls have the arguments byte for byte as the model wrote them: a changed history defeats prefix caches.

    Text that is no JSON object stays mended: no provider takes it back.
    """
    by_number = {call.number: call for call in reply.native_calls}
    calls = []
    for call, read in zip(turn.tool_calls, made, strict=False):
        number = read.arguments_span.source.removeprefix("call:")
        native = by_number.get(int(number)) if number.isdigit() else None
        same = native is not None and _means(native.arguments, read.arguments)
        calls.append(call._replace(arguments=native.arguments, number=native.number) if native and same else call)
    return replace(turn, tool_calls=tuple(calls)) if len(calls) == len(turn.tool_calls) else turn


def results_marked(
    messages: Sequence[Message], results: Sequence[tuple[ParsedCall, ToolResult]]
) -> tuple[Message, ...]:
    """Return the turns that carry results, each failed one marked: some wires have a field for that."""
    failed = {call.id for call, result in results if not result.success}
    return tuple(
        replace(message, failed=True) if message.role == "tool" and message.tool_call_id in failed else message
        for message in messages
    )


def _means(text: str, arguments: object) -> bool:
    return bool(json_or(text) == arguments)


def explain(lost: Sequence[ParseProblem], tools: Sequence[ToolSpec]) -> str:
    """Return the error text that the model gets."""
    lines = ["Your tool call could not be executed:"]
    lines += [f"- {problem.message} {_hint(problem)}".rstrip() for problem in lost]
    lines.append(f"Tools: {', '.join(tool.name for tool in tools)}. Repeat the call in the exact format asked for.")
    return "\n".join(lines)


def _json_or_empty(arguments: str) -> str:
    """Providers refuse a history with arguments that are no JSON; the text itself stays in the record."""
    if json_or(arguments) is UNREADABLE:
        return "{}"
    return arguments


def _hint(problem: ParseProblem) -> str:
    """Hints about other formats are for the user, not for the model."""
    return "" if problem.code == "wrong_family" else problem.hint
