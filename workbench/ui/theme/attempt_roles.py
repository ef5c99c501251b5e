"""Roles inside an attempt that gave no call: what its author meant as tag, name, key and value, by their shapes alone.

A parser colours the calls that it gives out. What it reports is left whole; without colours a cut call would be the one
place in the window that cannot be read at a glance.
"""

from __future__ import annotations

import re

from workbench.core.calls import Region, Span

LONGEST = 32_768
"""Characters of an attempt that are looked at: the rest stays plain."""

_TOKEN = re.compile(
    r"(?P<marker><[^<>\n]{1,120}>|\[/?[A-Z][A-Z_]{2,40}\])"
    r'|(?P<named>"(?:name|tool|function|tool_name)"\s*:\s*")(?P<name>[^"\\\n]{1,200})"?'
    r'|(?P<key>"[^"\\\n]{1,120}")(?=\s*:)'
    r'|(?P<string>"(?:[^"\\]|\\.)*+"?)'
    r"|(?P<number>(?<![\w.\-])-?\d+(?:\.\d+)?(?![\w.])|\b(?:true|false|null)\b)",
    re.DOTALL,
)
_BRACKET = re.compile(r"[{<\[]")
_OPENING = re.compile(r"<(?:function|tool|invoke name|tool_call name)=[\"']?(?P<name>[\w.\-:/]{1,200})")


def attempt_roles(text: str, span: Span) -> list[Region]:
    """Return regions of `text[span]`, sorted and without overlap."""
    end = min(span.end, len(text), span.start + LONGEST)
    if _BRACKET.search(text, span.start, end) is None:  # words that were wrong: nothing in them is structure
        return []
    found: list[Region] = []
    for match in _TOKEN.finditer(text, span.start, end):
        kind = match.lastgroup or ""
        if kind == "marker":
            found += _tag(text, *match.span(), span.source)
        elif kind == "name":
            quote = match["named"].index('"', 1) + 1
            found.append(Region("key", Span(match.start(), match.start() + quote, span.source)))
            found.append(Region("name", Span(*match.span("name"), span.source)))
        else:
            found.append(Region(kind, Span(*match.span(kind), span.source)))  # type: ignore[arg-type]
    return found


def _tag(text: str, start: int, end: int, source: str) -> list[Region]:
    """A tag; where it carries the tool's name, that is told apart."""
    named = _OPENING.match(text, start, end)
    if named is None:
        return [Region("marker", Span(start, end, source))]
    at, stop = named.span("name")
    return [
        Region("marker", Span(start, at, source)),
        Region("name", Span(at, stop, source)),
        Region("marker", Span(stop, end, source)),
    ]
