"""Folds run events into a `RunView`, the same for a live run and a stored one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import CallGrew, CallOpened, CallRead, Outcome, ProblemRead, ReasoningRead, Span
from workbench.core.events import (
    ApprovalDecided,
    ChunkReceived,
    ExchangeEnded,
    ExchangeStarted,
    FellBack,
    GuidanceTraced,
    LoopFinished,
    LoopStarted,
    PlannerRead,
    ResponseStarted,
    RunFinished,
    RunStarted,
    StepFinished,
    StepReply,
    StepRole,
    StepStarted,
    StopReason,
    ToolFinished,
    ToolStarted,
    VerdictGiven,
)
from workbench.core.exchange import CallDelta, NoticeDelta, ReasoningDelta, TextDelta, UsageDelta
from workbench.core.key_shapes import find_keys, find_masked_keys
from workbench.grading.foreign_keys import result_text
from workbench.ui.run.run_view import (
    CallView,
    Changes,
    ExchangeView,
    KeyView,
    LiveCall,
    LoopView,
    RunView,
    StepState,
    StepView,
)
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.shown_text import Insert, ShownText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.core.calls import ParseEvent
    from workbench.core.events import RunEvent
    from workbench.core.exchange import Delta


def fold(events: Iterable[RunEvent]) -> RunView:
    """Fold a stored run in one go."""
    folder = RunFold()
    folder.apply(events)
    folder.close()
    return folder.view


class RunFold:
    """Takes events in order and keeps one `RunView` up to date."""

    def __init__(self) -> None:
        self.view = RunView()

    def apply(self, events: Iterable[RunEvent]) -> Changes:
        """Take the next events; return what they changed."""
        changes = Changes()
        for event in events:
            self._take(event, changes)
        return changes

    def close(self) -> Changes:
        """No more events will come: what is still open was cut by the program's end."""
        changes = Changes()
        self.view.closed = True
        if self.view.live:
            self.view.interrupted = True
            self._end_open_steps(StepState.CANCELLED, changes)
            changes.finished = changes.totals = True
        return changes

    def _take(self, event: RunEvent, changes: Changes) -> None:
        self.view.summary.add(event)
        match event:
            case RunStarted():
                changes.started = changes.totals = True
            case LoopStarted() | LoopFinished():
                self._take_loop(event, changes)
            case StepStarted():
                self._start_step(event, changes)
            case RunFinished():
                self._finish_run(event, changes)
            case VerdictGiven():
                changes.verdict = changes.totals = True
            case GuidanceTraced() | PlannerRead() | FellBack() | ToolStarted() | ApprovalDecided() | ToolFinished():
                self._take_outcome(event, changes)
            case _:
                self._take_exchange(event, changes)

    def _take_loop(self, event: LoopStarted | LoopFinished, changes: Changes) -> None:
        loop = self._loop(event.loop, event.at_us, changes)
        changes.loops.add(loop.number)
        if isinstance(event, LoopFinished):
            loop.ended_us, loop.reason, loop.summary = event.at_us, event.reason, event.summary
            changes.totals = True

    def _loop(self, number: int, at_us: int, changes: Changes) -> LoopView:
        for loop in self.view.loops:
            if loop.number == number:
                return loop
        loop = LoopView(number, at_us)
        self.view.loops.append(loop)
        changes.new_loops.append(number)
        return loop

    def _start_step(self, event: StepStarted, changes: Changes) -> None:
        loop = self._loop(event.loop, event.at_us, changes)
        turn = 1 + sum(step.role is event.role for step in loop.steps)
        step = StepView(
            event.step, event.loop, event.role, turn, event.request, event.format, event.wire, event.news, event.at_us
        )
        if not self.view.steps and self.view.started is not None:
            for number, message in enumerate(self.view.started.messages, 1):
                step.keys += _keys_in(message.text, f"message {number} ({message.role})")
        loop.steps.append(step)
        self.view.steps[event.step] = step
        changes.new_steps.append(event.step)
        changes.loops.add(event.loop)
        changes.totals = True

    def _take_outcome(
        self,
        event: GuidanceTraced | PlannerRead | FellBack | ToolStarted | ApprovalDecided | ToolFinished,
        changes: Changes,
    ) -> None:
        step = self.view.steps.get(event.step)
        if step is None:
            return
        match event:
            case PlannerRead():
                step.planner = event.reply
                step.problems += [one for one in event.reply.problems if one not in step.problems]
                changes.totals = True
            case GuidanceTraced():
                step.guidance, step.invented = event.lines, event.invented
            case FellBack():
                step.fallback = event
                changes.status.add(step.number)
            case ToolStarted() | ApprovalDecided() | ToolFinished():
                _take_tool(step, event)
        changes.parsed.add(step.number)
        changes.loops.add(step.loop)

    def _take_exchange(self, event: RunEvent, changes: Changes) -> None:
        step = self.view.steps.get(getattr(event, "step", -1))
        if step is None:
            return
        changes.wire.add(step.number)
        match event:
            case ExchangeStarted():
                if step.exchanges and step.raw.characters:
                    _forget_text(step, changes)
                step.exchanges.append(ExchangeView(event.exchange, event.request, event.at_us))
                step.last_byte_us = event.at_us
                changes.status.add(step.number)
            case ResponseStarted():
                step.last_byte_us = event.at_us
                if exchange := step.exchange:
                    exchange.status, exchange.headers = event.status, event.headers
            case ChunkReceived():
                _take_chunk(step, event, changes)
            case ExchangeEnded():
                if exchange := step.exchange:
                    exchange.ended_us, exchange.error, exchange.retry_in = event.at_us, event.error, event.retry_in
                changes.status.add(step.number)
            case StepFinished():
                _finish_step(step, event, changes)
                changes.totals = True

    def _finish_run(self, event: RunFinished, changes: Changes) -> None:
        changes.finished = changes.totals = True
        if event.stop is StopReason.BOOST_LOOPS and event.answer:
            self._mark_given(event, changes)
        if event.stop is StopReason.CANCELLED:
            self._end_open_steps(StepState.CANCELLED, changes)
        else:
            for step in self._end_open_steps(StepState.FAILED, changes):
                step.error = event.error

    def _mark_given(self, event: RunFinished, changes: Changes) -> None:
        """Find the reply that the user gets: the latest executor's with these words, else the planner's."""
        said = [step for step in self.view.steps.values() if step.reply and step.reply.sanitized == event.answer]
        chosen = next((step for step in reversed(said) if step.role is StepRole.EXECUTOR), said[-1] if said else None)
        if chosen is None:
            return
        loop = self._loop(chosen.loop, event.at_us, changes)
        loop.given, loop.given_why = chosen.number, event.reason
        changes.loops.add(loop.number)

    def _end_open_steps(self, state: StepState, changes: Changes) -> list[StepView]:
        ended = [step for step in self.view.steps.values() if step.state.live]
        for step in ended:
            step.state, step.ended_us = state, self.view.last_at_us
            changes.status.add(step.number)
            changes.parsed.add(step.number)
            changes.loops.add(step.loop)
        return ended


def _take_chunk(step: StepView, event: ChunkReceived, changes: Changes) -> None:
    exchange = step.exchange
    if exchange is None:
        return
    exchange.chunks.append(event)
    step.last_byte_us = event.at_us
    for delta in event.deltas:
        _take_delta(step, delta, event.at_us, changes)
    for reading in event.readings:
        _take_reading(step, reading, changes)
    if event.shown:
        _grow(changes.shown, step, step.shown.append("text", event.shown))
    changes.status.add(step.number)


def _take_delta(step: StepView, delta: Delta, at_us: int, changes: Changes) -> None:
    match delta:
        case TextDelta(text=text) | ReasoningDelta(text=text):
            source = "text" if isinstance(delta, TextDelta) else "reasoning"
            _grow(changes.grown, step, step.raw.append(source, text))
            _count(step, at_us)
        case CallDelta():
            call = step.live_calls.setdefault(("wire", delta.number), LiveCall(delta.number, ""))
            if delta.name:
                call.name = delta.name
                step.raw.open_call(delta.number, delta.name)
            call.pieces.append(delta.arguments)
            _grow(changes.grown, step, step.raw.append(tr("call:{number}", number=delta.number), delta.arguments))
            changes.parsed.add(step.number)
            _count(step, at_us)
        case UsageDelta():
            step.usage = delta.usage
        case NoticeDelta(code=code, message=message) if code != "send_back" and message not in step.notices:
            step.notices.append(message)
            changes.parsed.add(step.number)


def _count(step: StepView, at_us: int) -> None:
    step.deltas += 1
    if step.first_text_us is None:
        step.first_text_us = at_us


def _grow(into: dict[int, list[Insert]], step: StepView, inserts: list[Insert]) -> None:
    """Join insertions that follow each other: one per batch in the usual case."""
    found = into.setdefault(step.number, [])
    for insert in inserts:
        if found and found[-1].end == insert.at:
            found[-1] = Insert(found[-1].at, found[-1].text + insert.text)
        else:
            found.append(insert)


def _take_reading(step: StepView, reading: ParseEvent, changes: Changes) -> None:
    match reading:
        case CallOpened():
            step.live_calls[("text", reading.number)] = LiveCall(reading.number, reading.name, span=reading.span)
        case CallGrew():
            if live := step.live_calls.get(("text", reading.number)):
                live.pieces.append(reading.fragment)
        case CallRead():
            if live := step.live_calls.get(("text", reading.number)):
                live.done = True
            step.calls.append(CallView(len(step.calls), reading.call))
        case ProblemRead():
            step.problems.append(reading.problem)
            changes.loops.add(step.loop)
        case ReasoningRead():
            step.reasoning_spans.append(reading.span)
            return
        case _:
            return
    changes.parsed.add(step.number)


def _take_tool(step: StepView, event: ToolStarted | ApprovalDecided | ToolFinished) -> None:
    view = next((one for one in step.calls if one.index == event.index), None)
    if view is None:
        return
    if isinstance(event, ToolStarted):
        view.started_us, view.mode = event.at_us, event.mode
    elif isinstance(event, ApprovalDecided):
        view.decision = event.decision
    else:
        view.ended_us, view.result, view.problems = event.at_us, event.result, event.problems
        step.keys += _keys_in(result_text(event.result), f"the result of {view.call.name}")


def _forget_text(step: StepView, changes: Changes) -> None:
    """A retry starts over: what the failed try had said stays in its exchange, no longer in the cells."""
    step.raw, step.shown = ShownText(), ShownText()
    step.live_calls.clear()
    step.calls.clear()
    step.problems.clear()
    step.reasoning_spans.clear()
    step.first_text_us, step.deltas = None, 0
    changes.grown.pop(step.number, None)
    changes.shown.pop(step.number, None)
    changes.reset.add(step.number)
    changes.parsed.add(step.number)


def _keys_in(text: str, place: str, source: str = "") -> list[KeyView]:
    """What looks like a key of others in a text; of a reply with its place."""
    return [
        KeyView(one.kind, place, Span(one.start, one.end, source) if source else None, one.masked)
        for one in sorted([*find_keys(text), *find_masked_keys(text)], key=lambda one: one.start)
    ]


def _finish_step(step: StepView, event: StepFinished, changes: Changes) -> None:
    reply = event.reply
    step.reply, step.ended_us, step.timing, step.error = reply, event.at_us, reply.timing, reply.error
    step.usage = reply.usage if reply.usage != step.usage else step.usage
    step.calls = [CallView(index, call) for index, call in enumerate(reply.result.calls)]
    step.problems = list(reply.result.problems)
    step.keys += _keys_in(reply.text, "the reply", "text") + _keys_in(reply.reasoning, "the reasoning", "reasoning")
    for call in reply.native_calls:
        step.keys += _keys_in(call.arguments, f"the arguments of {call.name}", f"call:{call.number}")
    step.live_calls.clear()
    if not _as_streamed(step, reply):
        step.raw, step.shown = _raw_of(reply), ShownText()
        step.shown.append("text", reply.sanitized)
        changes.grown.pop(step.number, None)
        changes.shown.pop(step.number, None)
        changes.reset.add(step.number)
    step.state = state_of(step.role, reply)
    changes.status.add(step.number)
    changes.parsed.add(step.number)
    changes.loops.add(step.loop)


def _as_streamed(step: StepView, reply: StepReply) -> bool:
    return (
        step.raw.source("text") == reply.text
        and step.raw.source("reasoning") == reply.reasoning
        and step.shown.source("text") == reply.sanitized
        and all(step.raw.source(f"call:{call.number}") == call.arguments for call in reply.native_calls)
    )


def _raw_of(reply: StepReply) -> ShownText:
    raw = ShownText()
    if reply.reasoning:
        raw.append("reasoning", reply.reasoning)
    if reply.text:
        raw.append("text", reply.text)
    for call in reply.native_calls:
        raw.open_call(call.number, call.name)
        raw.append(f"call:{call.number}", call.arguments)
    return raw


def state_of(role: StepRole, reply: StepReply) -> StepState:
    """Which of the final states a reply is in."""
    if reply.cancelled:
        return StepState.CANCELLED
    if reply.error is not None:
        return StepState.FAILED
    if not (reply.text.strip() or reply.reasoning.strip() or reply.native_calls):
        return StepState.EMPTY
    lost = any(problem.outcome is Outcome.REPORTED for problem in reply.result.problems)
    if role is StepRole.EXECUTOR and lost and not reply.result.calls:
        return StepState.UNREADABLE
    return StepState.FINISHED
