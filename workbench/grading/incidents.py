"""What went wrong with tool calls in one exchange, in the words in which servers and logs tell it.

    tool_call_dropped           a call was begun and nobody could read it
    tool_markup_in_content      a call stands in the text although tools were offered natively
    tool_markup_in_reasoning    a call stands in the reasoning, where no client looks for it
    malformed_arguments         a structured call whose arguments are no JSON object
    absorbed_parameter          the markup of further parameters stands inside an argument
    invented_tool               a call of a tool that was not offered
    schema_violation            arguments that break the tool's schema
    repeated_call               the same call as in the turn before
    all_output_lost             tokens were paid for, and neither text nor call came

An incident that was mended on the way is marked so: the client got a call all the same.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Outcome, Span
from workbench.core.events import StepRole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.calls import ParseProblem
    from workbench.core.events import StepReply
    from workbench.core.messages import Message
    from workbench.core.protocols import SchemaChecker
    from workbench.core.run_summary import RunSummary

KINDS = (
    "tool_call_dropped", "tool_markup_in_content", "tool_markup_in_reasoning", "malformed_arguments",
    "absorbed_parameter", "invented_tool", "schema_violation", "repeated_call", "all_output_lost",
)  # fmt: skip
_BY_CODE = {"unknown_tool": "invented_tool", "absorbed_parameter": "absorbed_parameter", "schema": "schema_violation"}


class Incident(NamedTuple):
    """One thing that went wrong."""

    kind: str
    message: str
    step: int
    span: Span
    """Where in the reply."""
    tool: str = ""
    mended: bool = False
    """The call was read all the same."""


def incidents_of(run: RunSummary, check: SchemaChecker) -> tuple[Incident, ...]:
    """Return the incidents of a run's replies, in order."""
    native = bool(run.started and run.started.executor.native)
    offered = bool(run.started and run.started.tools)
    found: list[Incident] = []
    for step, reply in run.replies:
        if step.role is StepRole.EXECUTOR and offered:
            found += _of_reply(step.number, reply, run, check, native=native)
    if run.started and offered:
        found += _repeated(run, run.started.messages)
    return tuple(dict.fromkeys(found))


def _of_reply(
    number: int, reply: StepReply, run: RunSummary, check: SchemaChecker, *, native: bool
) -> Iterator[Incident]:
    for problem in reply.result.problems:
        if problem.outcome is Outcome.REPORTED or problem.code in _BY_CODE:
            yield Incident(_kind(problem, native=native), problem.message, number, problem.span, problem.name)
    for call in reply.result.calls:
        if native and not call.span.source.startswith("call:"):
            kind = "tool_markup_in_reasoning" if call.span.source == "reasoning" else "tool_markup_in_content"
            told = f"The call of {call.name} stands in the text, as {call.format} writes it."
            yield Incident(kind, told, number, call.span, call.name, mended=True)
        elif native and call.repairs:
            told = f"The arguments of {call.name} were mended: {', '.join(call.repairs)}."
            yield Incident("malformed_arguments", told, number, call.span, call.name, mended=True)
        if call.name not in run.tools:
            yield Incident("invented_tool", f"There is no tool {call.name!r}.", number, call.span, call.name)
            continue
        for path, message in check.problems(run.tools[call.name], call.arguments):
            place = ".".join(map(str, (call.name, *path)))
            yield Incident("schema_violation", f"{place}: {message}", number, call.arguments_span, call.name)
    nothing = not (reply.text.strip() or reply.reasoning.strip() or reply.native_calls or reply.error)
    if nothing and reply.usage.output:
        told = f"{reply.usage.output} tokens were generated, and nothing of them arrived."
        yield Incident("all_output_lost", told, number, Span(0, 0))


def _kind(problem: ParseProblem, *, native: bool) -> str:
    if problem.code in _BY_CODE:
        return _BY_CODE[problem.code]
    if problem.span.source.startswith("call:"):
        return "malformed_arguments"
    if problem.span.source == "reasoning":
        return "tool_markup_in_reasoning"
    return "tool_markup_in_content" if native else "tool_call_dropped"


def _repeated(run: RunSummary, messages: tuple[Message, ...]) -> Iterator[Incident]:
    """A call that the conversation's last assistant turn made already."""
    last = next((message for message in reversed(messages) if message.role == "assistant"), None)
    before = {(call.name, _canonical(call.arguments)) for call in last.tool_calls} if last else set()
    for step, call in run.parsed_calls:
        if (call.name, _canonical(call.arguments)) in before:
            told = f"{call.name} was called with the same arguments in the turn before."
            yield Incident("repeated_call", told, step.number, call.span, call.name)


def _canonical(arguments: object) -> str:
    try:
        value = json.loads(arguments) if isinstance(arguments, str) else arguments
        return json.dumps(value, sort_keys=True, default=str)
    except (ValueError, RecursionError):
        return str(arguments)
