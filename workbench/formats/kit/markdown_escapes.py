"""Markdown's escapes in calls: `get\\_weather(city\\_name="Rome")`, as models write them that think of a page.

Whoever escapes the names escapes everywhere, so the texts in the arguments lose theirs too.
"""

from __future__ import annotations

import re
from typing import Any

CODE = "markdown_escaped"
"""The repair."""
_ESCAPES = re.compile(r"\\([_.*\-])")
_ANY_ESCAPES = re.compile(r"\\++([_.*\-])")
"""In a name, however often it was escaped."""
_ESCAPE = r"\\(?=[\\_])"
"""What stands before an underscore of a name, for the regex of a name."""


def escaped_name(first: str = "[A-Za-z_]", more: str = r"\w.\-") -> tuple[str, str]:
    """Return a regex for a name of up to 64 characters whose underscores may be escaped, and one for all that may become it.

    `first`: the class of its first character; `more`: what stands in the class of the others.
    """
    return rf"{first}(?:[{more}]|{_ESCAPE}){{0,63}}", rf"{first}[{more}\\]{{0,63}}"


_DEEPEST = 64


def plain_name(name: str) -> str:
    """Return a name without its escapes: `get_weather` for `get\\_weather`."""
    return _ANY_ESCAPES.sub(r"\1", name) if "\\" in name else name


def plain_values(value: Any, depth: int = 0) -> Any:
    """Return a value with no escapes in any of its keys and texts."""
    if isinstance(value, str):
        return _ESCAPES.sub(r"\1", value) if "\\" in value else value
    if isinstance(value, list) and depth < _DEEPEST:
        return [plain_values(item, depth + 1) for item in value]
    if isinstance(value, dict) and depth < _DEEPEST:
        return {plain_name(key): plain_values(item, depth + 1) for key, item in value.items()}
    return value


def has_escaped_key(value: Any, depth: int = 0) -> bool:
    """True if a key in a value is written with Markdown's escapes."""
    if isinstance(value, dict):
        return any("\\_" in key for key in value) or (
            depth < _DEEPEST and any(has_escaped_key(item, depth + 1) for item in value.values())
        )
    return isinstance(value, list) and depth < _DEEPEST and any(has_escaped_key(item, depth + 1) for item in value)


def with_plain_keys(value: Any, depth: int = 0) -> Any:
    """Return a value without escapes in its keys; its texts stay."""
    if isinstance(value, dict) and depth < _DEEPEST:
        return {plain_name(key): with_plain_keys(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list) and depth < _DEEPEST:
        return [with_plain_keys(item, depth + 1) for item in value]
    return value
