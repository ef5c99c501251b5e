"""The text that a raw cell shows, with both directions between its characters and the sources they came from.

A reply has several sources: the wire's reasoning field, the text, and the argument text of each native call. The cell
shows them after each other. Spans count code points of one source; a text document counts UTF-16 units of the whole.
For display only, very long lines are broken, and characters that would mislead the eye or the text engine (controls,
direction overrides, lone surrogates) get a visible stand-in of the same length.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from workbench.core.calls import Span
from workbench.core.unseen import HIDDEN

LONGEST_NAME = 80
"""Characters of a name in a menu or in a window's title."""
PIECE = 4_096
"""Characters of a text in which those of two units are counted together."""
LONGEST_LINE = 2_000
"""Characters after which a line is broken for display: laying out one huge line again and again is quadratic."""

_ODD = re.compile(f"[\x00-\x08\x0b-\x1f\ufdd0\ufdd1\ufffc]|{HIDDEN.pattern}")
_FEW_KINDS = 32
"""Odd characters of so many kinds are replaced kind by kind: a megabyte of them one by one holds the window up."""
_WIDE = re.compile("[\U00010000-\U0010ffff]")


def visible(text: str) -> str:
    """Return the text with stand-ins for characters that would mislead whoever reads it; lengths stay, in units too."""
    if (text.isascii() and text.isprintable()) or not _ODD.search(text):
        return text
    alone = {one for one in set(text) if _ODD.match(one)}
    for one in alone if len(alone) <= _FEW_KINDS else ():
        text = text.replace(one, _stand_in(one))
    return _ODD.sub(lambda found: _stand_in(found[0]), text)  # and those that are odd by what stands before them


def shown_line(text: str) -> str:
    """A name of somebody else as part of a menu or of a window's title: on one line, and no wider than those can be."""
    line = visible(" ".join(text[: 2 * LONGEST_NAME].split()))
    return line if len(line) <= LONGEST_NAME else f"{line[:LONGEST_NAME]}…"


def _stand_in(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if code in (0x2028, 0x2029):
        return "\u2424"
    return "\ufffd" if code <= 0xFFFF else "\U0001f3f7"


def units(text: str) -> int:
    """Length in UTF-16 units, as text documents count."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


class Insert(NamedTuple):
    """Text that was added to what is shown."""

    at: int
    """Position in UTF-16 units, before this insertion."""
    text: str

    @property
    def end(self) -> int:
        """Position just after the inserted text."""
        return self.at + units(self.text)


class _WideCharacters:
    """How many characters of two units stand before a place of a text that grows.

    They are counted when asked for, in one piece of the text: a place for each of 50 million would take gigabytes.
    """

    def __init__(self) -> None:
        self._start = 0
        """Where the first piece begins: before it there are none."""
        self._pieces: list[str] = []
        """All but the last of `PIECE` characters."""
        self._before: list[int] = []
        """How many stand before each piece."""

    def add(self, text: str, at: int) -> None:
        """Take more of the text, which is `at` characters long so far."""
        if not self._pieces:
            if text.isascii() or not _WIDE.search(text):
                return
            self._start = at
        last = self._pieces.pop() if self._pieces and len(self._pieces[-1]) < PIECE else ""
        del self._before[len(self._pieces) :]
        count = self._before[-1] + self._in(self._pieces[-1]) if self._pieces else 0
        text = last + text
        for begin in range(0, len(text), PIECE):
            piece = text[begin : begin + PIECE]
            self._pieces.append(piece)
            self._before.append(count)
            count += self._in(piece)

    def before(self, offset: int) -> int:
        """How many stand before the character at an offset."""
        if not self._pieces or offset <= self._start:
            return 0
        number = min((offset - self._start) // PIECE, len(self._pieces) - 1)
        return self._before[number] + self._in(self._pieces[number][: offset - self._start - number * PIECE])

    @staticmethod
    def _in(piece: str) -> int:
        return units(piece) - len(piece)


class _Section:
    """One source: a caption (native calls have one), then the body with its display-only extras."""

    def __init__(self, source: str, order: tuple[int, int], head: str) -> None:
        self.source, self.order, self.head = source, order, head
        self.start = 0
        self.pieces: list[str] = []
        self.length = 0
        self.shown = 0
        self._column = 0
        self._breaks: list[int] = []
        """Places before which a line is broken for display."""
        self._wide = _WideCharacters()

    @property
    def body(self) -> int:
        """Position of the first character of the body."""
        return self.start + units(self.head)

    @property
    def end(self) -> int:
        return self.body + self.shown

    def add(self, text: str) -> str:
        """Take more source text; return it as it is shown."""
        before = self.pieces[-1][-1:] if self.pieces else ""  # what a character means hangs on the one before it
        self.pieces += [text] if text else []
        out = self._broken(visible(before + text)[len(before) :])
        self._wide.add(text, self.length)
        self.length += len(text)
        self.shown += units(out)
        return out

    def _broken(self, text: str) -> str:
        first, _, _ = text.partition("\n")
        if self._column + len(first) <= LONGEST_LINE and (len(text) <= LONGEST_LINE or self._lines_fit(text)):
            tail = text.rfind("\n")
            self._column = len(text) - tail - 1 if tail >= 0 else self._column + len(text)
            return text
        return self._break_lines(text)

    @staticmethod
    def _lines_fit(text: str) -> bool:
        return all(len(line) <= LONGEST_LINE for line in text.split("\n"))

    def _break_lines(self, text: str) -> str:
        out, position = [], self.length
        for number, line in enumerate(text.split("\n")):
            if number:
                out.append("\n")
                position += 1
                self._column = 0
            done = 0  # where the rest begins: cutting it off again and again would copy a long line each time
            while self._column + len(line) - done > LONGEST_LINE:
                take = LONGEST_LINE - self._column
                out.append(line[done : done + take] + "\n")
                done += take
                self._breaks.append(position + done)
                self._column = 0
            out.append(line[done:] if done else line)
            position += len(line)
            self._column += len(line) - done
        return "".join(out)

    def to_shown(self, offset: int) -> int:
        return self.body + self._shown(offset)

    def _shown(self, offset: int) -> int:
        return offset + bisect_right(self._breaks, offset) + self._wide.before(offset)

    def to_source(self, position: int) -> int:
        inside = min(max(position - self.body, 0), self.shown)
        return min(bisect_left(range(self.length + 1), inside, key=self._shown), self.length)

    @property
    def text(self) -> str:
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""


class ShownText:
    """Everything a raw cell shows of one reply; grows by `append`, which says what to insert where."""

    def __init__(self) -> None:
        self._sections: list[_Section] = []
        self._names: dict[str, str] = {}

    def open_call(self, number: int, name: str) -> None:
        """Tell the name of native call `number` before its arguments arrive; the caption shows it."""
        self._names[f"call:{number}"] = name

    def append(self, source: str, text: str) -> list[Insert]:
        """Add text at the end of a source; return what must be inserted into the document, in order."""
        section = next((one for one in self._sections if one.source == source), None)
        inserts: list[Insert] = []
        if section is None:
            section, inserts = self._add_section(source)
            self._shift_after(section, units(section.head))
        at, shown = section.end, section.add(text)
        if shown:
            inserts.append(Insert(at, shown))
            self._shift_after(section, section.end - at)
        return inserts

    def _add_section(self, source: str) -> tuple[_Section, list[Insert]]:
        order = _order(source)
        place = bisect_left([one.order for one in self._sections], order)
        start = self._sections[place - 1].end if place else 0
        name = self._names.get(source, "")
        head = f"tool_calls[{source[5:]}] {name}\n" if source.startswith("call:") else ""
        section = _Section(source, order, ("\n" if place else "") + visible(head))
        section.start = start
        inserts = []
        if place < len(self._sections) and not self._sections[place].head.startswith("\n"):
            self._sections[place].head = "\n" + self._sections[place].head
            inserts.append(Insert(start, "\n"))
            self._shift_after(self._sections[place], 1)
        if section.head:
            inserts.append(Insert(start, section.head))
        self._sections.insert(place, section)
        return section, inserts

    def _shift_after(self, section: _Section, by: int) -> None:
        for one in self._sections[self._sections.index(section) + 1 :]:
            one.start += by

    @property
    def length(self) -> int:
        """Length of everything shown, in UTF-16 units."""
        return self._sections[-1].end if self._sections else 0

    @property
    def characters(self) -> int:
        """Characters of all sources together: captions and breaks are not counted."""
        return sum(one.length for one in self._sections)

    def source(self, source: str) -> str:
        """The whole text of one source."""
        return next((one.text for one in self._sections if one.source == source), "")

    def shown_text(self, limit: int | None = None) -> str:
        """What is shown, or its beginning of at least `limit` characters where there are so many."""
        parts: list[str] = []
        for one in self._sections:
            again = _Section(one.source, one.order, one.head)
            parts.append(one.head + again.add(one.text if limit is None else one.text[:limit]))
        return "".join(parts)

    def captions(self) -> list[tuple[int, int, int]]:
        """`(start, name start, end)` in units of each native call's caption."""
        out = []
        for one in self._sections:
            if one.source.startswith("call:"):
                start = one.start + one.head.startswith("\n")
                name = start + len(f"tool_calls[{one.source[5:]}] ")
                out.append((start, name, one.body - 1))
        return out

    def sources(self) -> list[tuple[str, int, int]]:
        """`(source, start, end)` of each body in units, in the order shown."""
        return [(one.source, one.body, one.end) for one in self._sections]

    def range_of(self, span: Span) -> tuple[int, int] | None:
        """Where a span is shown, in units; None if its source is not shown."""
        for one in self._sections:
            if one.source == span.source:
                return one.to_shown(span.start), one.to_shown(max(span.end, span.start))
        return None

    def place_of(self, position: int) -> tuple[str, int] | None:
        """The source and code point offset behind a shown position; None on a caption."""
        for one in self._sections:
            if one.body <= position <= one.end and (position < one.end or one is self._sections[-1] or one.shown):
                return one.source, one.to_source(position)
        return None

    def copied(self, start: int, end: int) -> str:
        """The true characters behind a selection: no display breaks, no stand-ins."""
        parts = []
        for one in self._sections:
            low, high = max(start, one.start), min(end, one.end)
            if low >= high:
                continue
            if low < one.body:
                parts.append(one.head[low - one.start : high - one.start])
            parts.append(one.text[one.to_source(max(low, one.body)) : one.to_source(high)] if high > one.body else "")
        return "".join(parts)


def _order(source: str) -> tuple[int, int]:
    if source.startswith("call:"):
        return 2, int(source[5:])
    return (0, 0) if source == "reasoning" else (1, 0)
