"""Joins what is left when something was taken out: one gap of white space where there were two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats.marker_search import cut_half

if TYPE_CHECKING:
    from collections.abc import Iterable

WIDEST = 1024
"""So much white space is kept back."""
_TAIL = 100


class Seams:
    """Pieces in (None is a gap), text out. Without gaps the text stays as it is."""

    def __init__(self) -> None:
        self._space = ""
        self._after = ""
        self._gap = False
        self._spoken = False
        self._tail = ""

    @property
    def idle(self) -> bool:
        """Nothing is kept back."""
        return not self._space and not self._gap

    def feed(self, pieces: Iterable[str | None]) -> str:
        """Take pieces; return the text that is certain."""
        out: list[str] = []
        for piece in pieces:
            if piece is None:
                self._space, self._after = _merge(self._space, self._after), ""
                self._gap = True
            elif piece:
                self._text(piece, out)
        text = "".join(out)
        if text:
            self._tail = (self._tail + text[-_TAIL:])[-_TAIL:]
        return text

    def _text(self, piece: str, out: list[str]) -> None:
        ink = piece.lstrip()
        space = piece[: len(piece) - len(ink)]
        if self._gap:
            self._after = _narrow(self._after, space)
            if not ink:
                return
            out.append(_merge(self._space, self._after) if self._spoken else "")
            self._gap, self._after, self._space = False, "", ""
        else:
            self._space += space
            if len(self._space) > WIDEST:
                out.append(self._space[:-WIDEST])
                self._space = self._space[-WIDEST:]
            if not ink:
                return
            out.append(self._space)
        text = ink.rstrip()
        out.append(text)
        self._spoken = True
        self._space = ink[len(text) :]
        if len(self._space) > WIDEST:
            out.append(self._space[:-WIDEST])
            self._space = self._space[-WIDEST:]

    def finish(self) -> str:
        """End of text: white space before a last gap goes with it, unless it shields half a marker."""
        whole_line = len(self._tail) < _TAIL
        exposed = cut_half(self._tail, whole_line, something_before=not whole_line) != self._tail
        space = self._space if not self._gap or exposed else ""
        self._space = self._after = ""
        self._gap = False
        return space


def _narrow(space: str, more: str) -> str:
    joined = space + more
    if len(joined) <= WIDEST:
        return joined
    return joined[:WIDEST] if "\n" in joined[:WIDEST] or "\n" not in joined else joined[: WIDEST - 1] + "\n"


def _merge(before: str, after: str) -> str:
    """Two runs of white space become the one with more newlines; what follows keeps its own indentation."""
    if "\n" not in after:
        return before or after
    if after.count("\n") >= before.count("\n"):
        return after
    return before[: before.rfind("\n") + 1] + after[after.rfind("\n") + 1 :]
