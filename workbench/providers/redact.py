"""Masks in a running stream: no secret leaves here, in whatever pieces it arrives.

Two stages. `StreamRedactor` works on bytes: chunks are held back only while their end could begin a secret. `ReplyRedactor` works
on what the bytes say: a secret that a model spells out over several events never stands in one piece in the bytes, but it does in
the joined text. There the deltas are masked, and the very characters in the bytes of the events that carried them.
All masks have the length of what they hide, so that offsets hold, and chunks keep their boundaries.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.exchange import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    ModelDelta,
    NoticeDelta,
    ReasoningDelta,
    TextDelta,
)
from workbench.core.json_text import parse_json
from workbench.core.masking import starred
from workbench.core.secret_spellings import SURE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.masking import Secrets

HOLD_LIMIT = 256 * 1024
"""Bytes that are held back at most."""
_TEXT_KEYS = frozenset(
    b"content text reasoning reasoning_content arguments thinking partial_json delta refusal input response".split()
)
"""Keys under which wires carry pieces of text."""
_STRING = re.compile(rb'"((?:[^"\\]|\\.)*+)"(\s*:)?', re.DOTALL)
_PAIR = rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_CHARACTER = re.compile(_PAIR + rb"|\\u[0-9a-fA-F]{4}|\\.|[\x00-\x7f]|[\xc0-\xff][\x80-\xbf]*|.", re.DOTALL)


class StreamRedactor:
    """Bytes in, masked bytes out; chunk boundaries are kept."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._held: list[tuple[bytes, int]] = []
        self._before = b""
        """The last bytes that went on: too few to be held for a spelling that any text may begin with."""

    def feed(self, data: bytes, at_us: int = 0) -> list[tuple[bytes, int]]:
        """Take a chunk with its time; return the chunks that may go on."""
        if not self._secrets:
            return [(data, at_us)]
        seen = len(self._before)
        joined = b"".join((self._before, *(chunk for chunk, _ in self._held), data))
        spans, keep = self._secrets.scan_bytes(joined)
        if not (spans or keep or self._held):
            self._before = joined[1 - SURE :]
            return [(data, at_us)]  # nearly every chunk
        self._held.append((data, at_us))
        if spans:
            self._held = _cut_alike(starred(joined.decode("latin-1"), spans).encode("latin-1")[seen:], self._held)
        sure = len(joined) - seen - keep
        out = []
        while self._held and (sure >= len(self._held[0][0]) or not keep):
            sure -= len(self._held[0][0])
            out.append(self._held.pop(0))
        if out:
            gone = len(joined) - sum(len(chunk) for chunk, _ in self._held)
            self._before = joined[max(0, gone - SURE + 1) : gone]
        return out

    def finish(self) -> list[tuple[bytes, int]]:
        """End of stream: everything that is still held."""
        out, self._held = self._held, []
        joined = b"".join(chunk for chunk, _ in out)
        masked = self._secrets.mask_bytes(joined)
        return out if masked is joined else _cut_alike(masked, out)


def _cut_alike(data: bytes, chunks: Sequence[tuple[bytes, int]]) -> list[tuple[bytes, int]]:
    out, start = [], 0
    for chunk, at_us in chunks:
        out.append((data[start : start + len(chunk)], at_us))
        start += len(chunk)
    return out


@dataclass(slots=True, eq=False)
class _Chunk:
    """A chunk on its way."""

    start: int
    """Offset in the body."""
    data: bytes
    at_us: int
    deltas: list[Delta] = field(default_factory=list)


class _Piece(NamedTuple):
    """A delta's text that may be part of a secret."""

    text: str
    chunk: _Chunk
    place: int
    """Index in the chunk's deltas."""


@dataclass(slots=True, eq=False)
class _Channel:
    """The end of one text that arrives in pieces."""

    pieces: list[_Piece] = field(default_factory=list)
    """Those that hold the undecided characters, and a few characters before them."""
    keep: int = 0
    """Characters at the end that could begin a secret."""
    first: _Piece | None = None
    """The piece with the first of them."""


class Masked(NamedTuple):
    """A chunk that may be given out."""

    data: bytes
    at_us: int
    deltas: tuple[Delta, ...]


class ReplyRedactor:
    """Chunks with their deltas in, the same masked out, as soon as that is safe."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._held: deque[_Chunk] = deque()
        self._size = 0
        self._channels: dict[int, _Channel] = {}
        self._active = 0
        """The channel that was written last."""

    def feed(self, data: bytes, at_us: int, deltas: Sequence[Delta], unread: int | None = None) -> list[Masked]:
        """Take a chunk; return the chunks that may go on.

        `unread` is where the event begins that is not complete yet: nobody knows what its bytes will say.
        """
        if not self._secrets:
            return [Masked(data, at_us, tuple(deltas))]
        chunk = _Chunk(self._size, data, at_us, [])
        self._size += len(data)
        self._held.append(chunk)
        self._take(chunk, deltas)
        return self._release(self._sure_until(unread))

    def finish(self, deltas: Sequence[Delta] = ()) -> tuple[list[Masked], tuple[Delta, ...]]:
        """End of the body, with the deltas of its end: the chunks still held, and those deltas."""
        last = _Chunk(self._size, b"", 0)
        if not self._secrets:
            return [], tuple(deltas)
        self._take(last, deltas)
        self._hide_undecided()
        return self._release(self._size), tuple(last.deltas)

    def _release(self, until: int) -> list[Masked]:
        """Give out the chunks that end at or before this offset."""
        ready = []
        while self._held and self._held[0].start + len(self._held[0].data) <= until:
            chunk = self._held.popleft()
            ready.append(Masked(chunk.data, chunk.at_us, tuple(chunk.deltas)))
        return ready

    def _sure_until(self, unread: int | None) -> int:
        """Return the offset up to which nothing can turn out to be part of a secret."""
        if self._size - self._held[0].start > HOLD_LIMIT:
            self._hide_undecided()
            return self._size
        needed = self._size if unread is None else unread
        for number, channel in self._channels.items():
            if channel.first is not None and (number == self._active or channel.keep >= SURE):
                first = channel.first
                needed = min(needed, first.chunk.start, first.chunk.deltas[first.place].at[0])
        return needed

    def _hide_undecided(self) -> None:
        """Mask the secrets, and the beginning of one, in what cannot wait for its rest any longer."""
        for channel in self._channels.values():
            if channel.keep:
                for start, end in self._secrets.find("".join(piece.text for piece in channel.pieces)):
                    self._hide(channel.pieces, start, end)

    def _take(self, chunk: _Chunk, deltas: Sequence[Delta]) -> None:
        for delta in deltas:
            match delta:
                case TextDelta():
                    self._text(-2, chunk, delta, delta.text)
                case ReasoningDelta():
                    self._text(-1, chunk, delta, delta.text)
                case CallDelta():
                    named = delta._replace(id=self._mask(delta.id), name=self._mask(delta.name))
                    self._text(delta.number, chunk, named, delta.arguments)
                case _:
                    chunk.deltas.append(_mask_other(delta, self._secrets))

    def _mask(self, text: str) -> str:
        return self._secrets.mask_text(text) if text else text

    def _text(self, number: int, chunk: _Chunk, delta: Delta, text: str) -> None:
        chunk.deltas.append(delta)
        if not text:
            return
        self._active = number
        channel = self._channels.get(number)
        if channel is None:
            channel = self._channels[number] = _Channel()
        pieces = channel.pieces
        pieces.append(_Piece(text, chunk, len(chunk.deltas) - 1))
        joined = text if len(pieces) == 1 else "".join([piece.text for piece in pieces])
        spans, channel.keep = self._secrets.scan(joined)
        for start, end in spans:
            self._hide(pieces, start, end)
        if channel.keep:
            channel.pieces = _last(pieces, max(channel.keep, SURE - 1))
            channel.first = _last(pieces, channel.keep)[0]
        else:
            channel.first = None
            if len(pieces) > 1:
                channel.pieces = pieces[-1:] if len(text) >= SURE else _last(pieces, SURE - 1)

    def _hide(self, pieces: list[_Piece], start: int, end: int) -> None:
        """Mask the characters `[start, end)` of the joined pieces, in deltas and in bytes."""
        begin = 0
        for piece in pieces:
            a, b = max(0, start - begin), min(len(piece.text), end - begin)
            begin += len(piece.text)
            if a < b:
                self._hide_in(piece, a, b)

    def _hide_in(self, piece: _Piece, a: int, b: int) -> None:
        delta = piece.chunk.deltas[piece.place]
        shown = _text_of(delta)
        stars = self._hide_bytes(delta.at, shown, a, b)
        cut = len(shown) - b
        piece.chunk.deltas[piece.place] = _with_text(delta, shown[:a] + stars + (shown[-cut:] if cut > 0 else ""))

    def _hide_bytes(self, at: tuple[int, int], text: str, a: int, b: int) -> str:
        """Mask the characters in the bytes of their event; return what these bytes say now."""
        held = [chunk for chunk in self._held if chunk.start < at[1] and chunk.start + len(chunk.data) > at[0]]
        if not held:
            return "*" * (b - a)
        base = max(at[0], held[0].start)
        whole = b"".join(chunk.data for chunk in held)
        skip = base - held[0].start
        event = whole[skip : skip + at[1] - base]
        masked, stars = mask_in_event(event, text, a, b)
        whole = whole[:skip] + masked + whole[skip + len(event) :]
        start = 0
        for chunk in held:
            chunk.data = whole[start : start + len(chunk.data)]
            start += len(chunk.data)
        return stars


def mask_in_event(event: bytes, text: str, a: int, b: int) -> tuple[bytes, str]:
    """Mask characters `[a, b)` of a JSON text value in the bytes of an event; return bytes and what they say.

    Where no value equals the text, values that hold its secret part lose it; where there is none either, all
    values of the event are masked whole: losing a value is better than showing a secret.
    """
    out = bytearray(event)
    strings = _values(event)
    equal = [(key, span) for key, span, value in strings if value == text]
    equal = [pair for pair in equal if pair[0] in _TEXT_KEYS] or equal
    stars = ""
    for _, span in equal:
        stars = _star(out, span, a, b)
    if stars:
        return bytes(out), stars
    part = text[a:b]
    for _, span, value in strings:
        place = value.find(part) if len(part) > 1 else -1
        if place >= 0:
            stars = _star(out, span, place, place + len(part))
    if not stars:
        for _, span, value in strings:
            _star(out, span, 0, len(value))
    return bytes(out), "*" * len(part)


def _values(event: bytes) -> list[tuple[bytes, tuple[int, int], str]]:
    """Return the JSON texts of an event that are values: the key before, the place, what it says."""
    out = []
    key = b""
    for match in _STRING.finditer(event):
        if match[2] is not None:
            key = match[1]
        else:
            out.append((key, match.span(1), _spoken(match[1])))
    return out


def _spoken(raw: bytes) -> str:
    try:
        value = parse_json(b'"' + raw + b'"')
    except ValueError:
        return raw.decode("utf-8", "replace")
    return value if isinstance(value, str) else ""


def _star(out: bytearray, span: tuple[int, int], a: int, b: int) -> str:
    """Overwrite characters of a JSON string with others of equal length in bytes; return what they say."""
    said = []
    position = span[0]
    raw = bytes(out[span[0] : span[1]])
    for place, token in enumerate(_CHARACTER.findall(raw)):
        if a <= place < b:
            mask, text = _mask_for(token)
            out[position : position + len(token)] = mask
            said.append(text)
        position += len(token)
    return "".join(said)


def _mask_for(token: bytes) -> tuple[bytes, str]:
    """Escapes stay escapes, so that the string stays valid JSON of the same length."""
    if token.startswith(b"\\u"):
        return b"\\u002a" * (len(token) // 6), "*" * (len(token) // 6)
    if token.startswith(b"\\"):
        return b"\\/", "/"
    return b"*" * len(token), "*" * len(token)


def _last(pieces: list[_Piece], keep: int) -> list[_Piece]:
    """Return the pieces that hold the last `keep` characters; the first of them whole or not."""
    out: list[_Piece] = []
    for piece in reversed(pieces):
        out.insert(0, piece)
        keep -= len(piece.text)
        if keep <= 0:
            break
    return out


def _text_of(delta: Delta) -> str:
    match delta:
        case TextDelta() | ReasoningDelta():
            return delta.text
        case CallDelta():
            return delta.arguments
    return ""


def _with_text(delta: Delta, text: str) -> Delta:
    match delta:
        case TextDelta() | ReasoningDelta():
            return delta._replace(text=text)
        case CallDelta():
            return delta._replace(arguments=text)
    return delta


def _mask_other(delta: Delta, secrets: Secrets) -> Delta:
    """Mask the deltas that come in one piece."""
    match delta:
        case FaultDelta():
            return delta._replace(error=secrets.mask_error(delta.error))
        case NoticeDelta():
            data = secrets.mask_value(delta.data) if delta.data is not None else None
            return delta._replace(message=secrets.mask_text(delta.message), data=data)
        case FinishDelta():
            return delta._replace(reason=secrets.mask_text(delta.reason))
        case ModelDelta():
            return delta._replace(model=secrets.mask_text(delta.model))
    return delta
