"""Where broken JSON is given up: at the next marker that is none of a string's text.

A call that a file's text or a prompt quotes is no call, and must not be made because the JSON around it is cut off or broken.
A marker counts as quoted in a string that is closed where the structure goes on; and in one that the reply leaves open, where
the marker begins a call: one that ends a call ends the value too, and so does what follows brackets that close the value, whose
string only lacks its quote.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.formats.kit.json_end import LOOSE_QUOTES, JsonEnd

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_CLOSED = re.compile(r'(?:[^"\\]++|\\.)*+("\s*+(?:[,:}\]]|\Z))?', re.DOTALL)
"""The rest of a string, and its quote where the structure goes on behind it, or the reply ends."""
_CLOSED_LOOSE = {
    quote: re.compile(rf"(?:[^\\{ends}]++|\\.|[{ends}](?!\s*+(?:[,:}}\]/#]|\Z)))*+([{ends}])?", re.DOTALL)
    for quote, ends in LOOSE_QUOTES.items()
}
_NO_BEGIN = (None, "drop", "turn", "result", "unthink")
_MOST = 64
"""So many quoted markers of one value are passed."""


def next_mark(scan: Scanner, at: int, stop: int, boundaries: tuple[str, ...]) -> Step[tuple[int, int] | None]:
    """Return the first of the boundaries that ends the broken value at `at`, which was walked up to `stop`; None: none does."""
    walk, walked = JsonEnd(), at
    found = yield from scan.find(at, *boundaries)
    for _ in range(_MOST):
        if found is None or found[0] >= stop:
            break
        walk.feed(scan.text[walked : found[0]])
        walked, quote = found[0], walk.quote
        if not quote:
            break
        rest = (_CLOSED if quote == '"' else _CLOSED_LOOSE[quote]).match(scan.text, walked)
        assert rest is not None  # the pattern matches nothing too
        end, closed, rest = rest.end(), rest.group(1) is not None, None
        if not closed:
            left_open = end >= len(scan.text) and _begins(scan, found)
            return None if left_open and not _closes(scan.text, at, walked, walk.depth) else found
        found = yield from scan.find(end, *boundaries)
    return found


def _begins(scan: Scanner, mark: tuple[int, int]) -> bool:
    """True if a marker begins a call or stands in one."""
    openers, token = scan.grammar.openers, scan.text[mark[0] : mark[1]]
    match = openers.match(scan.text, mark[0])
    kind = openers.kind(match) if match is not None else None
    return not scan.grammar.ends(token) if kind == "orphan" else kind not in _NO_BEGIN


def _closes(text: str, at: int, end: int, depth: int) -> bool:
    """True if the open string before `end` goes over the brackets that would close the value."""
    start = end
    while (start := text.rfind('"', at, start)) > at and text[:start].endswith("\\"):
        pass
    inside = text[max(start, at) : end].rstrip()
    if inside.endswith(">") and (tag := inside.rfind("<")) >= 0:  # what opens the section of the call that follows
        inside = inside[:tag].rstrip()
    return inside.endswith(("}", "]")) and inside.count("}") - inside.count("{") >= depth
