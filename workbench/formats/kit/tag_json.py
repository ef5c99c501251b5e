"""JSON between an opening and a closing marker, as in `<tool_call>{"name": …, "arguments": …}</tool_call>`.

The JSON's own structure says where a call ends; only then the closing marker is looked for.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import Outcome, ParsedCall, ParseProblem, Span
from workbench.formats.kit.broken_list import salvage
from workbench.formats.kit.calls import Item, report
from workbench.formats.kit.envelope import Envelope, Source
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.json_end import End
from workbench.formats.kit.loose_json import MAX_DEPTH, MAX_SIZE, JsonRead, read_json, read_strict, scan_once
from workbench.formats.kit.openers import finder, prefix_regex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

NEAR_MISSES: Mapping[str, str] = {
    "<tool_call>": "</tool_call>",
    "<toolcall>": "</toolcall>",
    "<tool-call>": "</tool-call>",
    "<tool call>": "</tool call>",
    "<tool_calls>": "</tool_calls>",
    "<toolcalls>": "</toolcalls>",
    "<tools>": "</tools>",
    "<function_call>": "</function_call>",
    "<function-call>": "</function-call>",
    "<functioncall>": "</functioncall>",
    "[tool_call]": "[/tool_call]",
    "[tool_request]": "[end_tool_request]",
    "<|tool_call|>": "<|/tool_call|>",
    "<|tool_call>": "<tool_call|>",
    "<|tool_calls|>": "<|/tool_calls|>",
}
"""Spellings near a tag of this kind. Case never matters."""
FOREIGN_TAGS: Mapping[str, str] = {
    **NEAR_MISSES,
    "<function_calls>": "</function_calls>",
    "<functions>": "</functions>",
    "<function>": "</function>",
    "<tool_use>": "</tool_use>",
    "<|tool_call_start|>": "<|tool_call_end|>",
    "<longcat_tool_call>": "</longcat_tool_call>",
}
"""These, and tags of families further away: for formats without a tag of their own."""

QUICK_TRIES = 32
"""How many texts may fail to be strict JSON before no more are tried unseen: each failure costs a look at all before it."""
MEND_TRIES = 32
"""How many broken bodies of one reply are searched for quotes that were not escaped."""
_KIND_REPAIRS = {"near": ("near_miss_tag",), "bare": ("missing_open_tag",)}
_JUNK_BRACES = re.compile(r"[}\]\s]*+")
_FENCE = re.compile(r"```[\w]*\s*")
_NAME = re.compile(r"""["'](?:name|tool|tool_name|function)["']\s*:\s*["']([\w.\-:/]{1,128})["']""")


class Body(NamedTuple):
    """One JSON value as found in the text."""

    value: Any
    end: int
    repairs: tuple[str, ...] = ()
    error: str = ""
    message: str = ""
    mended: str = ""
    """The value's text with quotes inside strings made harmless, where they had not been escaped."""


class TagJson(Grammar):
    """A grammar of JSON between markers."""

    envelope = Envelope()
    opens: tuple[str, ...] = ()
    """Canonical openers."""
    closes: tuple[str, ...] = ()
    close_optional = False
    """The closing marker is a stop string, so it may be missing at the end."""
    lists = False
    """A list of calls is the format's own body."""
    lines = False
    """Several objects between one pair of markers are the format's own habit."""
    exact_case = False
    """The marker in another case is a near miss."""
    bare_start = False
    """A reply that begins with the body, without the opener, is a call all the same."""
    near_misses: Mapping[str, str] = NEAR_MISSES

    def literals(self) -> Mapping[str, str]:
        """Return the canonical openers, their near misses, and closers without an opener."""
        own = {text.casefold() for text in (*self.opens, *self.closes)}
        found = {opener: "near" for opener in self.near_misses if opener.casefold() not in own}
        found |= {closer: "orphan" for closer in self.near_misses.values() if closer.casefold() not in own}
        found |= dict.fromkeys(self.closes, "orphan")
        found |= dict.fromkeys(self.opens, "call")
        found |= {opener.replace("<", "&lt;").replace(">", "&gt;"): "html" for opener in self.opens if opener[0] == "<"}
        return found

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for a body whose opener is lost: it counts if the closer follows, or the reply begins with it."""
        if not self.bare_start and (not self.closes or self.envelope.by_key):
            return ()
        key = re.escape(self.envelope.name)
        body = rf'\{{\s{{0,9}}"{key}"\s{{0,9}}:'
        hold = rf"\{{\s{{0,9}}(?:{prefix_regex([chr(34) + key + chr(34) + ' '])})?\s{{0,9}}"
        if self.bare_start or self.lists:
            body, hold = rf"{body}|\[\s{{0,9}}(?={body})", rf"{hold}|\[\s{{0,9}}(?:{hold})?"
        return (("unopened", body, hold),)

    @cached_property
    def boundaries(self) -> tuple[str, ...]:
        """Markers at which a broken body is given up."""
        return tuple(self.literals())

    @cached_property
    def closers(self) -> tuple[str, ...]:
        """All that may close a call."""
        return tuple(dict.fromkeys((*self.closes, *self.near_misses.values())))

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
        if self.single or self.lonely or not self.closes or scan.failures > QUICK_TRIES:
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
            if end - body > MAX_DEPTH and text.count("{", body, end) + text.count("[", body, end) >= MAX_DEPTH:
                break
            written = text[name_start:name_end]
            name, tool, repairs, problem, _ = known.get(written) or resolve(written)
            if problem or repairs or "properties" in arguments or not (tool is None or tool.plain(arguments)):
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
        quick = self.run(scan, start) if kind == "call" and not scan.deferred and not scan.prose.mentioned() else start
        if quick > start:
            return Attempt(quick)
        return (yield from self._body(scan, start, at, kind))

    def _body(self, scan: Scanner, start: int, at: int, kind: str, *, again: bool = False) -> Step[Attempt | None]:
        """Look at what follows the opener, or `again` the same one after it."""
        repairs = self.json_repairs() + _KIND_REPAIRS.get("near" if again else kind, ())
        at = yield from scan.space(at)
        if at >= len(scan.text):
            return _nothing(scan, start, at, kind)
        if scan.text[at] == "`":
            yield from scan.at_least(at + 16)
            if (fence := _FENCE.match(scan.text, at)) is not None:
                at, repairs = fence.end(), (*repairs, "fenced")
        char = scan.text[at : at + 1]
        if (yield from _foreign_next(scan, at)):
            from workbench.formats.kit.tag_json_foreign import read_foreign

            if (foreign := (yield from read_foreign(self, scan, start, at, repairs, kind))) is not None:
                return foreign
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
        return (yield from self.other_body(scan, start, at, kind))

    def json_repairs(self) -> tuple[str, ...]:
        """Return the repairs that a JSON body needs by itself."""
        return ()

    def other_body(self, scan: Scanner, start: int, at: int, kind: str) -> Step[Attempt | None]:
        """The body is no JSON: an attempt only if the closing marker comes before anything else."""
        if kind != "call":
            return None
        found = yield from scan.find(at, *self.boundaries)
        if found is None or scan.text[found[0] : found[1]].lower() not in self.closes or found[0] - at > 4000:
            return None
        message = "What stands between the markers is no call."
        return Attempt(found[1], (report("bad_json", scan.span(start, found[1]), message),))

    def _json(self, scan: Scanner, start: int, at: int, repairs: tuple[str, ...], kind: str) -> Step[Attempt | None]:
        """One JSON value after the other, until the closing marker."""
        found: list[Item] = []
        values = 0
        while True:
            values += 1
            body = yield from json_body(scan, at, self.boundaries)
            if body.error:
                return self._refused(scan, start, at, body, kind, tuple(found))
            end, more = yield from self._close(scan, body.end)
            again = "again" in more
            notes = repairs + body.repairs + tuple(code for code in more if code != "again")
            many = isinstance(body.value, list) and not self.lists and len(body.value) > 1
            if many or ((found or again) and not self.lines):
                notes += ("extra_calls",)
            outer = scan.span(at if found else start, body.end if again else end)
            sure = kind == "call" or (not scan.tools.declared and self.envelope.plain(body.value))
            source = _source(scan, at, body, outer, self.format, notes, canonical=sure)
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

    def _close(self, scan: Scanner, at: int) -> Step[tuple[int, tuple[str, ...]]]:
        """Find the closing marker after a value; return where the attempt ends and the repairs."""
        after = yield from scan.space(at)
        fence = yield from scan.literal(after, "```")
        if fence >= 0 and scan.text[after:fence] == "```" and not scan.prose.in_code:
            ahead = yield from scan.space(fence)
            if (yield from scan.literal(ahead, *self.closers)) >= 0 or (ahead >= len(scan.text) and not scan.deferred):
                after = at = ahead
        close = yield from scan.literal(after, *self.closers)
        if close >= 0:
            own = scan.text[after:close].casefold() in {text.casefold() for text in self.closes}
            return close, () if own else ("near_miss_tag",)
        again = yield from scan.literal(after, *self.opens)
        if again >= 0 and not scan.cut_short and (yield from scan.space(again)) >= len(scan.text):
            return len(scan.text), ("near_miss_tag",)  # the opener is written where the closer belongs
        char = scan.text[after : after + 1]
        if char and char in "}]":
            past = yield from _past_braces(scan, after)
            close = yield from scan.literal(past, *self.closers)
            return (
                (close, ("extra_brace",)) if close >= 0 else (after + 1, ("extra_brace", *self._unclosed(scan, past)))
            )
        if char and char in "{,;":
            ahead = after if char == "{" else (yield from scan.space(after + 1))
            if scan.text[ahead : ahead + 1] == "{":
                return ahead, ("again",)
        rest = scan.tail(after)
        if scan.closed and rest and finder(*self.closers)[1].fullmatch(rest):
            return len(scan.text), self._unclosed(scan, len(scan.text))
        return at, self._unclosed(scan, after)

    def _unclosed(self, scan: Scanner, at: int) -> tuple[str, ...]:
        optional = not self.closes or (self.close_optional and scan.closed and at >= len(scan.text))
        return () if optional else ("missing_close_tag",)

    def _refused(
        self, scan: Scanner, start: int, at: int, body: Body, kind: str, before: tuple[Item, ...]
    ) -> Attempt | None:
        if kind != "call" and not before:
            return Attempt(body.end, as_text=True)
        if scan.text[at] == "[" and body.error != "too_large":
            saved = salvage(
                scan.text, at, body.end, scan.base, self.envelope, scan.tools, self.format, canonical=kind == "call"
            )
            if saved:
                return Attempt(body.end, (*before, *saved))
        found = _NAME.search(scan.text, at, body.end)
        name = found.group(1) if found else ""
        problem = report(body.error, scan.span(start, body.end), body.message, name=name)
        return Attempt(body.end, (*before, problem))


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


def _past_braces(scan: Scanner, at: int) -> Step[int]:
    """Skip closing brackets that are too many."""
    while True:
        at = _JUNK_BRACES.match(scan.text, at).end()  # type: ignore[union-attr]
        if at < len(scan.text) or not (yield from scan.more()):
            return at


def _source(
    scan: Scanner, at: int, body: Body, outer: Span, form: str, repairs: tuple[str, ...], *, canonical: bool
) -> Source:
    """Say where a body stands; one that was mended is looked up in its own text, and never the quick way."""
    if not body.mended:
        return Source(scan.text, at, body.end, scan.base, form=form, repairs=repairs, canonical=canonical, outer=outer)
    source = Source(
        body.mended, 0, len(body.mended), scan.base + at, form=form, repairs=repairs, canonical=canonical, outer=outer
    )
    source.marks()
    return source


def _without_repetition(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """An object that is only repeated inside its tag is one call."""
    if len(items) == 2:
        first, second = items
        if isinstance(first, ParsedCall) and isinstance(second, ParsedCall) and first[:2] == second[:2]:
            codes = (*(code for code in first.repairs if code != "extra_calls"), "name_dup")
            return (first._replace(outcome=Outcome.RECOVERED, repairs=codes),)
    return items


def json_body(scan: Scanner, at: int, boundaries: tuple[str, ...], name: str = "") -> Step[Body]:
    """Read the JSON value at `at`: by its structure; where that is broken, up to the next marker.

    `name` is the tool whose arguments these are; without it they are in the value, with the name.
    """
    if scan.failures <= QUICK_TRIES:
        strict = read_strict(scan.text, at)
        if strict is not None:
            return Body(strict.value, strict.end, (), strict.error, strict.message)
        scan.failures += at > 4096
    state, stop = yield from scan.json_end(at)
    if state is End.DONE:
        read = read_json(scan.text, at, stop)
        if not read.error or read.error == "too_large":
            return Body(read.value, stop, read.repairs, read.error, read.message)
    elif state is End.MORE:
        read = read_json(scan.text, at, stop, close=not scan.cut_short)
        if not read.error:
            return Body(read.value, stop, read.repairs)
    else:
        read = JsonRead(None, stop, error="bad_json")
    return (yield from _broken(scan, at, state, stop, read, boundaries, name))


def _broken(
    scan: Scanner, at: int, state: End, stop: int, read: JsonRead, boundaries: tuple[str, ...], name: str
) -> Step[Body]:
    """The structure gives no value: try what stands before the next marker."""
    begin = stop if state is End.BROKEN and scan.text[stop : stop + 1] in ("<", "[", "&") else at
    found = yield from scan.find(begin, *boundaries)
    if found is None and begin == at and state is End.MORE:
        message = "The call is cut off." if read.error == "truncated" else read.message
        return Body(None, stop, (), read.error, message)
    end = found[0] if found else len(scan.text)
    scan.wasted += max(0, stop - end)
    if scan.wasted > 65_536 + 4 * (scan.base + stop):
        return Body(None, stop, (), "bad_json", "The call's JSON is broken.")
    again = read_json(scan.text, at, end, close=not scan.cut_short or found is not None)
    if not again.error and not scan.text[again.end : end].strip("}] \t\r\n"):
        extra = ("extra_brace",) if scan.text[again.end : end].strip() else ()
        return Body(again.value, end, again.repairs + extra)
    if (found is not None or not scan.cut_short) and (mended := _mended(scan, at, end, name)) is not None:
        return mended
    if found is None and not scan.text[stop:].strip():
        return Body(None, end, (), "truncated", "The call is cut off.")
    close = found[1] if found and scan.text[found[0] : found[0] + 2] in ("</", "[/", "<|") else end
    error = again.error or "bad_json"
    if found is not None and error == "truncated":
        error = "bad_json"
    return Body(None, close, (), error, again.message or "The call's JSON is broken.")


def _mended(scan: Scanner, at: int, end: int, name: str) -> Body | None:
    """Try quotes that were not escaped inside of strings."""
    if scan.mends >= MEND_TRIES:
        return None
    from workbench.formats.kit.inner_quotes import mend_quotes  # only broken JSON needs it

    scan.mends += 1
    found = mend_quotes(scan.text, at, end, scan.tools, name)
    if found is None:
        return None
    read, mended = found
    return Body(read.value, at + read.end, read.repairs, mended=mended)
