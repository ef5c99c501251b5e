"""Text that leaves the program: what a model wrote cannot steer a terminal, and JSON is what every reader takes.

Standard library only: `parse` starts with it.
"""

from __future__ import annotations

import json
import re
from typing import Any

_OUTSIDE = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN')
_NUMBERS = {"Infinity": "1e999", "-Infinity": "-1e999", "NaN": "null"}
_CONTROLS = {code: 0x2400 + code for code in range(32) if code not in (9, 10)} | {127: 0x2421}
_CONTROLS |= dict.fromkeys(range(128, 160), 0xFFFD)


def visible(text: str) -> str:
    """Return the text with control characters drawn, so that a model's output cannot steer the terminal."""
    return text.translate(_CONTROLS)


def one_line(text: str, limit: int = 100) -> str:
    """Return the text on one line, cut to `limit` characters."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def json_text(value: Any, *, indent: int | None = None) -> str:
    """Write a value as one JSON document, non-ASCII characters as they are.

    A number too large for a float, as a model may write it, leaves as it came: `1e999`.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False, default=str)
    except ValueError:
        text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
        text = _OUTSIDE.sub(lambda found: _NUMBERS.get(found.group(), found.group()), text)
    try:
        text.encode()
    except UnicodeEncodeError:  # lone surrogates leave as escapes
        text = "".join(char if char < "\ud800" or char > "\udfff" else f"\\u{ord(char):04x}" for char in text)
    return text


def read_json(text: str) -> Any:
    """Read JSON to the letter: Python would take `NaN` and `Infinity` too. Raise ValueError or RecursionError."""
    return json.loads(text, parse_constant=_refuse)


def _refuse(word: str) -> Any:
    raise ValueError(f"there is no number {word!r}")
