"""What a parser believed after each piece of a reply: the tape behind the chunk scrubber.

The reply is fed once; the events of every piece are kept. What was believed after piece n follows from the events up
to n, in the same words for every format. Pieces of other sources (reasoning field, native calls) only count as time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import (
    CallGrew,
    CallOpened,
    CallRead,
    ParseResult,
    ProblemRead,
    ReasoningRead,
    Region,
    Span,
    TextRead,
)
from workbench.formats.sanitize import leaked_markers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall, ParseEvent, ParseProblem, RegionRole
    from workbench.core.protocols import Format
    from workbench.core.tools import ToolSpec


_LOOK_BACK = 16_384
"""Characters of a call under way that are looked at: its end is what people watch."""
_KEY = re.compile(r'"((?:[^"\\]|\\.)*)"\s*:\s*')
_WHOLE_VALUE = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s",{}\[\]]+(?=[\s,}]))')
_TOKEN = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*"(?=\s*:))|"(?:[^"\\]|\\.)*"?|(?P<number>(?<![\w.])(?:-?\d[\d.eE+-]*|true|false|null)(?![\w]))'
)
_WRAPPERS = frozenset({"arguments", "parameters", "args", "input", "name"})


class UnfinishedCall(NamedTuple):
    """A call that has begun and is not complete."""

    number: int
    name: str
    arguments: str
    """Raw, as far as told."""


@dataclass(frozen=True, slots=True)
class Belief:
    """What the parser knew at one moment."""

    fed: int
    """Characters that it had seen."""
    text: str
    """Those characters."""
    result: ParseResult
    """Calls, problems, text and reasoning given out so far."""
    open_call: UnfinishedCall | None
    held: int
    """Characters at the end that it had seen and said nothing about, outside of a call under way."""
    state: str
    """In words: `in the text`, `inside call 2, read_file`."""
    regions: tuple[Region, ...] = ()
    """Roles of the characters, as far as they were known."""


@dataclass(slots=True)
class _Told:
    """Events folded up to a moment."""

    calls: list[ParsedCall] = field(default_factory=list)
    problems: list[ParseProblem] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    opened: CallOpened | None = None
    fragments: list[str] = field(default_factory=list)
    covered: int = 0
    """End of all that was told."""
    given: int = 0
    """End of all that was given out: not what is told of a call under way."""
    last: str = ""

    def take(self, event: ParseEvent) -> None:
        """Fold one event in."""
        match event:
            case TextRead(text=text, span=span):
                self.text.append(text)
                self._reach(span.end, "in the text")
            case ReasoningRead(text=text, span=span):
                self.reasoning.append(text)
                self._reach(span.end, "inside reasoning")
            case CallOpened():
                self.opened, self.fragments = event, []
                self.covered = max(self.covered, event.span.end)
            case CallGrew(fragment=fragment):
                self.fragments.append(fragment)
            case CallRead(call=call):
                self.calls.append(call)
                self.opened = None
                self._reach(call.span.end, f"after call {len(self.calls)}")
            case ProblemRead(problem=problem):
                self.problems.append(problem)
                if problem.outcome is not None:
                    self.opened = None
                self._reach(problem.span.end, f"after a problem, {problem.code}")

    def _reach(self, end: int, state: str) -> None:
        self.given = max(self.given, end)
        if end >= self.covered:
            self.covered, self.last = end, state

    @property
    def open_call(self) -> UnfinishedCall | None:
        """The call under way."""
        if self.opened is None:
            return None
        return UnfinishedCall(self.opened.number, self.opened.name, "".join(self.fragments))


class Tape:
    """One reply fed to one format's parser, piece by piece."""

    def __init__(
        self,
        spec: Format,
        pieces: Sequence[str],
        tools: Sequence[ToolSpec] | None = None,
        reason: str | None = None,
        *,
        think_open: bool = False,
        calls_in_reasoning: bool = False,
    ) -> None:
        self._spec = spec
        self.pieces = tuple(pieces)
        parser = spec.parser(tools, think_open=think_open, calls_in_reasoning=calls_in_reasoning)
        self._events = [parser.feed(piece) for piece in self.pieces]
        self._events.append(parser.finish(reason))
        self.result = parser.result()
        self._started_inside = think_open

    def __len__(self) -> int:
        return len(self.pieces)

    def events(self, number: int) -> Sequence[ParseEvent]:
        """What piece `number` (from 0) made certain; the last number is the end of the reply."""
        return self._events[number]

    def after(self, count: int) -> Belief:
        """What was believed after the first `count` pieces; one more than there are: after the end of the reply."""
        told = _Told()
        for events in self._events[:count]:
            for event in events:
                told.take(event)
        text = "".join(self.pieces[:count])
        ended = count > len(self.pieces)
        result = self.result if ended else _result(told, self._spec.id)
        open_call = told.open_call
        held = 0 if ended or open_call is not None else max(len(text) - told.covered, 0)
        state = "the reply has ended" if ended else self._state(told, open_call, text)
        regions = self._spec.regions(text, result) if text else ()
        if not ended:
            regions = _unfinished(regions, text, told, open_call)
        return Belief(len(text), text, result, open_call, held, state, regions)

    def _state(self, told: _Told, open_call: UnfinishedCall | None, text: str) -> str:
        if open_call is not None:
            key = open_argument(open_call.arguments)
            return f"inside call {open_call.number + 1}, {f'argument {key}' if key else open_call.name}"
        tail = text[told.covered :]
        if not text:
            return "inside reasoning" if self._started_inside else "before the first character"
        marks = leaked_markers(tail) if tail.strip() else ()
        whole = [mark for mark in marks if mark.end < len(tail) or tail[mark.end - 1 :][:1] in ">]|"]
        if whole:
            return f"after {tail[whole[-1].start : whole[-1].end]!r}"
        if tail.strip():
            return f"undecided: {tail.strip()[-24:]!r}"
        return told.last or "holding back white space"


def _result(told: _Told, name: str) -> ParseResult:
    return ParseResult(
        tuple(told.calls), "".join(told.text), "".join(told.reasoning), tuple(told.problems), format=name
    )


def open_argument(arguments: str) -> str:
    """The key whose value is being written, where the arguments are JSON; empty between two of them."""
    tail = arguments[-_LOOK_BACK:]
    key = next((match for match in reversed(list(_KEY.finditer(tail))) if match[1] not in _WRAPPERS), None)
    return key[1] if key is not None and not _WHOLE_VALUE.match(tail, key.end()) else ""


def _unfinished(
    regions: tuple[Region, ...], text: str, told: _Told, open_call: UnfinishedCall | None
) -> tuple[Region, ...]:
    """Give roles to what is not given out yet: markers, and the parts of the call under way."""
    at = max(told.given, max((region.span.end for region in regions), default=0))
    marks = [
        Region("marker", Span(at + mark.start, at + mark.end))
        for mark in leaked_markers(text[at:])
        if not text.startswith(("{", "[{"), at + mark.start)  # a call without markers, not a marker
    ]
    more = marks
    if open_call is not None:
        inside = [one for one in _call_regions(text, at, open_call) if not any(_touch(one, mark) for mark in marks)]
        more = sorted([*marks, *inside], key=lambda region: region.span.start)
    return (*regions, *more)


def _touch(one: Region, other: Region) -> bool:
    return one.span.start < other.span.end and other.span.start < one.span.end


def _call_regions(text: str, at: int, call: UnfinishedCall) -> list[Region]:
    name = text.find(call.name, at)
    if name < 0:
        return []
    found = [Region("name", Span(name, name + len(call.name)))]
    begin = max(name + len(call.name), len(text) - _LOOK_BACK)
    begin += text.startswith('"', begin)  # the quotation mark behind the name
    for match in _TOKEN.finditer(text, begin):
        role: RegionRole = "key" if match["key"] else "number" if match["number"] else "string"
        found.append(Region(role, Span(match.start(), match.end())))
    return found


def recut(text: str, size: int) -> tuple[str, ...]:
    """A text in pieces of one size; 0: one piece."""
    if size <= 0:
        return (text,) if text else ()
    return tuple(text[at : at + size] for at in range(0, len(text), size))
