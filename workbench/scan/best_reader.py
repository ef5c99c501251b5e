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
from workbench.formats.survey.crossread import best_reading, read_all
from workbench.formats.survey.forensics import GENERAL
from workbench.scan.prefilter import may_hold_call, relevant_from

if TYPE_CHECKING:
    from workbench.scan.reply import Reply

LONG = 600
"""Of a longer text that is read for markers alone, what stands before the first one is passed over."""
_MOST = 256
_TAGS = re.compile(
    r"""(?:[<＜](/?[^\s<>="']{1,40})(?:=[^<>]*|\s[^<>]*)?>|\[(/?[A-Z_]{4,24})\])(\s{0,3}[{\[]{1,2}\s{0,3}["']\w{1,14}["']|\s{0,2}[{\[<])?"""
)
"""Tags by their names alone, with what stands right behind them up to the first key."""
_MOST_TAGS = 12
_CUT = {"missing_brace"}
"""How a call is repaired that ends with its text."""


class BestReader:
    """Reads one text after the other."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[str, Outcome | None, bool]] = OrderedDict()
        """The format of the last reading, what came of its last call (None: without one), and whether code mentioned calls, by the shape
        of the text."""

    def best(self, text: str, reply: Reply) -> ParseResult:
        """Return what `best_reading` does."""
        start = relevant_from(text) if reply.tools is None and len(text) > LONG else 0
        piece = text[start:]
        key = _shape(piece)
        best = self._hinted(piece, key, reply) or best_reading(piece, reply.tools, reply.finish or None)
        sure = _is_sure(best, piece)
        if sure and best.calls and best.format in GENERAL:
            best = _own(best, piece, reply)
        if key and sure and best.format not in GENERAL:
            last = best.calls[-1].outcome if best.calls else None
            self._known[key] = (best.calls[0].format if best.calls else best.format, last, bool(best.problems))
            self._known.move_to_end(key)
            if len(self._known) > _MOST:
                self._known.popitem(last=False)
        return _moved_all(best, text[:start], start) if start else best

    def _hinted(self, piece: str, key: str, reply: Reply) -> ParseResult | None:
        known = self._known.get(key)
        if known is None:
            return None
        name, last, mentions = known
        result = get_format(name).parse(piece, reply.tools, reply.finish or None)
        if not _is_sure(result, piece) or (result.calls[-1].outcome if result.calls else None) is not last:
            return None
        if bool(result.problems) is not mentions:
            return None
        rest, at = [], 0
        for span in sorted(
            [*(call.span for call in result.calls), *(one.span for one in result.problems)], key=lambda one: one[:2]
        ):
            rest.append(piece[at : max(span.start, at)])
            at = max(span.end, at)
        rest.append(piece[at:])
        bare = "\n".join(rest).replace("`", " ").replace("~", " ")  # what other formats read in code is told, too
        return None if may_hold_call(bare, reply.tools) else result


def _own(best: ParseResult, piece: str, reply: Reply) -> ParseResult:
    """The reading of the format that writes such calls, where one that takes what others write read as much."""
    found = [(call.span, call.name, call.arguments) for call in best.calls]
    for other in read_all(piece, reply.tools, reply.finish or None):
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


def _shape(text: str) -> str:
    """What a text's markers are, without names and values: texts of one shape are read by the same format."""
    return "|".join("".join(filter(None, found.groups())) for found in islice(_TAGS.finditer(text), _MOST_TAGS))


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
