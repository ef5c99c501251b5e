"""Finds where a JSON value ends while it arrives in pieces: strings and escapes are respected, nothing is read twice.

Besides strict JSON it walks over what models write instead: single and typographic quotes, bare words, comments.
A character that cannot stand between JSON tokens (`<`, `(` …) stops the walk: the value is broken before it.
"""

from __future__ import annotations

import re
from enum import IntEnum

_PLAIN = re.compile(r"[\w\s.,:+\-$]*+")
_STRING = re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL)
_BRACKETS = re.compile(r"[\[{]++")
_SPACE = re.compile(r"\s*+")
LOOSE_QUOTES = {"'": "'", "“": '“”"', "”": '“”"', "‘": "‘’'", "’": "‘’'"}
"""Quotes that are not JSON's, each with those that may end its string."""
_LOOSE = {quote: re.compile(f"[^{ends}\\\\]*+") for quote, ends in LOOSE_QUOTES.items()}


class End(IntEnum):
    """What the walk knows."""

    MORE = 0
    """The value goes on."""
    DONE = 1
    """The value's brackets are balanced at `at`."""
    BROKEN = 2
    """An impossible character stands at `at`."""


class JsonEnd:
    """Walks one object or list; feed it the pieces one after the other, the first from the opening bracket on."""

    __slots__ = ("_escaped", "_mode", "at", "depth")

    def __init__(self) -> None:
        self.depth = 0
        self.at = 0
        """Where the walk stopped, in the piece that was fed last."""
        self._mode = ""
        """Empty between tokens; a quote inside its string; `?`+quote after a loose quote that may be the end;
        `/` after a slash; `n` in a line comment, `*` in a block comment, `+` after a star in one."""
        self._escaped = False

    @property
    def quote(self) -> str:
        """The quote of the string that what was walked ends in; empty between tokens, and behind what may be a string's end."""
        return self._mode if self._mode == '"' or self._mode in _LOOSE else ""

    def feed(self, piece: str, at: int = 0) -> End:
        """Walk on through `piece` from `at`."""
        size = len(piece)
        while at < size:
            mode = self._mode
            if mode == '"':
                at = self._in_string(piece, at)
            elif not mode:
                at = _PLAIN.match(piece, at).end()  # type: ignore[union-attr]
                if at >= size:
                    break
                step = self._structure(piece, at)
                if step < 0:
                    self.at = at if step == -2 else at + 1
                    return End.BROKEN if step == -2 else End.DONE
                at = step
            else:
                step = self._elsewhere(piece, at)
                if step < 0:
                    self.at = at
                    return End.BROKEN
                at = step
        self.at = size
        return End.MORE

    def _structure(self, piece: str, at: int) -> int:
        """Handle the character between tokens at `at`; -1: balanced after it, -2: impossible."""
        char = piece[at]
        if char == '"':
            self._mode = '"'
        elif char in "{[":
            end = _BRACKETS.match(piece, at).end()  # type: ignore[union-attr]
            self.depth += end - at
            return end
        elif char in "}]":
            self.depth -= 1
            if self.depth <= 0:
                return -1
        elif char in _LOOSE or char == "/":
            self._mode = char
        elif char == "#":
            self._mode = "n"
        else:
            return -2
        return at + 1

    def _in_string(self, piece: str, at: int) -> int:
        if self._escaped:
            self._escaped = False
            at += 1
        at = _STRING.match(piece, at).end()  # type: ignore[union-attr]
        if at < len(piece):
            if piece[at] == '"':
                self._mode = ""
            else:
                self._escaped = True
            at += 1
        return at

    def _elsewhere(self, piece: str, at: int) -> int:
        """Inside a loose string or a comment; -2: impossible."""
        mode, char = self._mode, piece[at]
        if mode in _LOOSE:
            return self._in_loose(piece, at)
        if mode[0] == "?":
            at = _SPACE.match(piece, at).end()  # type: ignore[union-attr]
            if at < len(piece):
                self._mode = "" if piece[at] in ",:}]/#" else mode[1]
            return at
        if mode == "/":
            if char not in "/*":
                return -2
            self._mode = "n" if char == "/" else "*"
        elif mode == "n":
            at = piece.find("\n", at)
            if at < 0:
                return len(piece)
            self._mode = ""
        elif mode == "*":
            at = piece.find("*", at)
            if at < 0:
                return len(piece)
            self._mode = "+"
        else:
            self._mode = {"/": "", "*": "+"}.get(char, "*")
        return at + 1

    def _in_loose(self, piece: str, at: int) -> int:
        if self._escaped:
            self._escaped = False
            at += 1
        at = _LOOSE[self._mode].match(piece, at).end()  # type: ignore[union-attr]
        if at < len(piece):
            if piece[at] == "\\":
                self._escaped = True
            else:
                self._mode = "?" + self._mode
            at += 1
        return at
