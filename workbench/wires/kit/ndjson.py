"""Newline-delimited JSON from bytes: one document a line, cut in any way, with byte ranges."""

from __future__ import annotations

from typing import NamedTuple


class JsonLine(NamedTuple):
    """One line that is not empty."""

    text: str
    at: tuple[int, int]
    """Byte range in the body, line end excluded."""


class LineDecoder:
    """Bytes in, lines out; linear also for one huge line in tiny pieces."""

    __slots__ = ("_offset", "_pieces")

    def __init__(self) -> None:
        self._offset = 0
        self._pieces: list[bytes] = []

    @property
    def size(self) -> int:
        """Bytes of all complete lines; of the whole body after `finish`."""
        return self._offset

    def feed(self, data: bytes) -> list[JsonLine]:
        """Take more bytes; return the lines that are complete."""
        out: list[JsonLine] = []
        *complete, rest = data.split(b"\n")
        for piece in complete:
            self._line(piece, 1, out)
        if rest:
            self._pieces.append(rest)
        return out

    def finish(self) -> list[JsonLine]:
        """End of the body: the last line, even without its line end."""
        out: list[JsonLine] = []
        if self._pieces:
            self._line(b"", 0, out)
        return out

    def _line(self, piece: bytes, end: int, out: list[JsonLine]) -> None:
        if self._pieces:
            self._pieces.append(piece)
            piece = b"".join(self._pieces)
            self._pieces.clear()
        start = self._offset
        self._offset = start + len(piece) + end
        bare = piece.strip()
        if bare:
            lead = len(piece) - len(piece.lstrip())
            out.append(JsonLine(bare.decode("utf-8", "replace"), (start + lead, start + lead + len(bare))))
