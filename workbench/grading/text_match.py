"""Texts and shapes in expectations: folding, text forms of other values, typed placeholders, patterns."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any
from uuid import UUID

from workbench.core.json_text import json_or

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.core.case import ExpectedArgument, TextMatch

_LETTERS = re.compile(r"[ ,./\-_*^]")
"""What the leaderboard's checker takes out of both texts."""


def fold_text(text: str, rule: TextMatch) -> str:
    """Return the text as it is compared under a rule."""
    if rule == "folded":
        return " ".join(text.casefold().split())
    if rule == "letters":
        return _LETTERS.sub("", text).lower().replace("'", '"')
    return text


def looks_like(text: str, value: Any) -> bool:
    """Whether a text is the text form of another JSON value: "3" of 3, "true" and "True" of true, "[1]" of [1]."""
    plain = text.strip()
    if isinstance(value, bool) or value is None:
        return plain.casefold() in ({"none", "null"} if value is None else {str(value).casefold()})
    read = json_or(plain)
    return type(read) is not bool and read == value


def _is_text(read: Callable[[str], object]) -> Callable[[Any], bool]:
    def check(value: Any) -> bool:
        if not isinstance(value, str):
            return False
        try:
            read(value)
        except ValueError:
            return False
        return True

    return check


def _moment(text: str) -> object:
    return datetime.fromisoformat(text) if len(text) > 10 else date.fromisoformat(text)


_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+:\S+")
"""A scheme has two letters at least: `C:\\temp` is a path."""
_SHAPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list | tuple),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
    "date": _is_text(_moment),
    "time": _is_text(time.fromisoformat),
    "email": lambda value: isinstance(value, str) and _EMAIL.fullmatch(value) is not None,
    "uri": lambda value: isinstance(value, str) and _URI.fullmatch(value) is not None,
    "uuid": _is_text(UUID),
}
"""Typed placeholders: dates and times as ISO 8601 writes them."""


def unlike(wanted: ExpectedArgument, value: Any) -> str:
    """Return what a value should look like and does not, in words; empty where it does."""
    if wanted.kind and not _SHAPES[wanted.kind](value):
        return f"any {wanted.kind}"
    if wanted.regex and not (isinstance(value, str) and re.search(wanted.regex, value)):
        return f"a text that matches /{wanted.regex}/"
    absent = [
        words for words in wanted.contains if not (isinstance(value, str) and words.casefold() in value.casefold())
    ]
    return f"a text with {', '.join(map(repr, absent))}" if absent else ""
