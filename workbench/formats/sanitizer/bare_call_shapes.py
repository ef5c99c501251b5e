"""Calls that need no marker: call-shaped JSON, lists of it, pythonic lists."""

from __future__ import annotations

import ast
import re
from enum import Enum

from workbench.formats.kit.json_end import End
from workbench.formats.kit.prefix_patterns import alt, cls, lit, opt, seq
from workbench.formats.kit.python_source import FAILURES, expression
from workbench.formats.sanitizer.body_scan import JsonScan, PairScan

LIMIT = 1 << 20
"""A call without markers is at most this long."""
CODE_LIMIT = 1 << 15

_OBJECT_LIST = seq(lit("["), cls(r"\s", 0, 64), lit("{"))
_CALL_LIST = seq(
    lit("["),
    cls(r"\s", 0, 64),
    cls("[A-Za-z_]", 1, 1),
    cls(r"[\w.]", 0, 80),
    cls(r"\s", 0, 8),
    lit("("),
    cls(r"\s", 0, 64),
    alt(lit(")"), seq(cls("[A-Za-z_]", 1, 1), cls(r"\w", 0, 60), cls(r"\s", 0, 8), lit("="))),
)
_FENCE_LINE = seq(alt(lit("```"), lit("~~~")), cls("[`~]", 0, 10), cls(r"[^\n`]", 0, 80), opt(lit("\r")), lit("\n"))
_LISTS = {name: re.compile(part.full) for name, part in (("json", _OBJECT_LIST), ("call", _CALL_LIST))}
_LISTS_BEGUN = {name: re.compile(part.partial) for name, part in (("json", _OBJECT_LIST), ("call", _CALL_LIST))}
_BLANK_LINE = re.compile(r"\n[ \t]*+\n")
FENCE_LINE = re.compile(_FENCE_LINE.full)
_FENCE_BEGUN = re.compile(_FENCE_LINE.partial)


def kind_at(text: str, at: int, final: bool, *, before: str, line_start: bool) -> str:
    """Tell what may begin here: `json`, `call` (a pythonic list), `fence`, nothing, or `wait`: more text will tell.

    `before` is the character before: inline code only talks about calls.
    """
    char = text[at]
    if char in "`~":
        if not line_start:
            return ""
        if FENCE_LINE.match(text, at):
            return "fence"
        return "wait" if not final and _FENCE_BEGUN.match(text, at) else ""
    if before == "`":
        return ""
    return "json" if char == "{" else list_kind(text, at, final, line_start=line_start)


def list_kind(text: str, at: int, final: bool, *, line_start: bool) -> str:
    """Tell what a `[` begins; pythonic lists count at the start of a line only."""
    kinds = ("json", "call") if line_start else ("json",)
    for kind in kinds:
        if _LISTS[kind].match(text, at):
            return kind
    waits = not final and any(_LISTS_BEGUN[kind].match(text, at) for kind in kinds)
    return "wait" if waits else ""


class CandidateState(Enum):
    """What a candidate turned out to be."""

    MORE = "more"
    CALL = "call"
    OTHER = "other"
    """No call: all of it is text."""
    PASSING = "passing"
    """Certainly no call, but not at its end: nothing inside of it is to be looked at."""


class Candidate:
    """Text that may be a call without markers."""

    def __init__(self, kind: str, lead: str, *, doomed: bool = False) -> None:
        """`lead`: half markers that touch it. `doomed`: it must not be removed."""
        self.lead = lead
        self.size = 0
        self._parts: list[str] = []
        self._scan: JsonScan | PairScan = JsonScan() if kind == "json" else PairScan()
        self._doomed = doomed

    @property
    def text(self) -> str:
        """All that was read."""
        return "".join(self._parts)

    def feed(self, text: str, final: bool) -> tuple[CandidateState, int]:
        """Read on; return what it is and how much of `text` belongs to it."""
        where = self._scan.feed(text, final=final)
        at = self._scan.at
        self._parts.append(text[:at])
        self.size += at
        if where is End.BROKEN:
            whole = isinstance(self._scan, JsonScan) and self._scan.whole_but_brace and not self._is_doomed()
            return (CandidateState.CALL if whole else CandidateState.OTHER), at
        if where is End.MORE and not final:
            return (CandidateState.PASSING if self._is_doomed() else CandidateState.MORE), at
        return (CandidateState.CALL if self._is_call(cut_off=where is End.MORE) else CandidateState.OTHER), at

    def cut_string(self) -> str:
        """Give up what stands behind a blank line in a string that has no end: it is no part of the call."""
        text = self.text
        blank = _BLANK_LINE.search(text, self.size - self._scan.string.length) if self._scan.in_string else None
        if blank is None:
            return ""
        self._parts, self.size = [text[: blank.start()]], blank.start()
        return text[blank.start() :]

    def skip(self, text: str, final: bool) -> tuple[bool, int]:
        """Read on without remembering; return whether it has ended, and where."""
        where = self._scan.feed(text, final=final)
        return where is not End.MORE, self._scan.at

    def _is_doomed(self) -> bool:
        foreign = isinstance(self._scan, JsonScan) and self._scan.doomed
        return self._doomed or foreign or self.size > LIMIT

    def _is_call(self, *, cut_off: bool) -> bool:
        if self._is_doomed():
            return False
        if isinstance(self._scan, JsonScan):
            return self._scan.almost_call if cut_off else self._scan.verdict in {"call", "calls"}
        return "=" in self.text if cut_off else is_call_list(self.text)


def is_call_list(text: str) -> bool:
    """Tell whether `[f(a=1), g()]` is a list of calls with keyword arguments, one at least."""
    if len(text) > CODE_LIMIT or "=" not in text:
        return False
    try:
        body = expression(text.strip())
    except FAILURES:
        return re.search(r"\)\s*\]\Z", text) is not None
    return isinstance(body, ast.List) and all(
        isinstance(item, ast.Call) and isinstance(item.func, ast.Name | ast.Attribute) and not item.args
        for item in body.elts
    )
