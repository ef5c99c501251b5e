"""What a client gets of a run: its events as the deltas of one reply, while they happen.

Text is what the run shows, sanitized. A native model's calls go on in fragments as they come; calls that were read in the
text go on when each is complete, with an id that no other call has. Boosted, only the end is for the client: which
attempt is the answer is not known before.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from uuid import uuid4

from workbench.core.calls import CallRead, Outcome, ReasoningRead, TextRead
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import (
    ChunkReceived,
    RunEvent,
    RunFinished,
    RunStarted,
    StepFinished,
    StepReply,
    StepRole,
    StepStarted,
    StopReason,
)
from workbench.core.exchange import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    NoticeDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.wires.kit.deltas import SEND_BACK

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall


class ReplyDeltas:
    """Folds one run; `feed` takes each event and returns what the client gets next."""

    def __init__(self, *, repair: bool = False) -> None:
        self._repair = repair
        self._boosted = self._native = False
        self._role = StepRole.EXECUTOR
        self._usage = Usage()
        self._reply = StepReply()
        self._given = 0
        """Calls that were given out."""
        self._blanks = ""
        """What was said behind a call and is blank so far."""
        self._numbers: set[int] = set()
        """Native calls that were given out in fragments."""

    def feed(self, event: RunEvent) -> list[Delta]:
        """Take the next event of the run."""
        match event:
            case RunStarted():
                self._boosted, self._native = event.planner is not None, event.executor.native
            case StepStarted():
                self._role, self._given, self._numbers = event.role, 0, set()
            case ChunkReceived() if not self._boosted:
                return self._chunk(event)
            case StepFinished():
                self._usage = _sum(self._usage, event.reply.usage)
                self._reply = event.reply
                if not self._boosted:
                    return self._rest(event.reply)
            case RunFinished():
                return self._finish(event)
            case _:
                pass
        return []

    def _chunk(self, chunk: ChunkReceived) -> list[Delta]:
        out: list[Delta] = []
        shown = chunk.shown
        for reading in chunk.readings:
            match reading:
                case ReasoningRead(text=text) if text:
                    out.append(ReasoningDelta(text))
                case TextRead(text=text) if shown and not text.isspace():
                    out += self._said(shown)
                    shown = ""
                case CallRead(call=call) if not self._native:
                    out.append(self._whole(call))
                case _:
                    pass
        out += self._said(shown)
        if self._native and not self._repair:
            fragments = [delta for delta in chunk.deltas if isinstance(delta, CallDelta)]
            self._numbers |= {delta.number for delta in fragments}
            out += fragments
        return out

    def _said(self, text: str) -> list[Delta]:
        """Text as it goes out; blanks behind a call wait for more, since a block of blanks is refused when it comes back."""
        text, self._blanks = self._blanks + text, ""
        if text.isspace() and (self._given or self._numbers):
            text, self._blanks = "", text
        return [TextDelta(text)] if text else []

    def _whole(self, call: ParsedCall) -> CallDelta:
        number, self._given = self._given, self._given + 1
        made = call.id if self._native and call.id else f"call_{uuid4().hex[:24]}"
        return CallDelta(number, made, call.name, json.dumps(call.arguments, ensure_ascii=False))

    def _rest(self, reply: StepReply) -> list[Delta]:
        """Calls that became certain only at the end, and what the model's maker wants back."""
        out: list[Delta] = []
        if self._native and not self._repair:
            if not reply.native_calls:
                out += [self._whole(call) for call in reply.result.calls]
        elif self._native:
            out += self._repaired(reply)
        else:
            out += [self._whole(call) for call in reply.result.calls[self._given :]]
        if reply.send_back:
            out.append(NoticeDelta(SEND_BACK, "", data=dict(reply.send_back)))
        return out

    def _repaired(self, reply: StepReply) -> list[Delta]:
        """Native calls as they were read and mended, and as they came where nobody could read them."""
        readable = {problem.span.source for problem in reply.result.problems if problem.outcome is Outcome.REPORTED}
        out: list[Delta] = [self._whole(call) for call in reply.result.calls]
        for call in reply.native_calls:
            if f"call:{call.number}" in readable:
                out.append(CallDelta(self._given, call.id, call.name, call.arguments))
                self._given += 1
        return out

    def _finish(self, finished: RunFinished) -> list[Delta]:
        out: list[Delta] = []
        if finished.error is not None and finished.stop is StopReason.ERROR:
            return [FaultDelta(finished.error)]
        if finished.stop is StopReason.CANCELLED:
            return [FaultDelta(ErrorInfo(ErrorKind.CANCELLED, "The request was cancelled."))]
        if self._boosted:
            if finished.answer:
                out.append(TextDelta(finished.answer))
            if finished.stop is StopReason.RECORDED:
                self._native = bool(self._reply.native_calls)
                out += [self._whole(call) for call in self._reply.result.calls]
        called = bool(self._given or self._numbers)
        reason = self._reply.finish_reason
        return [*out, UsageDelta(self._usage), FinishDelta(_reason(reason, called=called, boosted=self._boosted))]


def _reason(reason: str, *, called: bool, boosted: bool) -> str:
    """The provider's own word where it still holds for what the client got."""
    if called:
        return reason if reason in ("tool_calls", "tool_use") else "tool_calls"
    if boosted or reason in ("", "tool_calls", "tool_use", "function_call"):
        return "stop"
    return reason


def _sum(one: Usage, other: Usage) -> Usage:
    """Tokens of several steps; what nobody told stays untold."""
    return Usage(*(a if b is None else b if a is None else a + b for a, b in zip(one, other, strict=True)))
