"""The one incremental parser behind every text format: text, reasoning, code fences, and attempts at calls.

A grammar says what may begin a call and reads one attempt; all else is decided here, in this order: reasoning first,
calls second, code and quotes third. Whole text is one feed, so there is one path for whole and streamed text.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

from workbench.core.calls import (
    CallGrew,
    CallOpened,
    CallRead,
    Outcome,
    ParsedCall,
    ParseEvent,
    ParseProblem,
    ParseResult,
    ProblemRead,
    ReasoningRead,
    TextRead,
)
from workbench.formats.kit.calls import Item, mention
from workbench.formats.kit.openers import finder
from workbench.formats.kit.prose import Prose
from workbench.formats.kit.window import SPACE, Step, Window

if TYPE_CHECKING:
    from workbench.formats.kit.grammar import Attempt, Grammar
    from workbench.formats.kit.toolset import ToolSet

_NAME_HINT = re.compile(r"""["'](?:name|tool|tool_name|function)["']\s*:\s*["']([\w.\-:/]+)["']|<(?:function=|invoke name=")([\w.\-:/]+)|call:([\w.\-]+)\{""")  # fmt: skip


class Scanner(Window):
    """Reads one reply with one grammar. `nested` scanners look for calls alone (inside reasoning or code)."""

    __slots__ = (
        "_attempts",
        "_calls",
        "_calls_in_reasoning",
        "_events",
        "_gen",
        "_nested",
        "_opened",
        "_openers",
        "_pending",
        "_problems",
        "_reasoning",
        "_think_open",
        "deferred",
        "failures",
        "grammar",
        "prose",
        "tools",
        "wasted",
    )  # fmt: skip

    def __init__(
        self, grammar: Grammar, tools: ToolSet, *, think_open: bool = False, calls_in_reasoning: bool = False,
        nested: bool = False, base: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(base)
        self.grammar, self.tools = grammar, tools
        self._think_open, self._calls_in_reasoning, self._nested = think_open, calls_in_reasoning, nested
        self._openers = grammar.nested if nested else grammar.openers
        self._events: list[ParseEvent] = []
        self.prose = Prose(self._events)
        self._calls: list[ParsedCall] = []
        self._reasoning: list[str] = []
        self._problems: list[ParseProblem] = []
        self._pending: list[ParsedCall] = []
        self._attempts = 0
        self._opened = -1
        self.deferred = False
        """Inside a fence: whether calls count is decided later, so none may be given out directly."""
        self.failures = 0
        """Texts that began like strict JSON and were none: after some, no more quick tries."""
        self.wasted = 0
        """Characters that were walked in vain: limits how often a broken text may be walked again."""
        self._gen = self._run()
        next(self._gen)

    def feed(self, text: str) -> list[ParseEvent]:
        """Take more text; return what became certain."""
        if text and not self.closed:
            self._gen.send(text)
        return self._take()

    def finish(self, reason: str | None = None) -> list[ParseEvent]:
        """End of text; a reason that says `length` completes nothing."""
        if not self.closed:
            self.reason = reason
            try:
                self._gen.send(None)
            except StopIteration:
                self.closed = True
        return self._take()

    def result(self) -> ParseResult:
        """Everything so far; complete after `finish`."""
        return ParseResult(
            tuple(self._calls), "".join(self.prose.said), "".join(self._reasoning), tuple(self._problems),
            self.grammar.format,
        )  # fmt: skip

    @property
    def attempts(self) -> int:
        """How many calls and lost calls there were so far."""
        return self._attempts

    @property
    def number(self) -> int:
        """How many calls were found so far."""
        return len(self._calls) + len(self._pending)

    def grew(self, parts: list[str], at: int) -> None:
        """Tell of progress inside an attempt: its name once it is known, then every piece."""
        if self._nested:
            return
        number, piece = self.number, parts[-1]
        if self._opened == number:
            self._events.append(CallGrew(number, piece))
        elif len(parts) < 200 and ('"' in piece or ">" in piece or "{" in piece or "'" in piece):
            found = _NAME_HINT.search("".join(parts), at, at + 600)
            if found is not None:
                self._opened = number
                self._events.append(CallOpened(number, found.group(found.lastindex or 0), self.span(at, found.end())))

    def _take(self) -> list[ParseEvent]:
        events = self._events[:]
        self._events.clear()
        return events

    # The reply as a whole

    def _run(self) -> Step[None]:
        at = 0
        search, openers, prose = self._openers.search, self._openers, self.prose
        if self._think_open:
            yield from self.at_least(1)
            at = yield from self._think_start()
        while True:
            match = search.search(self.text, at)
            if match is not None and (self.closed or openers.hold(self.text, at) >= match.start()):
                at = yield from self._opener(match, openers.kind(match), at)
                match = None
                continue
            size = len(self.text)
            stop = size if self.closed else openers.hold(self.text, at)
            if stop > at:
                prose.say(self.text[at:stop], self.base + at)
                if self._pending and prose.spoke:
                    self._flush(True)
            if self.closed:
                break
            keep = stop - 1 if stop else 0
            piece = yield
            if piece is None:
                self.closed = True
                at = stop
            else:
                self.text = self.text[keep:] + piece
                self.base += keep
                at = stop - keep
        self._flush(False)
        prose.close()

    def _opener(self, match: re.Match[str], kind: str, at: int) -> Step[int]:
        """Handle what began at the match; return where to go on."""
        start, end = match.span()
        self.prose.say(self.text[at:start], self.base + at)
        if self._pending and self.prose.spoke:
            self._flush(True)
        if kind == "fence":
            return (yield from self._fence(start, end))
        if kind in ("think", "unthink", "drop", "result"):
            if self.prose.in_code or self.prose.quoted:
                self.prose.say(self.text[start:end], self.base + start)
                return end
            if kind == "think":
                closer = self.grammar.reasoning[_spelling(match.group(), self.grammar.reasoning)]
                self.prose.mark()
                return (yield from self._think(end, closer))
            if kind == "result":
                return (yield from self.invented(start, end))
            self.prose.mark()
            return end
        attempt = yield from self.grammar.read(self, match, kind)
        if attempt is None:
            self.prose.say(self.text[start:end], self.base + start)
            return end
        if self._accept(start, attempt):
            return self.grammar.run(self, attempt.end)
        return attempt.end

    def _accept(self, start: int, attempt: Attempt) -> bool:
        """Give out what an attempt brought; False where it turned out to be text."""
        why = "" if self._nested else self.prose.mentioned()
        if attempt.as_text or (why and attempt.items):
            for item in () if attempt.as_text else attempt.items:
                self._problem(mention(item.span, item.name, why))
            self.prose.say(self.text[start : attempt.end], self.base + start)
            if self._pending:
                self._flush(True)
            return False
        self.prose.mark()
        for item in attempt.items:
            self.emit(item)
        return True

    def emit(self, item: Item, *repairs: str) -> None:
        """Give out a call or a problem."""
        self._attempts += 1
        if isinstance(item, ParseProblem):
            self._problem(item)
            return
        if self.grammar.single and self.number:
            repairs += ("extra_calls",)
        if self.grammar.lonely:
            if self.prose.spoke_ever and self.grammar.lonely == "both":
                repairs += ("text_around",)
            self._pending.append(_repaired(item, repairs))
            return
        self._give(_repaired(item, repairs))

    def _give(self, call: ParsedCall) -> None:
        number = len(self._calls)
        if not call.id:
            call = call._replace(id=self.grammar.ident(number + 1))
        self._calls.append(call)
        self._events.append(CallRead(number, call))

    def give_plain(self, calls: list[ParsedCall]) -> None:
        """Give out strict calls that carry their ids already: the quick way."""
        self._attempts += len(calls)
        self._events.extend(map(CallRead, count(len(self._calls)), calls))
        self._calls.extend(calls)

    def _flush(self, spoke: bool) -> None:
        """Give out calls that waited to know whether text follows."""
        waiting, self._pending = self._pending, []
        for call in waiting:
            self._give(_repaired(call, ("text_around",)) if spoke else call)

    def note(self, problem: ParseProblem) -> None:
        """Record a problem beside an attempt."""
        self._problem(problem)

    def _problem(self, problem: ParseProblem) -> None:
        self._problems.append(problem)
        self._events.append(ProblemRead(problem))

    def invented(self, start: int, end: int) -> Step[int]:
        """A tool result that the model made up: from here on nothing is read. Before any call it is mere text."""
        if not self._attempts:
            self.prose.say(self.text[start:end], self.base + start)
            return end
        message = "The model invented a tool's result; it and all that follows is dropped."
        self._flush(True)
        self._problem(ParseProblem("hallucinated_result", self.span(start, end), message))
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

    # Reasoning

    def _think_start(self) -> Step[int]:
        """The reply begins inside a reasoning block, whose opener may be repeated once."""
        at = yield from self.space(0)
        opened = yield from self.literal(at, *self.grammar.reasoning)
        self.prose.mark()
        return (yield from self._think(max(opened, 0), *self.grammar.reasoning.values()))

    def _think(self, at: int, *closers: str) -> Step[int]:
        """Read a reasoning block from `at`; return where it ends."""
        search, hold, _ = finder(*closers)
        calls = self.grammar.nested
        while True:
            close = search.search(self.text, at)
            call = calls.search.search(self.text, at, close.start() if close else len(self.text))
            if call is not None and not close and not self.closed and calls.hold(self.text, at) < call.start():
                call = None
            if call is not None:
                start = call.start()
                self.thought(at, start)
                call = close = None
                return (yield from self._think_held(start, *closers))
            if close is not None:
                self.thought(at, close.start())
                self.prose.mark()
                return close.end()
            size = len(self.text)
            tail = hold.search(self.text, max(at, size - 64))
            stop = size if self.closed else min(tail.start() if tail else size, calls.hold(self.text, at))
            self.thought(at, stop)
            if self.closed:
                return size
            piece = yield
            if piece is None:
                self.closed = True
                at = stop
            else:
                keep = max(stop - 1, 0)
                self.text = self.text[keep:] + piece
                self.base += keep
                at = stop - keep

    def thought(self, start: int, end: int) -> None:
        """Give out reasoning."""
        if end > start:
            text = self.text[start:end]
            self._reasoning.append(text)
            self._events.append(ReasoningRead(text, self.span(start, end)._replace(source="text")))

    def _think_held(self, at: int, *closers: str) -> Step[int]:
        """A call began inside a reasoning block: whether it counts is known when the block closes or the reply ends."""
        close = yield from self.find(at, *closers)
        inner = Scanner(self.grammar, self.tools, nested=True, base=self.base + at)
        end = close[0] if close else len(self.text)
        events = inner.feed(self.text[at:end])
        events += inner.finish(self.reason if close is None else None)
        if close is not None and not self._calls_in_reasoning:
            self.thought(at, end)
            self._mentioned_in(events, "it stands in a closed reasoning block")
        elif close is not None:
            self._give_from(events, "channel_fix")
        elif _ends_with_call(events, self.tools):
            self._give_from(events, "think_unclosed")
        else:
            self.thought(at, end)
            self._mentioned_in(events, "it stands in the reasoning")
        self.prose.mark()
        return close[1] if close else end

    def _mentioned_in(self, events: list[ParseEvent], why: str) -> None:
        for event in events:
            if isinstance(event, CallRead):
                self._problem(mention(event.call.span, event.call.name, why))
            elif isinstance(event, ProblemRead) and event.problem.outcome is not None:
                self._problem(mention(event.problem.span, event.problem.name, why))

    def _give_from(self, events: list[ParseEvent], repair: str) -> None:
        """Give out the calls of a reasoning block; what stands between them is reasoning."""
        for event in events:
            if isinstance(event, CallRead):
                self.emit(
                    event.call._replace(
                        id="" if event.call.id == self.grammar.ident(event.number + 1) else event.call.id
                    ),
                    repair,
                )
            elif isinstance(event, ProblemRead):
                self._attempts += 1
                self._problem(event.problem)
            elif isinstance(event, TextRead):
                self._reasoning.append(event.text)
                self._events.append(ReasoningRead(*event))

    # Code

    def _fence(self, start: int, inside: int) -> Step[int]:
        """A code fence begins at `start`, its content at `inside`."""
        label = self.text[start:inside].strip().strip("`~ \t").lower()
        at = yield from self.space(inside)
        calls = self.grammar.nested
        while True:
            match = calls.search.match(self.text, at)
            if match is not None or self.closed or calls.hold(self.text, at) > at:
                break
            if not (yield from self.more()):
                break
        if match is None:
            return (yield from self._code(start, at))
        self.deferred = True
        items, end, whole = yield from self._fenced_calls(at)
        self.deferred = False
        if whole and self._counts(label, items, end):
            self.prose.mark()
            for item in items:
                self.emit(item, *(() if self.grammar.fenced_is_strict else ("fenced",)))
            return end
        if whole and items:
            for item in items:
                self._problem(mention(item.span, item.name, "it stands in a code block"))
            self.prose.say(self.text[start:end], self.base + start)
            return end
        return (yield from self._code(start, at))

    def _fenced_calls(self, at: int) -> Step[tuple[list[Item], int, bool]]:
        """Read calls inside a fence; the last value says whether the fence holds nothing else and how it goes on is known."""
        items: list[Item] = []
        calls = self.grammar.nested
        while True:
            match = calls.search.match(self.text, at)
            if match is None:
                break
            kind = calls.kind(match)
            attempt = yield from self.grammar.read(self, match, kind)
            if attempt is None or attempt.as_text:
                return [], at, False
            items.extend(attempt.items)
            at = yield from self.space(attempt.end)
            while not self.closed and calls.search.match(self.text, at) is None and calls.hold(self.text, at) <= at:
                yield from self.more()
        stop = yield from self.literal(at, "```", "~~~")
        if stop < 0:
            return items, at, at >= len(self.text)
        yield from self.space(stop)
        return items, stop, True

    def _counts(self, label: str, items: list[Item], end: int) -> bool:
        """True if calls in a fence are meant: the fence is the whole reply, or its label says so."""
        after = SPACE.match(self.text, end).end() < len(self.text)  # type: ignore[union-attr]
        if self.prose.mentioned():
            return False
        if not self.prose.spoke_ever and not after:
            return True
        known = label in self.grammar.fence_labels
        if self.grammar.markerless:
            return known and (bool(label) or not after)
        return known and not after and all(isinstance(item, ParsedCall) for item in items)

    def _code(self, start: int, at: int) -> Step[int]:
        """Code that is only shown: text up to the closing fence; calls in it are noted as mentioned."""
        fence = self.text[start:at].lstrip()[:3]
        self.prose.say(self.text[start:at], self.base + start)
        parts: list[str] = []
        origin = self.base + at
        close = re.compile(rf"^[ \t]*{fence}[`~]*[ \t]*(?=\r?\n)", re.MULTILINE)
        last = re.compile(rf"^[ \t]*{fence}[`~]*[ \t]*\r?\Z", re.MULTILINE)
        hold = re.compile(rf"^[ \t]*{fence[0]}+[ \t]*\r?\Z", re.MULTILINE)
        while True:
            match = close.search(self.text, at) or (last.search(self.text, at) if self.closed else None)
            held = None if self.closed else hold.search(self.text, max(at, len(self.text) - 64))
            stop = match.end() if match else held.start() if held else len(self.text)
            parts.append(self.text[at : match.start() if match else stop])
            self.prose.say(self.text[at:stop], self.base + at)
            if match is not None or self.closed:
                break
            piece = yield
            if piece is None:
                self.closed = True
                at = stop
            else:
                keep = max(stop - 1, 0)
                self.text = self.text[keep:] + piece
                self.base += keep
                at = stop - keep
        self._note_mentions("".join(parts), origin)
        return stop

    def _note_mentions(self, code: str, origin: int) -> None:
        if self._nested or self.grammar.nested.search.search(code) is None:
            return
        inner = Scanner(self.grammar, self.tools, nested=True, base=origin)
        self._mentioned_in(inner.feed(code) + inner.finish(), "it stands in a code block")


def _spelling(found: str, known: dict[str, str] | object) -> str:
    """Return the declared spelling of a marker that was found in another case."""
    assert isinstance(known, dict)
    if found in known:
        return found
    return next(marker for marker in known if marker.casefold() == found.casefold())


def _repaired(call: ParsedCall, repairs: tuple[str, ...]) -> ParsedCall:
    if not repairs:
        return call
    codes = tuple(dict.fromkeys(call.repairs + repairs))
    return call._replace(outcome=Outcome.RECOVERED, repairs=codes)


def _ends_with_call(events: list[ParseEvent], tools: ToolSet) -> bool:
    """True if calls to declared tools (or a call that was cut off) are the last thing in an unclosed reasoning block."""
    good = False
    for event in events:
        if isinstance(event, CallRead):
            good = True
        elif isinstance(event, ProblemRead):
            problem = event.problem
            good = problem.code == "truncated" and (not tools.declared or problem.name in tools.by_name)
        elif isinstance(event, TextRead) and event.text.strip():
            good = False
    return good
