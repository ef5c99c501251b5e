"""Compressed replies, unpacked here and not by the HTTP library, so that what cannot be unpacked is kept too."""

from __future__ import annotations

import zlib
from contextlib import aclosing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

ACCEPTED = "gzip, deflate"
"""What servers are told that they may use."""
_PIECE = 2**20
"""Unpacked bytes that are handed on at once: a small packed piece may become a very large one."""
_HEAD = 10
_PLAIN = frozenset({"", "identity"})


class DecodingError(ValueError):
    """The reply is not packed as its head says."""


async def unpacked(source: AsyncGenerator[bytes, None], coding: str) -> AsyncGenerator[bytes, None]:
    """Yield a body without its content encoding.

    Bytes that cannot be unpacked are yielded as they came; `DecodingError` is raised after them.
    """
    steps = [step.strip().lower() for step in coding.split(",") if step.strip().lower() not in _PLAIN]
    async with aclosing(source) as pieces:
        if steps and (len(steps) > 1 or steps[0] not in ("gzip", "x-gzip", "deflate")):
            async for piece in pieces:
                yield piece
            raise DecodingError(f"{coding!r} was not asked for and cannot be read")
        unpacker = _Unpacker() if steps else None
        async for piece in pieces:
            if unpacker is None:
                yield piece
                continue
            for part in unpacker.feed(piece):
                yield part
            if unpacker.trouble:
                yield unpacker.rest
                async for further in pieces:
                    yield further
                raise DecodingError(unpacker.trouble)
        if unpacker is not None:
            for part in unpacker.finish():
                yield part
            if unpacker.trouble:
                yield unpacker.rest
                raise DecodingError(unpacker.trouble)


class _Unpacker:
    """gzip in one or several members, or deflate with or without its frame."""

    def __init__(self) -> None:
        self.trouble = ""
        """Why it cannot go on; `rest` holds what could not be read."""
        self.rest = b""
        self._begun = False
        self._head = b""
        """The first bytes: the kind shows only once the head of a gzip file is there."""
        self._inner = zlib.decompressobj(zlib.MAX_WBITS | 32)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take packed bytes; yield what they hold."""
        if not self._begun:
            self._head += data
            if len(self._head) >= _HEAD:
                yield from self.finish()
            return
        yield from self._unpack(data)

    def finish(self) -> Iterator[bytes]:
        """Take what was held back."""
        head, self._head = self._head, b""
        yield from self._unpack(head)

    def _unpack(self, data: bytes) -> Iterator[bytes]:
        more = bool(data)
        while more:
            before = self._inner.copy()
            try:
                out = self._inner.decompress(data, _PIECE)
            except zlib.error as error:
                if not self._begun and self._bare(data):
                    continue
                self.trouble = str(error)
                yield from self._salvage(before, data)
                return
            self._begun = True
            if out:
                yield out
            data = self._inner.unconsumed_tail or self._inner.unused_data
            more = bool(data) or len(out) == _PIECE
            if self._inner.eof:
                if not data.strip(b"\0"):
                    return
                self._inner = zlib.decompressobj(zlib.MAX_WBITS | 32)

    def _salvage(self, inner: zlib._Decompress, data: bytes) -> Iterator[bytes]:
        """Yield what stands before the fault, byte by byte."""
        for place in range(len(data)):
            try:
                if out := inner.decompress(data[place : place + 1]):
                    yield out
            except zlib.error:
                self.rest = data[place:] if self._begun else data
                return

    def _bare(self, data: bytes) -> bool:
        """Some servers send deflate without its frame."""
        bare = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            bare.copy().decompress(data, 1)
        except zlib.error:
            return False
        self._inner, self._begun = bare, True
        return True
