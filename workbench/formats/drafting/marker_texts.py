"""What several texts have in common where a marker should stand, cut to what is no prose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "\x00"
"""Stands for the tool's name in a closing marker."""
KEY = "\x01"
"""Stands for the argument's key behind its value."""
MOST = 100
"""Characters of one marker."""
_SIGN = re.compile(r"[^\w\s\"'.,()=:*+-]|--|={2,}|_\w+\s?:\s?\Z")
_WORDS = re.compile(r"[a-z]+ [a-z]+ [a-z]|[.!?]\s")
_BEGIN = re.compile(
    r"(?:(?<=\s)|\A)(?=[^\w\s.,;!?)\"']|[A-Z][A-Z]+_?[A-Z_]*\s?[:>=|\]])|(?<=[\w.,;:!?)])(?=[<\[{`@#«⟦⟨【「§¤†‡|~^]{1,2}\S)"
)
_CLOSER = (
    r"(?:</?[\w:.\-|/\x00\x01 ]{0,30}>|\[{1,3}[/\w][^\[\]\n]{0,30}\]{1,3}|"
    r"[^\w\s\"'.,]{1,4}/[\w:\- \x00]{1,30}[^\w\s\"'.,/]{1,4}|"
    r"[^\w\s\"'.,\x00\x01]{1,8}(?:[\w:./\x00\x01\-]{1,24}[^\w\s\"',.]{0,8})?)"
)
_LINE = r"(?:\n[ \t]*(?:[^\w\s\"'.,][^\n]{1,40}|[A-Z]{2,}(?:[_ ][A-Z\x00]+)*)[ \t]*(?=\n|\Z))"
_RUN = re.compile(rf"\s?(?:{_LINE}|{_CLOSER})(?:\n?{_CLOSER})*")
_ANYWHERE = re.compile(rf"{_LINE}|{_CLOSER}(?:\n?{_CLOSER})*")


def common_start(texts: Sequence[str]) -> str:
    """What all texts begin with; no word is cut."""
    first, last = min(texts), max(texts)
    cut = next((at for at, char in enumerate(first) if last[at : at + 1] != char), len(first))
    while cut > 0 and any(text[cut - 1 : cut].isalnum() and text[cut : cut + 1].isalnum() for text in texts):
        cut -= 1
    return first[:cut]


def common_end(texts: Sequence[str]) -> str:
    """What all texts end with; no word is cut."""
    return common_start([text[::-1] for text in texts])[::-1]


def opening(before: Sequence[str]) -> str:
    """The marker that all texts end with; empty where that is prose, or nothing."""
    shared = common_end([text[-MOST:] for text in before])
    lines = shared.split("\n")
    keep = len(lines) - 1 - (not lines[-1].strip() and len(lines) > 1)
    while keep > 0 and re.fullmatch(r"\s*[^\w\s].{0,40}[^\w\s\"'.,]\s*", lines[keep - 1]):
        keep -= 1
    shared = "\n".join(lines[keep:]).lstrip()
    for found in _BEGIN.finditer(shared):
        mark = shared[found.start() :]
        if _SIGN.search(mark) and not _WORDS.search(mark):
            return mark
    return ""


def closing(behind: Sequence[str]) -> str:
    """The marker that the texts begin with, with the blanks before it; a text that is over says nothing."""
    told = [text[:MOST] for text in behind if text.strip()]
    if len(told) * 2 < len(behind) or not told:
        return ""
    found = _RUN.match(common_start(told) if len(told) > 1 else told[0])
    return found.group().rstrip() if found else ""


def ending(tails: Sequence[str]) -> str:
    """The marker that ends a bare value: the first one of the first text that stands in the others too."""
    found = _ANYWHERE.search(tails[0])
    while found is not None:
        mark = found.group().rstrip()
        rest = [text.find(mark.lstrip()) for text in tails]
        if min(rest) >= 0:
            whole = closing([text[at:] for text, at in zip(tails, rest, strict=True)])
            blank = mark[: len(mark) - len(mark.lstrip())]
            return blank + max(whole.lstrip(), mark.lstrip(), key=len)
        shorter = _shorter(mark, tails)
        if shorter:
            return shorter
        found = _ANYWHERE.search(tails[0], found.start() + 1)
    return ""


def _shorter(mark: str, tails: Sequence[str]) -> str:
    """A part of a marker's beginning that stands in all texts and is a marker."""
    for match in re.finditer(_CLOSER, mark):
        part = mark[: match.end()]
        if all(part.strip() in text for text in tails) and len(part.strip()) > 1:
            return part
    return ""
