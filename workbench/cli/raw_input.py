"""A raw reply from a file or standard input, byte for byte: line ends stay, and what is not UTF-8 is told. Imports nothing heavy."""

from __future__ import annotations

import sys
from pathlib import Path

from workbench.core.errors import InvalidInput
from workbench.core.whole_files import bytes_of_file, bytes_of_stream


def read_reply(who: str, place: str = "-") -> str:
    """Return what a file holds, or stands on standard input for `-`; `who` asks for it, in words for a person at the keyboard.

    Raise InvalidInput where it cannot be read.
    """
    if place != "-":
        try:
            return decode(bytes_of_file(Path(place), pipes=True), who)
        except OSError as error:
            raise InvalidInput(f"{place!r} cannot be read: {error.strerror or error}.") from error
    if sys.stdin.isatty():
        print(f"{who}: reading the reply from the keyboard; Ctrl+D on an empty line ends it.", file=sys.stderr)
    try:
        return decode(bytes_of_stream(sys.stdin.buffer, "-"), who)
    except OSError as error:
        raise InvalidInput(f"Standard input cannot be read: {error.strerror}.") from error


def decode(data: bytes, who: str) -> str:
    """Decode UTF-8; bytes that are none become replacement characters, and that is said.

    A byte order mark of UTF-16 is believed: shells on Windows redirect so.
    """
    try:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return data.decode("utf-16")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        print(f"{who}: byte {error.start} is not UTF-8; replaced.", file=sys.stderr)
        return data.decode("utf-8", errors="replace")
