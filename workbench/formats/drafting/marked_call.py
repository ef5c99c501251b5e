"""A name and its arguments between markers of their own: the grammar that a drafted format fills in.

    <<call get_weather {"city": "Rome"}>>            arguments as JSON
    <<call get_weather city :: Rome | days :: 3>>    or as keys and values, bare
    {{#tool get_weather city='Rome' days=3}}         or in quotes

A value that could be taken for a marker is written as a JSON string, and read so.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall, ParseProblem, Span
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import Draft, RawText, report, settle
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.json_end import End
from workbench.formats.kit.named_json import Head, read_named, stretch
from workbench.formats.kit.spec import compact

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_WORD = re.compile(r"[\w.\-]*+")
_BARE = re.compile(r"\w[\w .,/+°%@#?!-]*")
"""Values that may stand without quotes."""


class MarkedCall(Grammar):
    """A grammar of such calls; what differs are fields."""

    opens: tuple[str, ...] = ()
    """What stands before the name, one text, without blanks at its ends."""
    closes: tuple[str, ...] = ()
    """What ends the call, one text; none where the JSON's own structure tells."""
    between = ""
    """What stands between name and arguments, if more than blanks."""
    assign = ""
    """What stands between a key and its value; empty: the arguments are JSON."""
    divider = ""
    """What stands between two pairs; empty: blanks."""
    quote = ""
    """Around the values as the model writes them; empty: nothing."""
    before_name = between_blank = before_close = ""
    """Blanks as the model writes them: before the name, before the arguments, before the end."""
    assign_blank = ""
    """Blanks around what stands between key and value."""

    @property
    def name_shapes(self) -> tuple[str, ...]:  # type: ignore[override]
        """The name stands behind the opener."""
        return (rf"{re.escape(self.opens[0])}\s{{0,9}}{CALL_NAME}(?=[^\w.\-])",)

    def literals(self) -> Mapping[str, str]:
        """Return the opener, and a closer that is more than signs."""
        ends = [text for text in self.closes if any(char.isalpha() for char in text)]
        return {**dict.fromkeys(ends, "orphan"), self.opens[0]: "call"}

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one call."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        at = yield from scan.space(at)
        stop = yield from scan.past(at, _WORD)
        name = scan.text[at:stop]
        if not name and at >= len(scan.text) and not scan.prose.mentioned():
            return _cut(scan, start, "")
        if not scan.tools.nameable(name):
            return None
        head = Head(start, name, at, self.format)
        body = yield from scan.space(stop)
        if self.between:
            behind = yield from scan.literal(body, self.between)
            body = behind if behind >= 0 else body
        if not self.assign:
            item, end = yield from read_named(scan, head, body, self.closes or ("\n\n",))
            return None if item is None else (yield from self._close(scan, item, end))
        return (yield from self._pairs(scan, head, stop, body))

    # keys and values

    def _pairs(self, scan: Scanner, head: Head, stop: int, at: int) -> Step[Attempt | None]:
        values: dict[str, str] = {}
        first = last = -1
        while True:
            at = yield from scan.space(at)
            if at >= len(scan.text):
                if scan.cut_short or first < 0:
                    return _cut(scan, head.start, head.name)
                return self._done(scan, head, values, first, last, last, "missing_close_tag")
            close = yield from scan.literal(at, *self.closes)
            if close >= 0:
                return self._done(scan, head, values, first if first >= 0 else stop, max(last, stop), close)
            if self.divider and first >= 0 and (behind := (yield from scan.literal(at, self.divider))) >= 0:
                at = yield from scan.space(behind)
            key_end = yield from scan.past(at, _WORD)
            key = scan.text[at:key_end]
            sign = yield from scan.space(key_end)
            value = -1 if not key else (yield from scan.literal(sign, self.assign))
            if value < 0:
                return self._strange(scan, head, at)
            first = at if first < 0 else first
            text, last = yield from self._value(scan, (yield from scan.space(value)))
            if last < 0:
                return _cut(scan, head.start, head.name)
            if values.setdefault(key, text) != text:
                told = f"{key!r} is given to {head.name!r} twice, with two values."
                return Attempt(last, (report("ambiguous", scan.span(head.start, last), told, name=head.name),))
            at = last

    def _value(self, scan: Scanner, at: int) -> Step[tuple[str, int]]:
        """Read a value; its end is -1 where the reply ends inside it."""
        yield from scan.at_least(at + 1)
        char = scan.text[at : at + 1]
        if char and char in "{[":
            state, end = yield from scan.json_end(at)
            if state is End.DONE and (yield from self._fits(scan, end)):
                return scan.text[at:end], end
        if char == '"':
            return (yield from self._string(scan, at))
        if char and char in (self.quote, "'"):
            search = at + 1
            while (found := (yield from scan.find(search, char))) is not None:
                if (yield from self._fits(scan, found[1])):
                    return scan.text[at + 1 : found[0]], found[1]
                search = found[1]
            return "", -1
        return (yield from self._bare(scan, at))

    def _string(self, scan: Scanner, at: int) -> Step[tuple[str, int]]:
        """A value in double quotes: as JSON, else as it stands."""
        search = at + 1
        while (found := (yield from scan.find(search, '"'))) is not None:
            search = found[1]
            inside = scan.text[at + 1 : found[0]]
            escaped = (len(inside) - len(inside.rstrip("\\"))) % 2
            if escaped or not (yield from self._fits(scan, search)):
                continue
            try:
                return str(json.loads(f'"{inside}"')), search
            except ValueError:
                return inside, search
        return "", -1

    def _bare(self, scan: Scanner, at: int) -> Step[tuple[str, int]]:
        found = yield from scan.find(at, *self.closes, self.divider or self.assign, "\n\n")
        if found is None and scan.cut_short:
            return "", -1
        end = found[0] if found else len(scan.text)
        token = scan.text[found[0] : found[1]] if found else ""
        if not self.divider and token == self.assign:  # the word before it is the next key
            words = re.search(r"\s+[\w.\-]+\s*\Z", scan.text[at:end])
            end = at + words.start() if words else end
        text = scan.text[at:end].rstrip()
        return text, at + len(text)

    def _fits(self, scan: Scanner, at: int) -> Step[bool]:
        """Whether a value may end here: the end, the next pair, or nothing more follows."""
        after = yield from scan.space(at)
        if after >= len(scan.text):
            return True
        if (yield from scan.literal(after, *self.closes, *((self.divider,) if self.divider else ()))) >= 0:
            return True
        key_end = yield from scan.past(after, _WORD)
        if self.divider or after in (key_end, at):
            return False
        return (yield from scan.literal((yield from scan.space(key_end)), self.assign)) >= 0

    def _done(
        self, scan: Scanner, head: Head, values: dict[str, str], first: int, last: int, end: int, *repairs: str
    ) -> Attempt:
        name_span = scan.span(head.name_at, head.name_at + len(head.name))
        body = scan.span(first, last) if values else Span(name_span.end, name_span.end)
        draft = Draft(
            head.name, RawText(values), scan.span(head.start, end), name_span, body, repairs=repairs, format=self.format
        )
        item = settle(draft, scan.tools)
        return Attempt(end, (item,) if item is not None else (), as_text=item is None)

    def _strange(self, scan: Scanner, head: Head, at: int) -> Attempt | None:
        """Something else than a pair stands there: of a tool that nobody declared it is no call."""
        if head.name not in scan.tools.by_name:
            return None
        told = f"The call of {head.name!r} holds something else than arguments."
        return Attempt(at, (report("bad_json", scan.span(head.start, at), told, name=head.name),))

    # the end

    def _close(self, scan: Scanner, item: ParsedCall | ParseProblem, end: int) -> Step[Attempt]:
        if not self.closes:
            return Attempt(end, (item,))
        close = yield from scan.literal((yield from scan.space(end)), *self.closes)
        if close >= 0:
            return Attempt(close, (stretch(scan, item, close),))
        if isinstance(item, ParsedCall):
            if scan.cut_short:
                return _cut(scan, item.span.start - scan.base, item.name)
            item = stretch(scan, item, end, "missing_close_tag")
        return Attempt(end, (item,))

    # writing

    def written(self, call: ParsedCall) -> str:
        """Write one call as the samples do."""
        head = f"{self.opens[0]}{self.before_name}{call.name}"
        if self.between:
            head += f"{self.between_blank}{self.between}"
        body = compact(call.arguments) if not self.assign else self._written_pairs(call.arguments)
        gap = (self.between_blank or ("" if self.between else " ")) if body else ""
        return f"{head}{gap}{body}{self.before_close}{''.join(self.closes)}"

    def _written_pairs(self, arguments: dict[str, Any]) -> str:
        sign = f"{self.assign_blank}{self.assign}{self.assign_blank}"
        pairs = [f"{key}{sign}{self._written_value(value)}" for key, value in arguments.items()]
        space = "" if self.divider in (",", ";") else " "
        return (f"{space}{self.divider} " if self.divider else " ").join(pairs)

    def _written_value(self, value: Any) -> str:
        if not isinstance(value, str):
            return compact(value)
        marks = [mark for mark in (*self.closes, self.divider, self.assign) if mark]
        plain = _BARE.fullmatch(value) and value == value.strip() and not any(mark in value for mark in marks)
        return f"{self.quote}{value}{self.quote}" if plain else compact(value)


def _cut(scan: Scanner, start: int, name: str) -> Attempt:
    end = len(scan.text)
    told = f"The call of {name!r} is cut off." if name else "The reply ends where a call begins."
    return Attempt(end, (report("truncated", scan.span(start, end), told, name=name[:64]),))
