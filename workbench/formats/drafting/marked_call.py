"""A name and its arguments between markers of their own: the grammar that a drafted format fills in.

    <<call get_weather {"city": "Rome"}>>                        arguments as JSON
    <<call get_weather city :: Rome | days :: 3>>                or as keys and values, bare
    {{#tool get_weather city='Rome' days=3}}                     or in quotes
    <fn name="get_weather"><arg name="city">Rome</arg></fn>      or each between markers of its own

A value that could be taken for a marker is written as a JSON string, and read so.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall, ParseProblem, Span
from workbench.core.json_text import json_or
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
    """A grammar of such calls; what differs are fields, each with its blanks, which a model may write or not."""

    opens: tuple[str, ...] = ()
    """What stands before the name, one text, without blanks at its ends."""
    closes: tuple[str, ...] = ()
    """What ends the call, one text; none where the call's own structure tells."""
    closes_around: tuple[str, str] = ("", "")
    """What ends the call before and behind the tool's name, where that stands in it, in place of `closes`."""
    between = " "
    """What stands between name and arguments."""
    pair_open = ""
    """What stands before each key."""
    assign = ""
    """What stands between a key and its value; empty: the arguments are JSON."""
    pair_close = ""
    """What stands behind each value, with `{key}` for its key; empty: the divider or the end tells."""
    divider = " "
    """What stands between two pairs."""
    quote = ""
    """Around the values as the model writes them; empty: nothing."""
    before_name = before_close = ""
    """Blanks as the model writes them."""

    @property
    def name_shapes(self) -> tuple[str, ...]:  # type: ignore[override]
        """The name stands behind the opener."""
        return (rf"{re.escape(self.opens[0])}\s{{0,9}}{CALL_NAME}(?=[^\w.\-])",)

    def literals(self) -> Mapping[str, str]:
        """Return the opener, and a closer that is more than signs."""
        ends = [text for text in self.closes if any(char.isalpha() for char in text)]
        return {**dict.fromkeys(ends, "orphan"), self.opens[0]: "call"}

    @cached_property
    def _lines(self) -> bool:
        """The call ends with its line."""
        return not self.closes and not any(self.closes_around) and "\n" not in self.divider + self.between

    def _ends(self, name: str) -> tuple[str, ...]:
        before, behind = self.closes_around
        return (f"{before}{name}{behind}",) if before or behind else self.closes

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one call."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        at = yield from scan.space(at)
        stop = yield from self._word(scan, at)
        name = scan.text[at:stop]
        if not name and at >= len(scan.text) and not scan.prose.mentioned():
            return _cut(scan, start, "")
        if not scan.tools.nameable(name):
            return None
        head = Head(start, name, at, self.format)
        body = yield from scan.space(stop)
        if between := self.between.strip():
            behind = yield from scan.literal(body, between)
            body = behind if behind >= 0 else body
        if not self.assign:
            item, end = yield from read_named(scan, head, body, self._ends(name) or ("\n\n",))
            return None if item is None else (yield from self._close(scan, item, end, self._ends(name)))
        return (yield from self._pairs(scan, head, stop, body))

    @staticmethod
    def _word(scan: Scanner, at: int) -> Step[int]:
        """The end of a name or a key: signs at its end are not its own."""
        end = yield from scan.past(at, _WORD)
        return at + len(scan.text[at:end].rstrip("-."))

    # keys and values

    def _pairs(self, scan: Scanner, head: Head, stop: int, at: int) -> Step[Attempt | None]:
        values: dict[str, str] = {}
        ends = self._ends(head.name)
        first, last, divider = -1, stop, self.divider.strip()
        while True:
            at = yield from scan.space(at)
            if at >= len(scan.text):
                if scan.cut_short or first < 0:
                    return _cut(scan, head.start, head.name)
                return self._done(scan, head, values, (first, last), last, *(("missing_close_tag",) if ends else ()))
            close = yield from scan.literal(at, *ends) if ends else _nowhere()
            if close >= 0:
                return self._done(scan, head, values, (first if first >= 0 else stop, last), close)
            if divider and first >= 0 and (behind := (yield from scan.literal(at, divider))) >= 0:
                at = yield from scan.space(behind)
            pair = yield from self._pair_at(scan, at)
            if pair is None or (self._lines and first >= 0 and "\n" in scan.text[last:at]):
                if first >= 0 and not ends:
                    return self._done(scan, head, values, (first, last), last)
                return self._strange(scan, head, at)
            key, value = pair
            first = at if first < 0 else first
            text, last = yield from self._value(scan, key, (yield from scan.space(value)), ends)
            if last < 0:
                return _cut(scan, head.start, head.name)
            if values.setdefault(key, text) != text:
                told = f"{key!r} is given to {head.name!r} twice, with two values."
                return Attempt(last, (report("ambiguous", scan.span(head.start, last), told, name=head.name),))
            if self.pair_close:
                shut = yield from scan.literal((yield from scan.space(last)), self._shut(key))
                last = shut if shut >= 0 else last
            at = last

    def _shut(self, key: str) -> str:
        return self.pair_close.strip().replace("{key}", key)

    def _pair_at(self, scan: Scanner, at: int) -> Step[tuple[str, int] | None]:
        """A key that a value follows, and where; None: none stands there."""
        if mark := self.pair_open.strip():
            at = yield from scan.literal(at, mark)
            if at < 0:
                return None
            at = yield from scan.space(at)
        end = yield from self._word(scan, at)
        key = scan.text[at:end]
        if not key:
            return None
        sign = yield from scan.space(end)
        if not self.assign.strip():
            return (key, sign) if sign > end else None
        value = yield from scan.literal(sign, self.assign.strip())
        return (key, value) if value >= 0 else None

    def _value(self, scan: Scanner, key: str, at: int, ends: tuple[str, ...]) -> Step[tuple[str, int]]:
        """Read a value; its end is -1 where the reply ends inside it."""
        yield from scan.at_least(at + 1)
        char = scan.text[at : at + 1]
        if char and char in "{[":
            state, end = yield from scan.json_end(at)
            if state is End.DONE and (yield from self._fits(scan, key, end, ends)):
                return scan.text[at:end], end
        if char and char in (self.quote, "'", '"'):
            search = at + 1
            while (found := (yield from scan.find(search, char))) is not None:
                search = found[1]
                inside = scan.text[at + 1 : found[0]]
                escaped = char == '"' and (len(inside) - len(inside.rstrip("\\"))) % 2
                if not escaped and (yield from self._fits(scan, key, search, ends)):
                    return (_unquoted(inside) if char == '"' else inside), search
            if not self.pair_close:
                return "", -1
        return (yield from self._bare(scan, key, at, ends))

    def _bare(self, scan: Scanner, key: str, at: int, ends: tuple[str, ...]) -> Step[tuple[str, int]]:
        shut, divider, opened = self._shut(key), self.divider.strip(), self.pair_open.strip()
        mark = divider or opened or self.assign.strip()
        stops = (
            (shut,) if shut else tuple(filter(None, (mark, "\n" if "\n" in self.divider or self._lines else "\n\n")))
        )
        search = at
        while (found := (yield from scan.find(search, *ends, *stops))) is not None:
            end, token = found[0], scan.text[found[0] : found[1]]
            if not divider and not opened and not shut and token == mark:  # the word before it is the next key
                words = re.search(r"\s+[\w.\-]+\s*\Z", scan.text[at:end])
                end = at + words.start() if words else end
                break
            if "\n" in token or (yield from self._fits(scan, key, end, ends)):
                break
            search = found[1]
        if found is None and (scan.cut_short or shut):
            return "", -1
        text = scan.text[at : end if found else len(scan.text)].rstrip()
        return text, at + len(text)

    def _fits(self, scan: Scanner, key: str, at: int, ends: tuple[str, ...]) -> Step[bool]:
        """Whether a value may end here: the end, the next pair, or nothing more follows."""
        after = yield from scan.space(at)
        if after >= len(scan.text) or (self._lines and "\n" in scan.text[at:after]):
            return True
        marks = tuple(filter(None, (*ends, self.divider.strip(), self._shut(key))))
        if marks and (yield from scan.literal(after, *marks)) >= 0:
            return True
        if self.divider.strip() or self.pair_close or (after == at and not self.pair_open.strip()):
            return False
        return (yield from self._pair_at(scan, after)) is not None

    def _done(
        self, scan: Scanner, head: Head, values: dict[str, str], body: tuple[int, int], end: int, *repairs: str
    ) -> Attempt:
        name_span = scan.span(head.name_at, head.name_at + len(head.name))
        inside = scan.span(*body) if values else Span(name_span.end, name_span.end)
        draft = Draft(
            head.name,
            RawText(values),
            scan.span(head.start, end),
            name_span,
            inside,
            repairs=repairs,
            format=self.format,
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

    def _close(self, scan: Scanner, item: ParsedCall | ParseProblem, end: int, ends: tuple[str, ...]) -> Step[Attempt]:
        if not ends:
            return Attempt(end, (item,))
        close = yield from scan.literal((yield from scan.space(end)), *ends)
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
        body = compact(call.arguments) if not self.assign else self._written_pairs(call.arguments)
        head = f"{self.opens[0]}{self.before_name}{call.name}{self.between if body or self.between.strip() else ''}"
        return f"{head}{body}{self.before_close}{''.join(self._ends(call.name))}"

    def _written_pairs(self, arguments: dict[str, Any]) -> str:
        return self.divider.join(
            f"{self.pair_open}{key}{self.assign}{self._written_value(value)}{self.pair_close.replace('{key}', key)}"
            for key, value in arguments.items()
        )

    def _written_value(self, value: Any) -> str:
        if not isinstance(value, str):
            return compact(value)
        every = (*self.closes, *self.closes_around, self.divider, self.assign, self.pair_open, self.pair_close)
        marks = [mark.strip() for mark in every if mark.strip()]
        plain = _BARE.fullmatch(value) and value == value.strip() and not any(mark in value for mark in marks)
        return f"{self.quote}{value}{self.quote}" if plain else compact(value)


def _nowhere() -> Step[int]:
    """No end is looked for."""
    yield from ()
    return -1


def _unquoted(inside: str) -> str:
    """A value in double quotes: as JSON, else as it stands."""
    return str(json_or(f'"{inside}"', inside))


def _cut(scan: Scanner, start: int, name: str) -> Attempt:
    end = len(scan.text)
    told = f"The call of {name!r} is cut off." if name else "The reply ends where a call begins."
    return Attempt(end, (report("truncated", scan.span(start, end), told, name=name[:64]),))
