"""Server-sent events from bytes, as WHATWG's HTML standard describes them, cut in any way.

Lines end in LF, CR or CRLF; an event ends at an empty line, the last one also at the end of the body. Each event knows
its byte range in the body, from its first field line to the end of its last one (line end excluded), which is the
same for every cutting.

Two things beyond the standard, both seen in servers: a line `error: {…}` is an event of that name, and a line
that is bare JSON counts as data.
"""

from __future__ import annotations

from typing import NamedTuple

_LF = 10
_CR = 13
_BOM = b"\xef\xbb\xbf"


class SseEvent(NamedTuple):
    """One event with data."""

    event: str
    """Its name, empty where the server gave none."""
    data: str
    at: tuple[int, int]
    """Byte range in the body."""


class SseDecoder:
    """Bytes in, events out. Linear in the bytes, also for one huge line in tiny pieces."""

    __slots__ = ("_data", "_end", "_name", "_offset", "_pieces", "_skip_lf", "_start", "events")

    def __init__(self) -> None:
        self.events = 0
        """Events given out so far."""
        self._offset = 0
        """Bytes taken so far, without those of the unfinished line."""
        self._pieces: list[bytes] = []
        """The unfinished line."""
        self._data: list[bytes] = []
        self._name = b""
        self._start = -1
        self._end = 0
        self._skip_lf = False
        """The last chunk ended in CR: an LF now belongs to it."""

    @property
    def size(self) -> int:
        """Bytes of all complete lines; of the whole body after `finish`."""
        return self._offset

    @property
    def unread(self) -> int:
        """Where the event begins that is not complete yet."""
        return self._start if self._start >= 0 else self._offset

    def feed(self, data: bytes) -> list[SseEvent]:
        """Take more bytes; return the events that are complete."""
        out: list[SseEvent] = []
        if self._skip_lf and data:
            self._skip_lf = False
            if data[0] == _LF:
                data = data[1:]
                self._offset += 1
        line = b""
        for line in data.splitlines(keepends=True):
            if line[-1] not in (_LF, _CR):
                self._pieces.append(line)
                return out
            self._line(line, out)
        self._skip_lf = line[-1:] == b"\r"
        return out

    def finish(self) -> list[SseEvent]:
        """End of the body: the last event, even without its empty line."""
        out: list[SseEvent] = []
        if self._pieces:
            self._line(b"", out)
        self._dispatch(out)
        return out

    def _line(self, line: bytes, out: list[SseEvent]) -> None:
        if self._pieces:
            self._pieces.append(line)
            line = b"".join(self._pieces)
            self._pieces.clear()
        start = self._offset
        self._offset = start + len(line)
        text = line.rstrip(b"\r\n")
        end = start + len(text)
        if start == 0:
            text = text.removeprefix(_BOM)
        if not text:
            self._dispatch(out)
        elif self._field(text):
            if self._start < 0:
                self._start = start
            self._end = end

    def _field(self, text: bytes) -> bool:
        """Take one field line; say whether it belongs to the event."""
        if text.startswith(b"data:"):
            self._data.append(text[6:] if text[5:6] == b" " else text[5:])
        elif text.startswith(b"event:"):
            self._name = text[6:].removeprefix(b" ")
        elif text.startswith(b"error:"):
            self._name = b"error"
            self._data.append(text[6:].removeprefix(b" "))
        elif text[0] == 123:  # a brace: JSON without its field name
            self._data.append(text)
        else:
            return text.startswith((b"id:", b"retry:"))
        return True

    def _dispatch(self, out: list[SseEvent]) -> None:
        if self._data:
            data = self._data[0] if len(self._data) == 1 else b"\n".join(self._data)
            if data:
                name = self._name.decode("utf-8", "replace") if self._name else ""
                self.events += 1
                out.append(SseEvent(name, data.decode("utf-8", "replace"), (self._start, self._end)))
            self._data.clear()
        self._name = b""
        self._start = -1
