"""Files of users: opened in one way that waits for nobody for ever, and read whole up to a size.

A path may be anything: a pipe that nobody fills, a device without an end. What belongs to the program's own folders has to be a
regular file. What a command is told to read may be a pipe as well (`<(…)`, `/dev/stdin`), for as long as somebody fills it.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed import WriteableBuffer

LARGEST = 512 << 20
"""Bytes; what may be larger is read in pieces (`scan`)."""
FIRST_BYTE_S = 20.0
"""Seconds until somebody begins to fill a pipe."""
END_S = 60.0
"""Seconds until a pipe that is read whole ends."""
_PIECE = 1 << 20
"""Bytes that are asked for at once: Python makes room for all of them first."""


def true_path(path: Path) -> Path:
    """Return the path with its links followed, absolute; one of a circle as far as it leads, which Python's own way raises for."""
    return type(path)(os.path.realpath(path))


def expanded(path: Path | str) -> Path:
    """Return the path with the home directory for `~`; of a user that there is not, as it is, which Python's own way raises for."""
    return Path(os.path.expanduser(path))  # noqa: PTH111


def opened_file(
    path: Path, *, pipes: bool = False, end_s: float | None = None, buffer: int = io.DEFAULT_BUFFER_SIZE
) -> BinaryIO:
    """Open a file to be read; raise OSError, "no regular file" for others.

    `pipes`: pipes, devices and terminals, too; reading one raises TimeoutError if nothing comes for `FIRST_BYTE_S`, or if it has
    not ended after `end_s` seconds. A person at a terminal has all the time there is.
    """
    raw = io.FileIO(path, opener=opened_without_waiting)
    found = os.fstat(raw.fileno())
    if stat.S_ISREG(found.st_mode) or os.path.samestat(found, os.stat(os.devnull)):  # noqa: PTH116 - no path to be made
        return io.BufferedReader(raw, buffer)
    if pipes:
        return io.BufferedReader(_Pipe(raw, str(path), end_s))
    raw.close()
    raise OSError(errno.EINVAL, "it is no regular file", str(path))


def opened_without_waiting(name: str, flags: int) -> int:
    """An opener for `open`: a pipe would be waited for until somebody stands at its other end."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


class _Pipe(io.RawIOBase):
    """What somebody else fills, read with an end to the waiting."""

    def __init__(self, raw: io.FileIO, name: str, end_s: float | None) -> None:
        self._raw, self._name, self._end_s = raw, name, end_s
        self._begun, self._came = time.monotonic(), False

    def readable(self) -> bool:
        """Always."""
        return True

    def fileno(self) -> int:
        """The handle of the pipe."""
        return self._raw.fileno()

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Wait for bytes; raise TimeoutError."""
        while True:
            self._wait()
            got = self._raw.readinto(buffer)
            if got is not None:
                self._came = True
                return got

    def _wait(self) -> None:
        limit = self._end_s if self._came else min(FIRST_BYTE_S, self._end_s or FIRST_BYTE_S)
        if os.name != "posix" or (limit is not None and self._raw.isatty()):
            limit = None
        left = None if limit is None else max(0, limit - (time.monotonic() - self._begun))
        if os.name == "posix" and not _ready(self.fileno(), left):
            told = f"it did not end within {limit:g} s" if self._came else f"nothing came out of it for {limit:g} s"
            raise TimeoutError(errno.ETIMEDOUT, told, self._name)

    def close(self) -> None:
        """Give the handle back."""
        self._raw.close()
        super().close()


def _ready(handle: int, seconds: float | None) -> bool:
    """Whether bytes, or the end, are there in time; None: whenever."""
    import select

    waiting = select.poll()
    waiting.register(handle, select.POLLIN)
    return bool(waiting.poll(None if seconds is None else seconds * 1000))


def bytes_of_file(path: Path, *, pipes: bool = False) -> bytes:
    """Return what a file holds; raise OSError, "File too large" for more than `LARGEST` bytes. `pipes` as in `opened_file`."""
    with opened_file(path, pipes=pipes, end_s=END_S) as file:
        size = os.fstat(file.fileno()).st_size
        return bytes_of_stream(file, str(path), size)


def bytes_of_stream(file: IO[bytes], name: str, size: int = 0) -> bytes:
    """Return all that comes; raise OSError, "File too large" for more than `LARGEST` bytes. `size`: as far as it is known."""
    parts, room = [], LARGEST + 1 if size <= LARGEST else 0  # of a larger one nothing is read
    while room and (part := file.read(min(max(size + 1, _PIECE), room))):
        parts.append(part)
        room -= len(part)
    if room:
        return b"".join(parts)
    raise _too_large(name)


def text_of_stream(file: IO[str], name: str) -> str:
    """Return all that comes; raise OSError, "File too large" for more than `LARGEST` characters."""
    text = file.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise _too_large(name)
    return text


def lines_of_file(file: IO[bytes], name: str) -> Iterator[bytes]:
    """Yield the lines as they come; raise OSError, "File too large" for one of more than `LARGEST` bytes."""
    while line := file.readline(LARGEST + 1):
        if len(line) > LARGEST:
            raise _too_large(name)
        yield line


def _too_large(name: str) -> OSError:
    return OSError(errno.EFBIG, os.strerror(errno.EFBIG), name)


def text_of_file(path: Path, encoding: str = "utf-8-sig", *, errors: str = "strict", pipes: bool = False) -> str:
    """Return its text with `\\n` as the only line end; raise OSError or UnicodeDecodeError. `pipes` as in `opened_file`."""
    data = bytes_of_file(path, pipes=pipes)
    return data.decode(encoding, errors).replace("\r\n", "\n").replace("\r", "\n")
