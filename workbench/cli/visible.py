"""Text of others on a terminal: what a model wrote cannot steer it. Imports nothing: `parse` starts with it."""

from __future__ import annotations

_CONTROLS = {code: 0x2400 + code for code in range(32) if code not in (9, 10)} | {127: 0x2421}
_CONTROLS |= dict.fromkeys(range(128, 160), 0xFFFD)


def visible(text: str) -> str:
    """Return the text with control characters drawn, so that a model's output cannot steer the terminal."""
    return text.translate(_CONTROLS)


def one_line(text: str, limit: int = 100) -> str:
    """Return the text on one line, cut to `limit` characters."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"
