"""Finds where the calls that an opener begins end: one attempt, read by its format's own grammar while the text arrives."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from workbench.core.calls import Outcome, ParsedCall, ParseProblem
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.toolset import ToolSet

if TYPE_CHECKING:
    from workbench.formats.kit.grammar import Attempt, Grammar
    from workbench.formats.kit.window import Step

_COMPLETED = frozenset({"missing_close_tag", "missing_brace"})
"""Repairs of a call that the end of the text cut off."""
_NOT_OWN = frozenset({"orphan", "drop", "near", "tag", "html", "half", "unopened"})
"""Kinds of markers that begin no call, or another family's."""


def begins_call(grammar: Grammar, opener: str) -> bool:
    """True if the grammar reads a call behind this marker, as its own and not as a near miss."""
    low = opener.casefold()
    found = [(len(text), kind) for text, kind in grammar.literals().items() if low.startswith(text.casefold())]
    if found:
        return max(found)[1] not in _NOT_OWN
    return any(kind not in _NOT_OWN and _compiled(regex).match(opener) for kind, regex, _ in grammar.patterns())


@lru_cache(maxsize=2048)
def _compiled(regex: str) -> re.Pattern[str]:
    """All formats' patterns are more than `re` itself keeps."""
    return re.compile(regex, re.IGNORECASE | re.MULTILINE)


class AttemptEnd:
    """Feed it the text behind `opener`; offsets count from the opener's beginning."""

    def __init__(self, grammar: Grammar, opener: str) -> None:
        self.end = -1
        """Behind the last call that was read; -1: none was, or nothing is decided yet."""
        self.decided = False
        self._scan = Scanner(grammar, ToolSet(None), nested=True)
        self._scan.deferred = True  # no call is given out before its time
        self._scan.text = opener
        match = grammar.nested.match(opener)
        assert match is not None
        self._reading: Step[Attempt | None] = grammar.read(self._scan, match, grammar.nested.kind(match))
        self._send(None, begin=True)

    def feed(self, text: str) -> bool:
        """Take more text, one character at least; True if all is decided."""
        if not self.decided:
            self._send(text)
        return self.decided

    def finish(self) -> None:
        """End of the text: what would have to be completed is no call."""
        if not self.decided:
            self._send(None)

    def _send(self, text: str | None, *, begin: bool = False) -> None:
        try:
            next(self._reading) if begin else self._reading.send(text)
        except StopIteration as done:
            self.decided = True
            self.end = self._end_of(done.value)

    def _end_of(self, attempt: Attempt | None) -> int:
        if attempt is None or attempt.as_text:
            return -1
        calls: list[ParsedCall] = []
        for item in (*self._scan.result().calls, *attempt.items):
            if isinstance(item, ParseProblem):
                if item.outcome is Outcome.IGNORED:
                    continue
                return calls[-1].span.end if calls else -1
            calls.append(item)
        if not calls or (self._scan.closed and not _COMPLETED.isdisjoint(calls[-1].repairs)):
            return -1
        return max(self._scan.base + attempt.end, calls[-1].span.end)
