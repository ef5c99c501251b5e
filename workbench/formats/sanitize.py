"""What a user may see: text free of every marker of every format, whatever the model did.

`sanitize` removes complete blocks, orphan openers and closers, half markers at the end, turn tokens, reasoning blocks,
labelled lines, and calls that stand in the text without markers. It is idempotent, and a stream gives the same text as
the whole. `neutralise` is the other view: everything stays visible, but no marker works any more. `examine` also says
what was taken out: a call that goes although the format read none is a call that was lost.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.calls import Span
from workbench.formats.sanitizer.bare_call_remover import BareCallRemover
from workbench.formats.sanitizer.gap_joiner import GapJoiner
from workbench.formats.sanitizer.marker_remover import MarkerRemover
from workbench.formats.sanitizer.marker_search import cut_half, next_marker
from workbench.formats.sanitizer.marker_table import LONGEST, label_matcher, matcher, may_hold, stream_quick
from workbench.formats.sanitizer.neutraliser import StreamNeutraliser, make_inert

_WINDOW = 4096


class Sanitized(NamedTuple):
    """A sanitized text, and how much was taken out of it."""

    text: str
    calls: int = 0
    """Blocks of calls, cut off ones too: a side effect that a user might believe in, unless they were read as calls."""
    results: int = 0
    """Results that the model made up."""
    thoughts: int = 0
    """Blocks of reasoning."""
    markers: int = 0
    """Markers alone: openers and closers without a partner, turn tokens."""


class _Taker:
    """Takes out what is no text, stage by stage; where nothing is found, nothing changes."""

    def __init__(self) -> None:
        self._remover = MarkerRemover()
        self._inner = GapJoiner()
        self._markerless = BareCallRemover()
        self._outer = GapJoiner()

    @property
    def plain(self) -> bool:
        """Text without the characters of markers and calls would pass, and change nothing here."""
        return self._remover.plain and self._markerless.plain

    def skim(self, text: str) -> str:
        """Take text that `plain` speaks of."""
        return self._outer.flow(self._inner.flow(text))

    def feed(self, text: str) -> str:
        """Take more text; return what stays of it."""
        return "".join(
            filter(None, self._outer.feed(self._markerless.feed(self._inner.feed(self._remover.feed(text)))))
        )

    def report(self, text: str) -> Sanitized:
        """Say what was taken out so far, for a text that was made of it."""
        taken = self._remover.taken
        calls = taken["call"] + len(self._markerless.taken)
        return Sanitized(text, calls, taken["result"], taken["thought"], taken["marker"])

    def finish(self, text: str = "") -> str:
        """End of the text, with the last of it: return the rest."""
        rest = self._outer.feed(self._markerless.feed(self._inner.feed(self._remover.finish(text))))
        rest += self._outer.feed(self._markerless.feed(self._inner.rest()))
        rest += self._outer.feed(self._markerless.finish())
        return "".join(filter(None, rest)) + self._outer.finish()


class StreamSanitizer:
    """Sanitizes a reply while it arrives; what was given out is never taken back."""

    def __init__(self) -> None:
        self._taker = _Taker()
        self._seal = StreamNeutraliser()

    @property
    def taken(self) -> Sanitized:
        """What was taken out so far (without a text)."""
        return self._taker.report("")

    def feed(self, text: str) -> str:
        """Take more text; return what may be shown of it now."""
        if self._taker.plain and not stream_quick().search(text):
            kept = self._taker.skim(text)
            return kept if self._seal.plain else self._seal.feed(kept)
        return self._seal.feed(self._taker.feed(text))

    def finish(self) -> str:
        """End of the reply: return the rest."""
        return self._seal.finish(self._taker.finish())


def warm_up() -> None:
    """Compile the marker table now (a tenth of a second, once), so that the first reply does not wait for it."""
    matcher()
    label_matcher()


def sanitize(text: str) -> str:
    """Return `text` without any marker; see the module."""
    return examine(text).text


def examine(text: str) -> Sanitized:
    """Sanitize, and say what was taken out."""
    if not may_hold(text):
        return Sanitized(text)
    taker = _Taker()
    kept = taker.finish(text)
    return taker.report(kept if kept == text else make_inert(kept))


def leaked_markers(text: str) -> tuple[Span, ...]:
    """Return where `text` holds what `sanitize` would remove: markers, labels, calls without markers, a half marker.

    Empty exactly where `sanitize(text) == text`.
    """
    spans = _spans(text)
    whole = len(cut_half(text, True, something_before=False)) if spans or may_hold(text) else len(text)
    if whole < len(text):
        spans = _apart([*spans, Span(whole, len(text))])
    return spans


def _spans(text: str) -> tuple[Span, ...]:
    """Return where complete markers and calls without markers stand."""
    if not may_hold(text):
        return ()
    spans = [Span(*place) for place in _markers(text)]
    reader = BareCallRemover()
    for start in range(0, len(text), _WINDOW):
        reader.feed([text[start : start + _WINDOW]])
    reader.finish()
    spans.extend(Span(*place) for place in reader.taken)
    return _apart(spans)


def _markers(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start in range(0, len(text), _WINDOW):
        window = text[start : start + _WINDOW + LONGEST]
        line = text.rfind("\n", 0, start) + 1
        blank = not text[line:start].strip(" \t")
        at = max(0, found[-1][1] - start) if found else 0
        while marker := next_marker(window, at, blank and at == 0):
            if marker.start >= _WINDOW:
                break
            found.append((start + marker.start, start + marker.end))
            at = marker.end
    return found


def _apart(spans: list[Span]) -> tuple[Span, ...]:
    """Sort, and leave out what lies inside of another."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return tuple(kept)


def neutralise(text: str) -> str:
    """Return `text` with every marker visible but inert: an invisible word joiner (U+2060) stands inside of it.

    Nothing is removed, so taking the joiners out gives the text back; `sanitize` leaves the result as it is.
    """
    if not may_hold(text):
        return text
    return make_inert(text)
