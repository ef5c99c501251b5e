"""Where a value stands in JSON text: what a form, a linter and an editor have in common."""

from __future__ import annotations

import json
import re

_SPACE = re.compile(r"[ \t\n\r]*")


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Both from 1, of an offset in a text."""
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def locate(text: str, path: tuple[str | int, ...]) -> int:
    """Offset where the value at a path begins; of the nearest part that exists. The text must be valid JSON."""
    decoder, at = json.JSONDecoder(), _skip(text, 0)
    for part in path:
        found = _step(decoder, text, at, part)
        if found is None:
            return at
        at = found
    return at


def _step(decoder: json.JSONDecoder, text: str, at: int, part: str | int) -> int | None:
    closing = {"{": "}", "[": "]"}.get(text[at : at + 1])
    if closing is None or (closing == "}") != isinstance(part, str):
        return None
    at, number = _skip(text, at + 1), 0
    while at < len(text) and text[at] != closing:
        key: str | int = number
        if closing == "}":
            name, end = decoder.raw_decode(text, at)
            key, at = name, _skip(text, _skip(text, end) + 1)
        if key == part:
            return at
        _, end = decoder.raw_decode(text, at)
        at = _skip(text, end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        number += 1
    return None
