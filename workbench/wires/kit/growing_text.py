"""Text that a server sends in each delta as far as it has grown, where only what is new belongs (DashScope).

The second delta of such a stream begins with the first, but so may one of an ordinary stream (`Ha`, `Haha`). Such deltas are
held back until one tells: it does not go on with the one before, or it does and is long and varied enough.
"""

from __future__ import annotations

from workbench.core.masking import SHORTEST

_TELLING = 8
_VARIED = 4
"""Characters, and different ones, of a beginning that an ordinary stream does not say anew in its next delta."""

Piece = tuple[str, tuple[int, int]]
"""Text, and the bytes that it came in."""


class GrowingText:
    """The pieces of one text: what is new of each."""

    __slots__ = ("_grows", "_held", "_said", "plain")

    def __init__(self) -> None:
        self.plain = False
        """The deltas hold what is new, as they should: nothing more needs to be looked at."""
        self._grows = False
        self._said = ""
        self._held: list[Piece] = []

    def add(self, text: str, at: tuple[int, int]) -> list[Piece]:
        """Take a delta that is not empty; return what can be given out now."""
        if self.plain or self._grows:
            return self._rest(text, at)
        if not self._said:
            self._said = text
            return [(text, at)]
        before = self._held[-1][0] if self._held else self._said
        if not text.startswith(before) or (not self._held and len(text) == len(before)) or self._masked(text):
            return [*self._ordinary(), (text, at)]
        self._held.append((text, at))
        return self.close() if len(self._held) > 1 and _tells(text) else []

    def close(self) -> list[Piece]:
        """The text has ended, or something else comes before it goes on: return what was held back."""
        if not self._held:
            return []
        text, at = self._held[-1]
        if not _tells(text if len(self._held) > 1 else self._said):
            return self._ordinary()
        self._held, self._grows = [], True
        return self._rest(text, at)

    def _masked(self, text: str) -> bool:
        """Stars alone came, and with this delta so many as a mask has: its pieces begin with each other."""
        before = "".join((self._said, *(held for held, _ in self._held)))
        return not before.strip("*") and (before + text).startswith("*" * SHORTEST)

    def _ordinary(self) -> list[Piece]:
        held, self._held, self.plain = self._held, [], True
        return held

    def _rest(self, text: str, at: tuple[int, int]) -> list[Piece]:
        if self.plain or not text.startswith(self._said):
            return [(text, at)]
        new, self._said = text[len(self._said) :], text
        return [(new, at)] if new else []


def _tells(text: str) -> bool:
    return len(text) >= _TELLING and len(set(text)) >= _VARIED
