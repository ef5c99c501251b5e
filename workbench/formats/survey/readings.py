"""One text read by one format after the other: what reads it alike gives one reading.

Two formats differ by what they look for and by their habits. What does not stand in a text cannot tell them apart; nor can a
habit that no reading of it asks for. So a reading notes which parts of its grammar it asked for (`Watched`), and another
format whose parts are the same for this text gets the same reading under its own name.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, cast

from workbench.formats.kit.call_trails import Trails
from workbench.formats.kit.repetition import Repetition, stretches
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.toolset import prepared
from workbench.formats.kit.unread import FRAGMENT
from workbench.formats.kit.window import CUT_SHORT
from workbench.formats.survey.sightings import LONG, LONGEST, Sightings
from workbench.formats.survey.watched_grammar import Watched, alike

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from workbench.core.calls import ParseResult
    from workbench.core.protocols import Format, StreamParser
    from workbench.core.tools import ToolSpec
    from workbench.formats.kit.grammar import Grammar


class _Shared(NamedTuple):
    """A reading, and what it depends on."""

    result: ParseResult
    asked: set[str]
    grammar: Grammar
    left: Sightings | None
    """Of what was left as text, where a marker may arise in it."""

    def named(self, name: str) -> ParseResult:
        """The same reading as another format's."""
        own = self.grammar.format
        calls = tuple(_made(type(call), (*call[:-1], name)) if call[-1] == own else call for call in self.result.calls)
        return replace(self.result, calls=calls, format=name)


_made = tuple.__new__


class Readings:
    """Reads one text with one format after the other."""

    least = LONG
    """In a shorter text, comparing two grammars costs as much as reading it."""

    def __init__(
        self, text: str, tools: Sequence[ToolSpec] | None, reason: str | None = None, *, think_open: bool = False,
        calls_in_reasoning: bool = False,
    ) -> None:  # fmt: skip
        self._text, self._tools, self._reason = text, tools, reason
        self._flags = {"think_open": think_open, "calls_in_reasoning": calls_in_reasoning}
        self._seen = Sightings(text, opened=think_open)
        self._stretches = stretches(text)
        self._trails = Trails()
        self._shared: dict[Hashable, list[_Shared]] = {}
        self._silent: dict[Hashable, tuple[ParseResult, Sightings | None]] = {}

    def read(self, spec: Format) -> ParseResult:
        """Return what the format's parser gives for the whole text."""
        if type(spec) is not FormatSpec or spec.native:
            return self._parsed(spec.parser(self._tools, **self._flags))
        grammar = spec.grammar
        habits = self._seen.silent(grammar)
        if habits is not None and habits in self._silent:
            result, left = self._silent[habits]
            if left is None or not left.left_over(grammar):
                return replace(result, format=grammar.format)
        known = self._shared.setdefault(self._seen.front(grammar), []) if len(self._text) >= self.least else []
        for one in known:
            if alike(one.asked, one.grammar, grammar, self._seen, one.left):
                return one.named(grammar.format)
        asked: set[str] = set()
        watched = cast("Grammar", Watched(grammar, asked)) if len(self._text) >= self.least else grammar
        scan = Scanner(watched, prepared(self._tools), **self._flags)
        scan.settled = self._seen.settled(grammar)
        result = self._parsed(scan)
        left = _left(scan) if result.text != self._text else None
        if habits is not None and not (result.calls or result.problems):
            self._silent.setdefault(habits, (result, left))
        known.append(_Shared(result, asked, grammar, left))
        return result

    def _parsed(self, parser: StreamParser) -> ParseResult:
        if isinstance(parser, Scanner):
            parser.watch = "own"
            parser.share(self._trails)
            parser.jump = Repetition(self._stretches).jump if self._stretches else None
        return _whole(parser, self._text, self._reason)


def read_alone(
    spec: Format, text: str, tools: Sequence[ToolSpec] | None, reason: str | None, flags: Mapping[str, bool]
) -> ParseResult:
    """Read with one format, and tell what none reads: a tool's name in a call's shape, the end of what never began."""
    return _whole(spec.parser(tools, **flags), text, reason)


def _whole(parser: StreamParser, text: str, reason: str | None) -> ParseResult:
    """Read a text that is all there, and for which nobody listens."""
    if isinstance(parser, Scanner):
        parser.whole = reason not in CUT_SHORT
        parser.hush()
    parser.feed(text)
    parser.finish(reason)
    return parser.result()


def _left(scan: Scanner) -> Sightings | None:
    """What stands around the places where pieces that were left as text meet, and at their end: a marker may arise there."""
    thought = scan.reasoning[scan.unclosed[0] :] if scan.unclosed is not None else []
    said = "".join(scan.prose.said), [index for index, _ in scan.prose.places]
    seams, begun, ends = set(), set(), []
    for text, places in (said, ("".join(thought), list(accumulate(map(len, thought))))):
        ends += [text[-LONGEST:]] if text else []
        begun |= {found["part"] for found in (FRAGMENT.match(text, at) for at in places) if found}
        for at in places:
            if text[at - 1 : at] != "\n" != text[at : at + 1]:  # no marker has a line break in it
                seams.add(text[max(at - LONGEST, 0) : at + LONGEST])
    return Sightings("\n".join((*seams, *ends)), ends, begun) if ends else None


@contextmanager
def without_collection() -> Iterator[None]:
    """Thousands of calls are made that stay: looking for garbage among them after each format costs a fifth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
