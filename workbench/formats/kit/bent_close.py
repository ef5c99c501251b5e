"""What is left of a damaged closing tag at a value's end: models bend it, and it is no part of the value.

Rome</parameter1>      Rome</arg_value      Rome</ parameter>      Rome<\\/parameter>      Rome/parameter>      Romemeter>
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_MORE = 20
"""So much longer than the tag may be what was made of it: `</parameter_function>`."""
_ALIKE = 0.8
_LEAST = 4
"""What is left of a tag's end is longer."""
_OPEN_TAG = re.compile(r"<[^\s<>]*\Z")
_PREFIX = 7
"""So much of a tag's beginning says which one was meant."""


def without_close(text: str, *closes: str) -> tuple[str, bool]:
    """Return a value that was not closed without the damaged closing tag at its end, and whether there was one."""
    whole = text.rstrip()
    for close in closes:
        start = _begin(whole, close)
        if start >= 0:
            return text[:start], True
    return text, False


def without_ends(text: str, outer: tuple[str, ...], closes: tuple[str, ...]) -> tuple[str, bool]:
    """Do the same where damaged tags of what is around the value stand behind its own."""
    bent = False
    for _ in range(len(outer)):
        rest, found = without_close(text, *outer)
        if not found:
            break
        text, bent = rest, True
    rest, found = without_close(text, *closes)
    return rest, bent or found


def without_doubled(text: str, close: str, *opens: str) -> tuple[str, bool]:
    """Return a value without its closing tag written twice: one that holds such tags itself has as many that open one."""
    if not text[-len(close) - _MORE :].rstrip().lower().endswith(close.lower()):
        return text, False
    low = text.lower()
    whole = sum(low.count(tag.lower()) for tag in opens) >= low.count(close.lower())
    return (text, False) if whole else (text.rstrip()[: -len(close)], True)


def _begin(text: str, close: str) -> int:
    """Return where the damaged tag begins; -1 without one."""
    first, low = max(len(text) - len(close) - _MORE, 0), close.lower()
    for at in range(first, len(text)):
        if text[at] in ("<", close[0]) and is_bent(text[at:].lower(), low):
            return at
    for lost in (close[at:] for at in range(1, len(close) // 2 + 1)):
        begin = len(text) - len(lost)
        if len(lost) > (3 if lost == close[1:] else _LEAST) and text.lower().endswith(lost.lower()):
            return -1 if lost != close[1:] and _OPEN_TAG.search(text, max(begin - _MORE, 0), begin) else begin
    return -1


def left_of_tag(text: str, tag: str) -> int:
    """Return how many characters of a broken tag, about half of it or more, a value begins with."""
    lengths = range(len(tag), len(tag) // 2 - 1, -1)
    return next((n for n in lengths if text.startswith((tag[:n], tag[-n:]))), 0)


def is_bent(tag: str, close: str) -> bool:
    """True if a tag is what was made of the closing one: broken off, longer, or misspelt."""
    if close.startswith(tag):
        return 2 * len(tag) >= len(close)
    if tag.rstrip(">").count(">") > close.rstrip(">").count(">"):
        return False  # text stands behind it
    if tag.startswith(close[:_PREFIX]) and "<" not in tag[_PREFIX:]:
        return True
    return SequenceMatcher(None, tag, close, autojunk=False).ratio() >= _ALIKE
