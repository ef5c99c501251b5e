"""What went wrong with tool calls in one exchange, in the words in which servers and logs tell it.

    tool_call_dropped           a call was begun and nobody could read it, or was announced and did not come
    tool_markup_in_content      a call stands in the text although tools were offered natively
    tool_markup_in_reasoning    a call stands in the reasoning, where no client looks for it
    malformed_arguments         a structured call whose arguments are no JSON object
    absorbed_parameter          the markup of further parameters stands inside an argument
    invented_tool               a call of a tool that was not offered
    schema_violation            arguments that break the tool's schema
    repeated_call               the same call as in the turn before
    all_output_lost             tokens were paid for, and neither text nor call came

An incident that was mended on the way is marked so: the client got a call all the same.
Runs of the gateway and replies in other people's sessions and logs (`workbench scan`) are judged by the same rules.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Outcome, Span
from workbench.core.errors import ErrorKind
from workbench.core.events import StepRole
from workbench.core.exchange import Ending, ending_of
from workbench.core.json_text import parse_json
from workbench.formats.sanitize import leaked_markers
from workbench.formats.sanitizer.marker_table import role_of
from workbench.formats.survey.attribution_words import FLAWS, and_list
from workbench.formats.survey.crossread import best_reading, may_be_read

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from workbench.core.calls import ParsedCall, ParseProblem
    from workbench.core.events import StepReply
    from workbench.core.messages import NativeCall
    from workbench.core.protocols import SchemaChecker
    from workbench.core.run_summary import RunSummary
    from workbench.core.tools import ToolSpec

KINDS = (
    "tool_call_dropped", "tool_markup_in_content", "tool_markup_in_reasoning", "malformed_arguments",
    "absorbed_parameter", "invented_tool", "schema_violation", "repeated_call", "all_output_lost",
)  # fmt: skip
_SILENT = 4
"""Tokens that end a turn: a reply of so many said nothing on purpose."""
_BODIES = frozenset({"call", "value", "line", "hidden"})
"""What the markers of calls hold; those of turns and reasoning hold other things."""
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
    started = run.started
    if started is None or not started.tools:
        return ()
    found: list[Incident] = []
    for step, reply in run.replies:
        if step.role is StepRole.EXECUTOR:
            found += reply_incidents(reply, run.tools, check, native=started.executor.native, step=step.number)
    last = next((message for message in reversed(started.messages) if message.role == "assistant"), None)
    made = [(step.number, call) for step, call in run.parsed_calls]
    found += repeated_calls(made, last.tool_calls if last else ())
    return tuple(dict.fromkeys(found))


def reply_incidents(
    reply: StepReply, tools: Mapping[str, ToolSpec], check: SchemaChecker, *, native: bool, step: int = 0
) -> Iterator[Incident]:
    """Yield the incidents of one reply to a request that offered `tools`; `native`: in the field for them."""
    for problem in reply.result.problems:
        if problem.outcome is Outcome.REPORTED or problem.code in _BY_CODE:
            yield Incident(_kind(problem, native=native), problem.message, step, problem.span, problem.name)
    for call in reply.result.calls:
        yield from _of_call(call, tools, check, native=native, step=step)
    if native and not reply.result.calls:
        yield from _thought(reply, tuple(tools.values()), step)
    yield from _stray(reply, step) if native else ()
    yield from _lost(reply, step)


def _of_call(
    call: ParsedCall, tools: Mapping[str, ToolSpec], check: SchemaChecker, *, native: bool, step: int
) -> Iterator[Incident]:
    if native and not call.span.source.startswith("call:"):
        kind = "tool_markup_in_reasoning" if call.span.source == "reasoning" else "tool_markup_in_content"
        told = f"The call of {call.name} stands in the text, as {call.format} writes it."
        yield Incident(kind, told, step, call.span, call.name, mended=True)
    elif native and call.repairs:
        told = (
            f"The arguments of {call.name} were mended: {and_list([FLAWS.get(code, code) for code in call.repairs])}."
        )
        kind = "schema_violation" if set(call.repairs) == {"schema_coerced"} else "malformed_arguments"
        yield Incident(kind, told, step, call.span, call.name, mended=True)
    if call.name not in tools:
        yield Incident("invented_tool", f"There is no tool {call.name!r}.", step, call.span, call.name)
        return
    for path, message in check.problems(tools[call.name], call.arguments):
        place = ".".join(map(str, (call.name, *path)))
        yield Incident("schema_violation", f"{place}: {message}", step, call.arguments_span, call.name)


def _thought(reply: StepReply, tools: tuple[ToolSpec, ...], step: int) -> Iterator[Incident]:
    """A whole call in the reasoning of a reply that calls nothing: thinking of a call is not calling."""
    told = "The call of {} stands in the reasoning, where no client looks for it."
    for problem in reply.result.problems if reply.result.reasoning else ():
        attempt = reply.text[problem.span.start : problem.span.end].strip()
        if problem.outcome is Outcome.IGNORED and problem.name and attempt and attempt in reply.result.reasoning:
            yield Incident("tool_markup_in_reasoning", told.format(problem.name), step, problem.span, problem.name)
    if reply.reasoning and may_be_read(reply.reasoning, tools):
        for call in best_reading(reply.reasoning, tools).calls:
            if in_markers(reply.reasoning, call.span):
                span = call.span._replace(source="reasoning")
                yield Incident("tool_markup_in_reasoning", told.format(call.name), step, span, call.name)


def in_markers(text: str, span: Span) -> bool:
    """Whether what a call is read from has markers of calls: without them it may be JSON or code that looks like one."""
    inside = text[span.start : span.end]
    return any(_of_calls(inside[mark.start : mark.end]) for mark in leaked_markers(inside))


def _of_calls(marker: str) -> bool:
    if marker[:1] in "{[" and '"' in marker:
        return False  # a call without markers
    role = role_of(marker)
    return role.body in _BODIES or (role.role == "close" and role.group not in ("think", "toolresponse"))


def _stray(reply: StepReply, step: int) -> Iterator[Incident]:
    """A marker of calls that was left behind on a line of its own."""
    text, at = reply.result.text, 0
    if "<" not in text and "[" not in text:
        return
    told = [problem.span for problem in reply.result.problems] + [call.span for call in reply.result.calls]
    for mark in leaked_markers(text):
        marker = text[mark.start : mark.end]
        if not _of_calls(marker) or not _alone(text, mark):
            continue
        at = max(reply.text.find(marker, at), 0)
        span = Span(at, at + len(marker))
        at = span.end
        if not any(one.source == "text" and one.start < span.end and span.start < one.end for one in told):
            message = f"The marker {marker[:40]!r} was left in the text."
            yield Incident(
                "tool_markup_in_content", message, step, span, mended=bool(reply.result.calls or reply.native_calls)
            )


def _alone(text: str, mark: Span) -> bool:
    """Whether nothing else stands in the marker's line, and the line is no code."""
    begin = text.rfind("\n", 0, mark.start) + 1
    end = text.find("\n", mark.end)
    line = text[begin : mark.start] + text[mark.end : len(text) if end < 0 else end]
    return not line.strip() and text.count("\n```", 0, begin) % 2 == (1 if text.startswith("```") else 0)


def _lost(reply: StepReply, step: int) -> Iterator[Incident]:
    """What the server says was written, and did not come."""
    if reply.error is not None and reply.error.kind is ErrorKind.MODEL_OUTPUT:
        yield Incident("tool_call_dropped", reply.error.message, step, Span(0, len(reply.text)))
        return
    called = reply.native_calls or reply.result.calls or reply.result.lost
    nothing = not (reply.text.strip() or reply.reasoning.strip() or reply.native_calls or reply.error)
    lost = f"{reply.usage.output} tokens were generated, and nothing of them arrived."
    lost = lost if nothing and (reply.usage.output or 0) > _SILENT else ""
    if not called and ending_of(reply.finish_reason) is Ending.CALLS and not reply.error:
        told = f"The reply ended with {reply.finish_reason!r}, and no call came."
        yield Incident("tool_call_dropped", f"{told} {lost}".strip(), step, Span(0, 0))
    elif lost:
        yield Incident("all_output_lost", lost, step, Span(0, 0))


def _kind(problem: ParseProblem, *, native: bool) -> str:
    if problem.code in _BY_CODE:
        return _BY_CODE[problem.code]
    if problem.span.source.startswith("call:"):
        return "malformed_arguments"
    if problem.span.source == "reasoning":
        return "tool_markup_in_reasoning"
    return "tool_markup_in_content" if native else "tool_call_dropped"


def repeated_calls(made: Iterable[tuple[int, ParsedCall]], before: Collection[NativeCall]) -> Iterator[Incident]:
    """Yield calls, each with its step, that the assistant turn before had made already."""
    earlier = {(call.name, _canonical(call.arguments)) for call in before}
    for step, call in made if earlier else ():
        if (call.name, _canonical(call.arguments)) in earlier:
            told = f"{call.name} was called with the same arguments in the turn before."
            yield Incident("repeated_call", told, step, call.span, call.name)


def _canonical(arguments: object) -> str:
    try:
        value = parse_json(arguments) if isinstance(arguments, str) else arguments
        return json.dumps(value, sort_keys=True, default=str)
    except (ValueError, RecursionError):
        return str(arguments)
