"""Joins what is left when something was taken out: one gap of white space where there were two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats.sanitizer.marker_search import begun, cut_half

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.formats.sanitizer.stage_output import Pieces

WIDEST = 1024
"""So much white space is kept back."""
_TAIL = 100


class GapJoiner:
    """Pieces in (None is a gap), pieces out: the gaps stay, right behind their white space. Without gaps nothing changes."""

    def __init__(self) -> None:
        self._space = ""
        self._after = ""
        self._gap = False
        self._spoken = False
        self._tail = ""

    def feed(self, pieces: Iterable[str | None]) -> Pieces:
        """Take pieces; return those that are certain."""
        out: Pieces = []
        for piece in pieces:
            if piece is None:
                self._space, self._after = self._merged(), ""
                self._gap = True
            elif piece:
                self._text(piece, out)
        return out

    def flow(self, text: str) -> str:
        """Take text without gaps, as `feed` does, only faster."""
        ink = text.rstrip()
        if self._gap or not ink or len(text) - len(ink) > WIDEST:
            return "".join(filter(None, self.feed((text,))))
        kept = self._space + ink
        self._space = text[len(ink) :]
        self._spoken = True
        self._tail = (self._tail + kept[-_TAIL:])[-_TAIL:]
        return kept

    def _text(self, piece: str, out: Pieces) -> None:
        ink = piece.lstrip()
        space = piece[: len(piece) - len(ink)]
        if self._gap:
            self._after = _narrow(self._after, space)
            if not ink:
                return
            self._say(self._merged() if self._spoken else _odd_indent(self._space + self._after), out)
            out.append(None)
            self._gap, self._after, self._space = False, "", ""
        else:
            self._wait(space, out)
            if not ink:
                return
            self._say(self._space, out)
            self._space = ""
        text = ink.rstrip()
        self._say(text, out)
        self._spoken = True
        self._wait(ink[len(text) :], out)

    def _say(self, text: str, out: Pieces) -> None:
        if text:
            out.append(text)
            self._tail = (self._tail + text[-_TAIL:])[-_TAIL:]

    def _wait(self, space: str, out: Pieces) -> None:
        self._space += space
        if len(self._space) > WIDEST:
            self._say(self._space[:-WIDEST], out)
            self._space = self._space[-WIDEST:]

    def _merged(self) -> str:
        """The white space of both sides as one; behind half a marker all of it, or it might fit the other half."""
        if self._space and self._after:
            edge = begun(self._tail, len(self._tail), False)
            if self._tail[edge : edge + 1] in {*"<＜&"}:
                return _narrow(self._space, self._after)
        return _merge(self._space, self._after)

    def rest(self) -> Pieces:
        """End of the text for another stage: what was kept back, and the gap."""
        space = self._merged() if self._spoken or not self._gap else ""
        return [space, None] if self._gap else [space]

    def finish(self) -> str:
        """End of the text: white space before a last gap goes with it, unless it shields half a marker."""
        whole_line = len(self._tail) < _TAIL
        shields = cut_half(self._tail, whole_line, something_before=not whole_line) != self._tail
        return self._space if not self._gap or shields else ""


def _odd_indent(space: str) -> str:
    """The indentation that `space` ends in, if it holds more than blanks: to the other stages what follows begins no line."""
    indent = space[space.rfind("\n") + 1 :]
    return indent if indent.strip(" \t") else ""


def _narrow(space: str, more: str) -> str:
    joined = space + more
    if len(joined) <= WIDEST:
        return joined
    return joined[:WIDEST] if "\n" in joined[:WIDEST] or "\n" not in joined else joined[: WIDEST - 1] + "\n"


def _merge(before: str, after: str) -> str:
    """Two runs of white space become the one with more newlines; what follows keeps its own indentation."""
    if "\n" not in after:
        return before + after if _odd_indent(after) else before or after
    if after.count("\n") >= before.count("\n"):
        return after
    return before[: before.rfind("\n") + 1] + after[after.rfind("\n") + 1 :]
