"""JSON as every reader takes it: no `NaN`, no `Infinity`, no halves of characters. Standard library only."""

from __future__ import annotations

import json
import re
from typing import Any

_OUTSIDE = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN')
_NUMBERS = {"Infinity": "1e999", "-Infinity": "-1e999", "NaN": "null"}


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
