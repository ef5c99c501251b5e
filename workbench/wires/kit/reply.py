"""The frame of every decoder: which kind of body this is, its events, and deltas that are safe to pass on.

A wire's decoder adds what its events mean (`on_event`, `on_body`, `on_end`). The frame sees to the rest: server-sent
events or lines, a JSON body where a stream was asked (and the reverse), web pages, error answers, broken
JSON, surrogate pairs cut in two, and a stream that ends too early.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.json_text import UNREADABLE
from workbench.wires.kit.deltas import DeltaSink
from workbench.wires.kit.error_answers import WEB_PAGE_HINT, describe, page_fault, read_error
from workbench.wires.kit.event_frames import FrameDecoder, is_framed
from workbench.wires.kit.jsons import read_json, whole_items
from workbench.wires.kit.ndjson import LineDecoder
from workbench.wires.kit.sse import SseDecoder

if TYPE_CHECKING:
    from workbench.core.exchange import Delta, Headers

_DOUBLED = re.compile(r"(?:data: ?)+")
_GZIP = b"\x1f\x8b"
_BLANK = b" \t\r\n\xef\xbb\xbf"


class ReplyDecoder(DeltaSink):
    """Takes a response body in any cutting and gives deltas; never raises."""

    lines = False
    """The wire streams newline-delimited JSON, not server-sent events."""
    reason_ends = True
    """A reply is complete once its finish reason came, even if the end marker is missing."""

    def __init__(self, *, status: int, headers: Headers, stream: bool) -> None:
        super().__init__(status, stream)
        self.headers = headers
        self.done = False
        """The end marker came: what follows is not read."""
        framed = stream and status < 400 and is_framed(headers)
        self._mode = "collect" if status >= 400 else "frames" if framed else ""
        self._head = b""
        self._excerpt = b""
        """How a stream begins that has not given an event yet."""
        self._body: list[bytes] = []
        self._sse = SseDecoder()
        self._lines = LineDecoder()
        self._frames = FrameDecoder()
        self._closing = False

    # -- what a wire adds ------------------------------------------------------------------------------------------

    def on_event(self, name: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        """Read one event of a stream."""
        raise NotImplementedError

    def on_body(self, value: Any, at: tuple[int, int]) -> None:
        """Read a whole JSON body."""
        raise NotImplementedError

    def on_end(self, size: int) -> None:
        """Look back at a stream that ended without a fault: is something missing?"""
        if not self.complete:
            self.cut_off((size, size))

    # -- core.protocols.Decoder ------------------------------------------------------------------------------------

    @property
    def ended(self) -> bool:
        """Whether the end marker came, so that nothing more needs to be waited for."""
        return self.done

    @property
    def complete(self) -> bool:
        """Whether nothing of the reply is missing; counts may still follow."""
        return self.done or (self.reason_ends and bool(self._finish))

    @property
    def unread(self) -> int | None:
        """Where in the body the event begins that is not complete yet; None while nothing is known of it.

        A body that is no stream is one event, which is complete at its end.
        """
        if self._mode == "sse":
            return self._sse.unread
        if self._mode == "lines":
            return self._lines.size
        if self._mode == "frames":
            return self._frames.unread
        return 0 if self._mode == "collect" else None

    def feed(self, data: bytes) -> list[Delta]:
        """Take more bytes; return what they say."""
        if self._mode == "sse":
            self._read_sse(data)
        elif self._mode == "lines":
            self._read_lines(data)
        elif self._mode == "frames":
            self._read_frames(data)
        elif self._mode == "collect":
            self._body.append(data)
        else:
            self._begin(data)
        return self.take()

    def close(self) -> list[Delta]:
        """End of body: the last event, errors, and what is missing."""
        self._closing = True
        if self._mode == "collect":
            self._close_collected()
        elif self._mode == "":
            self._empty()
        else:
            self._close_stream()
        self.flush_halves()
        return self.take()

    def _begin(self, data: bytes) -> None:
        """Decide by the first character that is no white space."""
        self._head += data
        first = self._head.lstrip(_BLANK)[:1]
        if not first:
            return
        self.streaming = first not in (b"{", b"[", b"<") or (self.lines and self.stream and first == b"{")
        head, self._head = self._head, b""
        if not self.streaming:
            self._mode = "collect"
            self._body.append(head)
        elif self.lines and first == b"{":
            self._mode = "lines"
            self._read_lines(head)
        else:
            self._mode = "sse"
            self._read_sse(head)

    def _read_sse(self, data: bytes) -> None:
        if not self._sse.events and len(self._excerpt) < 400:
            self._excerpt = (self._excerpt + data)[:400]
        for event in self._sse.feed(data):
            self._read_event(event.event, event.data, event.at)

    def _read_lines(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            self._read_event("", line.text, line.at)

    def _read_frames(self, data: bytes) -> None:
        self.streaming = True
        for event in self._frames.feed(data):
            self._read_event(event.event, event.data, event.at)

    def _read_event(self, name: str, data: str, at: tuple[int, int]) -> None:
        if self.done:
            return
        value = read_json(data)
        if isinstance(value, dict):
            self.on_event(name, value, at)
        elif value is UNREADABLE:
            self._unreadable(name, data, at)
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            for item in value:
                if isinstance(item, dict):
                    self.on_event(name, item, at)
        else:
            self.notice("unknown_event", f"An event holds {data[:60]!r}.", at)

    def _unreadable(self, name: str, data: str, at: tuple[int, int]) -> None:
        if data.strip() == "[DONE]":
            self.done = True
        elif "\n" in data:
            for part in data.split("\n"):
                if part.strip():
                    self._read_event(name, part, at)
        elif doubled := _DOUBLED.match(data):  # a proxy has wrapped lines that were events already
            self._read_event(name, data[doubled.end() :], at)
        elif name == "error":
            self.fault(describe({"message": data}, self.status, self.headers), at)
        elif data.lstrip()[:1] not in ("{", "["):
            self.notice("unknown_event", f"An event holds {data[:60]!r}.", at)
        elif self._closing:
            self.torn = True
        else:
            self.fault(
                ErrorInfo(
                    ErrorKind.PROTOCOL,
                    f"An event of the stream is not valid JSON: {data[:80]!r}.",
                    hint="The bytes of the reply show where it breaks.",
                    status=self.status,
                ),
                at,
            )

    def _close_stream(self) -> None:
        for line in self._lines.finish():
            self._read_event("", line.text, line.at)
        for event in self._sse.finish():
            self._read_event(event.event, event.data, event.at)
        size = self._sse.size or self._lines.size or self._frames.size
        self.torn = self.torn or self._frames.torn
        if self._mode == "sse" and not self._sse.events:
            self._not_a_stream(size)
        elif self._frames.broken and not self.faulted:
            words = f"The stream is not in frames of its kind any more at byte {self._frames.unread}."
            self.fault(ErrorInfo(ErrorKind.PROTOCOL, words, hint=WEB_PAGE_HINT, status=self.status), (0, size))
        elif not size:
            self._empty()
        elif not self.faulted:
            self.on_end(size)

    def _not_a_stream(self, size: int) -> None:
        text = self._excerpt.decode("utf-8", "replace").lstrip()
        if text.startswith((":", "data:", "event:", "id:", "retry:")):
            self.on_end(size)
            return
        hint = WEB_PAGE_HINT
        if self._excerpt.startswith(_GZIP):
            message = "The reply is packed with gzip, but its head does not say so."
            hint = "The bytes are kept as they came. A proxy may have dropped the header content-encoding."
        else:
            message = f"The reply is neither JSON nor an event stream: {' '.join(text.split())[:120]!r}."
        self.fault(ErrorInfo(ErrorKind.PROTOCOL, message, hint=hint, status=self.status), (0, size))

    def _empty(self) -> None:
        words = "The stream ended without a single event." if self.stream else "The reply is empty."
        kind = ErrorKind.CUT_OFF if self.stream else ErrorKind.PROTOCOL
        self.fault(ErrorInfo(kind, words, hint="Try again; see the response headers.", status=self.status))

    def _close_collected(self) -> None:
        body = b"".join(self._body)
        at = (0, len(body))
        if self.status >= 400:
            self.fault(read_error(self.status, self.headers, body), at)
            return
        value = read_json(body)
        if value is not UNREADABLE:
            self.on_body(value, at)
        elif body.lstrip(_BLANK)[:1] == b"<":
            self.fault(page_fault(self.status, self.headers, body.decode("utf-8", "replace")), at)
        else:
            self._broken_body(body)

    def _broken_body(self, body: bytes) -> None:
        """JSON that is no single document: a list that was cut off, several lines, or nothing whole."""
        if found := whole_items(body):
            self.torn = True
            self.on_body(found, (0, len(body)))
            if not self.complete and not self.faulted:
                self.cut_off((0, len(body)))
            return
        self._read_sse(body)
        for event in self._sse.finish():
            self._read_event(event.event, event.data, event.at)
        if self.faulted or self.done or self._finish:
            return
        whole = body.rstrip()[-1:] in (b"}", b"]")
        if whole:
            info = ErrorInfo(
                ErrorKind.PROTOCOL,
                "The reply is not valid JSON.",
                hint="The bytes of the reply show where it breaks.",
                status=self.status,
            )
            self.fault(info, (0, len(body)))
        else:
            self.cut_off((0, len(body)))
