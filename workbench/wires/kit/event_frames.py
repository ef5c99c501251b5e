"""Frames of `application/vnd.amazon.eventstream` from bytes, as AWS streams its events, cut in any way.

A frame is: its length, the length of its headers (4 bytes each, big end first), a checksum of both, headers, payload, and a checksum
of all. The last checksum holds unless stars stand in the payload: recorded bytes have stars where a secret stood, and are read again.
A header is its name's length, its name, the kind of its value and the value. An exception becomes an event `error` in
the shape of other protocols; what InvokeModel wraps as base64 is unwrapped.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
import zlib
from typing import TYPE_CHECKING, NamedTuple

from workbench.wires.kit.jsons import as_dict, as_text, read_json
from workbench.wires.kit.waits import header

if TYPE_CHECKING:
    from workbench.core.exchange import Headers

MEDIA_TYPE = "application/vnd.amazon.eventstream"
LONGEST = 24 << 20
"""Bytes of a frame; what says it is longer is no frame."""
_PRELUDE, _TAIL = 12, 4
_FIXED = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
"""Sizes of header values by their kind; 6 and 7, bytes and text, have a length of their own."""
_STARS = (b"*", b"\\u002a")
"""How a mask is written; of a secret that came in pieces a frame may hold a single character."""


class FrameEvent(NamedTuple):
    """One event."""

    event: str
    """Its type; `error` for an exception."""
    data: str
    at: tuple[int, int]
    """Byte range in the body."""


def is_framed(headers: Headers) -> bool:
    """Whether a reply says that it comes in frames."""
    return header(headers, "content-type").lower().startswith(MEDIA_TYPE)


class FrameDecoder:
    """Bytes in, events out; linear in the bytes."""

    __slots__ = ("_held", "_offset", "broken")

    def __init__(self) -> None:
        self._held = bytearray()
        self._offset = 0
        """Where in the body the held bytes begin."""
        self.broken = False
        """What came is no frame: nothing more is read."""

    @property
    def unread(self) -> int:
        """Where the frame begins that is not complete yet."""
        return self._offset

    @property
    def size(self) -> int:
        """Bytes of the body so far."""
        return self._offset + len(self._held)

    @property
    def torn(self) -> bool:
        """Whether the bytes so far end within a frame."""
        return bool(self._held)

    def feed(self, data: bytes) -> list[FrameEvent]:
        """Take more bytes; return the events that are complete."""
        self._held += data
        out: list[FrameEvent] = []
        at = 0
        while not self.broken and len(self._held) - at >= _PRELUDE:
            length, head, checksum = struct.unpack_from(">III", self._held, at)
            whole = zlib.crc32(self._held[at : at + 8]) == checksum
            self.broken = not whole or not _PRELUDE + head + _TAIL <= length <= LONGEST
            if self.broken or len(self._held) - at < length:
                break
            frame = bytes(self._held[at : at + length])
            body = _PRELUDE + head
            self.broken = not _sound(frame, body)
            if self.broken:
                break
            place = (self._offset + at, self._offset + at + length)
            out.append(_event(frame[_PRELUDE:body], frame[body:-_TAIL], place))
            at += length
        del self._held[:at]
        self._offset += at
        return out


def _sound(frame: bytes, body: int) -> bool:
    """Whether a frame is as it was sent, but for stars over a secret; `body`: where its payload begins."""
    (checksum,) = struct.unpack(">I", frame[-_TAIL:])
    return zlib.crc32(frame[:-_TAIL]) == checksum or any(star in frame[body:-_TAIL] for star in _STARS)


def _event(head: bytes, payload: bytes, at: tuple[int, int]) -> FrameEvent:
    said = _headers(head)
    text = payload.decode("utf-8", "replace")
    kind = said.get(":message-type", "event")
    if kind in ("exception", "error"):
        name = said.get(":exception-type") or said.get(":error-code", "")
        told = as_text(as_dict(read_json(text)).get("message")) or said.get(":error-message", "") or text
        return FrameEvent("error", json.dumps({"error": {"type": name, "message": told or name}}), at)
    return FrameEvent(said.get(":event-type", ""), _unwrapped(text) if said.get(":event-type") == "chunk" else text, at)


def _unwrapped(text: str) -> str:
    """The event within a chunk of InvokeModel; anything else as it is."""
    try:
        return base64.b64decode(as_text(as_dict(read_json(text)).get("bytes")), validate=True).decode() or text
    except (binascii.Error, UnicodeDecodeError):
        return text


def _headers(data: bytes) -> dict[str, str]:
    """Headers that are text; what is no header ends the reading."""
    out: dict[str, str] = {}
    at = 0
    try:
        while at < len(data):
            end = at + 1 + data[at]
            name, kind = bytes(data[at + 1 : end]).decode("utf-8", "replace"), data[end]
            at = end + 1
            if kind in (6, 7):
                (size,) = struct.unpack_from(">H", data, at)
                if kind == 7:
                    out[name] = bytes(data[at + 2 : at + 2 + size]).decode("utf-8", "replace")
                at += 2 + size
            else:
                at += _FIXED[kind]
    except (IndexError, KeyError, struct.error):
        return out
    return out
