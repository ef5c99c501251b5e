"""What a parser gives out: calls, problems, reasoning and text, as events at once and as a result in the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import count
from typing import TYPE_CHECKING

from workbench.core.calls import (
    CallRead,
    Outcome,
    ParsedCall,
    ParseEvent,
    ParseProblem,
    ParseResult,
    ProblemRead,
    ReasoningRead,
    Span,
)
from workbench.formats.kit.call_progress import Progress, own_shapes
from workbench.formats.kit.calls import Item, mention
from workbench.formats.kit.prose import Prose
from workbench.formats.kit.runaway import CODE as RUNAWAY
from workbench.formats.kit.window import ESCAPES, SPACE, Step, Window

if TYPE_CHECKING:
    from workbench.formats.kit.grammar import Grammar
    from workbench.formats.kit.toolset import ToolSet


class Output(Window, ABC):
    """The undecided text of a reply together with all that was decided before it."""

    __slots__ = (
        "_events", "_heard", "attempts", "calls", "calls_in_reasoning", "deferred", "dropped", "failures", "grammar", "mends", "nested", "owed", "pending",
        "problems", "progress", "prose", "reasoning", "rehearsed", "tools", "unclosed", "wasted",
    )  # fmt: skip

    def __init__(self, grammar: Grammar, tools: ToolSet, *, nested: bool = False, base: int = 0) -> None:
        super().__init__(base)
        self.grammar, self.tools = grammar, tools
        self.calls_in_reasoning = False
        """The family is meant to call inside its reasoning."""
        self.nested = nested
        """Only calls are looked for: inside reasoning or code."""
        self._events: list[ParseEvent] = []
        self._heard = True
        """Somebody takes the events."""
        self.prose = Prose(self._events)
        self.calls: list[ParsedCall] = []
        self.reasoning: list[str] = []
        self.problems: list[ParseProblem] = []
        self.unclosed: tuple[int, int] | None = None
        """Where a reasoning block began that was not closed: its first piece, and its offset in the reply."""
        self.rehearsed: tuple[int, int] | None = None
        """The same of the last block that was closed."""
        self.pending: list[ParsedCall] = []
        """Calls that wait to know whether text follows."""
        self.attempts = 0
        """How many calls and lost calls there were so far."""
        self.progress = Progress(own_shapes(grammar.name_shapes, grammar.name_key))
        self.deferred = False
        """Inside a fence: whether calls count is decided later, so none may be given out directly."""
        self.failures = 0
        """Texts that began like strict JSON and were none: after some, no more quick tries."""
        self.owed: tuple[str, ...] = ()
        """Repairs that the next call takes along: its marker stood there twice."""
        self.mends = 0
        """How many broken bodies were searched for quotes that were not escaped."""
        self.dropped: list[Span] = []
        """Markers of calls that were taken out although nothing was read."""
        self.wasted = 0
        """Characters that were walked in vain: limits how often a broken text may be walked again."""

    @abstractmethod
    def feed(self, text: str) -> list[ParseEvent]:
        """Take more text; return what became certain."""

    @abstractmethod
    def finish(self, reason: str | None = None) -> list[ParseEvent]:
        """End of text; a reason that says `length` completes nothing."""

    @abstractmethod
    def inner(self, base: int) -> Output:
        """Return a parser of calls alone, for a text inside this one that begins at offset `base`."""

    def slide(self, stop: int, piece: str | None) -> int:
        """Let go of what stands before `stop` and take a piece; in a fence all is kept, for it may be text after all."""
        if not self.deferred or piece is None:
            return super().slide(stop, piece)
        self.append(piece)
        return stop

    def result(self) -> ParseResult:
        """Everything so far; complete after `finish`."""
        return ParseResult(
            tuple(self.calls), "".join(self.prose.said), "".join(self.reasoning), tuple(self.problems),
            self.grammar.format,
        )  # fmt: skip

    @abstractmethod
    def passed(self, kind: str, token: str, span: Span) -> None:
        """Note what was taken out as a call, or as the end of one, without any."""

    @property
    def number(self) -> int:
        """How many calls were found so far."""
        return len(self.calls) + len(self.pending)

    def hush(self) -> None:
        """Make no events: only the result is asked for."""
        self._heard = self.prose.heard = False

    def take(self) -> list[ParseEvent]:
        """Return the events since the last time."""
        if not self._events:
            return []
        events = self._events[:]
        self._events.clear()
        return events

    def odd_layout(self, start: int, end: int) -> tuple[str, ...]:
        """Return the repair for layout between two indexes, and markers in it: signs, or white space as JSON writes it."""
        plain = encoded = self.text[start:end]
        for escape in ESCAPES:
            plain = plain.replace(escape, "")
        if plain.strip() and not any(map(str.isalnum, plain)) and SPACE.fullmatch(plain) is None:
            return ("near_miss_tag",)
        return ("double_encoded",) if plain != encoded else ()

    def say(self, start: int, end: int) -> None:
        """Give out characters as text."""
        if end > start:
            self.prose.say(self.text[start:end], self.base + start)
            if self.pending and self.prose.spoke:
                self.flush(True)

    def emit(self, item: Item, *repairs: str) -> None:
        """Give out a call or a problem."""
        self.attempts += 1
        if isinstance(item, ParseProblem):
            self.problem(item)
            return
        self.prose.called()
        if self.owed:
            repairs, self.owed = (*self.owed, *repairs), ()
        repairs += self.owing()
        if self.grammar.lonely:
            self.pending.append(_repaired(item, repairs))
            return
        self._give(_repaired(item, repairs))

    def owing(self) -> tuple[str, ...]:
        """Return the repairs of a call that comes now, whatever is written in it."""
        more = ("extra_calls",) if self.grammar.single and self.number else ()
        return (*more, "text_around") if self.grammar.lonely == "both" and self.prose.spoke_ever else more

    def _give(self, call: ParsedCall) -> None:
        number = len(self.calls)
        if not call.id:
            call = call._replace(id=self.grammar.ident(number + 1))
        self.calls.append(call)
        if self._heard:
            self._events.append(CallRead(number, call))
        if self.progress.start >= 0:
            self.progress.begin(call.span.end, number + 1)

    def give_plain(self, calls: list[ParsedCall]) -> None:
        """Give out calls that carry all their repairs already, and their ids unless they wait: the quick way."""
        self.attempts += len(calls)
        self.prose.called()
        if self.owed:
            calls, self.owed = [_repaired(calls[0], self.owed), *calls[1:]], ()
        if self.grammar.lonely:
            self.pending.extend(calls)
            return
        if self._heard:
            self._events.extend(map(CallRead, count(len(self.calls)), calls))
        self.calls.extend(calls)

    def flush(self, spoke: bool) -> None:
        """Give out calls that waited to know whether text follows."""
        waiting, self.pending = self.pending, []
        for call in waiting:
            self._give(_repaired(call, ("text_around",)) if spoke else call)

    def problem(self, problem: ParseProblem) -> None:
        """Give out a problem."""
        self.problems.append(problem)
        if self._heard:
            self._events.append(ProblemRead(problem))

    def thought(self, start: int, end: int) -> None:
        """Give out reasoning."""
        if end > start:
            text = self.text[start:end]
            self.reasoning.append(text)
            if self._heard:
                self._events.append(ReasoningRead(text, self.span(start, end)._replace(source="text")))

    def mentioned(self, events: list[ParseEvent], why: str) -> None:
        """Note calls that an inner scanner found where they do not count."""
        for event in events:
            if isinstance(event, CallRead):
                self.problem(mention(event.call.span, event.call.name, why))
            elif isinstance(event, ProblemRead) and event.problem.outcome is not None:
                self.problem(mention(event.problem.span, event.problem.name, why))

    def invented(self, start: int, end: int) -> Step[int]:
        """A tool result that the model made up: from here on nothing is read.

        Before any call it is mere text, or a block of tokens that nobody types: only that is dropped.
        """
        if not self.attempts:
            closer = self.grammar.result_ends.get(self.text[start:end])
            close = (yield from self.find(end, closer)) if closer else None
            if close is None:
                self.say(start, end)
                return end
            block = self.span(start, close[1])
            self.problem(
                ParseProblem("hallucinated_result", block, "The model invented a tool's result; it is dropped.")
            )
            self.prose.mark()
            return close[1]
        message = "The model invented a tool's result; it and all that follows is dropped."
        return (yield from self._stop(ParseProblem("hallucinated_result", self.span(start, end), message)))

    def ran_away(self, start: int, end: int) -> Step[int]:
        """Somebody else's turn begins: what follows is no reply any more. At the reply's end it only ends it."""
        after = yield from self.space(end)
        if after >= len(self.text):
            return after
        if not (self.attempts or self.prose.spoke_ever):
            self.say(start, end)
            return end
        message = "The reply runs away: the model writes somebody else's turn, which is dropped with all that follows."
        return (yield from self._stop(ParseProblem(RUNAWAY, self.span(start, end), message)))

    def _stop(self, problem: ParseProblem) -> Step[int]:
        """Tell the problem, and read nothing any more."""
        self.flush(True)
        self.problem(problem)
        self.prose.mark()
        yield from self._drain()
        return len(self.text)

    def _drain(self) -> Step[None]:
        """Take the rest of the reply without reading it."""
        while not self.closed:
            self.base += len(self.text)
            self.text = ""
            yield from self.more()
        self.base += len(self.text)
        self.text = ""


def _repaired(call: ParsedCall, repairs: tuple[str, ...]) -> ParsedCall:
    if not repairs:
        return call
    codes = tuple(dict.fromkeys(call.repairs + repairs))
    return call._replace(outcome=Outcome.RECOVERED, repairs=codes)
