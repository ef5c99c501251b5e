"""What runs of base64 and hexadecimal in a text say, where that is text for people: keys are handed about in them."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUN = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_HEXADECIMAL = re.compile(r"(?:[0-9a-f]{2}){6,}", re.IGNORECASE)
_STANDARD = str.maketrans("-_", "+/")


def said_in_code(text: str) -> Iterator[str]:
    """What each run says, in order: base64 of either alphabet, with or without its end; codes of data say nothing."""
    for run in _RUN.findall(text):
        data = bytes.fromhex(run) if _HEXADECIMAL.fullmatch(run) else b""
        if said := _for_people(data) or _for_people(_from_base64(run)):
            yield said


def _from_base64(run: str) -> bytes:
    code = run.rstrip("=").translate(_STANDARD)
    return base64.b64decode(f"{code}{'=' * (-len(code) % 4)}") if len(code) % 4 != 1 else b""


def _for_people(data: bytes) -> str:
    """Text without characters that nobody types; else empty."""
    try:
        said = data.decode()
    except UnicodeDecodeError:
        return ""
    return said if said.translate({10: " ", 13: " ", 9: " "}).isprintable() else ""
