"""What went wrong in a run, as findings with codes: lost calls, broken schemas, leaked markers, bad endings.

Both judges stand on these: the one without an expectation, and the one that holds a run against its case.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Outcome
from workbench.core.errors import ErrorKind
from workbench.core.events import StopReason
from workbench.core.messages import chosen_tool
from workbench.core.tools import ToolMode
from workbench.formats.sanitize import leaked_markers
from workbench.formats.sanitizer.marker_table import role_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.calls import ParseProblem
    from workbench.core.errors import ErrorInfo
    from workbench.core.events import RunFinished, StepReply
    from workbench.core.messages import ToolChoice
    from workbench.core.protocols import SchemaChecker
    from workbench.core.run_summary import RunSummary
    from workbench.core.tools import ToolSpec

_TRANSPORT = frozenset({ErrorKind.CONNECT, ErrorKind.TIMEOUT, ErrorKind.PROTOCOL, ErrorKind.CUT_OFF})
_NOTICES = {
    "hallucinated_result": "parse",
    "leaked_marker": "parse",
    "absorbed_parameter": "parse",
    "runaway": "parse",
    "tool_choice": "decision",
}
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
PATHOLOGIES = {
    "loop.repeated_call": "The same call was made again and gave the same result.",
    "loop.oscillation": "Two calls took turns without anything new.",
    "loop.ignored_result": "The answer holds nothing of what the tools gave back.",
    "loop.premature_stop": "The model announced a further call and made none.",
    "loop.result_too_large": "A tool's result was too large for the model.",
}
"""Habits of a tool loop that the engine names; a run may pass all the same."""


class RunFinding(NamedTuple):
    """One thing that went wrong."""

    code: str
    """`layer.code`."""
    message: str


def exchange_finding(error: ErrorInfo) -> tuple[RunFinding, bool]:
    """What a failed exchange is called, and whether the model is to blame: the provider could not read its call."""
    if error.kind is ErrorKind.MODEL_OUTPUT:
        return RunFinding("format.model_output", error.message), True
    layer = "transport" if error.kind in _TRANSPORT else "provider"
    return RunFinding(f"{layer}.{error.kind}", error.message), False


def one_line(text: str) -> str:
    """The text on one line that fits the verdict bar."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def counts(problem: ParseProblem) -> bool:
    """Whether a problem fails a run."""
    return problem.outcome is Outcome.REPORTED or (problem.outcome is None and problem.code in _NOTICES)


def of_problem(problem: ParseProblem) -> RunFinding:
    """A problem that counts, with its layer."""
    layer = "parse" if problem.outcome is Outcome.REPORTED else _NOTICES[problem.code]
    return RunFinding(f"{layer}.{problem.code}", problem.message)


def schema_findings(reply: StepReply, tools: dict[str, ToolSpec], check: SchemaChecker) -> Iterator[RunFinding]:
    """Calls of unknown tools, and arguments that break the schema."""
    for call in reply.result.calls:
        if call.name not in tools:
            yield RunFinding("parse.unknown_tool", f"There is no tool {call.name!r}.")
            continue
        for path, message in check.problems(tools[call.name], call.arguments):
            place = ".".join(map(str, (call.name, *path)))
            yield RunFinding(f"schema.{_keyword(message)}", f"{place}: {message}")


def _keyword(message: str) -> str:
    """The checker says it in words; the code needs one."""
    tail = re.sub(r"'[^']*'", "''", message)  # the quoted value may say anything
    return next((code for sign, code in _KEYWORDS if sign in tail), "invalid")


def leaks(reply: StepReply) -> Iterator[RunFinding]:
    """Markers in the text outside of calls, unless an attempt was recognised as a mere mention of one."""
    return map(_leak, leaked(reply))


def may_be_call(marker: str) -> bool:
    """Whether a leaked marker may be what is left of a call; the end of a turn, say, may not."""
    role = role_of(marker)
    return role.role == "open" and role.body in ("call", "value", "line", "hidden")


def in_reasoning(reply: StepReply) -> bool:
    """Whether a whole call stands inside closed reasoning, where nobody runs it."""
    for problem in reply.result.problems:
        if problem.outcome is Outcome.IGNORED and problem.name:
            source = reply.reasoning if problem.span.source == "reasoning" else reply.text
            attempt = source[problem.span.start : problem.span.end].strip()
            if problem.span.source == "reasoning" or (attempt and attempt in reply.result.reasoning):
                return True
    return False


def leaked(reply: StepReply) -> Iterator[str]:
    """The markers themselves."""
    text = reply.result.text
    mentions = [
        reply.text[problem.span.start : problem.span.end]
        for problem in reply.result.problems
        if problem.outcome is Outcome.IGNORED
    ]
    for span in leaked_markers(text):
        marker = text[span.start : span.end]
        if not any(marker in mention for mention in mentions):
            yield marker


def _leak(marker: str) -> RunFinding:
    shown = marker if len(marker) <= 40 else marker[:39] + "…"
    return RunFinding("parse.leaked_marker", f"The user would have seen {shown!r}.")


def planner_leaks(run: RunSummary, finished: RunFinished) -> Iterator[RunFinding]:
    """Markers in an answer that the planner gave by itself."""
    if finished.stop is not StopReason.SUMMARY:
        return
    text = run.last_plan.section("SUMMARY") if run.last_plan else ""
    yield from (_leak(text[span.start : span.end]) for span in leaked_markers(text))


def _choice_words(choice: ToolChoice) -> str:
    """How a reply broke what the request said about calling tools."""
    if choice == "none":
        return "A tool was called although the request allows none."
    if (name := chosen_tool(choice)) is not None:
        return f"The tool {name!r} was not called although the request demands it."
    return "No tool was called although the request demands one."


def ending(finished: RunFinished, replies: Sequence[StepReply], choice: ToolChoice = None) -> Iterator[RunFinding]:
    """What is wrong with the way the run ended; `choice` is the request's word on calling tools."""
    yield from (RunFinding(code, _choice_words(choice)) for code in finished.codes if "decision." in code)
    match finished.stop:
        case StopReason.ITERATIONS:
            yield RunFinding("loop.iterations", finished.reason or "The iteration limit was reached.")
        case StopReason.LIMIT:
            yield RunFinding("loop.limit", finished.reason or "A limit of the run was reached.")
        case StopReason.BOOST_LOOPS:
            codes = [code for code in finished.codes if code.startswith("loop.")] or ["loop.boost_loops"]
            yield from (RunFinding(code, finished.reason or "All boost rounds failed.") for code in codes)
        case StopReason.LOST_CALL if not any(reply.result.calls or reply.result.lost for reply in replies[-1:]):
            yield RunFinding("parse.lost_call", finished.reason or "A call was lost.")
        case StopReason.ANSWER | StopReason.SUMMARY if not finished.answer.strip() and not declined(replies):
            yield RunFinding("decision.no_answer", "The run ended without an answer.")
        case _:
            pass


def declined(replies: Sequence[StepReply]) -> bool:
    """Whether the last reply says in its format's own way that it calls nothing: that is an answer."""
    return any(problem.code == "declined" for reply in replies[-1:] for problem in reply.result.problems)


def asides(run: RunSummary, finished: RunFinished) -> list[RunFinding]:
    """Codes worth knowing that do not fail a run."""
    found = [RunFinding(code, PATHOLOGIES.get(code, "")) for code in finished.codes if code.startswith("loop.")]
    for ended in run.results:
        if ended.result.success or ended.problems or ended.result.source is ToolMode.MOCK:
            continue  # a mock may be meant to fail
        found.append(RunFinding("execution.tool_failed", ended.result.error or "A tool failed."))
    return found
