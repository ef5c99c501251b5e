"""A run told as text: while it happens (loops, requests, raw output as it streams, calls, results), and how it ended.

The same serves `run` (events as they are committed) and `show` (events read back).
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, TextIO

from workbench.cli.output import LOOKS, styled, write
from workbench.cli.text import drawn, one_line, visible
from workbench.core.calls import Outcome
from workbench.core.errors import with_hint
from workbench.core.events import (
    ApprovalAsked,
    ApprovalDecided,
    ChunkReceived,
    ExchangeEnded,
    FellBack,
    GuidanceTraced,
    LoopFinished,
    LoopStarted,
    PlannerRead,
    RunStarted,
    StepFinished,
    StepRole,
    StepStarted,
    ToolFinished,
    ToolStarted,
)
from workbench.core.exchange import CallDelta, NoticeDelta, ReasoningDelta, TextDelta
from workbench.grading.foreign_keys import foreign_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.approvals import ApprovalDecision
    from workbench.core.calls import ParsedCall, ParseProblem
    from workbench.core.errors import ErrorInfo
    from workbench.core.events import PartyInfo, RunEvent
    from workbench.core.exchange import Delta
    from workbench.core.run_summary import RunSummary
    from workbench.core.tools import ToolResult

ROLES = {"planner": "Planner", "executor": "Executor"}
_BAR = "    │ "


MOST_TRACED = 8
"""Lines of a traceback."""


class Narrator:
    """Tells events to a stream; `simulated` and boost mode are taken from the run's first event."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._boost = False
        self._role = StepRole.EXECUTOR
        self._raw = _StreamedText(self._put)
        self._notes: list[str] = []

    def __call__(self, events: Sequence[RunEvent]) -> None:
        """Tell a batch."""
        for event in events:
            self._tell(event)
        self._stream.flush()

    def _put(self, text: str) -> None:
        self._stream.write(drawn(text))

    def _line(self, text: str) -> None:
        self._raw.end()
        self._put(text + "\n")

    def _tell(self, event: RunEvent) -> None:
        match event:
            case RunStarted():
                self._boost = event.planner is not None
                self._line(started_line(event))
            case LoopStarted(loop=loop) if self._boost:
                self._line(f"Loop {loop}")
            case StepStarted(role=role, news=news):
                self._role = role
                self._line(f"  {ROLES[role.value]}  {', '.join(news)}")
            case ChunkReceived(deltas=deltas):
                for delta in deltas:
                    self._tell_delta(delta)
            case ExchangeEnded(error=error, retry_in=retry_in) if error is not None:
                waiting = f"; trying again in {retry_in:.1f} s" if retry_in is not None else ""
                self._line(f"    ▲ {error_text(error)}{waiting}")
            case StepFinished():
                self._tell_reply(event)
            case _:
                self._tell_consequence(event)

    def _tell_consequence(self, event: RunEvent) -> None:
        match event:
            case PlannerRead(reply=reply):
                why = f": {reply.reason}" if reply.reason else ""
                self._line(f"    {reply.kind.value}{why}")
            case GuidanceTraced(lines=lines, invented=invented):
                for line in lines:
                    self._line(
                        f"    guidance {line.number}. {one_line(line.text, 70)} — {line.state.value.replace('_', ' ')}"
                    )
                if invented:
                    self._line(f"    not asked for: {', '.join(invented)}")
            case ToolStarted(name=name, mode=mode):
                self._line(f"    ↳ {name} ({mode.value})")
            case ApprovalAsked(name=name, seconds=seconds):
                self._line(f"      {name} waits for your decision, {seconds:g} s at most")
            case ApprovalDecided(decision=decision):
                self._line(f"      {decision_text(decision)}")
            case ToolFinished(result=result, problems=problems):
                self._line(f"      {result_text(result)}")
                for words in aside_lines(result):
                    self._line(f"      {words}")
                for problem in problems:
                    self._line(f"      ✕ schema: {one_line(problem.message)}")
            case FellBack(error=error):
                self._line(f"  ▲ The planner failed, direct execution follows: {error_text(error)}")
            case LoopFinished(summary=summary) if self._boost:
                self._line(f"  = {summary}")
            case _:
                pass

    def _tell_delta(self, delta: Delta) -> None:
        match delta:
            case TextDelta(text=text):
                self._raw.add(text, "text")
            case ReasoningDelta(text=text):
                self._raw.add(text, "reasoning")
            case CallDelta(number=number, name=name, arguments=arguments):
                self._raw.add(f"{name} {arguments}" if name else arguments, f"call {number}")
            case NoticeDelta(code=code, message=message) if code != "send_back":
                self._notes.append(message)
            case _:
                pass

    def _tell_reply(self, event: StepFinished) -> None:
        result = event.reply.result
        for call in result.calls:
            self._line(f"    → {call_text(call)}  [{outcome_text(call)}]")
        for problem in result.problems:
            self._line(f"    ✕ {problem_text(problem)}")
        shown = event.reply.sanitized.strip()
        if self._role is StepRole.EXECUTOR and shown != event.reply.text.strip():
            self._line(f"    shown: {one_line(shown, 160) or 'nothing'}")
        for note in self._notes:
            self._line(f"    note: {one_line(note, 240)}")
        self._notes.clear()
        self._raw.end()


def decision_text(decision: ApprovalDecision) -> str:
    """Return what was decided about a call, and by whom, on one line."""
    if not decision.allowed:
        why = f": {one_line(decision.reason)}" if decision.reason else ""
        return f"refused by {decision.by.value}{why}"
    if decision.answered:
        return f"answered by {decision.by.value}"
    edited = f" with {one_line(json.dumps(decision.arguments))}" if decision.arguments is not None else ""
    return f"allowed by {decision.by.value}{edited}"


class _StreamedText:
    """Writes streamed text with a bar before each line; what kind of text it is stands before its first line."""

    def __init__(self, put: Any) -> None:
        self._put = put
        self._kind = ""
        self._open = False

    def add(self, text: str, kind: str) -> None:
        if not text:
            return
        if kind != self._kind:
            self.end()
            self._kind = kind
            if kind != "text":
                self._put(f"    {kind}\n")
        *lines, last = visible(text).split("\n")
        for line in lines:
            self._piece(line)
            self._put("\n")
            self._open = False
        if last:
            self._piece(last)

    def _piece(self, text: str) -> None:
        self._put(text if self._open else _BAR + text)
        self._open = True

    def end(self) -> None:
        if self._open:
            self._put("\n")
        self._open, self._kind = False, ""


def write_ending(run: RunSummary, number: int | None) -> None:
    """Write the answer, then the verdict on a line of its own."""
    if run.finished:
        if run.finished.answer:
            write(visible(run.finished.answer))
        if run.finished.error:
            write(f"▲ {error_text(run.finished.error)}")
    for found in foreign_keys(run):
        write(visible(f"◆ looks like a key: {found}"))
    styled(LOOKS[run.state], f"  {ending_text(run, number)}")


def ending_text(run: RunSummary, number: int | None) -> str:
    """Return why the verdict is so, and the run's size, on one line."""
    told = run.finished is not None and run.finished.error is not None  # stands on a line of its own
    parts = [run.verdict.reason if run.verdict and not told else ""]
    if run.verdict and run.verdict.codes:
        parts.append(" ".join(run.verdict.codes))
    if number:
        parts.append(f"run {number}")
    if run.finished:
        totals = run.finished.totals
        parts += [_count(totals.steps, "step"), _count(totals.calls, "call")]
        parts += [f"{totals.input_tokens} in / {totals.output_tokens} out", f"{totals.duration_us / 1e6:.2f} s"]
    if run.started and run.started.executor.simulated:
        parts.append("simulated")
    return " · ".join(part for part in parts if part)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def started_line(event: RunStarted) -> str:
    """Return who is asked, in which format and why, and whether it is simulated."""
    parts = [party_text(event.executor)]
    if event.planner:
        parts.append(f"boost {event.planner.provider}/{event.planner.model}")
    if event.executor.simulated:
        parts.append("simulated")
    if event.parent:
        parts.append(f"{event.parent.words}: run {event.parent.run_id}")
    return " · ".join(parts)


def party_text(party: PartyInfo) -> str:
    """Return a model with its format, and how that format was found."""
    text = f"{party.provider}/{party.model} · {party.format}"
    if party.detection is not None:
        text += f" ({'guess: ' if party.detection.guess else ''}{party.detection.why})"
    return text


def call_text(call: ParsedCall) -> str:
    """Return a call as `name(argument = value, …)` on one line."""
    arguments = ", ".join(
        f"{key} = {json.dumps(value, ensure_ascii=False, default=str)}" for key, value in call.arguments.items()
    )
    return one_line(f"{call.name}({arguments})", 160)


def outcome_text(call: ParsedCall) -> str:
    """Return `strict`, or what was mended."""
    return call.outcome.value if call.outcome is Outcome.STRICT else f"{call.outcome.value}: {', '.join(call.repairs)}"


def problem_text(problem: ParseProblem) -> str:
    """Return a problem on one line: code, what, where, what next."""
    place = (
        f"character {problem.span.start}"
        if problem.span.source == "text"
        else f"{problem.span.source} {problem.span.start}"
    )
    outcome = f" ({problem.outcome.value})" if problem.outcome else ""
    return one_line(f"{problem.code}{outcome}, {place}: {with_hint(problem.message, problem.hint)}", 240)


def result_text(result: ToolResult) -> str:
    """Return what a tool gave back, on one line."""
    if not result.success:
        return f"failed: {one_line(result.error or '', 160)}"
    if isinstance(result.result, str):
        return one_line(result.result, 160)
    return one_line(json.dumps(result.result, ensure_ascii=False, default=str), 160)


def aside_lines(result: ToolResult) -> list[str]:
    """Return what the model is not told: notes on the result, and the end of a traceback or of a server's log."""
    trace = [line for line in result.trace.splitlines() if line.strip()]
    return [f"note: {one_line(note, 240)}" for note in result.notes] + [
        f"│ {one_line(line, 160)}" for line in trace[-MOST_TRACED:]
    ]


def error_text(error: ErrorInfo) -> str:
    """Return an error as one line: what, where, what next."""
    status = f" {error.status}" if error.status else ""
    place = f" ({error.where})" if error.where else ""
    return one_line(f"{error.kind.value}{status}: {with_hint(error.message, error.hint)}{place}", 300)
