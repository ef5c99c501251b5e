"""The best reading of a text, sooner: servers leak in the same way a thousand times.

A format that read the last text with the same markers is asked first. It is taken at its word only where every call that it
reads is strict, or the last one cut off as the one before was, nothing but mentions in code is a problem, and nothing else in the text
could be a call; else all formats are asked.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from itertools import islice
from typing import TYPE_CHECKING

from workbench.core.calls import Outcome, ParsedCall, ParseResult, Span
from workbench.formats import get_format
from workbench.formats.survey.crossread import best_of, read_all
from workbench.formats.survey.forensics import GENERAL
from workbench.scan.dialect import OWN_FENCE
from workbench.scan.prefilter import may_hold_call, relevant_from

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from workbench.scan.reply import FoundReply

LONG = 600
"""Of a longer text that is read for markers alone, what stands before the first one is passed over."""
_MOST = 256
_TAGS = re.compile(
    r"""(?:[<＜](/?[^\s<>="']{1,40})(?:=[^<>]*|\s[^<>]*)?>|\[(/?[A-Z_]{4,24})\])(\s{0,3}[{\[]{1,2}\s{0,3}["']\w{1,14}["']|\s{0,2}[{\[<])?"""
)
"""Tags by their names alone, with what stands right behind them up to the first key."""
_MOST_TAGS = 12
_MOST_NEAR = 4
_PAGES = frozenset("a b br button code div em i img input li ol p pre script span strong table td tr ul".split())
"""Tags of web pages, which are no calls."""
_CUT = {"missing_brace"}
"""How a call is repaired that ends with its text."""


class BestReader:
    """Reads one text after the other."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, dict[tuple[Outcome | None, bool], str]] = OrderedDict()
        """Formats of earlier readings by the shape of the text, and for each by what came of the last call (None: without one) and
        whether code mentioned calls."""

    def best(self, text: str, reply: FoundReply, seen: Collection[str] = ()) -> ParseResult:
        """Return what `best_reading` does, as far as calls in markers and of the tools in `seen` are concerned."""
        start = relevant_from(text) if reply.tools is None and len(text) > LONG else 0
        piece = text[start:]
        key = _shape(piece, exact=reply.tools is not None)
        every: tuple[ParseResult, ...] | None = None
        best = self._hinted(piece, key, reply, seen)
        if best is None:
            every = read_all(piece, reply.tools, reply.finish or None)
            best = best_of(every, piece, reply.tools, reply.finish or None)
        sure = _is_sure(best, piece)
        if sure and best.calls and best.format in GENERAL:
            best = _own(best, every or read_all(piece, reply.tools, reply.finish or None))
        if key and sure and best.format not in GENERAL:
            known = self._known.setdefault(key, {})
            if reply.tools is not None:
                known.clear()
            known[_ending(best)] = best.calls[0].format if best.calls else best.format
            self._known.move_to_end(key)
            if len(self._known) > _MOST:
                self._known.popitem(last=False)
        return _moved_all(best, text[:start], start) if start else best

    def _hinted(self, piece: str, key: str, reply: FoundReply, seen: Collection[str]) -> ParseResult | None:
        known = self._known.get(key, {})
        read: list[ParseResult] = []
        near = self._near(key) if reply.tools is None else []
        for name in dict.fromkeys((*known.values(), *near)):
            result = get_format(name).parse(piece, reply.tools, reply.finish or None)
            if _is_sure(result, piece):
                read.append(result)
                if known.get(_ending(result)) == name and _is_all([result], piece, reply, seen):
                    return result
            elif result.calls or result.lost:
                return None
        mentions = [result for result in read if not result.calls]
        called = [result for result in read if result.calls]
        if reply.tools is not None or not mentions or OWN_FENCE.search(piece):
            return None
        if called and (len(called) > 1 or known.get(_ending(called[0])) != called[0].format):
            return None
        return max(called or mentions, key=lambda one: len(one.problems)) if _is_all(read, piece, reply, seen) else None

    def _near(self, key: str) -> list[str]:
        """The formats of texts that had some of the same markers."""
        tags = set(key.split("|"))
        near = (known for other, known in reversed(self._known.items()) if not tags.isdisjoint(other.split("|")))
        return list(dict.fromkeys(name for known in near for name in known.values()))[:_MOST_NEAR]


def _ending(result: ParseResult) -> tuple[Outcome | None, bool]:
    """What came of the last call, and whether code mentioned calls."""
    return (result.calls[-1].outcome if result.calls else None), bool(result.problems)


def _is_all(read: Sequence[ParseResult], piece: str, reply: FoundReply, seen: Collection[str]) -> bool:
    """Whether nothing in the text could be a call but what these readings tell of."""
    rest, at = [], 0
    spans = [
        span
        for result in read
        for span in (*(call.span for call in result.calls), *(one.span for one in result.problems))
    ]
    for span in sorted(spans, key=lambda one: one[:2]):
        rest.append(piece[at : max(span.start, at)])
        at = max(span.end, at)
    rest.append(piece[at:])
    bare = "\n".join(rest)
    if not may_hold_call(bare.replace("`", " ").replace("~", " "), reply.tools, seen):
        return True
    if reply.tools is not None:
        return False
    halves = any(sign in piece[span.start : span.end] for span in spans for sign in ("```", "~~~"))
    return not halves and not may_hold_call(bare, reply.tools, seen)  # what is left is code that no one would look at


def _own(best: ParseResult, every: Sequence[ParseResult]) -> ParseResult:
    """The reading of the format that writes such calls, where one that takes what others write read as much."""
    found = [(call.span, call.name, call.arguments) for call in best.calls]
    for other in every:
        same = [(call.span, call.name, call.arguments) for call in other.calls] == found
        if same and other.format not in GENERAL and not other.problems and all(map(_is_strict, other.calls)):
            return other
    return best


def _is_sure(result: ParseResult, text: str) -> bool:
    """Whether all calls are strict and the problems are mentions in code; the last call may be cut off by the end of the text."""
    if any(one.code != "mentioned" or one.span.source != "text" for one in result.problems):
        return False
    if not result.calls:
        return bool(result.problems)
    *others, last = result.calls
    cut = last.outcome is Outcome.RECOVERED and set(last.repairs) == _CUT and last.span.end == len(text)
    return all(map(_is_strict, others)) and (cut or _is_strict(last))


def _is_strict(call: ParsedCall) -> bool:
    return call.outcome is Outcome.STRICT


def _shape(text: str, *, exact: bool) -> str:
    """What a text's markers are, without names and values: texts of one shape are read by the same format.

    Each once, and none of web pages; `exact`: as they stand, for what code mentions of declared tools is compared too.
    """
    tags = [found.groups("") for found in islice(_TAGS.finditer(text), _MOST_TAGS if exact else 2 * _MOST_TAGS)]
    if exact:
        return "=" + "|".join(map("".join, tags)) if tags else ""
    return "|".join(dict.fromkeys("".join(tag) for tag in tags if tag[0].lstrip("/").lower() not in _PAGES))


def _moved_all(best: ParseResult, before: str, by: int) -> ParseResult:
    calls = tuple(
        call._replace(
            span=_moved(call.span, by),
            name_span=_moved(call.name_span, by),
            arguments_span=_moved(call.arguments_span, by),
        )
        for call in best.calls
    )
    problems = tuple(problem._replace(span=_moved(problem.span, by)) for problem in best.problems)
    return ParseResult(calls, before + best.text, best.reasoning, problems, best.format)


def _moved(span: Span, by: int) -> Span:
    return span._replace(start=span.start + by, end=span.end + by)
