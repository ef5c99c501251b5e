"""Roles of the characters of a raw text, for colouring: markers, names, keys, values, reasoning, problems."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import Region, RegionRole, Span
from workbench.formats.kit.grammar import TURN_TOKENS
from workbench.formats.kit.locate import fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from workbench.core.calls import ParsedCall, ParseResult

_SPECIAL = re.compile(r"<[|｜][^<>|｜\n]{1,40}[|｜]>|" + "|".join(map(re.escape, TURN_TOKENS)))


def regions(text: str, result: ParseResult, reasoning: Mapping[str, str]) -> tuple[Region, ...]:
    """Return the regions of `text`, sorted and without overlap; earlier layers win over later ones."""
    found: list[Region] = []
    for call in result.calls:
        found.extend(_call_regions(text, call))
    whole = (problem.span for problem in result.problems if problem.span.source == "text")
    found.extend(Region("problem", span) for span in whole if span.end > span.start)
    found.extend(_reasoning_regions(text, reasoning))
    found.extend(Region("special", Span(*match.span())) for match in _SPECIAL.finditer(text))
    return _flat(found, len(text))


def _call_regions(text: str, call: ParsedCall) -> Iterable[Region]:
    if call.span.source != "text":
        return
    if call.name_span.end > call.name_span.start:
        yield Region("name", call.name_span)
    for field in fields(text, call):
        if field.key_span is not None:
            yield Region("key", field.key_span)
        head = text[field.span.start : field.span.start + 1]
        if head and head not in "{[":
            role: RegionRole = "number" if head.isdigit() or head == "-" or _is_word(text, field.span) else "string"
            yield Region(role, field.span)
    yield Region("marker", call.span)


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
