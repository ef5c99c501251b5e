"""JSON as it lies in files: one value a line, or one document too large to be read as a whole.

    {"log": {"version": "1.2", "entries": [{…}, {…}, …]}}      elements(stream, "log", "entries") → each entry
    {…}⏎{…}⏎                                                    documents(stream) → each of them

The elements are decoded one after the other, so memory holds one of them. A broken one is told with its place; reading goes
on with the next that looks like those before it. Of a document that breaks off the last element is given as far as it goes,
and the break is told behind it.
"""

from __future__ import annotations

import codecs
import json
import re
import zlib
from gzip import BadGzipFile
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import msgspec

from workbench.core.json_text import UNREADABLE, json_or
from workbench.scan.cut_json import EARLY, mended

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCK = 1 << 20
_MOST = 512 << 20
"""Characters of one element, at most."""
_BLANKS = re.compile(r"[ \t\r\n]*")
_NEXT = re.compile(r"[,\[]\s*(?=\{)")
_BEGIN = re.compile(r"^[\[{]", re.MULTILINE)
_TRIES = 200
_decode = msgspec.json.Decoder().decode
_json = json.JSONDecoder()


def json_value(data: bytes | str) -> Any:
    """Return the value of one JSON text, or `UNREADABLE`; what only Python's reader takes (NaN, lone surrogates) is taken."""
    try:
        return _decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    return json_or(text.removeprefix("\ufeff"))


def json_bytes(value: Any) -> bytes:
    """Return a value as JSON; empty for what is none."""
    try:
        return msgspec.json.encode(value)
    except (TypeError, ValueError, RecursionError):
        return b""


class Element(NamedTuple):
    """One element of an array in a document."""

    number: int
    """From 0."""
    value: Any
    """`UNREADABLE` where it is broken."""
    at: int
    """Offset in characters."""
    message: str = ""


def keys_of(text: str) -> tuple[str, ...]:
    """Return the keys of the outermost object as far as a text goes, also of one that is cut off."""
    found: list[str] = []
    at = _skip(text, 0)
    if text[at : at + 1] != "{":
        return ()
    at += 1
    while True:
        try:
            key, at = _json.raw_decode(text, _skip(text, at))
            at = _skip(text, at)
            if not isinstance(key, str) or text[at : at + 1] != ":":
                break
            found.append(key)
            _, at = _json.raw_decode(text, _skip(text, at + 1))
            at = _skip(text, at)
            if text[at : at + 1] != ",":
                break
            at += 1
        except (ValueError, RecursionError):
            break
    return tuple(found)


def elements(stream: IO[bytes], *path: str) -> Iterator[Element]:
    """Yield the elements of the array at a path of keys (none: the document itself is the array), in order.

    An array that is not there yields nothing; a document that breaks off yields what came before, what there is of the last
    element, and its break.
    """
    text = _Growing(stream)
    try:
        at = _find(text, path)
    except ValueError as error:
        yield Element(0, UNREADABLE, text.passed, str(error))
        return
    if at is not None:
        yield from _each(text, at)


def members(stream: IO[bytes]) -> Iterator[tuple[str, Any]]:
    """Yield the keys and values of the outermost object one after the other; raise ValueError where it breaks."""
    text = _Growing(stream)
    at = text.ink(0)
    if text.char(at) != "{":
        return
    at = text.ink(at + 1)
    while text.char(at) not in ("}", ""):
        key, at = text.value(at)
        value, at = text.value(text.ink(text.ink(at) + 1))
        yield key, value
        at = text.ink(at)
        at = text.drop(text.ink(at + 1) if text.char(at) == "," else at)


def documents(stream: IO[bytes]) -> Iterator[Element]:
    """Yield JSON values that stand one behind the other, over many lines each, with commas between them or without.

    What is broken is told, and passed over.
    """
    text = _Growing(stream)
    number, at = 0, text.ink(0)
    while text.char(at):
        place = text.passed + at
        try:
            value, at = text.value(at)
            yield Element(number, value, place)
        except ValueError as error:
            found = text.next_begin(at)
            if found is None:
                yield from _cut(text, at, number, str(error))
                return
            yield Element(number, UNREADABLE, place, str(error))
            at = found
        number += 1
        at = text.ink(at)
        at = text.drop(text.ink(at + 1) if text.char(at) == "," else at)


class _Growing:
    """A text of which more is read when it is needed, and the front let go."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self.text = ""
        self.passed = 0
        """Characters that were let go."""
        self.ended = False
        self.why = EARLY
        """Why there is no more of a document that breaks off."""
        self.more(_BLOCK)

    def more(self, size: int) -> bool:
        """Read on; False at the end."""
        try:
            data = b"" if self.ended else self._stream.read(size)
        except (EOFError, zlib.error, BadGzipFile) as error:  # packed, and broken there
            data, self.why = b"", EARLY if isinstance(error, EOFError) else f"its packing is broken: {error}"
        if not data and not self.ended:
            self.ended = True
            self.text += self._decoder.decode(b"", final=True)
        elif data:
            self.text += self._decoder.decode(data)
        return bool(data)

    def drop(self, at: int) -> int:
        """Let go of what stands before a place; return where the place is now."""
        if at < _BLOCK:
            return at
        self.text = self.text[at:]
        self.passed += at
        return 0

    def ink(self, at: int) -> int:
        """The next place that is not blank."""
        while True:
            at = _skip(self.text, at)
            if at < len(self.text) or not self.more(_BLOCK):
                return at

    def char(self, at: int) -> str:
        """The character at a place; empty at the end."""
        return self.text[at : at + 1]

    def next_begin(self, at: int) -> int | None:
        """Where an object begins a line behind a place; None where none does."""
        while True:
            found = _BEGIN.search(self.text, at + 1)
            if found is not None:
                return found.end() - 1
            if not self.more(_BLOCK):
                return None

    def value(self, at: int) -> tuple[Any, int]:
        """Decode the value at a place; raise ValueError."""
        while True:
            try:
                value, end = _json.raw_decode(self.text, at)
                if end < len(self.text) or self.ended or not self.more(_BLOCK):
                    return value, end
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated") or error.pos >= len(self.text) - 16
                if not cut or len(self.text) - at > _MOST or not self.more(max(_BLOCK, len(self.text) - at)):
                    raise
            except RecursionError as error:
                raise ValueError("nested too deeply") from error


def _skip(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _find(text: _Growing, path: tuple[str, ...]) -> int | None:
    """Return the place behind the array's bracket; values on the way there are passed over."""
    at = text.ink(0)
    for wanted in path:
        if text.char(at) != "{":
            return None
        at = text.ink(at + 1)
        while True:
            if text.char(at) in ("}", ""):
                return None
            key, at = text.value(at)
            at = text.ink(text.ink(at) + 1)
            if key == wanted:
                break
            _, at = text.value(at)
            at = text.ink(at)
            at = text.drop(text.ink(at + 1) if text.char(at) == "," else at)
    return text.ink(at + 1) if text.char(at) == "[" else None


def _each(text: _Growing, at: int) -> Iterator[Element]:
    index, known = 0, frozenset[str]()
    while text.char(at) not in ("]", ""):
        place = text.passed + at
        try:
            value, at = text.value(at)
        except ValueError as error:
            found = _resume(text, at, known)
            if found is None:
                yield from _cut(text, at, index, str(error))
                return
            yield Element(index, UNREADABLE, place, str(error))
            at, index = found, index + 1
            continue
        yield Element(index, value, place)
        if isinstance(value, dict):
            known = frozenset(value)
        index += 1
        at = text.ink(at)
        if text.char(at) == ",":
            at = text.ink(at + 1)
        at = text.drop(at)
    if not text.char(at):
        yield Element(index, UNREADABLE, text.passed + at, text.why)


def _cut(text: _Growing, at: int, number: int, message: str) -> Iterator[Element]:
    """What there is of an element behind which nothing more can be read, and what is wrong with it."""
    try:
        yield Element(number, mended(text.text[at:]), text.passed + at)
        message = text.why
    except ValueError:
        pass
    yield Element(number, UNREADABLE, text.passed + at, message)


def _resume(text: _Growing, at: int, known: frozenset[str]) -> int | None:
    """Return where the next element begins behind a broken one: an object with most keys of the one before."""
    for _ in range(_TRIES):
        found = _NEXT.search(text.text, at + 1)
        if found is None:
            if not text.more(_BLOCK):
                return None
            continue
        at = found.end()
        try:
            value, _end = text.value(at)
        except ValueError:
            continue
        if isinstance(value, dict) and len(known & value.keys()) * 2 > len(known):
            return at
    return None
