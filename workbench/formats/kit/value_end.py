"""Where a value between tags ends that may hold tags itself: nothing in it is escaped, so only what follows can tell.

A closing tag counts if the structure goes on after it: another parameter, or the call's end and then the block's end, the
next call or the reply's end. A close after which only the call's end fits and then text follows (`</parameter></invoke>`
written inside a value) is data if a close that fits wholly comes later, and the end if none does; so is a single close
behind which stray text stands before the call's end, or before another call. Calls that are opened
and closed inside a value are data with all their tags. A block that is closed inside a value by all three tags in a row
cannot be told from the real end: there the value ends.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from workbench.formats.kit.window import ESCAPES, INVISIBLE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.tag_shape import TagShape
    from workbench.formats.kit.window import Step

_BENT_LIMIT = 64
"""A damaged closing tag, and the token behind it, are no longer."""
_STRAY = 400
"""No more text stands between a parameter and the end of its call, or the next call, if it belongs to neither."""
_WORDS = re.compile(rf"""[^<>={{}}\[\]|:"]{{0,{_STRAY}}}:?\s*+|[\W_]*+""")
"""Text that is no further parameter, however damaged."""
_ALIKE = 0.8
_NO, _MAYBE, _YES = 0, 1, 2


class ValueEnd(NamedTuple):
    """Where a value ends and where reading goes on."""

    end: int
    """-1: the reply ends inside the value."""
    go_on: int
    closed: bool = True
    """By its own tag."""
    searched_on: bool = False
    """A later end was looked for in vain."""


class ValuePlace(NamedTuple):
    """What is known of the call in which a value stands."""

    shape: TagShape
    wrapped: bool
    """The call stands in a block, so the block must go on after it."""
    deep: bool
    """Tags inside the value are weighed; else the first close that may fit is the end."""
    begins_next: Callable[[int], Step[bool]]
    """True if a parameter tag at an index begins the next parameter of this call."""
    doubtful: Callable[[int], Step[int]]
    """Where the parameter tag at an index ends if its key is not expected, else -1."""
    written_out: bool
    """White space between the call's tags is written as JSON does."""
    bent: Callable[[int], Step[bool]]
    """True if what is left of the tag of a parameter that is expected stands at an index."""


class _Loose:
    """A close that nothing fits, the only one in a value: its end if stray text alone parts it from a call's tag."""

    def __init__(self) -> None:
        self.tag: tuple[int, int] | None = None
        self.torn: tuple[int, int] | None = None

    def note(self, value: str, tag: tuple[int, int], fit: int, depth: int, first: tuple[int, int] | None) -> None:
        """Look at a close: one that fits is the better end, two that do not say nothing, nor one that closes nothing; where one
        was found, none counts."""
        if fit and not depth and first is None:
            self.torn = None
        elif not depth and first is None:
            self.tag = tag if self.tag is None and value.strip() else (-1, -1)

    def call_ends(self, scan: Scanner, before: int, at: int) -> None:
        """Look at what closes the call, behind the tag that ends at `before`."""
        if self.tag is not None and self.tag[1] == before and only_words(scan.text[before:at]):
            self.torn = self.tag

    def call_begins(self, scan: Scanner, shape: TagShape, before: int, tag: tuple[int, int]) -> Step[bool]:
        """Look at what may begin a call, behind the tag that ends at `before`; True if it does."""
        if self.tag is None or self.tag[1] != before or tag[0] - before > _STRAY:
            return False
        begins = yield from _begins(scan, shape, tag[1], scan.text[tag[0] : tag[1]].lower())
        self.torn = self.tag if begins else self.torn
        return begins


def find_end(scan: Scanner, place: ValuePlace, begin: int) -> Step[ValueEnd]:
    """Find the end of the value that begins at `begin`."""
    shape = place.shape
    deep = place.deep and scan.wasted <= 65_536 + 4 * (scan.base + begin)
    at, soft, depth, blocks = begin, -1, 0, 0
    inner, nested, holds = -1, False, False  # a call on a line of its own, whose parameter's close was the only one
    first: tuple[int, int] | None = None
    loose = _Loose()
    while True:
        before = at
        found = yield from scan.find(at, *shape.stops, *shape.wrapper_opens, *shape.call_starts)
        if found is None:
            break
        start, at = found
        token = scan.text[start:at].lower()
        if token in shape.param_closes:
            if first is not None and depth:
                continue
            fit = (yield from _fit(scan, place, at)) or (yield from _nameless(scan, shape, begin, start, at))
            if not fit and not depth and (yield from place.bent((yield from scan.space(at)))):
                fit = _YES
            if (fit == _YES and not depth) or (fit and not deep):
                return ValueEnd(start, at)
            loose.note(scan.text[begin:start], found, fit, depth, first)
            if fit and first is None:
                first, nested = (start, at), holds and depth == 1
        elif token in shape.param_starts:
            if not depth and first is None and (yield from place.begins_next(start)):
                return ValueEnd(start, start, closed=False)
            holds = holds or bool(depth)
        elif token in shape.call_closes:
            loose.call_ends(scan, before, start)
            soft = start if not depth and soft < 0 else soft
            depth = max(0, depth - 1)
        elif token in shape.wrapper_closes:
            if not blocks and first is not None:
                break
            soft = start if not blocks and soft < 0 else soft
            blocks = max(0, blocks - 1)
        else:
            if not depth and not blocks and (first is not None or soft >= 0):
                if first is None and deep and not (yield from _begins(scan, shape, at, token)):
                    continue
                break
            if not depth and inner < 0 and token in shape.call_starts and _begins_line(scan, begin, start):
                inner = start
            if (yield from loose.call_begins(scan, shape, before, found)) and loose.torn and not deep:
                return ValueEnd(*loose.torn)
            depth += deep and token in shape.call_starts
            blocks += deep and token in shape.wrapper_opens
    first, nested = (loose.torn, False) if loose.torn is not None else (first, nested)
    if nested and inner >= 0 and found is not None:
        return ValueEnd(inner, inner, closed=False)
    if first is not None and not (found is None and scan.cut_short):
        scan.wasted += (found[0] if found else len(scan.text)) - first[1]
        return ValueEnd(*first, searched_on=True)
    return _without_close(scan, shape, begin, soft, given_up=found is None and scan.cut_short)


def _begins_line(scan: Scanner, begin: int, at: int) -> bool:
    """True if nothing but blanks stands before `at` on its line."""
    return scan.text[max(at - 64, begin) : at].rstrip(" \t").endswith("\n")


def only_words(text: str) -> bool:
    """True of words, or signs, between a call's tags: no argument is lost with them."""
    return len(text) <= _STRAY and _WORDS.fullmatch(text) is not None


def _begins(scan: Scanner, shape: TagShape, at: int, token: str) -> Step[bool]:
    """True if a call or a block goes on behind its opener, which ends at `at`; a tag that is only named does not."""
    inside = shape.call_starts
    if token in shape.call_starts:
        found = yield from scan.within(at, 200, ">", "<", "\n")
        if found is None or scan.text[found[0]] == "<":
            return True
        at, inside = found[1], (*shape.param_starts, *shape.inner, *shape.call_closes, "{", "<!")
    return (yield from _stands(scan, (yield from scan.space(at)), inside))


def _without_close(scan: Scanner, shape: TagShape, begin: int, soft: int, *, given_up: bool) -> ValueEnd:
    """No closing tag fits: the value ends where the call is closed, or at half a closing tag."""
    if given_up:
        return ValueEnd(-1, len(scan.text))
    if soft >= 0:
        return ValueEnd(soft, soft, closed=False)
    at = scan.text.rfind("<", begin)
    tail = scan.text[at:].lower() if at >= 0 else ""
    if len(tail) > 2 and any(close.startswith(tail) for close in shape.param_closes):
        return ValueEnd(at, len(scan.text), closed=False)
    return ValueEnd(-1, len(scan.text))


def _fit(scan: Scanner, place: ValuePlace, at: int) -> Step[int]:
    """Say how well the structure goes on after a closing tag."""
    shape, blank = place.shape, scan.layout if place.written_out else scan.space
    at = yield from blank(at)
    if at >= len(scan.text):
        return _YES
    close = yield from scan.literal(at, *shape.call_closes)
    if close >= 0:
        if not place.wrapped or not place.deep:
            return _YES
        after = (*shape.wrapper_closes, *shape.wrapper_opens, *shape.call_starts, *shape.unnamed, *shape.between)
        return _YES if (yield from _stands(scan, (yield from blank(close)), after)) else _MAYBE
    if place.deep and (yield from scan.literal(at, *shape.param_starts)) >= 0:
        end = yield from place.doubtful(at)
        return _YES if end < 0 or (yield from _well_closed(scan, shape, end)) else _MAYBE
    fits = (yield from _stands(scan, at, _after(shape))) or (yield from bent_call_end(scan, shape, at)) >= 0
    return _YES if fits else _NO


def bent_call_end(scan: Scanner, shape: TagShape, at: int) -> Step[int]:
    """Return where a call's damaged closing tag at `at` ends if what may follow a call stands behind it, else -1."""
    if scan.text[at : at + 1].isalnum() or (yield from scan.literal(at, *ESCAPES)) >= 0:
        return -1
    marks = (*shape.call_starts, *shape.wrapper_closes, *shape.wrapper_opens, *shape.between)
    found = yield from scan.within(at, _BENT_LIMIT, *marks)
    if found is None:
        return -1
    letters = _letters(scan.text[at : found[0]])
    alike = (SequenceMatcher(None, letters, _letters(close), autojunk=False).ratio() for close in shape.call_closes[:2])
    return found[0] if letters and max(alike) >= _ALIKE else -1


def _letters(tag: str) -> str:
    return "".join(filter(str.isalnum, tag.lower()))


def _nameless(scan: Scanner, shape: TagShape, begin: int, end: int, at: int) -> Step[int]:
    """Say whether a parameter without a key follows at `at`: a value that holds such tags itself opened one before."""
    found = yield from scan.literal((yield from scan.space(at)), *shape.nameless)
    opened = found >= 0 and any(scan.text.find(tag, begin, end) >= 0 for tag in shape.nameless)
    return _YES if found >= 0 and not opened else _NO


def find_named_end(
    scan: Scanner, shape: TagShape, key: str, begin: int, keys: Collection[str]
) -> Step[tuple[int, int] | None]:
    """Find the tag `</key>` behind which the call ends, or the tag of a parameter or of another one of the keys stands; else the call's last, if no tag follows."""
    close, ends = f"</{key}>".lower(), (*shape.call_closes, *shape.wrapper_closes)
    opens = tuple(f"<{other}>".lower() for other in keys)
    at, last = begin, None
    while (found := (yield from scan.find(at, close, *shape.call_closes, *shape.call_starts))) is not None:
        if scan.text[found[0] : found[1]].lower() != close:
            return last if last is not None and "<" not in scan.text[last[1] : found[0]] else None
        at, last = found[1], found
        if (yield from _stands(scan, (yield from scan.space(at)), (*ends, *opens, *shape.param_starts))):
            return found
    return None


def _after(shape: TagShape) -> tuple[str, ...]:
    """Return what may follow a parameter."""
    call = (*shape.call_closes, *shape.wrapper_closes, *shape.wrapper_opens, *shape.call_starts)
    return (*shape.param_starts, *shape.inner, *call)


def _stands(scan: Scanner, at: int, marks: tuple[str, ...]) -> Step[bool]:
    """True if one of the marks stands at `at`, whole or cut off by the reply's end, or the reply ends there."""
    if at >= len(scan.text) or (yield from scan.literal(at, *marks)) >= 0:
        return True
    rest = scan.tail(at)
    return scan.closed and len(rest) < 30 and any(mark.startswith(rest.lower()) for mark in marks)


def _well_closed(scan: Scanner, shape: TagShape, at: int) -> Step[bool]:
    """True if a parameter with an unexpected key, whose value begins at `at`, is closed where the structure goes on."""
    found = yield from scan.find(at, *shape.param_closes, *shape.call_closes, *shape.wrapper_closes)
    if found is None or scan.text[found[0] : found[1]].lower() not in shape.param_closes:
        return True
    return (yield from _stands(scan, (yield from scan.space(found[1])), _after(shape)))


def unindented(text: str, indent: str) -> str | None:
    """Return a value without the blanks that its tag's line begins with, where the closing tag's and all between do so too."""
    if not (indent and text.startswith(f"\n{indent}") and text.endswith(f"\n{indent}")):
        return None
    lines = text[1 : -len(indent) - 1].split("\n")
    if not all(line.startswith(indent) or not line.strip() for line in lines):
        return None
    return lines[0].strip() if len(lines) == 1 else "\n".join(line.removeprefix(indent) for line in lines)


NOISE = frozenset(f"\u00a0{INVISIBLE}")
_NOISE = re.compile(rf"\A[\u00a0{INVISIBLE}]+(?=\r?\n)|(?<=\n)[\u00a0{INVISIBLE}]+\Z|(?<=\]\]>)[{INVISIBLE}]+\Z")
"""Blanks that nobody sees between a tag and the line break beside it."""


def bare_value(text: str, *, lines: bool = False) -> str:
    """Take away the newlines that are layout: one at both sides, or at either side where values stand on lines of their own."""
    if text[:1] in NOISE or text[-1:] in NOISE:
        text = _NOISE.sub("", text)
    if text.startswith("\r\n") and text.endswith("\r\n"):
        return text[2:-2]
    if not lines and not (text[:1] in "\r\n" and text.endswith("\n")):
        return text
    return text.removeprefix("\r").removeprefix("\n").removesuffix("\n")


_SECTIONS = re.compile(r"\]\]>(\s*+)<!\[CDATA\[")


def without_cdata(text: str) -> str:
    """Return what is in CDATA, which stands for itself; what follows at once in another section belongs to it, as `]]>` can only be written so."""
    if not text.startswith("<![CDATA[") or not text.endswith("]]>"):
        return text
    return _SECTIONS.sub(r"\1", text[9:-3])


def in_cdata(text: str) -> str:
    """Write a text in CDATA: in two sections where it holds what ends one."""
    return "<![CDATA[" + text.replace("]]>", "]]]]><![CDATA[>") + "]]>"
