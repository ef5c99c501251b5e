"""Roles of the characters of a raw text, for colouring: markers, names, keys, values, reasoning, problems.

Only tags, labels and tokens are markers; brackets, commas and the quotes around a name have no role.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from workbench.core.calls import Outcome, Region, RegionRole, Span
from workbench.formats.kit.argument_spans import fields
from workbench.formats.kit.grammar import TURN_TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from workbench.core.calls import ParsedCall, ParseResult

_SPECIAL = re.compile(r"<[|｜][^<>|｜\n]{1,40}[|｜]>|" + "|".join(map(re.escape, TURN_TOKENS)))


def regions(
    text: str, result: ParseResult, reasoning: Mapping[str, str], literals: Iterable[str] = ()
) -> tuple[Region, ...]:
    """Return the regions of `text`, sorted and without overlap; earlier layers win over later ones.

    `literals` are the format's own markers: they are coloured outside of calls too, as around a list of them.
    """
    calls = [call for call in result.calls if call.span.source == "text" and call.span.end <= len(text)]
    found = [region for call in calls for region in _parts(text, call)]
    hidden = _without(text, (region.span for region in found))
    told = (problem for problem in result.problems if problem.outcome is not Outcome.IGNORED)
    whole = (problem.span for problem in told if problem.span.source == "text")
    problems = [Region("problem", span) for span in whole if span.end > span.start]
    found.extend(problems)
    bodies = _joined(call.arguments_span for call in calls if not hidden.startswith("<|", call.arguments_span.start))
    for start, end in _joined(call.span for call in calls):
        found.extend(_around(hidden, start, end, bodies))
    found.extend(_reasoning_regions(text, reasoning))
    found.extend(Region("special", Span(*match.span())) for match in _SPECIAL.finditer(text))
    marks = [re.escape(mark) for mark in sorted(literals, key=len, reverse=True) if mark[0] in "<[&]"]
    if marks and calls:
        pattern = re.compile("|".join(marks), re.IGNORECASE)
        found.extend(Region("marker", Span(*match.span())) for match in pattern.finditer(hidden))
    return _flat(found, len(text))


_VALUE = r"""\s*+:\s*+(?:(?P<string>"(?:[^"\\]++|\\.)*+")|(?P<number>-?\d[\d.eE+\-]*+|(?:true|false|null)\b))?"""
_TOKEN = re.compile(
    r"(?P<tag>\]<\]minimax\[>\[(?:<[^<>\n]{1,200}+>)?|&lt;/?[\w:]{1,40}+&gt;|<[^<>\n]{1,200}+>|\[/?[A-Z][A-Z_]{2,40}+\]|`{3,}\w*+)"
    rf"""|(?P<key>"[^"\\\n]{{1,200}}+"|'[^'\\\n]{{1,200}}+'){_VALUE}"""
    r"|(?P<words>[\w>#*][^\s{}\[\](),;\"'<\x00]*+(?:[ \t]++[\w>#*][^\s{}\[\](),;\"'<\x00]*+)*+)",
    re.DOTALL,
)
"""What may stand around the name and the arguments of a call."""


def _parts(text: str, call: ParsedCall) -> Iterable[Region]:
    """Name, keys and values of one call."""
    if call.name_span.end > call.name_span.start:
        yield Region("name", call.name_span)
    for field in fields(text, call):
        if field.key_span is not None:
            yield Region("key", field.key_span)
        head = text[field.span.start : field.span.start + 1]
        if head and head not in "{[":
            role: RegionRole = "number" if head.isdigit() or head == "-" or _is_word(text, field.span) else "string"
            yield Region(role, field.span)


def _without(text: str, spans: Iterable[Span]) -> str:
    """Return the text with the spans blanked out: what they hold is data and no structure."""
    parts: list[str] = []
    at = 0
    for start, end in _joined(spans):
        parts += (text[at:start], "\x00" * (end - start))
        at = end
    return "".join((*parts, text[at:]))


def _joined(spans: Iterable[Span]) -> list[tuple[int, int]]:
    """Return the ranges that the spans cover, sorted and apart."""
    out: list[tuple[int, int]] = []
    for start, end, _ in sorted(spans):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        elif end > start:
            out.append((start, end))
    return out


def _around(hidden: str, start: int, end: int, bodies: Sequence[tuple[int, int]]) -> Iterable[Region]:
    """Colour what else stands inside calls: tags and labels, and the keys and values of an object around the arguments."""
    for match in _TOKEN.finditer(hidden, start, end):
        kind = match.lastgroup
        if kind == "tag":
            yield Region("marker", Span(*match.span()))
        elif kind == "words":
            index = bisect_right(bodies, (match.start(), len(hidden))) - 1
            if index < 0 or match.start() >= bodies[index][1]:
                yield Region("marker", Span(*match.span()))
        elif match["key"].strip("\"'\x00"):
            yield Region("key", Span(*match.span("key")))
            if kind in ("string", "number") and "\x00" not in match[kind]:
                role: RegionRole = "string" if kind == "string" else "number"
                yield Region(role, Span(*match.span(kind)))


def _is_word(text: str, span: Span) -> bool:
    return text[span.start : span.end] in ("true", "false", "null", "True", "False", "None")


def _reasoning_regions(text: str, reasoning: Mapping[str, str]) -> Iterable[Region]:
    opens = re.compile("|".join(map(re.escape, reasoning)) or r"(?!)")
    at = 0
    while (match := opens.search(text, at)) is not None:
        close = text.find(reasoning[match.group()], match.end())
        end = close if close >= 0 else len(text)
        at = end + len(reasoning[match.group()]) if close >= 0 else len(text)
        yield Region("marker", Span(match.start(), match.end()))
        if close >= 0:
            yield Region("marker", Span(close, at))
        yield Region("reasoning", Span(match.end(), end))


def _flat(layers: list[Region], size: int) -> tuple[Region, ...]:
    """Cut overlaps away: what was named first keeps its characters."""
    taken: list[tuple[int, int]] = []
    out: list[Region] = []
    bounds = sorted({0, size, *(edge for region in layers for edge in (region.span.start, region.span.end))})
    owner: dict[int, int] = {}
    index = {bound: number for number, bound in enumerate(bounds)}
    free = list(range(len(bounds) + 1))

    def next_free(slot: int) -> int:
        while free[slot] != slot:
            free[slot] = free[free[slot]]
            slot = free[slot]
        return slot

    for number, region in enumerate(layers):
        slot, stop = next_free(index[region.span.start]), index[region.span.end]
        while slot < stop:
            owner[slot] = number
            free[slot] = slot + 1
            slot = next_free(slot)
    for slot in sorted(owner):
        region = layers[owner[slot]]
        start, end = bounds[slot], bounds[slot + 1]
        if out and taken[-1] == (owner[slot], start):
            out[-1] = Region(region.role, Span(out[-1].span.start, end))
        else:
            out.append(Region(region.role, Span(start, end)))
            taken.append((owner[slot], end))
            continue
        taken[-1] = (owner[slot], end)
    return tuple(region for region in out if 0 <= region.span.start < region.span.end <= size)
