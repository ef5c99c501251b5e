"""Text as every database takes it."""

from __future__ import annotations

import re

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with `\\ufffd` for lone surrogates, which no file can hold, and NUL, which PostgreSQL cannot; events keep them as JSON escapes."""
    return _UNSTORABLE.sub("\ufffd", text)
