"""Text that repeats itself to the letter: what two rounds brought, all that follow bring as well.

For a whole text that many formats read, as in a survey: a model that is stuck in a loop writes the same calls over and over.
"""

from __future__ import annotations

from itertools import count, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import ParsedCall, ParseProblem, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.formats.kit.scanner import Scanner

_LEAST, _LONGEST = 4096, 1 << 16
"""A text that repeats itself has so many characters at least, and a round of it so many at most."""
_ANCHOR, _TRIES = 48, 256
_WASTE = 4
"""Characters that may be walked in vain for each one that is read: limits of the kit lie above it."""


class Stretch(NamedTuple):
    """Every character of `text[start:end]` is the one that stands a period further on."""

    start: int
    period: int
    end: int


def stretches(text: str) -> tuple[Stretch, ...]:
    """Find where a text repeats itself."""
    found, at = [], 0
    while at + _LEAST < len(text):
        stretch = _stretch(text, at)
        if stretch is not None:
            found.append(stretch)
        at = stretch.end if stretch is not None else at + _LEAST
    return tuple(found)


def _stretch(text: str, at: int) -> Stretch | None:
    anchor, again = text[at : at + _ANCHOR], at
    for _ in range(_TRIES):
        again = text.find(anchor, again + 1, at + _LONGEST + _ANCHOR)
        if again < 0:
            return None
        period = again - at
        end = at + _alike(text, at, again)
        if end - at >= max(_LEAST, 3 * period):
            return Stretch(at, period, end)
    return None


def _alike(text: str, one: int, other: int) -> int:
    """How many characters from two places on are the same, the later of which may be the text's end."""
    size, step, grows = 0, _ANCHOR, True
    while step:
        same = other + size + step <= len(text) and text.startswith(
            text[other + size : other + size + step], one + size
        )
        size += step if same else 0
        grows = grows and same
        step = step * 2 if grows else step // 2
    return size


class _Round(NamedTuple):
    """Where a round begins, and how much was given out before it."""

    place: int
    sizes: tuple[int, ...]
    """Of what is listed in `_brought`."""
    length: int
    attempts: int
    wasted: int
    state: tuple[Any, ...]
    """What decides how reading goes on, without its place."""


class _Brought(NamedTuple):
    """What one round gave out."""

    calls: list[ParsedCall]
    pending: list[ParsedCall]
    problems: list[ParseProblem]
    dropped: list[Span]
    places: list[tuple[int, int]]
    said: list[str]
    reasoning: list[str]

    def moved(self, by: int, grown: int, idents: Iterator[str]) -> _Brought:
        """The same things further on in the reply, and in the text that is given out; calls without an id get the next one."""
        return _Brought(
            [_moved(call, by, ident) for call, ident in zip(self.calls, idents, strict=False)],
            [_moved(call, by, "") for call in self.pending],
            [problem._replace(span=_on(problem.span, by)) for problem in self.problems],
            [_on(span, by) for span in self.dropped],
            [(index + grown, offset + by) for index, offset in self.places],
            self.said,
            self.reasoning,
        )


class Repetition:
    """Watches one scanner and lets it jump over rounds."""

    def __init__(self, found: Sequence[Stretch]) -> None:
        self._left = list(reversed(found))
        self._rounds: list[_Round] = []
        self._wait = found[0].start if found else 0
        """Nothing is to do before this place."""

    def jump(self, scan: Scanner, at: int) -> int:
        """Return where to go on: behind all rounds but the last, if the two before brought the same."""
        place = scan.base + at
        while self._left and place >= self._wait:
            stretch = self._left[-1]
            times = (stretch.end - place) // stretch.period - 1
            if times > 0:
                return at + self._watch(scan, place, stretch.period, times)
            self._left.pop()
            self._rounds, self._wait = [], self._left[-1].start if self._left else 0
        return at

    def _watch(self, scan: Scanner, place: int, period: int, times: int) -> int:
        """Return how much can be jumped over from here."""
        if self._rounds and place != self._rounds[-1].place + period:
            self._rounds = []
        self._rounds, self._wait = [*self._rounds[-2:], _round(scan, place)], place + period
        if len(self._rounds) < 3:
            return 0
        before, last = (_brought(scan, *self._rounds[one : one + 2]) for one in (0, 1))
        first, second, third = self._rounds
        grown, wasted = third.length - second.length, third.wasted - second.wasted
        alike = second.state == third.state and wasted == second.wasted - first.wasted <= _WASTE * period
        if not alike or before.moved(period, grown, repeat("")) != last:
            return 0
        idents = map(scan.grammar.ident, count(len(scan.calls) + 1))
        lists = _lists(scan)
        for time in range(1, times + 1):
            moved: tuple[list[Any], ...] = last.moved(time * period, time * grown, idents)
            for every, more in zip(lists, moved, strict=True):
                every.extend(more)
        scan.attempts += times * (third.attempts - second.attempts)
        scan.wasted += times * wasted
        scan.talk = scan.talk[0], scan.talk[1] + times * grown
        scan.prose.jump(times * period, times * grown)
        self._rounds = []
        return times * period


def _lists(scan: Scanner) -> tuple[list[Any], ...]:
    prose = scan.prose
    return scan.calls, scan.pending, scan.problems, scan.dropped, prose.places, prose.said, scan.reasoning


def _round(scan: Scanner, place: int) -> _Round:
    why, length = scan.talk
    state = (
        scan.failures, scan.mends, scan.pending and id(scan.pending), why and length - scan.prose.length, scan.prose.pace(place),
    )  # fmt: skip
    sizes = tuple(map(len, _lists(scan)))
    return _Round(place, sizes, scan.prose.length, scan.attempts, scan.wasted, state)


def _brought(scan: Scanner, one: _Round, two: _Round) -> _Brought:
    lists = [every[low:high] for every, low, high in zip(_lists(scan), one.sizes, two.sizes, strict=True)]
    made = map(scan.grammar.ident, count(one.sizes[0] + 1))
    lists[0] = [call._replace(id="") if call.id == ident else call for call, ident in zip(lists[0], made, strict=False)]
    return _Brought(*lists)


def _on(span: Span, by: int) -> Span:
    start, end, source = span
    return _made(Span, (start + by, end + by, source))


def _moved(call: ParsedCall, by: int, ident: str) -> ParsedCall:
    name, arguments, own, outcome, repairs, whole, named, body, form = call
    spans = _on(whole, by), _on(named, by), _on(body, by)
    return _made(ParsedCall, (name, arguments, own or ident, outcome, repairs, *spans, form))


_made = tuple.__new__
"""Makes a named tuple at half the price: of these there are many."""
