"""What stands behind an opening marker, and where it ends.

Structure decides. A call-shaped body (JSON, bracketed call, named head) goes to its structural end, and a closing
marker inside one of its strings means nothing. Anything else is a block only if its closing marker comes; if it does
not come, all of it is given back as text: an opening marker alone never swallows what follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

from workbench.formats.kit.json_end import End
from workbench.formats.kit.markers import Marker
from workbench.formats.sanitizer.body_scan import JsonScan, PairScan
from workbench.formats.sanitizer.call_head import FENCE, FENCE_BEGUN, LIST_OF_CALLS, NAME, read_head, skip_space
from workbench.formats.sanitizer.marker_search import Found, begun, marker_at, next_marker, unfinished
from workbench.formats.sanitizer.marker_table import LONGEST

LIMITS = {"think": 1 << 20, "head": 80}
LIMIT = 1 << 16
"""So many characters a block may have whose body has no structure."""
STRING_LIMIT = 1 << 20

_CALL_GROUPS = frozenset({"toolcall", "functioncall", "tooluse", "toolcode", "[toolcall", "[functioncall"})
_BARE = frozenset({"bare", "called", "functools", "call:"})
"""Openers that nothing closes: a body by structure, or none."""
_RESULT_GROUPS = frozenset({"toolresponse", "toolresult", "tooloutput", "functionresult", "functionresponse"})
_FENCE_END = re.compile(r"\s{0,16}+(?:```|~~~)")
_FENCE_END_BEGUN = re.compile(r"\s{0,16}+(?:`{0,2}|~{0,2})\Z")
_JUNK = re.compile(r"\s{0,64}+(?:[}\]);,]\s{0,16}+){0,4}+")
_BELOW = re.compile(r"\n[ \t]{0,16}+")
_BRACES = re.compile(r"[}\]]{0,16}+")
_FEW = 32
_ROUND = re.compile(r"\s{0,4}+(?:\)?\]|\*{5,80}+)")
"""What closes a label around a call, or the line of stars below one."""
_ROUND_LIMIT = 90
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_CODE = re.compile(r"\s*[A-Za-z_][\w.]*\(")


class Where(Enum):
    """How far a body was read."""

    MORE = "more"
    OVER = "over"
    """The body ends at the returned offset."""
    BACK = "back"
    """It was no body from `StructuredBody.given` on: that text, and what follows the offset, is text again."""


Result = tuple["Where | None", int]
Step = Callable[[str, int, bool], Result]


class _Eaten:
    """What a structured body used up: how it began, whether in several lines, and the white space at its end."""

    def __init__(self) -> None:
        self.first = ""
        self.lines = False
        self._space: list[str] = []

    def add(self, text: str) -> None:
        """Take what was used up now."""
        self.first += text[: _FEW - len(self.first)]
        self.lines = self.lines or "\n" in text
        ink = text.rstrip()
        if ink:
            self._space.clear()
        self._space.append(text[len(ink) :])

    @property
    def space(self) -> str:
        """All of it, however it came: the same text must be left whole and in pieces."""
        return "".join(self._space)

    @property
    def rest(self) -> str:
        """What is text again if the body breaks off: white space before the break, and brackets if there was nothing else."""
        return self.space if self.first.strip("[{ \n\t") or len(self.first) == _FEW else self.first


class StructuredBody:
    """The rest of one opened marker; `read` is called with what was not consumed before, plus more."""

    def __init__(self, marker: Marker, *, nested: bool) -> None:
        """`nested`: the opener touched another call marker, or names a recipient, so it is real even where it is cut off."""
        self.given = ""
        self._marker = marker
        self._nested = nested
        self._parts: list[str] = []
        self._count = 0
        self._drop = 0
        self._fenced = False
        self._eaten = _Eaten()
        self._closer = marker.closer or ("```" if marker.group == "fence" else "")
        self._again = marker.body == "call" and marker.group not in _BARE | {"fence"}
        self._scan: JsonScan | PairScan = (
            JsonScan(opened="[", keep=STRING_LIMIT) if marker.group == "functools" else JsonScan(keep=STRING_LIMIT)
        )
        self._read = self._first_step()

    def _first_step(self) -> Step:
        if self._marker.group == "functools":
            return self._structure
        if self._closer:
            return self._to_closer
        steps = {"call": self._start, "result": self._start, "hidden": _hidden, "line": self._labelled}
        return steps.get(self._marker.body, self._search)

    def read(self, text: str, final: bool) -> tuple[Where, int]:
        """Read on; return what it is and the first offset of `text` that is not consumed."""
        at = 0
        while True:
            step = self._read
            where, at = step(text, at, final)
            if where is not None:
                return where, at

    # ---- the beginning: is it call-shaped?

    def _start(self, text: str, at: int, final: bool) -> Result:
        head = read_head(text, at, final, named=self._marker.body == "call")
        if head is None:
            return Where.MORE, at
        self._fenced = head.fenced
        place, name = head.end, head.name
        char = text[place : place + 1]
        if not char and head.telling:
            return Where.OVER, len(text)
        if (char == "[" and LIST_OF_CALLS.match(text, place)) or (char == "(" and name):
            self._scan = PairScan(keep=STRING_LIMIT)
        elif char == "{" and (name.startswith("call:") or self._marker.group == "call:"):
            self._scan = PairScan(delimited=True, keep=STRING_LIMIT)
        elif char not in {"{", "["}:
            return self._no_shape(text, at, place, name)
        self._read = self._structure
        return None, place

    def _no_shape(self, text: str, at: int, place: int, name: str) -> Result:
        if self._marker.group in _BARE:
            return Where.BACK, at
        mark = marker_at(text, place)
        if name and mark and (mark.marker.body == "value" or mark.marker.group == "inner"):
            self._drop = place - at
        self._read = self._search
        return None, at

    # ---- a structured body

    def _structure(self, text: str, at: int, final: bool) -> Result:
        begin, where = at, self._scan.feed(text, at, final=final)
        at = self._scan.at
        self._eaten.add(text[begin:at])
        if where is End.DONE:
            self._read = self._after
            return None, at
        if where is End.BROKEN:
            if self._marker.body == "line" and not self._eaten.lines:
                self._read = self._line
            elif self._marker.body == "line" or self._marker.group in _BARE:
                self.given = self._scan.string.text or self._eaten.space
                return Where.BACK, at
            else:
                self._keep(self._scan.string.text or self._eaten.rest)
                self._read = self._search
            return None, at
        if not final and not self._scan.string.full:
            return Where.MORE, at
        if self._cut_string():
            return Where.BACK, at
        self._scan.string.forget()
        return (Where.OVER if at >= len(text) and final else None), at

    def _cut_string(self) -> bool:
        """A string of the body has no end: what stands after a closing marker or a blank line in it is text."""
        string = self._scan.string.text if self._scan.in_string else ""
        blank = _BLANK_LINE.search(string)
        end = blank.start() if blank else -1
        place = 0
        while end < 0 or place < end:
            found = next_marker(string, place, False, labels=False)
            if found is None:
                break
            if found.marker.role == "close" and _closes(self._marker, found.marker):
                end = found.end if end < 0 else min(found.end, end)
                break
            place = found.end
        self.given = string[end:] if end >= 0 else ""
        return end >= 0

    def _after(self, text: str, at: int, final: bool) -> Result:
        """Behind a complete body: a fence's end, stray closers, a further object, or the closing marker."""
        if self._fenced:
            fence = _FENCE_END.match(text, at)
            if fence is None and not final and _FENCE_END_BEGUN.match(text, at):
                return Where.MORE, at
            at = fence.end() if fence else at
            self._fenced = False
        if self._marker.body == "line":
            return _behind_line(text, at, final)
        if self._marker.group == "called":
            closed = _ROUND.match(text, at)
            more = not final and len(text) - at < _ROUND_LIMIT
            return (Where.MORE, at) if more else (Where.OVER, closed.end() if closed else at)
        junk = _JUNK.match(text, at)
        place = junk.end() if junk else at
        if place >= len(text):
            return (Where.OVER if final else Where.MORE), at
        char = text[place]
        if char == "{" and self._again:
            self._scan = JsonScan(keep=STRING_LIMIT)
            self._read = self._structure
            return None, place
        if isinstance(self._scan, PairScan) and self._again:
            name = NAME.match(text, place)
            if name and name.end() == len(text) and not final:
                return Where.MORE, at
            if name and text[name.end() : name.end() + 1] == "(":
                self._scan = PairScan(keep=STRING_LIMIT)
                self._read = self._structure
                return None, name.end()
        if char == "/" and self._marker.group == "call:":
            if not final and place + 1 == len(text):
                return Where.MORE, at
            return Where.OVER, (place + 2 if text.startswith("/>", place) else at)
        if char in "<＜[&":
            if not final and unfinished(text, place):
                return Where.MORE, at
            mark = marker_at(text, place)
            if mark and (mark.marker.role == "close" or mark.marker.group in {"inner", self._marker.group}):
                return Where.OVER, place
        return Where.OVER, at

    # ---- bodies that only their closing marker ends

    def _search(self, text: str, at: int, final: bool) -> Result:
        limit = LIMITS.get(self._marker.body, LIMIT)
        tail = _Tail(text, final)
        while True:
            found = next_marker(text, at, False, labels=self._marker.group == "phrase")
            edge = tail.edge(at, found)
            if found is None or edge <= found.start:
                self._keep(text[at:edge])
                if self._count > limit or final:
                    return self._unclosed(edge, final)
                return Where.MORE, edge
            if self._count + found.start - at > limit:
                return self._unclosed(at, final=False)
            end = self._judge(found)
            if end == -1:
                return self._unclosed(at, final=False)
            if end is not None:
                return Where.OVER, end
            self._keep(text[at : found.end])
            at = found.end

    def _keep(self, piece: str) -> None:
        self._parts.append(piece)
        self._count += len(piece)

    def _judge(self, found: Found) -> int | None:
        """Return where the body ends, -1 if it never began, None to read on."""
        marker = found.marker
        if marker.role == "close" and _closes(self._marker, marker):
            return found.end
        if marker.group == self._marker.group == "message":
            return found.start
        if self._marker.body == "value":
            closes_call = marker.role == "close" and marker.body == "" and marker.group not in {"think", "message"}
            return found.start if closes_call or marker.body == "value" else None
        return -1 if marker.role == "open" and marker.group == self._marker.group else None

    def _unclosed(self, at: int, final: bool) -> Result:
        kept = "".join(self._parts)
        real = self._nested and (self._marker.body == "value" or self._marker.group == "message")
        if final and real and not self._eaten.first:
            blank = _BLANK_LINE.search(kept)
            self.given = kept[blank.start() :] if blank else ""
        else:
            self.given = kept[self._drop :] if len(kept) >= self._drop else ""
            at = at if len(kept) >= self._drop else at + self._drop - len(kept)
        return Where.BACK, at

    def _to_closer(self, text: str, at: int, final: bool) -> Result:
        end, size = text.find(self._closer, at), len(self._closer)
        if end >= 0 and self._count + end - at <= LIMIT:
            return Where.OVER, end + size
        edge = len(text) if final or end >= 0 else max(at, len(text) - size + 1)
        self._keep(text[at:edge])
        if self._count <= LIMIT and not final:
            return Where.MORE, edge
        kept = "".join(self._parts)
        blank = _BLANK_LINE.search(kept)
        code = final and _CODE.match(kept)
        self.given = (kept[blank.start() :] if blank else "") if code else kept
        return Where.BACK, edge

    # ---- hidden messages and labelled lines

    def _labelled(self, text: str, at: int, final: bool) -> Result:
        place = skip_space(text, at)
        fence = FENCE.match(text, place)
        if not final and (place >= len(text) or FENCE_BEGUN.match(text, place)):
            return Where.MORE, at
        inside = fence.end() if fence else place
        if text[inside : inside + 1] in {"{", "["}:
            self._fenced = fence is not None
            self._read = self._structure
            return None, inside
        name = NAME.match(text, place)
        if name and "\n" in text[at:place]:
            behind = text[name.end() : name.end() + 64]
            alone = behind.lstrip(" \t")[:1]
            if not alone and len(behind) < 64 and not final:
                return Where.MORE, at
            if alone == "\n" or (final and not alone):
                return Where.OVER, name.end()
        self._read = self._line
        return None, at

    def _line(self, text: str, at: int, final: bool) -> Result:
        """Up to the line's end; below an action's name its input may stand without a label."""
        end = text.find("\n", at)
        if end < 0:
            return (Where.OVER if final else Where.MORE), len(text)
        if self._marker.group == "action":
            below = _BELOW.match(text, end)
            if below and below.end() < len(text) and text[below.end()] == "{":
                self._scan = JsonScan(keep=STRING_LIMIT)  # a body may have broken off on the line itself
                self._read = self._structure
                return None, below.end()
            if below and below.end() == len(text) and not final:
                return Where.MORE, end
        return Where.OVER, end


def _hidden(text: str, at: int, final: bool) -> Result:
    tail = _Tail(text, final)
    while True:
        found = next_marker(text, at, False, labels=False)
        edge = tail.edge(at, found)
        if found is None or edge <= found.start:
            return (Where.OVER if final else Where.MORE), edge
        if found.marker.group == "message":
            return Where.OVER, found.end if found.marker.role == "close" else found.start
        at = found.end


def _behind_line(text: str, at: int, final: bool) -> Result:
    """Take stray braces behind a labelled body."""
    junk = _BRACES.match(text, at)
    end = junk.end() if junk else at
    return (Where.MORE, at) if end == len(text) and not final else (Where.OVER, end)


def _closes(opener: Marker, marker: Marker) -> bool:
    """Tell whether a closing marker ends what the opener began."""
    if marker.group == opener.group:
        return True
    if opener.body == "result":
        return marker.group in _RESULT_GROUPS or marker.group == "message"
    return opener.group in _CALL_GROUPS and marker.group in _CALL_GROUPS


class _Tail:
    """The end of a text, where a marker may have begun; it is looked at once, and only if need be."""

    def __init__(self, text: str, final: bool) -> None:
        self._text = text
        self._begun = len(text) if final else -1

    def edge(self, at: int, found: Found | None) -> int:
        """Return up to where the text is certain (anything beyond `found` will do, if that is certain)."""
        if found is not None and found.start + LONGEST < len(self._text):
            return len(self._text)
        if self._begun < 0:
            self._begun = begun(self._text, len(self._text), False)
        return max(at, self._begun)
