"""Reads a growing log file: what is new since the last look, and the last lines of all."""

from __future__ import annotations

import codecs
from collections import deque
from typing import TYPE_CHECKING

from workbench.core.whole_files import opened_file

if TYPE_CHECKING:
    from pathlib import Path

KEPT = 2_000
"""Lines that are kept for showing; the file has all."""
_LONGEST = 20_000
"""Characters after which a line without an end is taken as one."""
_PIECE = 2**20


class LogTail:
    """Follows one file. It may not be there yet."""

    def __init__(self, path: Path, kept: int = KEPT) -> None:
        self.path = path
        self.lines: deque[str] = deque(maxlen=kept)
        self._at = 0
        self._rest = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read(self) -> list[str]:
        """Return the lines that came since the last call; at most a megabyte at once."""
        try:
            with opened_file(self.path) as file:
                file.seek(self._at)
                data = file.read(_PIECE)
        except OSError:
            return []
        self._at += len(data)
        text = self._rest + self._decoder.decode(data)
        *whole, self._rest = text.replace("\r\n", "\n").split("\n")
        if len(self._rest) > _LONGEST:
            whole, self._rest = [*whole, self._rest], ""
        self.lines.extend(whole)
        return whole

    def finish(self) -> list[str]:
        """Return everything that is left, a last line without an end included."""
        found: list[str] = []
        before = -1
        while before != self._at:
            before = self._at
            found += self.read()
        if self._rest:
            found.append(self._rest)
            self.lines.append(self._rest)
            self._rest = ""
        return found
