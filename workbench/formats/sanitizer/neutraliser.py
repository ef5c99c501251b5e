"""Makes text inert without taking anything away: no marker and no call in it can be read as one any more.

An invisible word joiner (U+2060) stops every pattern and every scanner, so one goes behind the first character of each
marker, and one behind each bracket and each fence character of a call without markers. What is between two joiners was
looked at when they were set, and nothing that contains one is a marker: so the result holds none, by construction.

This is the last stage of the sanitizer. The stages before it take markers out, and what a removal lays bare (two halves
that meet, a body that ends where the text now ends) is mostly taken out by them as well; what is not, is sealed here.
"""

from __future__ import annotations

from workbench.formats.kit.markers import BARRIER
from workbench.formats.sanitizer.bare_call_remover import BareCallRemover
from workbench.formats.sanitizer.marker_search import cut_half, label_begun, next_marker, token_begun
from workbench.formats.sanitizer.marker_table import LONGEST
from workbench.formats.sanitizer.stage_output import Pieces, StageOutput

SLICE = 3072
"""Long texts are read in pieces of this size, so that no step copies more."""


class _MarkerNeutraliser:
    """Puts a joiner into every marker, and behind half a marker at the end."""

    def __init__(self) -> None:
        self._buffer = ""
        self._out = StageOutput()

    @property
    def plain(self) -> bool:
        """Text without the first characters of markers would pass, and change nothing here."""
        return not (self._buffer or self._out.line_blank)

    def feed(self, text: str) -> Pieces:
        for at in range(0, len(text), SLICE):
            self._buffer += text[at : at + SLICE]
            self._run(final=False)
        return self._out.take()

    def finish(self, text: str) -> Pieces:
        last = max(0, len(text) - SLICE)
        out = self.feed(text[:last])
        self._buffer += text[last:]
        self._run(final=True)
        rest = self._buffer
        half = cut_half(rest, self._out.line_blank, something_before=self._out.spoken) != rest
        self._out.emit(rest + BARRIER if half else rest)
        self._buffer = ""
        return out + self._out.take()

    def _run(self, *, final: bool) -> None:
        """Give out all that is certain."""
        begun = -1  # characters behind the place: it is looked for once, as only what stands before it goes below
        while True:
            buffer, blank = self._buffer, self._out.line_blank
            found = next_marker(buffer, 0, blank)
            if found is None or (not final and found.start + LONGEST >= len(buffer)):
                edge = len(buffer)
                if not final:
                    begun = edge - token_begun(buffer, edge) if begun < 0 else begun
                    edge = min(edge - begun, label_begun(buffer, edge, blank))
                if found is None or edge <= found.start:
                    break
            self._out.emit(buffer[: found.start + 1] + BARRIER)
            self._buffer = buffer[found.start + 1 :]
        if not final:
            self._out.emit(buffer[:edge])
            self._buffer = buffer[edge:]


class StreamNeutraliser:
    """Seals a text while it arrives; what was given out is never taken back."""

    def __init__(self) -> None:
        self._markers = _MarkerNeutraliser()
        self._calls = BareCallRemover(inert=True)

    @property
    def plain(self) -> bool:
        """Text without the characters of markers and calls would pass, and change nothing here."""
        return self._markers.plain and self._calls.plain

    def feed(self, text: str) -> str:
        """Take more text; return what is certain."""
        return "".join(filter(None, self._calls.feed(self._markers.feed(text))))

    def finish(self, text: str = "") -> str:
        """End of text, with the last of it: return the rest."""
        rest = self._calls.feed(self._markers.finish(text))
        return "".join(filter(None, [*rest, *self._calls.finish()]))


def make_inert(text: str) -> str:
    """Return `text` with a word joiner in everything that could be read as a marker or a call."""
    return StreamNeutraliser().finish(text)
