"""The verdict without an expectation: did it answer, do the calls fit, was nothing reported or leaked?

    cancelled       somebody stopped it
    error           provider, network or tool: says nothing about the model
    fail            an attempt at a call was lost, arguments break the schema, a marker was left in what the user sees,
                    there is no answer, or a limit was reached
    not gradable    no tools were offered and nothing went wrong: there is nothing about tool calling to judge
    pass            the rest; failed boost rounds before the answer and repairs do not count against it

Calls are checked anew, so the same events with readings of another parser give that parser's verdict.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Outcome
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import (
    PlannerRead,
    RunFinished,
    RunStarted,
    StepFinished,
    StepRole,
    StepStarted,
    StopReason,
    ToolFinished,
)
from workbench.core.tools import ToolMode
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.formats.sanitize import leaked_markers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.calls import ParseProblem
    from workbench.core.events import RunEvent, StepReply
    from workbench.core.protocols import SchemaChecker
    from workbench.core.tools import ToolSpec

_TRANSPORT = frozenset({ErrorKind.CONNECT, ErrorKind.TIMEOUT, ErrorKind.PROTOCOL, ErrorKind.CUT_OFF})
_NOTICES = {"hallucinated_result": "parse", "leaked_marker": "parse", "tool_choice": "decision"}
"""Problems without an attempt behind them that fail a run all the same, with their layer."""
_KEYWORDS = (
    ("required property", "required"),
    ("is not of type", "type"),
    ("is not one of", "enum"),
    ("was expected", "const"),
    ("dditional propert", "additional"),
    ("nevaluated propert", "additional"),
    ("does not match", "pattern"),
    ("minimum", "range"),
    ("maximum", "range"),
    ("multiple of", "range"),
    ("too short", "length"),
    ("too long", "length"),
    ("non-empty", "length"),
    ("expected to be empty", "length"),
)
_LONGEST = 240


class Finding(NamedTuple):
    """One thing that went wrong."""

    code: str
    """`layer.code`."""
    message: str


def judge(events: Sequence[RunEvent], check: SchemaChecker) -> Verdict:
    """Judge a run by itself. Never raises, whatever is missing from the events."""
    finished = next((event for event in reversed(events) if isinstance(event, RunFinished)), None)
    if finished is None:
        return _verdict(VerdictState.CANCELLED, "The run did not finish.", [])
    if finished.stop is StopReason.CANCELLED:
        return _verdict(VerdictState.CANCELLED, f"Cancelled by {finished.cancel or 'the program'}.", [])
    found = list(_findings(events, finished, check))
    if finished.stop is StopReason.ERROR:
        return _failed_exchange(finished.error or ErrorInfo(ErrorKind.PROTOCOL, "The model could not be asked."), found)
    if found:
        return _verdict(VerdictState.FAIL, found[0].message, [*found, *_asides(events, finished)])
    return _without_fault(events, finished)


def _verdict(state: VerdictState, reason: str, found: Sequence[Finding]) -> Verdict:
    line = " ".join(reason.split())
    shown = line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
    return Verdict(state, Basis.INTRINSIC, shown, tuple(dict.fromkeys(finding.code for finding in found)))


def _failed_exchange(error: ErrorInfo, found: Sequence[Finding]) -> Verdict:
    if error.kind is ErrorKind.MODEL_OUTPUT:  # the provider's own parser gave up on what the model wrote
        return _verdict(VerdictState.FAIL, error.message, [Finding("format.model_output", ""), *found])
    layer = "transport" if error.kind in _TRANSPORT else "provider"
    return _verdict(VerdictState.ERROR, error.message, [Finding(f"{layer}.{error.kind}", ""), *found])


def _without_fault(events: Sequence[RunEvent], finished: RunFinished) -> Verdict:
    asides = _asides(events, finished)
    broken = [finding for finding in asides if finding.code == "execution.tool_failed"]
    if broken and not finished.answer.strip():
        return _verdict(VerdictState.ERROR, broken[0].message, asides)
    steps = [reply for _, reply in _executor_replies(events)]
    calls = [call for reply in steps for call in reply.result.calls]
    if not calls and not _tools(events):
        return _verdict(VerdictState.NOT_GRADABLE, "No tools were offered, and nothing went wrong.", asides)
    repairs = sorted({repair for call in calls for repair in call.repairs})
    count = f"{len(calls)} call{'' if len(calls) == 1 else 's'}"
    told = f"Answered after {count}" if calls else "Answered without a call"
    if finished.stop is StopReason.RECORDED:
        told = f"Recorded {count}"
    return _verdict(VerdictState.PASS, f"{told}{', repaired: ' if repairs else ''}{', '.join(repairs)}.", asides)


def _findings(events: Sequence[RunEvent], finished: RunFinished, check: SchemaChecker) -> Iterator[Finding]:
    """What fails the run, most important first."""
    tools, replies = _tools(events), _executor_replies(events)
    for _, reply in replies:
        yield from map(_of_problem, filter(_counts, reply.result.problems))
    for _, reply in replies:
        yield from _schema_findings(reply, tools, check)
    for _, reply in replies:
        yield from _leaks(reply)
    yield from _planner_leaks(events, finished)
    yield from _ending(finished, replies)


def _counts(problem: ParseProblem) -> bool:
    return problem.outcome is Outcome.REPORTED or (problem.outcome is None and problem.code in _NOTICES)


def _of_problem(problem: ParseProblem) -> Finding:
    layer = "parse" if problem.outcome is Outcome.REPORTED else _NOTICES[problem.code]
    return Finding(f"{layer}.{problem.code}", problem.message)


def _schema_findings(reply: StepReply, tools: dict[str, ToolSpec], check: SchemaChecker) -> Iterator[Finding]:
    for call in reply.result.calls:
        if call.name not in tools:
            yield Finding("parse.unknown_tool", f"There is no tool {call.name!r}.")
            continue
        for path, message in check.problems(tools[call.name], call.arguments):
            place = ".".join(map(str, (call.name, *path)))
            yield Finding(f"schema.{_keyword(message)}", f"{place}: {message}")


def _keyword(message: str) -> str:
    """The checker says it in words; the code needs one."""
    tail = re.sub(r"'[^']*'", "''", message)  # the quoted value may say anything
    return next((code for sign, code in _KEYWORDS if sign in tail), "invalid")


def _leaks(reply: StepReply) -> Iterator[Finding]:
    """Markers in the text outside of calls, unless an attempt was recognised as a mere mention of one."""
    text = reply.result.text
    mentions = [
        reply.text[problem.span.start : problem.span.end]
        for problem in reply.result.problems
        if problem.outcome is Outcome.IGNORED
    ]
    for span in leaked_markers(text):
        marker = text[span.start : span.end]
        if not any(marker in mention for mention in mentions):
            yield _leak(marker)


def _leak(marker: str) -> Finding:
    shown = marker if len(marker) <= 40 else marker[:39] + "…"
    return Finding("parse.leaked_marker", f"The user would have seen {shown!r}.")


def _planner_leaks(events: Sequence[RunEvent], finished: RunFinished) -> Iterator[Finding]:
    if finished.stop is not StopReason.SUMMARY:
        return
    last = next((event for event in reversed(events) if isinstance(event, PlannerRead)), None)
    text = last.reply.section("SUMMARY") if last else ""
    yield from (_leak(text[span.start : span.end]) for span in leaked_markers(text))


def _ending(finished: RunFinished, replies: Sequence[tuple[int, StepReply]]) -> Iterator[Finding]:
    yield from (
        Finding(code, "The forced choice of a tool was not kept.") for code in finished.codes if "decision." in code
    )
    match finished.stop:
        case StopReason.ITERATIONS:
            yield Finding("loop.iterations", finished.reason or "The iteration limit was reached.")
        case StopReason.BOOST_LOOPS:
            codes = [code for code in finished.codes if code.startswith("loop.")] or ["loop.boost_loops"]
            yield from (Finding(code, finished.reason or "All boost rounds failed.") for code in codes)
        case StopReason.LOST_CALL if not any(reply.result.calls or reply.result.lost for _, reply in replies[-1:]):
            yield Finding("parse.lost_call", finished.reason or "A call was lost.")
        case StopReason.ANSWER | StopReason.SUMMARY if not finished.answer.strip():
            yield Finding("decision.no_answer", "The run ended without an answer.")
        case _:
            pass


def _asides(events: Sequence[RunEvent], finished: RunFinished) -> list[Finding]:
    """Codes worth knowing that do not fail a run."""
    found = [Finding(code, "") for code in finished.codes if code.startswith("loop.")]
    for event in events:
        if not isinstance(event, ToolFinished) or event.result.success or event.problems:
            continue
        if event.result.source is not ToolMode.MOCK:  # a mock may be meant to fail
            found.append(Finding("execution.tool_failed", event.result.error or "A tool failed."))
    return found


def _tools(events: Sequence[RunEvent]) -> dict[str, ToolSpec]:
    started = next((event for event in events if isinstance(event, RunStarted)), None)
    return {setup.spec.name: setup.spec for setup in started.tools} if started else {}


def _executor_replies(events: Sequence[RunEvent]) -> list[tuple[int, StepReply]]:
    """The executor's replies that came back whole, with their step."""
    planners = {event.step for event in events if isinstance(event, StepStarted) and event.role is StepRole.PLANNER}
    return [
        (event.step, event.reply)
        for event in events
        if isinstance(event, StepFinished) and event.step not in planners and not event.reply.cancelled
    ]
