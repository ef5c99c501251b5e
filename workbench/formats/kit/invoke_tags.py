"""Calls as `invoke` tags with `parameter` tags inside, in a block of their own: what all families of that shape share."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.core.calls import Outcome, ParsedCall, ParseProblem
from workbench.formats.kit.calls import Item, report, settle
from workbench.formats.kit.element_body import read_elements
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.named_json import stretch
from workbench.formats.kit.tag_json import TagJson
from workbench.formats.kit.tag_shape import IN_QUOTES, TagShape
from workbench.formats.kit.tagged import read_call
from workbench.formats.kit.tagged_parameter import TAG_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


BLANK = "\u0120"
"""How byte-level tokenizers write a blank."""


def invoke_shape(
    own: str, others: tuple[str, ...], wrappers: Mapping[str, str], *, call: str = "invoke", param: str = "parameter",
    cdata: bool = False, between: tuple[str, ...] = (), inner: tuple[str, ...] = (), heads: tuple[str, ...] = (" ",),
    also: tuple[str, ...] = (),
) -> TagShape:  # fmt: skip
    """Return the shape of a family whose own tags carry the namespace `own`, and may lose it or carry others.

    `also` are whole words of a call's tag in other programs. `heads` are what may follow a tag's word: more than a blank where the blank gets lost, or a tokenizer's sign for it stays.
    """
    spaces = (own, *others)
    alternatives = "|".join(map(re.escape, sorted(spaces, key=len, reverse=True)))
    gap = r"\s++" if heads == (" ",) else f"[\\s{BLANK}]*+"
    quoted = IN_QUOTES.replace("{", "{{").replace("}", "}}")
    others_first = r"""(?:(?!r?name\b|tool\b)[\w:.\-]{{1,40}}=(?:"[^"<>]{{0,200}}"|'[^'<>]{{0,200}}')\s++)*+"""
    name = rf"""{gap}{others_first}(?:r?name|tool)\s*+=\s*+["']?\s*+(?P<{{}}>{quoted}|[^"'<>\s][^"'<>]{{{{0,199}}}})["']?"""
    more = r"""(?:\s++[\w:.\-]{1,40}=(?:"[^"<>]{0,200}"|'[^'<>]{0,200}'))*+"""
    words = (*(f"{space}{call}" for space in spaces), *also)
    called = rf"(?:(?:{alternatives}){call}{''.join(f'|{re.escape(word)}' for word in also)})"
    return TagShape(
        call_open=re.compile(rf"<{called}{name.format('name')}{more}\s*(?P<closed>/)?>", re.IGNORECASE),
        call_exact=re.compile(rf'<{re.escape(own)}{" ?" if own.endswith("｜") else ""}{call}\s+name="[^"<>]+"\s*>'),
        call_starts=tuple(f"<{word}".lower() + head for head in heads for word in words),
        call_closes=tuple(f"</{word}>".lower() for word in words),
        param_open=re.compile(
            rf"""<(?:{alternatives}){param}{name.format("key")}(?:\s+string\s*=\s*["']?(?P<string>true|false)["']?)?[^<>]{{0,80}}>""",
            re.IGNORECASE,
        ),
        param_starts=tuple(f"<{space}{param}".lower() + head for head in heads for space in spaces),
        param_closes=tuple(f"</{space}{param}>".lower() for space in spaces),
        param_exact=tuple(f"<{own}{blank}{param} ".lower() for blank in ("", " ")[: 1 + own.endswith("｜")]),
        wrapper_opens=tuple(text.lower() for text in wrappers),
        wrapper_closes=tuple(dict.fromkeys(text.lower() for text in wrappers.values())),
        cdata=cdata,
        between=between,
        inner=inner,
    )


def with_short_closes(shape: TagShape, closes: tuple[str, ...]) -> TagShape:
    """Return the shape of a family whose models break the closing tag of a call off."""
    return replace(shape, call_closes=(*shape.call_closes, *closes), short_closes=closes)


class Objects(TagJson):
    """JSON in the block of a family that writes something else there."""

    lists = lines = True

    def __init__(self, form: str, opens: tuple[str, ...], closes: tuple[str, ...]) -> None:
        self.format, self.opens, self.closes = form, opens, closes


class Invoke(Grammar):
    """A grammar of invoke tags."""

    shape: TagShape
    spots = "<"
    steady: Mapping[str, bool] = {"block": True}
    wrappers: Mapping[str, str] = {}
    """Openers of the block with their closers, the canonical ones first."""
    canonical: tuple[str, ...] = ()
    skips: tuple[str, ...] = ()
    """Tokens between the block's marker and a tag that say nothing."""
    loose = "near_miss_tag"
    """Repair for tags in another spelling."""
    bare_is_call = False
    """There is no block: a tag alone is canonical."""
    own_tags = False
    """The family's own tag says enough: where nothing is declared, a tag alone is a call all the same."""
    close_optional = False

    def inside(self) -> tuple[str, ...]:
        """Tags of parameters."""
        return self.shape.param_starts

    def literals(self) -> Mapping[str, str]:
        """Return blocks, tags without a block, and closers without an opener."""
        closers = (*self.shape.call_closes, *self.shape.param_closes, *self.wrappers.values(), *self.skips)
        return {
            **dict.fromkeys((token for token in closers if token[0] == "<"), "orphan"),
            **dict.fromkeys(self.shape.call_starts, "call" if self.bare_is_call else "bare"),
            **dict.fromkeys(self.wrappers, "block"),
        }

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read a block, or a tag alone."""
        start, at = match.span()
        opener = match.group()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        if kind == "junk":
            return (yield from self._bare(scan, start, at, kind))
        if kind == "block":
            return (yield from self.block(scan, start, at, opener))
        return (yield from self._bare(scan, start, start, kind))

    def alone(self, scan: Scanner, start: int) -> Step[Attempt | None]:
        """Read a tag in no block."""
        return (yield from self._bare(scan, start, start, "bare"))

    def _bare(self, scan: Scanner, start: int, at: int, kind: str) -> Step[Attempt | None]:
        """Read a tag alone, which stands at `at`."""
        repairs = () if kind == "call" else ("missing_open_tag",)
        own = self.own_tags and scan.text[at : at + 32].lower().startswith(self.shape.call_starts[0])
        sure = kind == "call" or (own and not scan.tools.declared)
        found = yield from self._one(scan, start, at, repairs, canonical=sure)
        if found is None:
            return None
        item, end = found
        if isinstance(item, ParseProblem) and kind != "call" and item.name not in scan.tools.by_name:
            return None
        return Attempt(end, (item,))

    def block(self, scan: Scanner, start: int, at: int, opener: str) -> Step[Attempt | None]:
        """Read the calls behind a block's opener."""
        repairs: tuple[str, ...] = () if opener in self.canonical or not self.canonical else (self.loose,)
        items: list[Item] = []
        begin = start
        while True:
            before, at = at, (yield from self._skip(scan, at))
            repairs += scan.odd_layout(before, at)
            close = yield from scan.literal(at, *self.shape.wrapper_closes)
            if close >= 0:
                if items:
                    items[-1] = stretch(scan, items[-1], close)
                return Attempt(close, tuple(items))
            if at >= len(scan.text) and begin == start:
                return self._nothing(scan, start, at)
            if begin == start and not items and (said := (yield from self._said_before(scan, at))) > at:
                at, repairs = said, (*repairs, "text_around")
            unnamed = yield from scan.literal(at, *self.shape.unnamed)
            if unnamed < 0 and (yield from scan.literal(at, *self.shape.call_starts)) < 0:
                if (past := (yield from self._no_call(scan, before, at))) >= 0:
                    message = "What stands between the markers is no call."
                    items.append(report("bad_json", scan.span(begin, past), message))
                    begin = at = past
                    continue
                lost = (yield from scan.literal(at, *self.shape.call_closes)) if items else -1
                if lost < 0 or scan.text[before:at].replace("\r", "") in ("", "\n"):  # a closer that is written twice
                    break
                items.append(report("bad_name", scan.span(begin, lost), "A call has lost the tag that names it."))
                begin = at = lost
                continue
            scan.early(items)
            if unnamed >= 0:
                found = yield from self._unnamed(scan, begin, unnamed)
            else:
                found = yield from self._one(scan, begin, at, repairs, canonical=True, wrapped=True)
            if found is None:
                break
            item, at = found
            items.append(item)
            begin = at
        if begin == start:
            return (yield from self._other(scan, start, at))
        half = scan.closed and any(mark.startswith(scan.tail(at).lower()) for mark in self.shape.wrapper_closes)
        end = len(scan.text) if half else begin
        optional = self.close_optional and (half or at >= len(scan.text))
        if items and isinstance(items[-1], ParsedCall) and not optional:
            items[-1] = stretch(scan, items[-1], end, "missing_close_tag")
        return Attempt(end, tuple(items))

    def _no_call(self, scan: Scanner, begin: int, at: int) -> Step[int]:  # noqa: ARG002
        """Return where an entry of the block ends, opened between `begin` and `at`, that is no call; -1 if none stands there."""
        yield from scan.at_least(at)
        return -1

    def _said_before(self, scan: Scanner, at: int) -> Step[int]:
        """Return where the first call begins behind words that stand in the block before it; `at` where none does."""
        found = yield from scan.within(at, TAG_LIMIT, "<", "{", "[")
        if found is None or found[0] == at or (yield from scan.literal(found[0], *self.shape.call_starts)) < 0:
            return at
        return found[0]

    def _unnamed(self, scan: Scanner, start: int, at: int) -> Step[tuple[Item, int] | None]:
        """Read a call whose name stands in an element behind its tag, which ends at `at`; else pass it up to its own close."""
        inside = yield from scan.space(at)
        if (named := (yield from self._elements(scan, start, inside, self.shape.call_closes))) is not None:
            return named.items[-1], named.end
        found = yield from scan.find(at, *self.shape.call_closes, *self.shape.call_starts, *self.shape.wrapper_closes)
        closed = found is not None and scan.text[found[0] : found[1]].lower() in self.shape.call_closes
        end = len(scan.text) if found is None else found[1] if closed else found[0]
        return report("bad_name", scan.span(start, end), "A call bears no name."), end

    def _skip(self, scan: Scanner, at: int) -> Step[int]:
        """Pass white space and tokens that say nothing."""
        while True:
            at = yield from scan.layout(at)
            past = (yield from scan.literal(at, *self.skips)) if self.skips else -1
            if past < 0:
                return (yield from self._named_before(scan, at))
            at = past

    @staticmethod
    def _named_before(scan: Scanner, at: int) -> Step[int]:
        """Pass a name that stands before the tag, which says it again."""
        yield from scan.at_least(at)
        return at

    @staticmethod
    def _nothing(scan: Scanner, start: int, at: int) -> Attempt | None:
        if scan.prose.mentioned():
            return None
        return Attempt(at, (report("truncated", scan.span(start, at), "The reply ends where a call begins."),))

    def _other(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """The block holds no call: an attempt only if it is closed."""
        rest = scan.tail(at)
        if scan.closed and rest and any(mark.startswith(rest.lower()) for mark in self.shape.call_starts):
            return self._nothing(scan, start, len(scan.text))
        if scan.text[at : at + 1] in ("{", "["):
            return (yield from self._objects._json(scan, start, at, ("wrong_family",), "call"))
        if (named := (yield from self._elements(scan, start, at, self.shape.wrapper_closes))) is not None:
            return named
        found = yield from scan.find(at, *self.shape.wrapper_closes, *self.wrappers)
        if found is None or scan.text[found[0] : found[1]].lower() not in self.shape.wrapper_closes:
            return None
        message = "What stands between the markers is no call."
        return Attempt(found[1], (report("bad_json", scan.span(start, found[1]), message),))

    def _elements(self, scan: Scanner, start: int, at: int, closers: tuple[str, ...]) -> Step[Attempt | None]:
        """Read a call whose name and arguments stand in elements."""
        return (yield from read_elements(scan, start, at, closers, self.format, sure=True, repairs=()))

    @cached_property
    def _objects(self) -> TagJson:
        return Objects(self.format, tuple(self.wrappers), self.shape.wrapper_closes)

    @cached_property
    def _short(self) -> TagShape:
        """The same tags with `param` in place of `parameter`."""
        old = self.shape
        starts, closes = (
            tuple(tag.replace("parameter", "param") for tag in tags) for tags in (old.param_starts, old.param_closes)
        )
        pattern = re.compile(old.param_open.pattern.replace("parameter", "param"), re.IGNORECASE)
        return replace(old, param_open=pattern, param_starts=starts, param_closes=closes, param_exact=old.param_exact)

    def _shape_at(self, scan: Scanner, at: int) -> Step[TagShape]:
        """How the tags are spelled in the call at `at`: its first parameter decides."""
        found = yield from scan.within(at, TAG_LIMIT, ">")
        if found is None:
            return self.shape
        after = yield from scan.space(found[1])
        return self._short if (yield from scan.literal(after, *self._short.param_starts)) >= 0 else self.shape

    def _one(
        self, scan: Scanner, start: int, at: int, repairs: tuple[str, ...], *, canonical: bool, wrapped: bool = False
    ) -> Step[tuple[Item, int] | None]:
        shape = yield from self._shape_at(scan, at)
        found = yield from read_call(
            scan, start, at, shape, canonical=canonical, form=self.format, repairs=repairs, wrapped=wrapped
        )
        if found is None:
            return None
        draft, end = found
        if isinstance(draft, ParseProblem):
            return draft, end
        codes = tuple(self.loose if code == "near_miss_tag" else code for code in draft.repairs)
        item = settle(draft._replace(repairs=codes), scan.tools)
        return None if item is None else (item, end)


def mended(scan: Scanner, start: int, end: int, text: str, code: str) -> tuple[ParsedCall, ...]:
    """Read what stands between two indexes as the text that it was meant to be; nothing unless that is calls and nothing else."""
    inner, whole = scan.inner(0), scan.span(start, end)
    inner.feed(text)
    inner.finish()
    if inner.problems:
        return ()
    return tuple(
        call._replace(
            id="", span=whole, name_span=whole, arguments_span=whole, outcome=Outcome.RECOVERED,
            repairs=(code, *(other for other in call.repairs if other not in ("missing_open_tag", code))),
        )
        for call in inner.calls
    )  # fmt: skip


def as_text(value: object) -> str:
    """Return a value as it stands between tags."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def writer(opener: str, closer: str, space: str = "", gap: str = "\n") -> Callable[[Sequence[ParsedCall]], str]:
    """Return the function that writes calls as one block."""

    def write(calls: Sequence[ParsedCall]) -> str:
        parts = []
        for call in calls:
            parameters = "".join(
                f'<{space}parameter name="{key}">{as_text(value)}</{space}parameter>{gap}'
                for key, value in call.arguments.items()
            )
            parts.append(f'<{space}invoke name="{call.name}">{gap}{parameters}</{space}invoke>{gap}')
        return f"{opener}{gap}{''.join(parts)}{closer}"

    return write


def flagged_writer(block: str, space: str) -> Callable[[Sequence[ParsedCall]], str]:
    """Return the function that writes calls as one block in which each value says whether it is text."""

    def write(calls: Sequence[ParsedCall]) -> str:
        parts = []
        for call in calls:
            parameters = "".join(
                f'<{space}parameter name="{key}" string="{str(isinstance(value, str)).lower()}">{as_text(value)}</{space}parameter>\n'
                for key, value in call.arguments.items()
            )
            parts.append(f'<{space}invoke name="{call.name}">\n{parameters}</{space}invoke>\n')
        return f"<{space}{block}>\n{''.join(parts)}</{space}{block}>"

    return write
