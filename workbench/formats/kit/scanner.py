"""The one incremental parser behind every text format: text, reasoning, code fences, and attempts at calls.

A grammar says what may begin a call and reads one attempt; all else is decided here, in this order: reasoning first,
calls second, code and quotes third. Whole text is one feed, so there is one path for whole and streamed text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import Outcome, ParsedCall, ParseProblem, Span
from workbench.formats.kit.absorbed import absorbed_parameters
from workbench.formats.kit.alike_calls import LEAST, AlikeCalls
from workbench.formats.kit.call_progress import grew
from workbench.formats.kit.calls import declined, mention
from workbench.formats.kit.fences import read_fence
from workbench.formats.kit.grammar import Attempt
from workbench.formats.kit.in_sentence import amid
from workbench.formats.kit.parser_output import Output
from workbench.formats.kit.reasoning import REHEARSED, read_headless, read_opened, read_reasoning
from workbench.formats.kit.runaway import CODE as RUNAWAY
from workbench.formats.kit.talk import EXPLAINED, SHOWN
from workbench.formats.kit.unread import (
    EMPTY_LIST,
    LeftOver,
    begun_alone,
    begun_by_tag,
    behind_half,
    emptied,
    ending_alone,
    unread,
)
from workbench.formats.kit.window import SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workbench.core.calls import ParseEvent
    from workbench.formats.kit.call_trails import Trails
    from workbench.formats.kit.calls import Item
    from workbench.formats.kit.grammar import Grammar, Idle
    from workbench.formats.kit.openers import Match
    from workbench.formats.kit.toolset import ToolSet
    from workbench.formats.kit.window import Step


class Scanner(Output):
    """Reads one reply with one grammar."""

    __slots__ = (
        "_alike", "_gen", "_openers", "_quoted", "_tag", "_think_open", "_uncalled", "jump", "settled", "watch",
    )  # fmt: skip

    def __init__(
        self, grammar: Grammar, tools: ToolSet, *, think_open: bool = False, calls_in_reasoning: bool = False,
        nested: bool = False, base: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(grammar, tools, nested=nested, base=base)
        self._think_open = think_open
        self.calls_in_reasoning = calls_in_reasoning
        self.watch = "" if nested else "all"
        """What is searched for calls that were not read: `all` that is left as text, the format's `own` markers, or nothing."""
        self._uncalled: Span | None = None
        """The first marker that ends a call although none began."""
        self._quoted: ParseProblem | None = None
        """The first one that is only talked about, or the first token or empty object that was taken out as a call's."""
        self._tag: Span | None = None
        """The last of another family's tags that was taken out."""
        self.jump: Callable[[Scanner, int], int] | None = None
        """Says where to go on from a place, behind what repeats itself in a whole text; no events are given for that."""
        self.settled: Mapping[str, Idle] = {}
        """Markers in lower case of which is known that nothing comes of them in a whole text."""
        self._alike = AlikeCalls()
        self._openers = grammar.nested if nested else grammar.openers
        self._gen = self._run()
        next(self._gen)

    def feed(self, text: str) -> list[ParseEvent]:
        """Take more text; return what became certain."""
        if text and not self.closed:
            progress = self.progress
            if self._walk is None or not self.walked(text):
                self._gen.send(text)
            elif progress.open:
                return [grew(progress.number, text)]
            if progress.open:
                self._events.append(grew(progress.number, text))
            elif progress.start >= 0 and not self.nested:
                progress.tell(text, self.text, self.base, self._events)
        return self.take()

    def finish(self, reason: str | None = None) -> list[ParseEvent]:
        """End of text; a reason that says `length` completes nothing."""
        if not self.closed:
            self.reason = reason
            try:
                self._gen.send(None)
            except StopIteration:
                self.closed = True
            if self.watch:
                self._watch()
        return self.take()

    def _watch(self) -> None:
        """Tell what was begun as a call and was not read."""
        runaway = self.prose.runaway
        if runaway is not None and runaway.begun():
            message = "The reply runs away: behind the call the model goes on with turns or tests of its own."
            self.problem(ParseProblem(RUNAWAY, Span(runaway.at, self.base + len(self.text)), message))
        tools = self.tools if self.watch == "all" else None
        if self.prose.spoke_ever or self.dropped:
            left = LeftOver(self.prose.said, self.prose.places, self.dropped, self._told())
            for problem in unread(left, self.grammar, tools):
                self.problem(problem)
        rehearsed = None if self.prose.spoke or self.attempts or self.watch == "own" else self.rehearsed
        if (block := self.unclosed or rehearsed) is not None:
            begun, place = block
            for problem in unread(
                LeftOver(self.reasoning[begun:], [(0, place)], (), self._told()), self.grammar, tools, at_end=True
            ):
                lost = self.unclosed is not None or problem.outcome is not Outcome.REPORTED
                self.problem(problem if lost else mention(problem.span, problem.name, REHEARSED))
        if tools is None:
            return
        for problem in absorbed_parameters(self.calls, tools):
            self.problem(problem)
        if not (self.attempts or self.problems):
            if self._uncalled is not None:
                self.problem(ending_alone(self._uncalled))
            elif self._quoted is not None:
                self.problem(self._quoted)
            elif self._tag and (told := begun_by_tag(self._tag, "".join(self.prose.said), tools, self.grammar.format)):
                self.problem(told)

    def _told(self) -> list[Span]:
        """Where calls and problems stand."""
        return [*(call.span for call in self.calls), *(problem.span for problem in self.problems)]

    def share(self, trails: Trails) -> None:
        """Take over calls that other scanners read in the same whole text, and leave them those that this one reads."""
        self._alike.trails = trails

    def passed(self, kind: str, token: str, span: Span) -> None:
        """Note what was taken out as a call, or as the end of one, without any."""
        inside = self.text[span.start - self.base + len(token) : span.end - self.base]
        if kind in self.grammar.begins and EMPTY_LIST.search(inside):
            self.problem(declined(span, "[]"))
        elif kind in self.grammar.begins and not self.grammar.markerless:
            self.dropped.append(span)
        elif kind == "orphan" and token.casefold() not in self.grammar.foreign_ends:
            word = self.prose.last_word
            name = word if word in self.tools.by_name else behind_half(word, self.tools)
            if self.grammar.ends(token) and (name or word.endswith("}")):
                self.problem(ending_alone(span, name))
            self._uncalled = self._uncalled or span
        else:
            self._tag = span if kind == "tag" else self._tag
            self._quoted = self._quoted or emptied(span, inside, kind, self.grammar.format)

    def inner(self, base: int) -> Scanner:
        """Return a scanner of calls alone, for a text inside this one that begins at offset `base`."""
        return Scanner(self.grammar, self.tools, nested=True, base=base)

    def _run(self) -> Step[None]:
        at = 0
        search, openers, prose = self._openers.search, self._openers, self.prose
        if self._think_open:
            yield from self.at_least(1)
            at = yield from read_opened(self)
        elif self.grammar.reasoning_heads and not self.nested:
            at = yield from read_headless(self)
        while True:
            at = self.shed(at)
            if self.jump is not None and (on := self.jump(self, at)) != at:
                at, self._alike.stood = on, None
            match = search(self.text, at)
            if match is not None and self.settled and (idle := self.settled.get(match.group().lower())) is not None:
                match, at = self._passed_over(match, at, idle)
            if match is not None and self._whole(match, at):
                opened = self._opener(match, openers.kind(match), at)
                match = None  # it holds the text, which grows
                at = yield from opened
                continue
            size = len(self.text)
            stop = size if self.closed else self.hold(openers, at)
            self.say(at, stop)
            if self.closed:
                break
            piece = yield
            at = self.slide(stop, piece)
        self.flush(False)
        prose.close()

    def _passed_over(self, match: Match | None, at: int, idle: Idle | None) -> tuple[Match | None, int]:
        """Return the first opener that is not settled, and where what is not given out yet begins."""
        sure = len(self.text) if self.closed else len(self.text) - self._openers.reach
        self._alike.stood = None
        while match is not None and idle is not None and match.end() <= sure:
            start, end = match.span()
            if not idle.kept:
                self.say(at, start)
                if self._why(match.group()):
                    return match, start
                self.prose.mark()
                at = end
            match = self._openers.search(self.text, end)
            idle = self.settled.get(match.group().lower()) if match is not None else None
        return match, at

    def _whole(self, match: re.Match[str], at: int) -> bool:
        """True if what was found cannot grow into another opener: only what stands near the end may."""
        start, openers = match.start(), self._openers
        return self.closed or start < len(self.text) - openers.reach or self.hold(openers, at) > start

    def _opener(self, match: re.Match[str], kind: str, at: int) -> Step[int]:
        """Handle what began at the match; return where to go on."""
        start, end = match.span()
        stood, self._alike.stood = self._alike.stood, None
        self.say(at, start)
        if kind == "fence":
            return (yield from read_fence(self, start, end))
        if kind in ("think", "unthink", "drop", "result", "turn"):
            return (yield from self._marker(match, kind))
        if kind == "orphan" and (why := self._why(match.group())):
            self.say(start, end)
            if not self.grammar.ends(match.group()):
                self.prose.talk = (why, self.prose.length)
            self._quoted = self._quoted or mention(self.span(start, end), "", why)
            return end
        alike = self._alike if self._steady(kind) else None
        known = alike.next(self, start) if alike is not None else None
        again = (
            -1
            if known is not None or kind not in self.grammar.begins
            else (yield from _repeated(self, end, match.group()))
        )
        if again >= 0:
            other = self._openers.match(self.text, again)
            if other is not None and self._openers.kind(other) == kind:
                match, end, self.owed, alike = other, other.end(), ("near_miss_tag",), None
            other = None
        if self._heard:
            self.progress.begin(self.base + match.start(), self.number)
        token, span, before = match.group(), self.span(start, end), self.attempts
        attempt: Attempt | None
        if known is not None:
            attempt = Attempt(known[1], (known[0],))
        else:
            reading = self.grammar.read(self, match, kind)
            del match
            attempt = yield from reading
            if alike is not None and attempt is not None and self.attempts == before:
                alike.learn(self, start, attempt, kind)
        self.progress.end()
        if attempt is None:
            self.owed = ()
            self.say(start, end)
            return end
        if not attempt.items and not attempt.as_text and self.attempts == before:
            self.passed(kind, token, span._replace(end=max(span.end, self.base + attempt.end)))
        around = (yield from amid(self, attempt.end, self.prose.tail)) if attempt.items and self.first_amid else None
        if self._accept(start, attempt, around) and attempt.items:
            if known is not None:
                self._alike.lead(self, start, attempt.end, known[2], stood)
            at = self.grammar.run(self, attempt.end)
            return at if self.deferred else self._alike.run(self, at, self._steady_at)
        return attempt.end

    def _steady_at(self, at: int) -> int:
        """Return where the next opener stands if nothing but its own text decides how the attempt is read; else -1."""
        match = self._openers.search(self.text, at)
        if match is None or match.start() >= len(self.text) - self._openers.reach:
            return -1
        return match.start() if self._steady(self._openers.kind(match)) else -1

    def _steady(self, kind: str) -> bool:
        """True if nothing but its own text decides how the attempt is read that begins here."""
        if kind not in self.grammar.steady or self.deferred or self.number < LEAST:
            return False
        return not (self.grammar.markerless and kind == "call" and self.prose.after_marker)

    def _marker(self, match: re.Match[str], kind: str) -> Step[int]:
        """Handle a marker that begins no call."""
        start, end = match.span()
        if self.prose.in_code or self.prose.quoted:
            self.say(start, end)
            return end
        if kind == "result":
            return (yield from self.invented(start, end))
        if kind == "turn":
            return (yield from self.ran_away(start, end))
        self.prose.mark()
        if match.group() in self.grammar.calling_tokens:
            self._quoted = self._quoted or begun_alone(self.span(start, end), "", self.grammar.format)
        if kind == "think":
            closer = _closer(match.group(), self.grammar.reasoning)
            labels = self.grammar.reasoning_labels
            label = yield from self.literal(end, *labels)
            if label < 0 and labels:
                empty = yield from self.literal(end, *(word.rstrip() + closer for word in labels))
                if empty >= 0:
                    return empty
            return (yield from read_reasoning(self, max(end, label), closer))
        return end

    def _why(self, marker: str) -> str:
        """Say why a marker that stands alone is only talked about; one that ends something, only inside of code."""
        if self.grammar.ends(marker) and not self.prose.code_open:
            return ""
        return self.prose.mentioned()

    def early(self, items: list[Item]) -> None:
        """Give out what was read of an attempt that goes on for certain, where nothing can make it text any more."""
        if self.deferred or self.first_amid or not (self.nested or not self.prose.mentioned()):
            return
        self.prose.mark()
        for item in items:
            self.emit(item)
        items.clear()

    @property
    def first_amid(self) -> bool:
        """True where a first call stands behind words that go on to it: it may be a word of theirs."""
        return not (self.nested or self.number) and self.prose.amid

    def _accept(self, start: int, attempt: Attempt, around: str | None = None) -> bool:
        """Give out what an attempt brought; False where it turned out to be text. `around`: what `amid` says of it."""
        if not attempt.items and not attempt.as_text:
            self.prose.mark()
            return True
        why = "" if self.nested else self.prose.mentioned() or around or ""
        if not why and attempt.items and self.prose.spoke_ever and not self.number and _unmarked(self.grammar, attempt):
            why = self.prose.denied()
        if attempt.as_text or (why and attempt.items):
            self.owed = ()
            for item in () if attempt.as_text else attempt.items:
                self.problem(mention(item.span, item.name, why))
            self.say(start, attempt.end)
            if why in SHOWN or (attempt.as_text and any(item.outcome is not Outcome.IGNORED for item in attempt.items)):
                self.prose.talk = (why or EXPLAINED, self.prose.length)  # what follows it directly is shown as well
            return False
        doubt = around is not None or (self.grammar.markerless and self.prose.in_sentence)
        self.prose.mark()
        for item in attempt.items:
            self.emit(item, *(("text_around",) if doubt else ()))
        return True


def _unmarked(grammar: Grammar, attempt: Attempt) -> bool:
    """True if no marker says that what was read is a call."""
    return grammar.markerless or any(
        isinstance(item, ParsedCall) and "missing_open_tag" in item.repairs for item in attempt.items
    )


def _repeated(scan: Scanner, at: int, token: str) -> Step[int]:
    """Return where the last of the markers begins that only repeat the one before `at`; -1 if none does."""
    found = -1
    while True:
        start = SPACE.match(scan.text, at).end()  # type: ignore[union-attr]
        if (head := scan.text[start : start + 2]) and not token.casefold().startswith(head.casefold()):
            return found
        start = yield from scan.space(at)
        at = yield from scan.literal(start, token)
        if at < 0:
            return found
        found = start


def _closer(opener: str, known: Mapping[str, str]) -> str:
    """Return what closes a reasoning block; its opener may be in another case."""
    found = known.get(opener)
    if found is None:
        found = next(close for marker, close in known.items() if marker.casefold() == opener.casefold())
    return found
