"""Text that repeats itself to the letter: what two rounds brought, all that follow bring as well.

For a whole text that many formats read, as in a survey: a model that is stuck in a loop writes the same calls over and over.
"""

from __future__ import annotations

from itertools import count, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import ParsedCall, ParseProblem, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from workbench.formats.kit.scanner import Scanner

_LEAST, _LONGEST = 4096, 1 << 16
"""A text that repeats itself has so many characters at least, and a round of it so many at most."""
_ANCHOR, _TRIES = 48, 256
_AHEAD = 4096
"""So much of its end is read as ever: an attempt may look so far ahead, and find there that the text ends."""
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
    anchor, least, again = text[at : at + _ANCHOR], text[at : at + _LEAST], at
    for _ in range(_TRIES):
        again = text.find(anchor, again + 1, at + _LONGEST + _ANCHOR)
        if again < 0:
            return None
        if not text.startswith(least, again):
            continue
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
    pending: list[ParsedCall]
    """The list itself: another one is there once the calls in it were given out."""


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

    def repeated(self, period: int, grown: int, times: int, idents: Iterator[str]) -> tuple[Iterable[Any], ...]:
        """All that so many further rounds bring."""
        ways = range(period, (times + 1) * period, period)
        return (
            (_moved(call, by, next(idents)) for by in ways for call in self.calls) if self.calls else (),
            [_moved(call, by, "") for by in ways for call in self.pending] if self.pending else (),
            [one._replace(span=_on(one.span, by)) for by in ways for one in self.problems] if self.problems else (),
            [_on(span, by) for by in ways for span in self.dropped] if self.dropped else (),
            [
                (index + time * grown, offset + by)
                for time, by in enumerate(ways, 1)
                for index, offset in self.places
            ] if self.places else (),
            self.said * times,
            self.reasoning * times,
        )  # fmt: skip


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
            if stretch.end - place >= 2 * stretch.period:
                return at + self._watch(scan, place, stretch)
            self._left.pop()
            self._rounds, self._wait = [], self._left[-1].start if self._left else 0
        return at

    def _watch(self, scan: Scanner, place: int, stretch: Stretch) -> int:
        """Return how much can be jumped over from here. A round takes as many periods as the one before it."""
        period = place - self._rounds[-1].place if self._rounds else 0
        if period % stretch.period:
            self._rounds = []
        elif len(self._rounds) > 1 and period != self._rounds[-1].place - self._rounds[-2].place:
            del self._rounds[:-1]
        self._rounds, self._wait = [*self._rounds[-2:], _round(scan, place)], place + stretch.period
        times = (stretch.end - _AHEAD - place) // period - 1 if period else 0
        if len(self._rounds) < 3 or times < 1 or not _steady(self._rounds, period):
            return 0
        before, last = (_brought(scan, *self._rounds[one : one + 2]) for one in (0, 1))
        _, second, third = self._rounds
        grown, wasted = third.length - second.length, third.wasted - second.wasted
        if before.moved(period, grown, repeat("")) != last:
            return 0
        idents = map(scan.grammar.ident, count(len(scan.calls) + 1))
        for every, more in zip(_lists(scan), last.repeated(period, grown, times, idents), strict=True):
            every.extend(more)
        scan.attempts += times * (third.attempts - second.attempts)
        scan.wasted += times * wasted
        scan.prose.talk = scan.prose.talk[0], scan.prose.talk[1] + times * grown
        scan.prose.jump(times * period, times * grown)
        self._rounds = []
        return times * period


_PENDING = _Brought._fields.index("pending")


def _lists(scan: Scanner) -> tuple[list[Any], ...]:
    prose = scan.prose
    return scan.calls, scan.pending, scan.problems, scan.dropped, prose.places, prose.said, scan.reasoning


def _round(scan: Scanner, place: int) -> _Round:
    why, length = scan.prose.talk
    state = (
        scan.failures, scan.mends, why and length - scan.prose.length, scan.prose.pace(place),
    )  # fmt: skip
    sizes = tuple(map(len, _lists(scan)))
    return _Round(place, sizes, scan.prose.length, scan.attempts, scan.wasted, state, scan.pending)


def _steady(rounds: Sequence[_Round], period: int) -> bool:
    """True if a round leaves all that reading depends on as the one before did, and no limit is met that rises with the place."""
    first, second, third = rounds
    waiting = [one.pending for one in rounds if one.sizes[_PENDING]]
    return (
        second.state == third.state
        and third.wasted - second.wasted == second.wasted - first.wasted <= _WASTE * period
        and third.wasted <= _WASTE * third.place
        and (not waiting or all(one.pending is waiting[0] for one in rounds))
    )


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
