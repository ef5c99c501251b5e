"""JSON between an opening and a closing marker, as in `<tool_call>{"name": …, "arguments": …}</tool_call>`.

The JSON's own structure says where a call ends; only then the closing marker is looked for.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from workbench.core.calls import Outcome, ParsedCall, ParseProblem, Span
from workbench.formats.kit.broken_list import salvage
from workbench.formats.kit.calls import WRAPPERS, Item, report
from workbench.formats.kit.grammar import Attempt, Idle
from workbench.formats.kit.json_body import Body, json_body, source_of
from workbench.formats.kit.loose_json import LONG, MAX_DEPTH, MAX_SIZE, QUICK_TRIES, names_twice, scan_once
from workbench.formats.kit.tag_markers import TagMarkers
from workbench.formats.kit.window import INVISIBLE

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_KIND_REPAIRS = {"near": ("near_miss_tag",), "bare": ("missing_open_tag",)}
_SLOW = WRAPPERS | {"properties"}
"""Keys that may hold all the arguments, or belong to a definition: those calls take the careful way."""
_LONG = 1024
"""Arguments of so many characters are looked at before their brackets are counted."""
_LEAST = 24
"""No call between markers is shorter."""
_NAME = re.compile(r"""["'](?:name|tool|tool_name|function)["']\s*:\s*["']([\w.\-:/]{1,128})["']""")
_WORD = rf"[\s{INVISIBLE}]*+[A-Za-z_][\w.\-/]*+"
NO_WORD_AND_TAG = rf"(?!{_WORD}\s*+<(?!\|))"
NO_LABEL = rf"(?!{_WORD}:[\w.\-/]++\{{)"
BODY = NO_WORD_AND_TAG + NO_LABEL
"""What may follow an opener that is only near: all but a word before a tag, and a label and a word before a brace."""


class TagJson(TagMarkers):
    """A grammar of JSON between markers."""

    @cached_property
    def _quick_head(self) -> re.Pattern[str]:
        opens = "|".join(map(re.escape, self.opens))
        return re.compile(rf"\s*({opens})\s*{self.envelope.head.pattern}")

    @cached_property
    def _quick_tail(self) -> re.Pattern[str]:
        closes = "|".join(map(re.escape, self.closes))
        return re.compile(rf"\s*\}}\s*(?:{closes})")

    def run(self, scan: Scanner, at: int) -> int:
        """Read strict calls that follow one directly."""
        if len(scan.text) - at < _LEAST or scan.failures > QUICK_TRIES:
            return at
        if self.single or self.lonely or not self.closes or self.json_repairs():
            return at
        text, base, resolve, form, known = scan.text, scan.base, scan.tools.resolve, self.format, scan.tools.known
        strict = Outcome.STRICT
        head, tail, make = self._quick_head.match, self._quick_tail.match, tuple.__new__
        found: list[ParsedCall] = []
        number = scan.number
        while (begin := head(text, at)) is not None:
            _, (start, _), (name_start, name_end) = begin.regs
            body = begin.end()
            try:
                arguments, end = scan_once(text, body)
            except (StopIteration, ValueError, RecursionError):
                scan.failures += at > 4096
                break
            close = tail(text, end)
            if close is None or end - body > MAX_SIZE:
                break
            # what `names_twice` looks at first, here without a call: a run may be of thousands
            sure = end - body <= LONG and text.count(":", body, end) == len(arguments)
            if not sure and names_twice(text, body, end, arguments):
                break
            if end - body > MAX_DEPTH and _many_brackets(text, body, end, arguments):
                break
            written = text[name_start:name_end]
            name, tool, repairs, problem, _ = known.get(written) or resolve(written)
            if problem or repairs or not (_SLOW.isdisjoint(arguments) and (tool is None or tool.plain(arguments))):
                break
            at = close.end()
            number += 1
            call = (
                name, arguments, f"call_{number}", strict, (),
                make(Span, (base + start, base + at, "text")),
                make(Span, (base + name_start, base + name_end, "text")),
                make(Span, (base + body, base + end, "text")), form,
            )  # fmt: skip
            found.append(make(ParsedCall, call))
        if found:
            scan.give_plain(found)
        return at

    def idle(self, marker: str, kind: str) -> Idle | None:
        """A near opener needs a body, and a declared name in it; what ends another family's call goes."""
        if kind == "orphan" and marker.casefold() in self.foreign_ends:
            return Idle(kept=False)
        plain = type(self).other_body is TagMarkers.other_body
        return Idle(kept=True, behind=BODY) if kind == "near" and plain else None

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one opener's body."""
        start, at = match.span()
        if kind == "orphan":
            return Attempt(at)
        if kind == "call" and self.exact_case and match.group() not in self.opens:
            kind = "near"
        if kind == "unopened":
            match = None  # type: ignore[assignment]
            from workbench.formats.kit.tag_json_damaged import read_unopened

            return (yield from read_unopened(self, scan, start))
        if kind == "html":
            from workbench.formats.kit.tag_json_damaged import read_escaped

            return (yield from read_escaped(self, scan, start, at))
        quick = start
        if (
            kind == "call"
            and self.closes
            and not scan.deferred
            and self._quick_head.match(scan.text, start) is not None
        ):
            quick = start if scan.first_amid or scan.prose.mentioned() else self.run(scan, start)
        if quick > start:
            return Attempt(quick)
        return (yield from self._body(scan, start, at, kind))

    def _body(self, scan: Scanner, start: int, at: int, kind: str, *, again: bool = False) -> Step[Attempt | None]:
        """Look at what follows the opener, or `again` the same one after it."""
        repairs: tuple[str, ...] = _KIND_REPAIRS.get("near" if again else kind, ())
        begin, at = at, (yield from scan.layout(at))
        repairs += scan.odd_layout(begin, at)
        if at >= len(scan.text):
            return _nothing(scan, start, at, kind)
        if scan.text[at] == "`" and (inside := (yield from scan.fenced(at))) >= 0:
            at, repairs = inside, (*repairs, "fenced")
        char = scan.text[at : at + 1]
        if char and char in "{[\"'":
            repairs = self.json_repairs() + repairs
        if (yield from _foreign_next(scan, at)):
            from workbench.formats.kit.tag_json_foreign import read_foreign

            if (foreign := (yield from read_foreign(self, scan, start, at, repairs, kind))) is not None:
                return foreign
        if char == "<":
            from workbench.formats.kit.element_body import read_elements

            sure = kind == "call"
            found = yield from read_elements(scan, start, at, self.closers, self.format, sure=sure, repairs=repairs)
            if found is not None:
                return found
        if char in ("{", "["):
            return (yield from self._json(scan, start, at, repairs, kind))
        if char in ('"', "'"):
            from workbench.formats.kit.tag_json_damaged import read_quoted

            return (yield from read_quoted(self, scan, start, at, repairs, kind))
        close = yield from scan.literal(at, *self.closers)
        if close >= 0:
            return Attempt(close)
        if kind == "call":
            twice = yield from scan.literal(at, *self.opens)
            if twice >= 0 and not again:
                return (yield from self._body(scan, start, twice, kind, again=True))
            if twice >= 0 or (yield from scan.literal(at, *(f"{text[:-1]} " for text in self.opens))) >= 0:
                return Attempt(at)  # another opener follows, with attributes or a third time
        if char.isalpha() or char == "_":
            from workbench.formats.kit.tag_json_damaged import object_behind_words, read_named_body

            if kind == "call" and (behind := (yield from object_behind_words(self, scan, at))) >= 0:
                return (
                    yield from self._json(scan, start, behind, (*self.json_repairs(), *repairs, "text_around"), kind)
                )
            if (named := (yield from read_named_body(self, scan, start, at, kind))) is not None:
                return named
        return (yield from self.other_body(scan, start, at, kind))

    def _json(self, scan: Scanner, start: int, at: int, repairs: tuple[str, ...], kind: str) -> Step[Attempt | None]:
        """One JSON value after the other, until the closing marker."""
        found: list[Item] = []
        values = 0
        while True:
            values += 1
            body = yield from json_body(scan, at, self.boundaries)
            if body.error:
                return self._refused(scan, start, at, body, kind, tuple(found))
            end, more = yield from self.close(scan, body.end)
            again = "again" in more
            notes = repairs + body.repairs + tuple(code for code in more if code != "again")
            many = isinstance(body.value, list) and not self.lists and len(body.value) > 1
            if many or ((found or again) and not self.lines):
                notes += ("extra_calls",)
            outer = scan.span(at if found else start, body.end if again else end)
            sure = kind == "call" or (not scan.tools.declared and self.envelope.plain(body.value))
            source = source_of(scan, at, body, outer, self.format, notes, canonical=sure)
            items = self.envelope.items(body.value, source, scan.tools)
            del source  # it holds the text, which grows
            if items is None:
                return Attempt(end, tuple(found), as_text=not found)
            bad = kind != "call" and any(isinstance(item, ParseProblem) for item in items)
            text_only = bad and not found
            found += items
            if bad or not again:
                repeated = values == 2 and not self.lines
                made = tuple(found)
                return Attempt(end, _without_repetition(made) if repeated else made, as_text=text_only)
            at = end

    def _refused(
        self, scan: Scanner, start: int, at: int, body: Body, kind: str, before: tuple[Item, ...]
    ) -> Attempt | None:
        if kind != "call" and not before:
            return Attempt(body.end, as_text=True)
        if (self.lines or scan.text[at] == "[") and body.error != "too_large":
            saved = salvage(
                scan.text, at, body.end, scan.base, self.envelope, scan.tools, self.format, canonical=kind == "call"
            )
            if saved:
                return Attempt(body.end, (*before, *saved))
        found = _NAME.search(scan.text, at, body.end)
        name = found.group(1) if found else ""
        problem = report(body.error, scan.span(start, body.end), body.message, name=name)
        return Attempt(body.end, (*before, problem))


def _many_brackets(text: str, begin: int, end: int, arguments: dict[str, Any]) -> bool:
    """True if arguments may be nested too deep. Of long ones the values are looked at first: a file's text may be all brackets."""
    if end - begin > _LONG and not any(type(value) is dict or type(value) is list for value in arguments.values()):
        return False
    return text.count("{", begin, end) + text.count("[", begin, end) >= MAX_DEPTH


def _foreign_next(scan: Scanner, at: int) -> Step[bool]:
    """Tell whether Python calls or function elements may stand at `at`."""
    char = scan.text[at : at + 1]
    if char == "<":
        return (yield from scan.literal(at, "<functions>", "<function name=")) >= 0
    if char == "[":
        ahead = yield from scan.space(at + 1)
        char = scan.text[ahead : ahead + 1]
    return char.isalpha() or char == "_"


def _nothing(scan: Scanner, start: int, at: int, kind: str) -> Attempt | None:
    """The reply ends after the opener."""
    if kind != "call" or scan.prose.mentioned():
        return None
    return Attempt(at, (report("truncated", scan.span(start, at), "The reply ends where a call begins."),))


def _without_repetition(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """An object that is only repeated inside its tag is one call."""
    if len(items) == 2:
        first, second = items
        if isinstance(first, ParsedCall) and isinstance(second, ParsedCall) and first[:2] == second[:2]:
            codes = (*(code for code in first.repairs if code != "extra_calls"), "name_dup")
            return (first._replace(outcome=Outcome.RECOVERED, repairs=codes),)
    return items
