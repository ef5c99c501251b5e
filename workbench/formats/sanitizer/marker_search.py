"""Finding markers in a text, and what may still become one at its end."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from workbench.formats.kit.labels import LINES
from workbench.formats.kit.markers import Marker
from workbench.formats.sanitizer.format_markers import small
from workbench.formats.sanitizer.marker_table import (
    LONGEST,
    half_label,
    label_matcher,
    label_role,
    label_spot,
    literals,
    matcher,
    role_of,
    trigger,
    trigger_begun,
)

LINKS = 4
"""How many half markers in a row are kept back, in case that all which follow them vanish."""

_NEAR = 256
"""So far is looked at first, and farther while there is nothing: what comes next in a dense text is near."""
_AHEAD = 64
"""More than `trigger` looks at behind a place."""
_BLANKS = re.compile(r"[ \t]*+")


@lru_cache(4)
def _line_with(spot: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(rf"\n[ \t]*+(?={spot})"), re.compile(spot)


class Found(NamedTuple):
    """A marker in a text."""

    start: int
    end: int
    marker: Marker


def next_marker(text: str, at: int, line_blank: bool, *, labels: bool = True) -> Found | None:
    """Return the first marker from `at` on; `line_blank`: only blanks stand before `text` in its line."""
    begin, edge = at, at + _NEAR
    while True:
        found = _next_token(text, begin, edge)
        limit = found.start if found else min(edge, len(text))
        label = _next_label(text, at, line_blank, limit) if labels else None
        if label or found or edge >= len(text):
            return label or found
        begin, edge = edge, edge + 2 * (edge - at)


def _next_token(text: str, begin: int, edge: int) -> Found | None:
    """Return the first marker that is no label and starts before the edge."""
    table = matcher()
    for spot in trigger().finditer(text, begin, edge + _AHEAD):
        if spot.start() >= edge:
            break
        match = table[spot.group()[0]][0].match(text, spot.start())
        if match:
            return Found(match.start(), match.end(), role_of(match.group()))
    return None


def _next_label(text: str, at: int, line_blank: bool, limit: int) -> Found | None:
    full = label_matcher()[0]
    places = [_first_ink(text, 0)] if at == 0 and line_blank else []
    for place in places:
        match = full.match(text, place)
        if match and place < limit:
            return Found(place, match.end(), label_role(match.group()))
    for line in _line_with(label_spot())[0].finditer(text, at, limit):
        match = full.match(text, line.end())
        if match:
            return Found(line.end(), match.end(), label_role(match.group()))
    return None


def _first_ink(text: str, line_start: int) -> int:
    match = _BLANKS.match(text, line_start)
    return match.end() if match else line_start


def begun(text: str, end: int, line_blank: bool) -> int:
    """Return where the first marker starts that `text[:end]` ends in the midst of (or might go on); `end` if none."""
    return min(token_begun(text, end), label_begun(text, end, line_blank))


def token_begun(text: str, end: int) -> int:
    """The same without labels; where the front of a text goes, up to that place at most, the place stays the same."""
    table = matcher()
    for spot in trigger_begun().finditer(text, max(0, end - LONGEST), end):
        if table[spot.group()][1].match(text, spot.start(), end):
            return spot.start()
    return end


def label_begun(text: str, end: int, line_blank: bool) -> int:
    """The same for labels; a pair of them stands on several lines."""
    spot, first, stop = _line_with(label_spot())[1], end, end
    for _ in range(LINES):
        line = text.rfind("\n", 0, stop) + 1
        place = _first_ink(text, line) if line or line_blank else end
        if place < first and spot.match(text, place, end) and label_matcher()[1].match(text, place, end):
            first = place
        if not line:
            break
        stop = line - 1
    return first


def chain(text: str, end: int, line_blank: bool) -> tuple[int, bool]:
    """Follow half markers that touch each other back from `end`; return the start, and whether there may be more."""
    for _ in range(LINKS):
        before = begun(text, end, line_blank)
        if before == end:
            return end, False
        end = before
    return end, True


def _is_half(piece: str) -> bool:
    """Tell whether an unfinished marker at the very end of a text is worth removing (a lone `[` or `f` is not)."""
    head = piece[0]
    if head in "<＜":
        return not piece[1:2].isspace() or len(piece) > 3
    if len(piece) > 1 and not piece.isalnum() and any(text.startswith(small(piece)) for text in literals()):
        return True
    return len(piece) >= {"t": 5, "`": 4, ">": 4, "&": 2, "[": 2, "]": 2}.get(head, len(piece) + 1)


def cut_half(text: str, line_blank: bool, *, something_before: bool) -> str:
    """Remove unfinished markers from the end of a text."""
    while text:
        start = token_begun(text, len(text))
        if start == len(text) or not _is_half(text[start:]):
            start = label_begun(text, len(text), line_blank)
            before = something_before or bool(text[:start].strip())
            if not before or half_label().fullmatch(text, start) is None:
                break
        text = text[:start]
    return text


def marker_at(text: str, at: int) -> Found | None:
    """Return the marker that starts exactly here."""
    table = matcher().get(text[at : at + 1])
    found = table[0].match(text, at) if table else None
    return Found(found.start(), found.end(), role_of(found.group())) if found else None


def unfinished(text: str, at: int) -> bool:
    """Tell whether the text ends in the midst of a marker that starts here (or might go on)."""
    table = matcher().get(text[at : at + 1])
    return table is not None and len(text) - at <= LONGEST and table[1].match(text, at) is not None
