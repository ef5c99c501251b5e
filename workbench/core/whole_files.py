"""Files of users that are read whole: up to a size, so that a device or a pipe that never ends is refused like any other file."""

from __future__ import annotations

import errno
import os
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LARGEST = 512 << 20
"""Bytes; what may be larger is read in pieces (`scan`)."""
_PIECE = 1 << 20
"""Bytes that are asked for at once: Python makes room for all of them first."""


def true_path(path: Path) -> Path:
    """Return the path with its links followed, absolute; one of a circle as far as it leads, which Python's own way raises for."""
    return type(path)(os.path.realpath(path))


def bytes_of_file(path: Path) -> bytes:
    """Return what a file holds; raise OSError, "File too large" for more than `LARGEST` bytes."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        parts, room = [], LARGEST + 1 if size <= LARGEST else 0  # of a larger one nothing is read
        while room and (part := file.read(min(max(size + 1, _PIECE), room))):
            parts.append(part)
            room -= len(part)
    if room:
        return b"".join(parts)
    raise _too_large(str(path))


def lines_of_file(file: IO[bytes], name: str) -> Iterator[bytes]:
    """Yield the lines as they come; raise OSError, "File too large" for one of more than `LARGEST` bytes."""
    while line := file.readline(LARGEST + 1):
        if len(line) > LARGEST:
            raise _too_large(name)
        yield line


def _too_large(name: str) -> OSError:
    return OSError(errno.EFBIG, os.strerror(errno.EFBIG), name)


def text_of_file(path: Path, encoding: str = "utf-8-sig", *, errors: str = "strict") -> str:
    """Return its text with `\\n` as the only line end; raise OSError or UnicodeDecodeError."""
    return bytes_of_file(path).decode(encoding, errors).replace("\r\n", "\n").replace("\r", "\n")
