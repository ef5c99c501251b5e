"""Tool names within `[a-zA-Z0-9_-]`, which is all that most protocols take, and the way back.

Any other character is written as `_x2E_` (its number in hexadecimal between underscores). The way back needs nothing but the
name, so that a reply's recorded bytes can be read again without the request. The recorded request shows the names as sent.
"""

from __future__ import annotations

import re

_FOREIGN = re.compile(r"[^a-zA-Z0-9_-]|_(?=x[0-9A-F]{2,6}[^a-zA-Z0-9-])")
"""What must be written otherwise; an underscore too where the name looks like one that was changed already."""
_WRITTEN = re.compile(r"_x([0-9A-F]{2,6})_")
_OWN = re.compile(r"[a-zA-Z0-9-]")


def plain_name(name: str) -> str:
    """Return the name as protocols take it."""
    return _FOREIGN.sub(lambda match: f"_x{ord(match[0]):02X}_", name)


def original_name(name: str) -> str:
    """Return the name that was changed by `plain_name`; any other name stays as it is."""
    return _WRITTEN.sub(_character, name) if "_x" in name else name


def _character(match: re.Match[str]) -> str:
    number = int(match[1], 16)
    if number > 0x10FFFF or 0xD800 <= number < 0xE000 or _OWN.fullmatch(chr(number)) or match[0] != f"_x{number:02X}_":
        return match[0]
    return chr(number)
