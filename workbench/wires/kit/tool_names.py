"""Tool names within `[a-zA-Z0-9_-]`, which is all that most protocols take, and the way back.

Any other character is written as `_x2E_` (its number in hexadecimal between underscores). The way back needs nothing but the
name, so that a reply's recorded bytes can be read again without the request. The recorded request shows the names as sent.
A name that is too long ends in a hash of the whole; its way back is a memo, filled again by whoever reads old bytes (`learn`).
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 64
"""Characters of a tool's name that most protocols take."""

_FOREIGN = re.compile(r"[^a-zA-Z0-9_-]|_(?=x[0-9A-F]{2,6}[^a-zA-Z0-9-])")
"""What must be written otherwise; an underscore too where the name looks like one that was changed already."""
_WRITTEN = re.compile(r"_x([0-9A-F]{2,6})_")
_OWN = re.compile(r"[a-zA-Z0-9-]")
_UNLETTERED = re.compile(r"[0-9-]")
"""What no name begins with where it must begin with a letter or an underscore."""
_SHORTENED: dict[str, str] = {}
"""Long names by their short forms; the same name always has the same."""


def plain_name(name: str) -> str:
    """Return the name as protocols take it."""
    return _FOREIGN.sub(lambda match: f"_x{ord(match[0]):02X}_", name)


def lettered_name(name: str, limit: int = LONGEST) -> str:
    """Return the name for a protocol whose names begin with a letter or an underscore (Gemini)."""
    plain = plain_name(name)
    if not _UNLETTERED.match(plain):
        return wire_name(name, limit)
    return _shortened(f"_x{ord(plain[0]):02X}_{plain[1:]}", name, limit)


def wire_name(name: str, limit: int = LONGEST) -> str:
    """Return a tool's name as protocols take it, which is plain and not too long."""
    return _shortened(plain_name(name), name, limit)


def _shortened(plain: str, name: str, limit: int) -> str:
    if len(plain) <= limit:
        return plain
    short = f"{plain[: limit - 11]}-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:10]}"
    _SHORTENED[short] = name
    return short


def learn(names: Iterable[str], limit: int = LONGEST) -> None:
    """Make the way back known for the tools of a request whose reply is read from a record."""
    for name in names:
        wire_name(name, limit)
        lettered_name(name, limit)


def original_name(name: str) -> str:
    """Return the name that was changed by `wire_name`, `lettered_name` or `plain_name`; any other name stays as it is."""
    if name in _SHORTENED:
        return _SHORTENED[name]
    return _WRITTEN.sub(_character, name) if "_x" in name else name


def _character(match: re.Match[str]) -> str:
    number = int(match[1], 16)
    if match.start() == 0 and number < 0x80 and _UNLETTERED.match(chr(number)):
        return chr(number)
    if number > 0x10FFFF or 0xD800 <= number < 0xE000 or _OWN.fullmatch(chr(number)) or match[0] != f"_x{number:02X}_":
        return match[0]
    return chr(number)
