"""Files of users that are read whole: up to a size, so that a device or a pipe that never ends is refused like any other file."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 512 << 20
"""Bytes; what may be larger is read in pieces (`scan`)."""


def bytes_of_file(path: Path) -> bytes:
    """Return what a file holds; raise OSError, "File too large" for more than `LARGEST` bytes."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size <= LARGEST:  # of a larger one nothing is read
            data = file.read(LARGEST + 1)
            if len(data) <= LARGEST:
                return data
    raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))


def text_of_file(path: Path, encoding: str = "utf-8-sig", *, errors: str = "strict") -> str:
    """Return its text with `\\n` as the only line end; raise OSError or UnicodeDecodeError."""
    return bytes_of_file(path).decode(encoding, errors).replace("\r\n", "\n").replace("\r", "\n")
