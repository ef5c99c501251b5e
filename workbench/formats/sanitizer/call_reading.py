"""The body of a call, read by the grammars that own its opener: what the parser takes for the call is what goes.

Each grammar reads the whole of it until one finds a call. How much of that was in vain is counted in whole pieces, so that
it is the same however the text was cut: where it becomes too much, structure alone decides.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from workbench.formats.kit.attempt_end import AttemptEnd, begins_call
from workbench.formats.kit.grammar import Grammar
from workbench.formats.sanitizer.call_body import Where
from workbench.formats.sanitizer.marker_table import CACHES, all_formats

if TYPE_CHECKING:
    from workbench.core.protocols import Format

_LIMIT = 1 << 20
"""A call that is longer is left to the reader of bodies without a grammar."""
_PIECE = 256
"""Grammars are fed no more than this at once, and what they read in vain is counted by so much."""
_TRY = 512
"""What a grammar costs that finds no call at once."""


@lru_cache(1024)
def grammars_for(opener: str) -> tuple[Grammar, ...]:
    """Return the grammars that read a call behind an opener, in table order, each kind of grammar once."""
    found: dict[type, Grammar] = {}
    for spec in all_formats():
        grammar = _grammar(spec)
        if grammar is not None and begins_call(grammar, opener):
            found.setdefault(_reader(type(grammar)), grammar)
    return tuple(found.values())


CACHES.append(grammars_for)


def _grammar(spec: Format) -> Grammar | None:
    grammar = getattr(spec, "grammar", None)
    return grammar if isinstance(grammar, Grammar) and not spec.native else None


def _reader(kind: type) -> type:
    """The class that brings the grammar's habits: one that only renames another reads alike."""
    while len([name for name in vars(kind) if not name.startswith("__") and name != "format"]) == 0:
        kind = kind.__base__ or kind
    return kind


class CallReading:
    """Reads behind one opener; `read` is called with what was not consumed before, plus more."""

    def __init__(self, opener: str) -> None:
        self.given = ""
        """What stands behind the call that was found; all that was read, if none was."""
        self.wasted = 0
        """How many characters were looked at that are no call, in whole pieces."""
        self._opener = opener
        self._grammars = iter(grammars_for(opener))
        self._attempt: AttemptEnd | None = None
        self._parts: list[str] = []
        self._size = 0
        self._begin_next()

    def read(self, text: str, final: bool) -> tuple[Where, int]:
        """Read on; OVER: a call was found, BACK: none was; `given` is text again."""
        at = 0
        while at < len(text) and not self._done:
            part = text[at : at + _PIECE - self._size % _PIECE]
            self._take(part)
            at += len(part)
        while final and not self._done and self._attempt is not None:
            self._attempt.finish()
            self._settle(self._attempt)
        if not self._done:
            return Where.MORE, at
        end = max(0, self._attempt.end - len(self._opener)) if self._attempt is not None else 0
        self.given = "".join(self._parts)[end:]
        return (Where.BACK if self._attempt is None else Where.OVER), at

    @property
    def _done(self) -> bool:
        return self._attempt is None or self._attempt.end >= 0

    def _take(self, part: str) -> None:
        self._parts.append(part)
        self._size += len(part)
        if self._size > _LIMIT:
            self._attempt = None
        elif self._attempt is not None and self._attempt.feed(part):
            self._settle(self._attempt)

    def _settle(self, attempt: AttemptEnd) -> None:
        """A grammar has decided: its call stands, or the next grammar reads all of it."""
        self._count(attempt, self._size)
        if attempt.end < 0:
            self._begin_next()

    def _begin_next(self) -> None:
        self._attempt = None
        for grammar in self._grammars:
            attempt, read = AttemptEnd(grammar, self._opener), 0
            for part in self._parts:
                if attempt.decided:
                    break
                read += len(part)
                attempt.feed(part)
            if attempt.decided:
                self._count(attempt, read)
            if not attempt.decided or attempt.end >= 0:
                self._attempt = attempt
                return

    def _count(self, attempt: AttemptEnd, read: int) -> None:
        """Note what was looked at beyond the call or in vain, of all that was `read` but for the last piece begun."""
        read = max(0, read - 1) // _PIECE * _PIECE
        self.wasted += max(0, read - attempt.end + len(self._opener)) if attempt.end >= 0 else read + _TRY
