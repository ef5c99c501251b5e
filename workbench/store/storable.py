"""Text as SQLite takes it."""

from __future__ import annotations

import re

_LONE = re.compile("[\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with `\\ufffd` for lone surrogates, which no file can hold; events keep them as JSON escapes."""
    return _LONE.sub("\ufffd", text)
