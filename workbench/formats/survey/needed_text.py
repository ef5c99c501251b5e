"""What a text must hold where a pattern shall match: looked for first, as a search for plain text is many times as fast."""

from __future__ import annotations

import re
from functools import lru_cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


@lru_cache(maxsize=512)
def needed(pattern: re.Pattern[str]) -> frozenset[str]:
    """Return texts in lower case of which every match holds one, or is followed by one; none where nothing is known."""
    return _of(_parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE))


def _of(parsed: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    found: list[frozenset[str]] = []
    run = ""
    for code, value in parsed:
        if code is op.LITERAL:
            run += chr(value).lower()
            continue
        found.append(frozenset((run,)))
        run = ""
        if code is op.BRANCH:
            found.append(_any(value[1]))
        elif code in (op.SUBPATTERN, op.ATOMIC_GROUP) or (code is op.ASSERT and value[0] > 0):
            found.append(_of(value[-1] if code is not op.ATOMIC_GROUP else value))
        elif code in _REPEATS and value[0]:
            found.append(_of(value[2]))
    return max((*found, frozenset((run,))), key=_least) - {""}


def _any(branches: Iterable[Iterable[tuple[Any, Any]]]) -> frozenset[str]:
    every = [_of(branch) for branch in branches]
    return frozenset().union(*every) if all(every) else frozenset()


def _least(texts: frozenset[str]) -> int:
    return min(map(len, texts), default=0)
