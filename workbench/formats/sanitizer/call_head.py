"""The beginning of a call's body: a name, inner markers, a fence, and where the arguments start.

get_weather\\n{…}    function<｜tool▁sep｜>get_weather\\n```json\\n{…}    get_weather[CALL_ID]a1B2c3D4e[ARGS]{…}    call:get_weather{…}
"""

from __future__ import annotations

import re
from typing import NamedTuple

from workbench.formats.kit.prefix_patterns import cls, lit, seq
from workbench.formats.sanitizer.marker_search import marker_at, unfinished

NAME = re.compile(r"[A-Za-z_][\w.:\-/]{0,120}+")
FENCE = re.compile(r"(?:```|~~~)[\w\-]{0,20}+\s{0,16}+")
FENCE_BEGUN = re.compile(r"(?:`{1,2}|~{1,2}|(?:```|~~~)[\w\-]{0,20}\s{0,16})\Z")
_LIST = seq(lit("["), cls(r"\s", 0, 64), cls("[A-Za-z_]", 1, 1), cls(r"[\w.]", 0, 80), cls(r"\s", 0, 8), lit("("))
LIST_OF_CALLS = re.compile(_LIST.full)
_LIST_BEGUN = re.compile(_LIST.partial)
_SPACE = re.compile(r"\s{0,64}+")


class CallHead(NamedTuple):
    """What stands before the arguments."""

    end: int
    """Where the arguments start, if there are any."""
    name: str
    fenced: bool
    telling: bool
    """It can be nothing but the head of a call, even where nothing follows."""


def skip_space(text: str, at: int) -> int:
    """Return the offset behind white space."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def read_head(text: str, at: int, final: bool, *, named: bool) -> CallHead | None:
    """Read a head (a name only if `named`); None while more text is needed to tell."""
    place, name, inner = skip_space(text, at), "", False
    for _ in range(4):
        found = NAME.match(text, place) if named else None
        if found:
            name = name or found.group()
            place = skip_space(text, found.end())
        if place >= len(text) or text[place] not in "<＜[":
            break
        if not final and unfinished(text, place):
            return None
        mark = marker_at(text, place)
        if mark is None or not (mark.marker.group == "inner" or text[place : mark.end] == "[ARGS]"):
            break
        inner = True
        place = skip_space(text, mark.end)
    fence = FENCE.match(text, place)
    if not final and (place >= len(text) or FENCE_BEGUN.match(text, place)):
        return None
    place = fence.end() if fence else place
    if not final and (_LIST_BEGUN.match(text, place) or unfinished(text, place)):
        return None
    return CallHead(place, name, fence is not None, inner or re.search(r"[_.:]", name) is not None)
