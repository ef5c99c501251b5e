"""JSON lines read one after the other, however long the file: a bad one is named and the rest goes on.

A file that is one JSON list is read too. Files are UTF-8, with or without a byte order mark.
"""

from __future__ import annotations

import codecs
import errno
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.whole_files import opened_file
from workbench.documents import DocumentError, read_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import BinaryIO

LONGEST_LINE = 64 << 20
LONGEST_SKIPPED = 2 << 30
"""Bytes of one line that are passed over; a device or a pipe may never end one."""
"""Bytes of one line; a longer one is bad."""
LARGEST_DOCUMENT = 256 << 20
"""Bytes of a file that is one JSON document."""
_OTHER_MARKS = ((codecs.BOM_UTF32_LE, "UTF-32"), (codecs.BOM_UTF32_BE, "UTF-32"),
                (codecs.BOM_UTF16_LE, "UTF-16"), (codecs.BOM_UTF16_BE, "UTF-16"), (b"\x1f\x8b", "gzip"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class FileRow:
    """One value of a file."""

    place: str
    """`results.jsonl, line 3`."""
    value: Any
    number: int = 0
    """Line, or place in the list, from 1."""


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be used, and why."""

    place: str
    message: str

    def to_json(self) -> dict[str, str]:
        """Return both."""
        return {"place": self.place, "message": self.message}


def read_rows(path: Path, advance: Callable[[int], object] = lambda _: None) -> Iterator[FileRow | BadRow]:
    """Yield the rows; `advance` is told of bytes as they are read. Raise InvalidInput for what is no such file at all."""
    try:
        with opened_file(path) as file:
            begin = _begin(file, path)
            if begin == b"[":
                yield from _items(file, path, advance)
            elif begin:
                yield from _lines(file, path, advance)
    except OSError as error:
        raise InvalidInput(
            f"The file {str(path)!r} cannot be read: {error.strerror or error}.",
            hint="Name the files of a folder one by one." if path.is_dir() else "",
        ) from error


def _begin(file: BinaryIO, path: Path) -> bytes:
    """Return the first byte that counts, and stand behind a byte order mark; empty for an empty file."""
    head = file.read(4096)
    check_marks(head, path)
    start = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
    file.seek(start)
    return head[start:].lstrip()[:1]


def check_marks(head: bytes, path: Path) -> None:
    """Raise InvalidInput for a file that says at its beginning that it is no UTF-8 text."""
    for mark, name in _OTHER_MARKS:
        if head.startswith(mark):
            hint = "Unpack it first: gunzip --keep." if name == "gzip" else "Save it as UTF-8."
            raise InvalidInput(f"The file {str(path)!r} is {name}, no UTF-8 text.", hint=hint)


def _items(file: BinaryIO, path: Path, advance: Callable[[int], object]) -> Iterator[FileRow | BadRow]:
    data = file.read(LARGEST_DOCUMENT + 1)
    if len(data) > LARGEST_DOCUMENT:
        raise InvalidInput(
            f"The list in {str(path)!r} is longer than {LARGEST_DOCUMENT >> 20} MiB.", hint="Make it JSON lines."
        )
    advance(len(data))
    first, _, rest = data.strip().partition(b"\n")
    if rest and _is_row(first):  # a list a line
        file.seek(0)
        _begin(file, path)
        yield from _lines(file, path, lambda _: None)
        return
    values = read_json(_text(data, str(path)), path.name, strict=False)
    for number, value in enumerate(values, 1):
        yield FileRow(f"{path.name}, item {number}", value, number)


def _is_row(line: bytes) -> bool:
    try:
        read_json(line.decode(), "")
    except (UnicodeDecodeError, DocumentError):
        return False
    return True


def _text(data: bytes, place: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"The file {place!r} is not UTF-8 text: byte {error.start}.") from error


def _lines(file: BinaryIO, path: Path, advance: Callable[[int], object]) -> Iterator[FileRow | BadRow]:
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        place = f"{path.name}, line {number}"
        advance(len(line))
        if len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
            advance(_skip_line(file))
            yield BadRow(place, f"The line is longer than {LONGEST_LINE >> 20} MiB.")
            continue
        if not line.strip():
            continue
        try:
            yield FileRow(place, read_json(line.decode(), place, strict=False), number)
        except UnicodeDecodeError as error:
            yield BadRow(place, f"{place} is not UTF-8 text: byte {error.start} of the line.")
        except DocumentError as error:
            yield BadRow(place, _without_line(error.message))


def _without_line(message: str) -> str:
    """The row's own line is the only one."""
    return message.replace(" in line 1, column ", " at column ")


def _skip_line(file: BinaryIO) -> int:
    """Pass the rest of a line; return its bytes."""
    passed = 0
    while part := file.readline(LONGEST_LINE):
        passed += len(part)
        if passed > LONGEST_SKIPPED:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        if part.endswith(b"\n"):
            break
    return passed
