"""A sentinel that stands before every tag, and is damaged before one: `]<]minmax[>[<city>` for `]<]minimax[>[<city>`."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_LEAST = 5
"""So much is left of a sentinel that is known for one."""
_PART = 3
"""So many signs in a row are left of it: comparing takes time, and files of many tags are written, too."""
_REACH = 44
"""Nothing that stands for one is longer."""
_ALIKE = 0.74
_BRACKETS = re.compile(r"\](?:<[^<>\[\]\n]{0,40}>)?\[\Z")
"""The outermost signs alone, or another marker between them."""
_ENTITIES = {"&lt;": "<", "&gt;": ">"}


def bent_sentinels(
    text: str, begin: int, stop: int, sentinel: str, names: Collection[str]
) -> Iterator[tuple[int, int]]:
    """Yield `(start, end)` of what stands for the sentinel before a tag of one of these names; before any tag without names."""
    before = begin
    for tag in _tags(tuple(sorted(names))).finditer(text, begin, stop):
        at = tag.start()
        if not text.endswith(sentinel, begin, at):
            whole = text.rfind(sentinel, before, at)
            first = max(before, at - _REACH, whole + len(sentinel) if whole >= 0 else begin)
            start = _begin(text[first:at], sentinel)
            if start >= 0:
                yield first + start, at
        before = tag.end()


def split_at(text: str, begin: int, stop: int, sentinel: str, bent: Collection[tuple[int, int]]) -> list[str]:
    """Split what stands between two indexes at its sentinels, whole and damaged ones."""
    pieces: list[str] = []
    for start, end in bent:
        pieces.append(text[begin:start])
        begin = end
    pieces.append(text[begin:stop])
    return [part for piece in pieces for part in piece.split(sentinel)]


@lru_cache(maxsize=256)
def _tags(names: tuple[str, ...]) -> re.Pattern[str]:
    name = "|".join(map(re.escape, (*names, "item"))) if names else r"[A-Za-z_][\w.\-]{0,63}"
    return re.compile(rf"</?(?:{name}|invoke)>|<invoke(?=\s)")


def _begin(text: str, sentinel: str) -> int:
    """Return where what is most like the sentinel begins, which the text ends with; -1 if nothing is."""
    best, found = _ALIKE, -1
    parts = (sentinel[at : at + _PART] for at in range(len(sentinel) - _PART + 1))
    for start in range(len(text) - _LEAST + 1 if any(part in text for part in parts) else 0):
        tail = text[start:]
        for entity, sign in _ENTITIES.items():
            tail = tail.replace(entity, sign)
        alike = SequenceMatcher(None, tail, sentinel, autojunk=False).ratio()
        if alike > best:
            best, found = alike, start
    around = _BRACKETS.search(text) if found < 0 else None
    return around.start() if around is not None else found
