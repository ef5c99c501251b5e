"""Finds where a bracketed Python expression ends while it arrives in pieces: strings, triple quotes and comments respected."""

from __future__ import annotations

import re

from workbench.formats.kit.json_end import End, JsonEnd

_PLAIN = re.compile(r"[^\"'()\[\]{}#]*+")
_IN = {'"': re.compile(r'[^"\\]*+'), "'": re.compile(r"[^'\\]*+")}


class PythonEnd(JsonEnd):
    """Walks from an opening bracket to its closing one, or from inside of so many brackets to the last one's end."""

    __slots__ = ("_count",)

    def __init__(self, depth: int = 0) -> None:
        super().__init__()
        self.depth = depth
        self._count = 0
        """Quotes in a row: after an opening one, or inside a triple-quoted string."""

    def feed(self, piece: str, at: int = 0) -> End:
        """Walk on through `piece` from `at`."""
        size = len(piece)
        while at < size:
            mode = self._mode
            if not mode:
                at = _PLAIN.match(piece, at).end()  # type: ignore[union-attr]
                if at >= size:
                    break
                if self._bracket(piece[at]):
                    self.at = at + 1
                    return End.DONE
                at += 1
            elif mode == "n":
                end = piece.find("\n", at)
                if end < 0:
                    break
                self._mode, at = "", end + 1
            else:
                at = self._quoted(piece, at, mode)
        self.at = size
        return End.MORE

    def _bracket(self, char: str) -> bool:
        """Handle a character that matters between tokens; True if the expression is balanced after it."""
        if char in "([{":
            self.depth += 1
        elif char in ")]}":
            self.depth -= 1
            return self.depth <= 0
        elif char == "#":
            self._mode = "n"
        else:
            self._mode, self._count = "o" + char, 1
        return False

    def _quoted(self, piece: str, at: int, mode: str) -> int:
        """Inside a string or at its beginning: `o"` just opened, `s"` simple, `t"` triple."""
        state, quote = mode[0], mode[1]
        char = piece[at]
        if state == "o":
            if char == quote:
                self._count += 1
                if self._count == 3:
                    self._mode, self._count = "t" + quote, 0
                return at + 1
            if self._count == 2:  # an empty string, and something else after it
                self._mode = ""
                return at
            self._mode = state = "s"
            self._mode += quote
        if self._escaped:
            self._escaped = False
            return at + 1
        stop = _IN[quote].match(piece, at).end()  # type: ignore[union-attr]
        if stop > at:
            self._count = 0
        if stop >= len(piece):
            return stop
        if piece[stop] == "\\":
            self._escaped, self._count = True, 0
        elif self._mode[0] == "s":
            self._mode = ""
        else:
            self._count += 1
            if self._count == 3:
                self._mode = ""
        return stop + 1
