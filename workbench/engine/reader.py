"""Reading one reply under the run's policy while it streams: parser, sanitizer, stop sequences, other formats."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.calls import (
    CallGrew,
    CallOpened,
    CallRead,
    Outcome,
    ParseEvent,
    ParseProblem,
    ParseResult,
    ReasoningRead,
    Span,
    TextRead,
)
from workbench.core.exchange import CallDelta, Delta, ReasoningDelta
from workbench.core.target import Policy
from workbench.formats.sanitize import StreamSanitizer
from workbench.formats.survey.crossread import apply_policy, best_other, may_be_read, only_net
from workbench.formats.survey.sanitized_reply import lost_in_text, sanitized_reply

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.messages import NativeCall
    from workbench.core.tools import ToolSpec
    from workbench.engine.plan import Party


_BRACKET, _CALLED, _ACTION = re.compile(r"[<\[{`]"), re.compile(r"\((?<=\w\()"), re.compile(r"action\W*\d*\W*[:：=>→]")
_WORDS = ("&lt;", ">>>", "functools", "function call")


def may_call(text: str) -> bool:
    """False for a text that holds no attempt at a call in any format; several quick looks are faster than one for all."""
    if _BRACKET.search(text) or _CALLED.search(text):
        return True
    low = text.lower()
    return (
        any(word in low for word in _WORDS) or ("action" in low and _ACTION.search(low) is not None) or "ａｃｔ" in low
    )


class StepReader:
    """Reads the reply of one step. A planner's reply (no format) and a reply without tools are plain text."""

    def __init__(self, party: Party, tools: Sequence[ToolSpec], policy: Policy) -> None:
        self._party = party
        self._format = party.format if tools else None
        self._tools = tools
        self._policy = policy
        flags = party.flags
        self._parser = None
        if self._format is not None and not self._format.native:
            self._parser = self._format.parser(
                tools, think_open=flags.think_open, calls_in_reasoning=flags.calls_in_reasoning
            )
        self._sanitizer = StreamSanitizer()
        self._read: list[TextRead] = []
        self._shown: list[str] = []
        self._length = 0
        self._opened: set[int] = set()
        self.parser_us = 0

    def anew(self) -> StepReader:
        """Return a reader that has read no text yet, but knows which structured calls were told."""
        made = StepReader(self._party, self._tools, self._policy)
        made._opened = {*self._opened}
        return made

    def feed(self, text: str, deltas: Sequence[Delta]) -> tuple[tuple[ParseEvent, ...], str]:
        """Take a chunk's text and deltas; return what was read and what may now be shown."""
        begun = time.perf_counter_ns()
        events: list[ParseEvent] = []
        shown = ""
        if text:
            read = self._parser.feed(text) if self._parser else [self._plain(text)]
            self._length += len(text)
            shown = self._sanitized(read)
            events += read
        for delta in deltas:
            if type(delta) is CallDelta:
                events += self._progress(delta)
            elif type(delta) is ReasoningDelta:
                events.append(ReasoningRead(delta.text, Span(0, 0, "reasoning")))
        self.parser_us += (time.perf_counter_ns() - begun) // 1000
        return tuple(events), shown

    def _sanitized(self, events: Sequence[ParseEvent]) -> str:
        """Return what may be shown of the text among the events, and keep both for the end."""
        read = [event for event in events if type(event) is TextRead]
        shown = "".join([self._sanitizer.feed(event.text) for event in read])
        self._read += read
        self._shown.append(shown)
        return shown

    def _plain(self, text: str) -> TextRead:
        return TextRead(text, Span(self._length, self._length + len(text)))

    def _progress(self, delta: CallDelta) -> list[ParseEvent]:
        source = f"call:{delta.number}"
        events: list[ParseEvent] = []
        if delta.number not in self._opened and delta.name:
            self._opened.add(delta.number)
            events.append(CallOpened(delta.number, delta.name, Span(0, 0, source)))
        if delta.arguments:
            events.append(CallGrew(delta.number, delta.arguments))
        return events

    def finish(
        self, text: str, native: Sequence[NativeCall], reason: str, *, complete: bool
    ) -> tuple[ParseResult, str, tuple[ParseEvent, ...], str]:
        """Close; return the reading under the policy, the whole sanitized reply, last events and last shown text.

        `complete` is False for a reply that was cut off or cancelled: then nothing is completed, as at `length`.
        """
        begun = time.perf_counter_ns()
        why = reason if complete else "length"
        result, events = self._conclude(text, native, why)
        shown = self._sanitized(events)
        rest = self._sanitizer.finish()
        kept = "".join([event.text for event in self._read]) == result.text and not lost_in_text(result)
        told = "".join((*self._shown, rest)) if kept else sanitized_reply(result, text, self._read)
        events += tuple(CallRead(i, call) for i, call in enumerate(result.calls)) if not self._parser else ()
        self.parser_us += (time.perf_counter_ns() - begun) // 1000
        return result, told, events, shown + rest

    def _conclude(
        self, text: str, native: Sequence[NativeCall], reason: str
    ) -> tuple[ParseResult, tuple[ParseEvent, ...]]:
        if self._format is None:
            return ParseResult(text=text), ()
        if self._format.native or self._parser is None:
            result = self._format.read_native(text, native, self._tools, reason)
            return self._with_others(apply_policy(result, text, self._tools, self._policy, reason), text, reason), ()
        events = tuple(self._parser.finish(reason))
        result = apply_policy(self._parser.result(), text, self._tools, self._policy, reason)
        return self._with_others(self._with_native(result, native, reason), text, reason), events

    def _with_native(self, result: ParseResult, native: Sequence[NativeCall], reason: str) -> ParseResult:
        """A server that reads its model's text itself may deliver structured calls nobody asked for: they count."""
        if not native:
            return result
        from workbench.formats import get_format

        extra = get_format("native_openai").read_native("", native, self._tools, reason)
        calls = tuple(
            call._replace(outcome=Outcome.RECOVERED, repairs=(*call.repairs, "wrong_family")) for call in extra.calls
        )
        return replace(result, calls=result.calls + calls, problems=result.problems + extra.problems)

    def _with_others(self, result: ParseResult, text: str, reason: str) -> ParseResult:
        """If the format found nothing, say what another format would have found (requirement K7)."""
        if result.calls or not only_net(result) or not self._tools or self._policy is not Policy.TOLERANT:
            return result
        if not (may_call(text) and may_be_read(text, self._tools)):
            return result
        other = best_other(text, self._tools, reason, but=result.format)
        if other is None:
            return result
        spans = [call.span for call in other.calls]
        kept = tuple(one for one in result.problems if not any(one.span.meets(span) for span in spans))
        message, hint = self._whose(other)
        problem = ParseProblem(
            "wrong_family", other.calls[0].span, message, Outcome.REPORTED, hint, other.calls[0].name
        )
        return replace(result, problems=(problem, *kept))

    def _whose(self, other: ParseResult) -> tuple[str, str]:
        """Say who left the call in the text: a server that is to hand calls over in fields, or a model that was taught a format."""
        if self._format is not None and self._format.native:
            repairs = ", ".join(dict.fromkeys(code for call in other.calls for code in call.repairs))
            flaw = f", with flaws ({repairs})" if repairs else ""
            message = f"The server did not parse the call: it stands in the text as {other.format}{flaw}."
            return (
                message,
                "Give the server that format's tool parser, or let other formats count (policy cross_format).",
            )
        message = f"The model answered in {other.format} although {self._format_id} was asked."
        return message, "Choose that format, or let other formats count (policy cross_format)."

    @property
    def _format_id(self) -> str:
        return self._format.id if self._format else "none"


class StopCutter:
    """Cuts a stream where a stop sequence begins that the provider did not honour (R7), however the text is cut into packets.

    What may be the beginning of a stop sequence is held back until that is known.
    """

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = tuple(stop for stop in stops if stop)
        self._held = ""
        self.fired = ""
        """The stop sequence that was complete first."""
        self.behind = ""
        """What came behind it before the stream was closed."""

    def feed(self, text: str) -> str:
        """Take text; return what stands before any stop sequence for certain."""
        if not self._stops:
            return text
        window = self._held + text
        found = min(
            ((at + len(stop), at, stop) for stop in self._stops if (at := window.find(stop)) >= 0), default=None
        )
        if found is not None:
            end, at, self.fired = found
            self._held, self.behind = "", window[end:]
            return window[:at]
        keep = next((size for size in range(min(self._longest, len(window)), 0, -1) if self._begins(window[-size:])), 0)
        self._held = window[len(window) - keep :]
        return window[: len(window) - keep]

    def finish(self) -> str:
        """End of the reply: return what was held back."""
        held, self._held = self._held, ""
        return held

    @property
    def _longest(self) -> int:
        return max(map(len, self._stops)) - 1

    def _begins(self, tail: str) -> bool:
        return any(stop.startswith(tail) for stop in self._stops)
