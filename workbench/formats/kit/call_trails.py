"""Calls that follow one another in a whole text, as the first scanner read them that came by: the next one takes them over.

Formats that read the same text and know the same calls by the same head (`alike_calls`) find the same arguments and spans in
the same places. They differ in what they say of them: the outcome, the repairs, whose form it is, and the ids. What stands between
such calls is the same text for all of them, where it was preceded by the same.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Outcome, ParsedCall

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

_made = tuple.__new__


class Trail:
    """Calls written in one way, directly one behind the other."""

    __slots__ = ("_calls", "_ident", "_number", "stop")

    def __init__(self, ident: Callable[[int], str] | None, number: int) -> None:
        """`ident` makes the calls' ids, of which the first has this number; None: they have none yet."""
        self._calls: list[ParsedCall] = []
        self._ident, self._number = _plain(ident), number
        self.stop = -1
        """Where in the text the last one ends."""

    def add(self, call: ParsedCall, stop: int) -> None:
        """Take a further call, which ends at `stop`."""
        self._calls.append(call)
        self.stop = stop

    def calls(
        self, ident: Callable[[int], str] | None, number: int, outcome: Outcome, repairs: tuple[str, ...], form: str
    ) -> list[ParsedCall]:
        """Return the calls as another format gives them out; `number` is that of the first."""
        every = self._calls
        if _plain(ident) is not self._ident or number != self._number:
            idents = map(ident, count(number)) if ident is not None else [""] * len(every)
            return [
                _made(ParsedCall, (*call[:2], own, outcome, repairs, *call[5:8], form))
                for call, own in zip(every, idents, strict=False)
            ]
        _, _, _, *same, _, _, _, same_form = every[0]
        if same == [outcome, repairs] and same_form == form:
            return every[:]
        return [_made(ParsedCall, (*call[:3], outcome, repairs, *call[5:8], form)) for call in every]


def _plain(ident: Callable[[int], str] | None) -> object:
    """What tells ways of making ids apart: the function, whichever grammar it is asked of."""
    return getattr(ident, "__func__", ident)


class Stand(NamedTuple):
    """How the text that was given out stands directly behind a call."""

    at: int
    """Where in the reply the call ends."""
    state: tuple[Hashable, ...]
    """What decides about the text that follows."""
    said: int
    places: int
    length: int
    """How much there is of it."""


class Leg(NamedTuple):
    """Text between two calls that no format takes for a mention, as it was given out."""

    state: tuple[Hashable, ...]
    """How what was given out before it stood."""
    start: int
    """Where in the reply the call behind it begins."""
    said: list[str]
    places: list[tuple[int, int]]
    """As in `Prose`, with indexes that begin where this text does."""
    length: int
    gap: tuple[tuple[str, ...], int, bool]
    """White space that waits behind it."""
    next: int


class Trails:
    """The trails of one whole text, by how their calls are written, and where in the text they begin."""

    def __init__(self) -> None:
        self._known: dict[Hashable, dict[int, Trail]] = {}
        self.legs: dict[int, Leg] = {}
        """What stands between calls, by where the call before it ends."""

    def of(self, written: Hashable) -> dict[int, Trail]:
        """Return the trails of calls that are written so, and mean the same arguments in the same places."""
        return self._known.setdefault(written, {})
