"""A file under scan: its beginning for recognition, its lines and bytes for reading, and how far it was read.

Files are read as they are, packed with gzip, bzip2 or xz too, in UTF-8 or in UTF-16.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.json_text import UNREADABLE
from workbench.core.whole_files import opened_file
from workbench.scan.json_values import json_value

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = 65_536
"""Bytes that recognition looks at."""
_BLOCK = 1 << 20
_STEP = 1 << 16
_PACKINGS: tuple[tuple[bytes, Callable[[Any], Any]], ...] = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ", lzma.open),
)
"""How a file is unpacked, by its first bytes."""
_ARCHIVES = (
    (b"PK\x03\x04", 0, "is a zip archive in which no file of a known kind was found"),
    (b"ustar", 257, "is a tar archive in which no file of a known kind was found"),
    (b"7z\xbc\xaf", 0, "is a 7z archive, which is not unpacked here"),
    (b"(\xb5/\xfd", 0, "is packed with Zstandard, which is not unpacked here"),
)
"""Why nothing of a packed file was read, by bytes at a place."""
_MOST_TIMES = 1_000
_LEAST_BOUND = 1 << 30
_LONGEST_LINE = 512 << 20
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def bound_of(size: int) -> int:
    """How many bytes a packed file of a size may unpack to; what unpacks to more is a trap."""
    return max(size * _MOST_TIMES, _LEAST_BOUND)


class Opened:
    """One file, or a pasted text, to be read once or more."""

    def __init__(self, source: Path | str, told: Callable[[int], object] = lambda _: None) -> None:
        """`source`: a path, or a text itself; `told` is called with the number of bytes that were read since the last call."""
        self.path = source if isinstance(source, Path) else None
        self._text = b"" if isinstance(source, Path) else source.encode("utf-8", "replace")
        self.name = source.name if isinstance(source, Path) else "pasted text"
        self.suffix = self.path.suffix.lower() if self.path else ""
        self.told = told
        self.last_cut = 0
        """The number of the last line, where no end of line stands behind it; known when `lines` comes to it."""

    @cached_property
    def size(self) -> int:
        """Bytes on disk, or of the text."""
        return self.path.stat().st_size if self.path else len(self._text)

    @cached_property
    def changed_s(self) -> float:
        """When the file was last changed, in seconds since 1970; 0 for a text."""
        return self.path.stat().st_mtime if self.path else 0.0

    def seekable(self) -> Path | IO[bytes]:
        """What a library reads that jumps about: its path, or its bytes; raise InvalidInput for a text."""
        if self.path is None:
            raise InvalidInput(f"{self.name} is no text.", hint="Name the file: workbench scan FILE.")
        return self.path

    @cached_property
    def head(self) -> bytes:
        """The first bytes, unpacked and in UTF-8; raise InvalidInput."""
        with self.stream() as stream:
            return stream.read(HEAD)

    @cached_property
    def text(self) -> str:
        """The head as text, without a byte order mark."""
        return self.head.decode("utf-8", "ignore").removeprefix("\ufeff")

    @property
    def whole(self) -> bool:
        """The head is all there is."""
        return len(self.head) < HEAD

    @cached_property
    def rows(self) -> tuple[Any, ...]:
        """What the first lines are as JSON; empty where the first one that is not blank is none."""
        found: list[Any] = []
        lines = self.head.split(b"\n")
        for line in lines if self.whole or len(lines) == 1 else lines[:-1]:
            value = json_value(line) if line.strip() else None
            if value is UNREADABLE and not found:
                break
            if isinstance(value, dict | list):
                found.append(value)
            if len(found) >= 8:
                break
        return tuple(found)

    @property
    def archive(self) -> str:
        """Why it has to be unpacked by somebody else; empty for any file that is no archive."""
        return next((told for sign, at, told in _ARCHIVES if self.head[at : at + len(sign)] == sign), "")

    @contextmanager
    def stream(self) -> Iterator[IO[bytes]]:
        """The bytes, unpacked and in UTF-8; raise InvalidInput for what the disk or the packing refuses."""
        try:
            with self._raw() as raw:
                begin = raw.read(6)
                raw.seek(0)
                unpack = next((one for sign, one in _PACKINGS if begin.startswith(sign)), None)
                if unpack is not None:
                    with unpack(raw) as unpacked:
                        yield _Broken(unpacked, self.name, bound_of(self.size))  # type: ignore[misc]
                elif begin.startswith(_UTF16):
                    yield _Recoded(raw, "utf-16")  # type: ignore[misc]
                elif len(begin) > 5 and begin[1::2] == b"\0\0\0" and b"\0" not in begin[::2]:
                    yield _Recoded(raw, "utf-16-le")  # type: ignore[misc]
                else:
                    yield raw
        except _BROKEN as error:
            if isinstance(error, EOFError):
                raise InvalidInput(
                    f"{self.name} ends early: its packing breaks off. What could be unpacked was read."
                ) from error
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise InvalidInput(f"{self.name} cannot be read: {why}.") from error

    def _raw(self) -> IO[bytes]:
        if self.path is None:
            return io.BytesIO(self._text)
        return _Counted(opened_file(self.path), self.told)  # type: ignore[return-value]

    def blocks(self) -> Iterator[bytes]:
        """The bytes in pieces of a megabyte."""
        with self.stream() as stream:
            while block := stream.read(_BLOCK):
                yield block

    def lines(self, *, blank: bool = False) -> Iterator[tuple[int, bytes]]:
        """Lines with their numbers, from 1, without their ends; empty ones only with `blank`."""
        number, rest, held = 0, b"", 0
        pieces: list[bytes] = []
        for block in self.blocks():
            parts = block.split(b"\n")
            if len(parts) == 1:
                pieces.append(block)
                held += len(block)
                if held > _LONGEST_LINE:
                    raise InvalidInput(
                        f"{self.name} has a line of more than {_LONGEST_LINE >> 20} MB: it is read no further."
                    )
                continue
            if pieces:
                parts[0] = rest + b"".join(pieces) + parts[0]
                pieces, held = [], 0
            else:
                parts[0] = rest + parts[0]
            rest = parts.pop()
            for line in parts:
                number += 1
                if blank or (line and line != b"\r"):
                    yield number, line
        rest += b"".join(pieces)
        if rest.strip():
            self.last_cut = number + 1
            yield number + 1, rest

    def bytes(self, most: int) -> bytes:
        """The whole content; raise InvalidInput if it is longer than `most`."""
        with self.stream() as stream:
            data = stream.read(most + 1)
        if len(data) > most:
            raise InvalidInput(
                f"{self.name} is longer than {most // 1_000_000} MB.", hint="It is read as a whole only."
            )
        return data


class _Counted:
    """A file that tells how much of it was read, each byte once."""

    def __init__(self, file: IO[bytes], told: Callable[[int], object]) -> None:
        self._file, self._told, self._furthest = file, told, 0

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        at = self._file.tell()
        if at > self._furthest:
            self._told(at - self._furthest)
            self._furthest = at
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> _Counted:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


class _Broken:
    """A packed stream: where it breaks off, all that can be unpacked is given before the error is raised; a trap is left."""

    def __init__(self, unpacked: IO[bytes], name: str, left: int) -> None:
        self._unpacked, self._name, self._left = unpacked, name, left
        self._error: Exception | None = None

    def read(self, size: int = _BLOCK) -> bytes:
        if self._error is not None:
            raise self._error
        if self._left < 0:
            raise InvalidInput(f"{self._name} unpacks to much more than its size: the rest of it is not read.")
        made = bytearray()
        wanted = size if size > 0 else 1 << 62
        while len(made) < wanted:
            try:
                piece = self._unpacked.read1(min(_STEP, wanted - len(made)))  # type: ignore[attr-defined]
            except _BROKEN as error:
                self._error = error
                if not made:
                    raise
                break
            if not piece:
                break
            made += piece
        self._left -= len(made)
        return bytes(made)


class _Recoded:
    """A stream of UTF-16 as UTF-8."""

    def __init__(self, raw: IO[bytes], coding: str) -> None:
        self._raw = raw
        self._decoder = codecs.getincrementaldecoder(coding)("replace")

    def read(self, size: int = _BLOCK) -> bytes:
        data = self._raw.read(size if size > 0 else -1)
        return self._decoder.decode(data, final=not data).encode("utf-8", "replace")
