"""Archives of logs and sessions: zip and tar, packed or not. Each file in one is read as what it is; nothing is unpacked to the disk.

What an archive claims is not believed: how much it may unpack to is bounded by its own size, members that are no files are passed
over, and a member's name is only told, never followed. An archive inside of an archive is named.
"""

from __future__ import annotations

import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.scan.opened import Opened, bound_of
from workbench.scan.reply import Trouble
from workbench.scan.sources import NO_TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from workbench.scan.readers.table import ReaderRow
    from workbench.scan.reply import FoundReply

_ZIP = b"PK\x03\x04"
_TAR = b"ustar"
_TAR_AT = 257
MOST_MEMBERS = 200_000
_HELD = 32 << 20
"""Bytes of a member of a tar archive that are held in memory; a larger one is looked up again whenever it is read."""
_WHOLE = 512 << 20
"""Bytes of a member that can only be read as a whole."""
_BLOCK = 1 << 20
_LOOKED_AT = 50
"""Members of which one has to be known."""
_BROKEN = (
    OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, RuntimeError, NotImplementedError,
)  # fmt: skip


class Member(Opened):
    """One file in an archive."""

    def __init__(self, name: str, size: int, open_raw: Callable[[], IO[bytes]], changed_s: float = 0.0) -> None:
        super().__init__("")
        self.name, self.suffix = name, PurePosixPath(name).suffix.lower()
        self._size, self._open_raw, self._changed_s = size, open_raw, changed_s

    @cached_property
    def size(self) -> int:
        """Bytes, as the archive says."""
        return self._size

    @cached_property
    def changed_s(self) -> float:
        """When it was last changed, as the archive says."""
        return self._changed_s

    def seekable(self) -> Path | IO[bytes]:
        """Its bytes; raise InvalidInput if there are too many to be held."""
        return io.BytesIO(self.bytes(_WHOLE))

    def _raw(self) -> IO[bytes]:
        try:
            return self._open_raw()
        except _BROKEN as error:
            raise InvalidInput(f"{self.name} cannot be unpacked: {error}.") from error


def recognise(file: Opened) -> bool:
    """An archive in which one of the first files is of a known kind."""
    if file.path is None or not is_archive(file):
        return False
    try:
        with closing(_members(Opened(file.path))) as members:
            return any(_row_of(member) is not None for member, _ in zip(members, range(_LOOKED_AT), strict=False))
    except (WorkbenchError, *_BROKEN):
        return False


def is_archive(file: Opened) -> bool:
    """A zip or a tar archive by its signature."""
    return file.head.startswith(_ZIP) or file.head[_TAR_AT:].startswith(_TAR)


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of all its files, with their names before the places; what is not known is counted at the end."""
    unknown = 0
    try:
        for member in _members(file):
            row = None
            try:
                row = _row_of(member)
                for item in row.read(member) if row is not None else ():
                    place = f"{member.name}:{item.place}"
                    if isinstance(item, Trouble):
                        yield Trouble(place, item.message)
                    else:
                        item.place = place
                        yield item
            except (WorkbenchError, *_BROKEN) as error:
                yield Trouble(
                    member.name, str(error) if isinstance(error, WorkbenchError) else f"It is broken: {error}."
                )
            else:
                unknown += row is None
    except (InvalidInput, *_BROKEN) as error:
        yield Trouble("the archive", str(error) if isinstance(error, InvalidInput) else f"It is broken here: {error}.")
    if unknown:
        files = "1 file is" if unknown == 1 else f"{unknown:,} files are"
        yield Trouble("the archive", f"{files} of no known kind.")


def _row_of(member: Opened) -> ReaderRow | None:
    from workbench.scan.readers.table import recognised

    row = recognised(member, named=False)
    return None if row is None or row.kind == "archive" else row


class _Bound:
    """How much may still be unpacked."""

    def __init__(self, file: Opened) -> None:
        self._name, self.left = file.name, bound_of(file.size)

    def take(self, size: int) -> None:
        """Count a member; raise InvalidInput where it is too much."""
        self.left -= size
        if self.left < 0:
            raise InvalidInput(f"{self._name} unpacks to much more than its size: the rest of it is not read.")


def _members(file: Opened) -> Generator[Member, None, None]:
    """The files in an archive that may hold text of people; raise InvalidInput for a trap, and what the modules raise."""
    made = _of_zip(file) if file.head.startswith(_ZIP) else _of_tar(file)
    for number, member in enumerate(made):
        if number >= MOST_MEMBERS:
            raise InvalidInput(f"{file.name} holds more than {MOST_MEMBERS:,} files: the rest of it is not read.")
        if member.suffix not in NO_TEXT and member.size:
            yield member


def _of_zip(file: Opened) -> Iterator[Member]:
    assert file.path is not None
    bound = _Bound(file)
    with zipfile.ZipFile(file.path) as archive:
        for info in archive.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            if info.is_dir() or kind not in (0, stat.S_IFREG):
                continue
            bound.take(info.file_size)
            file.told(info.compress_size)
            yield Member(_shown(info.filename), info.file_size, partial(archive.open, info), _seconds(info.date_time))


def _of_tar(file: Opened) -> Iterator[Member]:
    bound = _Bound(file)
    with file.stream() as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
        for info in archive:
            if not info.isreg() or info.issparse():
                continue
            bound.take(info.size)
            if info.size > _HELD:
                assert file.path is not None
                far = partial(_far, Opened(file.path), info.offset_data, info.size)
                yield Member(_shown(info.name), info.size, far, info.mtime)
            elif (packed := archive.extractfile(info)) is not None:
                yield Member(_shown(info.name), info.size, partial(io.BytesIO, packed.read()), info.mtime)


def _shown(name: str) -> str:
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in name)[:300]


def _seconds(when: tuple[int, int, int, int, int, int]) -> float:
    try:
        return datetime(*when, tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def _far(file: Opened, start: int, size: int) -> IO[bytes]:
    return io.BufferedReader(_Slice(file, start, size), _BLOCK)


class _Slice(io.RawIOBase):
    """A stretch of what an archive unpacks to, from its beginning on whenever it is wanted again."""

    def __init__(self, file: Opened, start: int, size: int) -> None:
        self._file, self._start, self._size = file, start, size
        self._at = 0
        self._stack = ExitStack()
        self._stream: IO[bytes] | None = None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + (self._at if whence == io.SEEK_CUR else self._size if whence == io.SEEK_END else 0)
        self._stack.close()
        self._stream = None
        return self._at

    def readinto(self, buffer: Any) -> int:
        if self._stream is None:
            self._stream = self._stack.enter_context(self._file.stream())
            to_skip = self._start + self._at
            while to_skip and (skipped := len(self._stream.read(min(to_skip, _BLOCK)))):
                to_skip -= skipped
        data = self._stream.read(min(len(buffer), self._size - self._at)) if self._at < self._size else b""
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        self._stack.close()
        super().close()
