"""What may begin something other than text: one search for all of it, and how much of a tail must be held back."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Pattern = re.Pattern[str]
Match = re.Match[str]
_NEVER = re.compile(r"(?!)")
_BACK = 256
"""No opener has more before the character that gives it away."""
_PIECE = 1024
"""So much is looked through at first, and twice as much after each piece in vain."""
_LITERAL_SETS = 2048
"""So many sets of literals are kept compiled: all formats' own (about 700), and those that hold a reply's names."""
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def prefix_regex(literals: Iterable[str]) -> str:
    """Return a regex for every non-empty proper prefix of the literals."""
    tree: dict[str, dict[str, object]] = {}
    for literal in literals:
        node = tree
        for char in literal[:-1]:
            node = node.setdefault(char, {})  # type: ignore[assignment]
    return _branches(tree)


def _branches(tree: Mapping[str, object]) -> str:
    parts = []
    for char, below in tree.items():
        inner = _branches(below) if isinstance(below, dict) and below else ""
        parts.append(re.escape(char) + (f"(?:{inner})?" if inner else ""))
    return "|".join(parts)


def any_of(literals: Sequence[str]) -> str:
    """A regex for any of the literals. Their letters have two cases: what merely folds to them (the Kelvin sign) is text.

    A look at the first character spares a try of every literal at every place.
    """
    firsts = "".join(sorted({char for text in literals for char in (text[0].lower(), text[0].upper())}))
    return f"(?=(?-i:[{re.escape(firsts)}]))(?a:{'|'.join(map(re.escape, literals))})"


def _begun(literals: Sequence[str]) -> str:
    """A regex for a proper prefix of any of the literals."""
    return f"(?a:{prefix_regex(text.translate(_LOWER) for text in literals)})"


def _one_branch(regex: str) -> bool:
    """True if a pattern has no alternatives at its top level, so that what it begins with holds for all of it."""
    depth, escaped, inside = 0, False, False
    for char in regex:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif inside:
            inside = char != "]"
        elif char == "[":
            inside = True
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and not depth:
            return False
    return True


class Openers:
    """Markers by kind. `literals` maps text to kind; `patterns` are `(kind, regex, regex of its prefixes)`."""

    def __init__(
        self, literals: Mapping[str, str], patterns: Sequence[tuple[str, str, str]] = (), *, reach: int = 64,
        spots: str | None = None, line: str = "",
    ) -> None:  # fmt: skip
        """`spots`: characters of which every pattern holds one; None: nothing is known of them. `line`: a regex for how the
        lines begin at which a pattern may match that holds none of them."""
        self.literals = dict(literals)
        self._kinds = {literal.casefold(): kind for literal, kind in literals.items()}
        ordered = sorted(literals, key=len, reverse=True)
        parts = [any_of(ordered)] if ordered else []
        for at_line, group in groupby(patterns, key=lambda item: item[1].startswith("^") and _one_branch(item[1])):
            named = "|".join(f"(?P<{kind}>{regex.removeprefix('^') if at_line else regex})" for kind, regex, _ in group)
            parts.append(f"^(?:{named})" if at_line else named)  # a line's start is looked for once
        self._sought = "|".join(parts) or r"(?!)"
        firsts = {form for literal in literals for form in (literal[0].lower(), literal[0].upper())}
        every = "".join(sorted(firsts | set(spots or "")))
        self._spot = (
            re.compile(f"[{re.escape(every)}]" if every else r"(?!)") if spots is not None or not patterns else None
        )
        """Where an opener may be, but for what may stand before this character of it."""
        self._lines = (re.compile(rf"\n(?i:{line})"), re.compile(line, re.IGNORECASE)) if line else None
        self.reach = max([reach if patterns else 0, *map(len, literals)])
        """How many characters at the end may have to be held back."""
        holds = [_begun(ordered)] if ordered else []
        holds += [hold for _, _, hold in patterns if hold]
        holds += [r"^[ \t]{1,20}"] if patterns else []
        self._held = holds

    @cached_property
    def _search(self) -> Pattern:
        """Made when it is first asked for: most formats' are not, in a process that reads one reply."""
        return re.compile(self._sought, re.IGNORECASE | re.MULTILINE)

    @cached_property
    def _hold(self) -> Pattern:
        return re.compile(f"(?:{'|'.join(self._held) or '(?!)'})\\Z", re.IGNORECASE | re.MULTILINE)

    def kind(self, match: re.Match[str]) -> str:
        """Return the kind of what `search` found."""
        return match.lastgroup or self._kinds[match.group().casefold()]

    def search(self, text: str, at: int = 0, end: int | None = None) -> Match | None:
        """Find the next opener."""
        if self._spot is not None:
            first = self._first(text, at)
            if first < 0:
                return None
            at = max(at, first - _BACK)
        return self._search.search(text, at) if end is None else self._search.search(text, at, end)

    def _first(self, text: str, at: int) -> int:
        """Where from `at` on a telling character stands, or a line that may begin with an opener; -1: nowhere.

        It is looked for piece by piece: what is far behind the next one must not be looked through for each of many.
        """
        assert self._spot is not None
        if self._lines is not None and at == 0 and self._lines[1].match(text):
            return 0
        low, size = at, _PIECE
        while True:
            spot = self._spot.search(text, low, low + size)
            high = spot.start() if spot is not None else low + size
            line = self._lines[0].search(text, max(low - 1, 0), high + _BACK) if self._lines is not None else None
            if line is not None and (spot is None or line.start() < high):
                return line.start()
            if spot is not None:
                return high
            low, size = low + size, size * 2
            if low >= len(text):
                return -1

    def match(self, text: str, at: int = 0) -> Match | None:
        """Return the opener that stands right here."""
        return self._search.match(text, at)

    def hold(self, text: str, at: int) -> int:
        """Return where the tail begins that may grow into an opener; the text's length if there is none."""
        found = self._hold.search(text, max(at, len(text) - self.reach))
        return len(text) if found is None else found.start()


@lru_cache(maxsize=_LITERAL_SETS)
def growing(*literals: str) -> frozenset[str]:
    """Return those of the literals, in lower case, that may go on as a longer one."""
    every = {text.lower() for text in literals}
    return frozenset(one for one in every if any(other != one and other.startswith(one) for other in every))


@lru_cache(maxsize=_LITERAL_SETS)
def finder(*literals: str) -> tuple[Pattern, Pattern, int]:
    """Return a search for any of the literals, one for their prefixes at the end of a text, and the longest length."""
    if not literals:
        return _NEVER, _NEVER, 0
    ordered = sorted(literals, key=len, reverse=True)
    search = re.compile(any_of(ordered), re.IGNORECASE)
    hold = re.compile(f"(?:{_begun(ordered)})\\Z", re.IGNORECASE)
    return search, hold, len(ordered[0])
