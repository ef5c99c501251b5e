"""The part of a reply that is still undecided, and how a grammar asks for more of it.

Grammars are generators: they read `window.text` at offsets and `yield from` one of the methods here when they need more.
Each method's answer depends on the text alone, never on how it was cut into pieces, and no piece is searched twice.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import TypeVar

from workbench.core.calls import Span
from workbench.formats.kit.json_end import End, JsonEnd
from workbench.formats.kit.openers import Openers, finder, growing

SHED = 4096
"""So much text may wait although it is done with: letting go of it costs a copy of what follows."""

_NO_JUNK = "{}[]()<\"'`_"
_JUNK = re.compile(r"[^\w\s{}\[\]()<\"'`]{1,2}\s?\{")

T = TypeVar("T")
Step = Generator[None, str | None, T]
"""A generator that is sent pieces of text (None: the end) and returns a T."""

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
"""Characters without width, as they get between tags where text is copied."""
SPACE = re.compile(rf"[\s{INVISIBLE}]*+")
_WORD = re.compile(r"\w*+")
ESCAPES = ("\\n", "\\r", "\\t")
"""White space between tags as JSON writes it: models that copy an encoded call write it so."""
TAIL = 512
"""No marker, tag or name is longer."""
CUT_SHORT = ("length", "max_tokens", "MAX_TOKENS", "model_length")
"""Finish reasons of replies that were cut off by the token limit."""
FAR = 512
"""A search over so many characters is remembered: many openers that all wait for one end shall not look for it each."""


class Window:
    """Undecided text and where it stands in the reply."""

    __slots__ = ("_far", "_stopped", "_walk", "_walked", "base", "closed", "reason", "text", "whole")

    def __init__(self, base: int = 0) -> None:
        self.text = ""
        self.base = base
        """Offset of `text[0]` in the reply."""
        self.closed = False
        """The reply is over: no piece will follow."""
        self.reason: str | None = None
        """The finish reason, once closed."""
        self.whole = False
        """What is there is all that comes, and it was not cut off: nobody waits for what can be said before the end."""
        self._far: dict[re.Pattern[str], tuple[int, int, int]] = {}
        """Searches that went far: from where in the reply, and where the match begins and ends (-1: there is none)."""
        self._walk: JsonEnd | None = None
        """The walk that all pieces go to until it ends."""
        self._walked: list[str] = []
        """Pieces that it walked over."""
        self._stopped = End.MORE
        """How it ended, in the piece that comes next."""

    def span(self, start: int, end: int) -> Span:
        """Return the span of `text[start:end]`."""
        return Span(self.base + start, self.base + end)

    @property
    def cut_short(self) -> bool:
        """True where the reply was cut off by the token limit: then nothing may be completed."""
        return self.closed and self.reason in CUT_SHORT

    def hold(self, openers: Openers, at: int) -> int:
        """Return where the tail begins that may grow into an opener; of a whole text, as soon as one might begin at all."""
        if self.whole or at >= len(self.text):
            return max(at, len(self.text) - openers.reach)
        return openers.hold(self.text, at)

    def slide(self, stop: int, piece: str | None) -> int:
        """Let go of what stands before `stop`, but for one character of context; take a piece; return where `stop` is now."""
        if piece is None:
            self.closed = True
            return stop
        keep = stop - 1 if stop else 0
        self.text = self.text[keep:] + piece
        self.base += keep
        return stop - keep

    def shed(self, at: int) -> int:
        """Let go of what stands before `at` where that is much, but for one character of context; return where `at` is now."""
        if at < SHED or at * 2 < len(self.text):
            return at
        self.text = self.text[at - 1 :]
        self.base += at - 1
        return 1

    def append(self, piece: str) -> None:
        """Add to the text in place: nobody else may refer to the string meanwhile, or all of it is copied."""
        text = self.text
        self.text = ""
        text += piece
        self.text = text

    def tail(self, at: int) -> str:
        """Return what stands from `at` on, as far as any marker or name reaches: a copy of all that follows costs too much."""
        return self.text[at : at + TAIL]

    def more(self) -> Step[bool]:
        """Wait for one more piece; False at the end of the reply."""
        if self.closed:
            return False
        piece = yield
        if piece is None:
            self.closed = True
            return False
        self.append(piece)
        return True

    def space(self, at: int) -> Step[int]:
        """Return the index of the first character from `at` on that is no white space, or the end of the reply."""
        at = SPACE.match(self.text, at).end()  # type: ignore[union-attr]
        if at < len(self.text) or self.closed:
            return at
        at = len(self.text)
        parts: list[str] = []
        while True:
            piece = yield
            if piece is None:
                self.closed = True
                break
            parts.append(piece)
            if not (piece.isspace() or SPACE.fullmatch(piece)):
                break
        self.append("".join(parts))
        return SPACE.match(self.text, at).end()  # type: ignore[union-attr]

    def layout(self, at: int) -> Step[int]:
        """Do as `space`, and pass white space as JSON writes it too where a tag or a bracket stands behind that, or nothing."""
        at = stop = yield from self.space(at)
        while self.text[stop : stop + 1] == "\\":
            after = yield from self.literal(stop, *ESCAPES)
            if after < 0:
                return at
            stop = yield from self.space(after)
        return stop if self.text[stop : stop + 1] in ("<", "{", "[", "") else at

    def brace(self, at: int) -> Step[int]:
        """Return where an object begins behind layout and up to two signs, as damage leaves them; else where the layout ends."""
        at = yield from self.layout(at)
        char = self.text[at : at + 1]
        if char and not char.isalnum() and char not in _NO_JUNK:
            yield from self.at_least(at + 4)
            found = _JUNK.match(self.text, at, at + 4)
            return found.end() - 1 if found is not None else at
        return at

    def past(self, at: int, run: re.Pattern[str]) -> Step[int]:
        """Return where a run of characters ends that begins at `at`: the pattern also matches none and any part of it."""
        while True:
            at = run.match(self.text, at).end()  # type: ignore[union-attr]
            if at < len(self.text) or not (yield from self.more()):
                return at

    def fenced(self, at: int) -> Step[int]:
        """Return where the content of a code fence begins that stands at `at`, behind its label; -1 if none does."""
        inside = yield from self.literal(at, "```")
        return -1 if inside < 0 else (yield from self.space((yield from self.past(inside, _WORD))))

    def at_least(self, size: int) -> Step[bool]:
        """Wait until the text has `size` characters; False if the reply ends before."""
        while len(self.text) < size:
            if not (yield from self.more()):
                return False
        return True

    def literal(self, at: int, *literals: str) -> Step[int]:
        """Return where one of the literals ends that stands at `at` (case does not matter), or -1."""
        search, hold, reach = finder(*literals)
        while True:
            match = search.match(self.text, at)
            if match is not None:
                end, match = match.end(), None
                return end if not self._grows(at, end, literals, reach) else (yield from self._grown(at, search, reach))
            if self.closed or len(self.text) - at >= reach:
                return -1
            if len(self.text) > at and hold.match(self.text, at) is None:
                return -1
            yield from self.more()

    def find(self, at: int, *literals: str) -> Step[tuple[int, int] | None]:
        """Return `(start, end)` of the first of the literals from `at` on, or None if the reply ends before."""
        search, _, reach = finder(*literals)
        found = yield from self.seek(at, search, reach)
        if found is not None and self._grows(*found, literals, reach):
            return found[0], (yield from self._grown(found[0], search, reach))
        return found

    def _grows(self, start: int, end: int, literals: tuple[str, ...], reach: int) -> bool:
        """True if what was found may be the beginning of a longer one, of which too little is there."""
        short = not self.closed and len(self.text) - start < reach
        return short and self.text[start:end].lower() in growing(*literals)

    def _grown(self, start: int, search: re.Pattern[str], reach: int) -> Step[int]:
        yield from self.at_least(start + reach)
        return search.match(self.text, start).end()  # type: ignore[union-attr]

    def within(self, at: int, limit: int, *literals: str) -> Step[tuple[int, int] | None]:
        """Return `(start, end)` of the first of the literals that ends within `limit` characters from `at`, or None."""
        search = finder(*literals)[0]
        while True:
            found = search.search(self.text, at, at + limit)
            if found is not None:
                return found.span()
            if len(self.text) - at >= limit or not (yield from self.more()):
                return None

    def token(self, at: int, pattern: re.Pattern[str], reach: int) -> Step[re.Match[str] | None]:
        """Match a marker that has several spellings, none longer than `reach`, at `at`: all from `<` to the first `>`."""
        yield from self.at_least(at + 1)
        while True:
            match = pattern.match(self.text, at)
            if match is not None or self.text[at : at + 1] != "<" or len(self.text) - at >= reach:
                return match
            if self.text.find(">", at) >= 0:
                return None
            if not (yield from self.more()):
                return None

    def seek(self, at: int, search: re.Pattern[str], reach: int) -> Step[tuple[int, int] | None]:
        """Return `(start, end)` of the pattern's first match, which is never longer than `reach`, or None."""
        known = self._far.get(search) if self._far else None
        if known is not None and known[0] <= self.base + at and (known[1] < 0 or self.base + at <= known[1]):
            return None if known[1] < 0 else (known[1] - self.base, known[2] - self.base)
        found = search.search(self.text, at)
        if found is not None or self.closed:
            return self._noted(search, at, None if found is None else found.span())
        parts: list[str] = []
        size = len(self.text)
        tail = self.text[max(at, size - reach + 1) :]
        while True:
            piece = yield
            if piece is None:
                self.closed = True
                self.append("".join(parts))
                return self._noted(search, at, None)
            parts.append(piece)
            tail += piece
            size += len(piece)
            found = search.search(tail)
            if found is not None:
                self.append("".join(parts))
                shift = size - len(tail)
                return self._noted(search, at, (found.start() + shift, found.end() + shift))
            tail = tail[max(0, len(tail) - reach + 1) :]

    def _noted(self, search: re.Pattern[str], at: int, place: tuple[int, int] | None) -> tuple[int, int] | None:
        """Remember a search that went far."""
        if place is None:
            self._far[search] = (self.base + at, -1, -1)
        elif place[0] - at > FAR:
            self._far[search] = (self.base + at, self.base + place[0], self.base + place[1])
        return place

    def walked(self, piece: str) -> bool:
        """Hand a piece to the walk that waits for it, past all that wait for the walk; False where they have to know."""
        assert self._walk is not None
        self._stopped = self._walk.feed(piece)
        if self._stopped:
            return False
        self._walked.append(piece)
        return True

    def json_end(self, at: int, walk: JsonEnd | None = None) -> Step[tuple[End, int]]:
        """Walk the JSON value at `at`; return how the walk ended and where. Another kind of walk may be given."""
        walk = walk or JsonEnd()
        end = walk.feed(self.text, at)
        if end or self.closed:
            return end, walk.at
        self._walk, self._walked = walk, []
        piece = yield
        while piece is not None:
            end = self._stopped or walk.feed(piece)
            if end:
                break
            self._walked.append(piece)
            piece = yield
        parts, self._walk, self._walked, self._stopped = self._walked, None, [], End.MORE
        self.closed = piece is None
        size = len(self.text) + sum(map(len, parts))
        self.append("".join(parts) + (piece or ""))
        return (End.MORE, size) if piece is None else (end, size + walk.at)
