"""Tags side by side and nothing else, as models write objects and lists inside a value.

<item>46.6</item><item>1.9</item>        <0>349</0><1>493</1>        <mode>fast</mode><depth>2</depth>
"""

from __future__ import annotations

import re
from functools import lru_cache

_OPEN = re.compile(r"\s*+<([\w.\-]{1,64})>")
_LONGEST = 200_000


def children(text: str) -> list[tuple[str, str]]:
    """Return names and contents of the tags; none at all where anything else stands between them."""
    found: list[tuple[str, str]] = []
    at, end = 0, len(text.rstrip()) if len(text) <= _LONGEST else 0
    while at < end:
        opened = _OPEN.match(text, at, end)
        if opened is None:
            return []
        name, begin = opened.group(1), opened.end()
        level, at = 1, begin
        while level and (tag := _either(name).search(text, at, end)) is not None:
            level, at = level + (-1 if tag.group(1) else 1), tag.end()
        if level:
            return []
        found.append((name, text[begin : at - len(name) - 3]))
    return found


@lru_cache(maxsize=64)
def _either(name: str) -> re.Pattern[str]:
    """Return a pattern for a tag, opening or closing."""
    return re.compile(rf"<(/?){re.escape(name)}>")
