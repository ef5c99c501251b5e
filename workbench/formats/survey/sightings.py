"""Which formats can find anything of their own in a text: the others read it alike, so one reading serves them all.

What a format looks for is searched in the text first, each marker once for all formats. A format of which nothing is found
gives no call and no problem; its reading depends on the habits that it shares with others: reasoning, turn tokens, fences.
"""

from __future__ import annotations

import gc
import re
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from workbench.formats.kit.grammar import Grammar
from workbench.formats.kit.repetition import Repetition, stretches
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.unread import begun_at_end

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from workbench.core.calls import ParseResult
    from workbench.core.protocols import Format
    from workbench.core.tools import ToolSpec


@lru_cache(maxsize=256)
def _signs(grammar: Grammar) -> tuple[tuple[str, ...], tuple[re.Pattern[str], ...]]:
    """Return what begins a call or stands in one: texts in lower case, and patterns."""
    texts = tuple(dict.fromkeys(marker.lower() for marker in (*grammar.nested.literals, *grammar.inside())))
    return texts, tuple(re.compile(regex, re.IGNORECASE | re.MULTILINE) for _, regex, _ in grammar.patterns())


class Sightings:
    """One text, and which markers stand in it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._low = text.lower()
        self._texts: dict[str, bool] = {}
        self._patterns: dict[re.Pattern[str], bool] = {}

    def has(self, marker: str) -> bool:
        """True if the marker, written in lower case, stands in the text in any case."""
        found = self._texts.get(marker)
        if found is None:
            found = self._texts[marker] = marker in self._low
        return found

    def _matches(self, pattern: re.Pattern[str]) -> bool:
        found = self._patterns.get(pattern)
        if found is None:
            found = self._patterns[pattern] = pattern.search(self._text) is not None
        return found

    def of(self, grammar: Grammar) -> bool:
        """True if the grammar may find an attempt at a call."""
        if type(grammar).openers is not Grammar.openers or type(grammar).nested is not Grammar.nested:
            return True
        texts, patterns = _signs(grammar)
        return any(map(self.has, texts)) or any(map(self._matches, patterns)) or begun_at_end(self._text, grammar) >= 0

    def habits(self, grammar: Grammar) -> Hashable:
        """All that a reading without calls depends on: grammars for which it is equal read this text alike."""
        others = frozenset(
            (marker.lower(), kind) for marker, kind in grammar.openers.literals.items() if self.has(marker.lower())
        )
        blocks = frozenset(
            (opener.lower(), closer.lower())
            for opener, closer in grammar.reasoning.items()
            if self.has(opener.lower()) or self.has(closer.lower())
        )
        fences = grammar.reads_fences and (self.has("```") or self.has("~~~"))
        return others, blocks, grammar.reasoning_labels if blocks else (), fences


class Readings:
    """Reads one text with one format after the other."""

    def __init__(
        self, text: str, tools: Sequence[ToolSpec] | None, reason: str | None = None, *, think_open: bool = False,
        calls_in_reasoning: bool = False,
    ) -> None:  # fmt: skip
        self._text, self._tools, self._reason = text, tools, reason
        self._flags = {"think_open": think_open, "calls_in_reasoning": calls_in_reasoning}
        self._seen = Sightings(text)
        self._stretches = stretches(text)
        self._silent: dict[Hashable, ParseResult] = {}

    def read(self, spec: Format) -> ParseResult:
        """Return what the format's parser gives for the whole text."""
        if type(spec) is not FormatSpec or spec.native or self._seen.of(spec.grammar):
            return self._parsed(spec)
        habits = self._seen.habits(spec.grammar)
        known = self._silent.get(habits)
        if known is not None:
            return replace(known, format=spec.grammar.format)
        result = self._parsed(spec)
        if not (result.calls or result.problems):
            self._silent[habits] = result
        return result

    def _parsed(self, spec: Format) -> ParseResult:
        parser = spec.parser(self._tools, **self._flags)
        if isinstance(parser, Scanner):
            parser.watch = "own"
            parser.jump = Repetition(self._stretches).jump if self._stretches else None
        with _no_collection():
            parser.feed(self._text)
            parser.finish(self._reason)
            return parser.result()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Thousands of calls are made that stay: looking for garbage among them again and again would double the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
