"""What a user sees of a reply that was read: its text, sanitized, without what was begun as a call and could not be read.

The sanitizer knows the markers of all formats; a call in a dialect that no format has is known by the problem that tells of
it alone. Its span goes up to the end of its paragraph, or farther where brackets or tags are still open there; sentences
behind the call on its lines stay, as all that stands before it does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from workbench.core.calls import ParseProblem, ParseResult, Span, TextRead
from workbench.formats.kit.unread import NET_CODES
from workbench.formats.sanitize import sanitize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from workbench.core.protocols import Format
    from workbench.core.tools import ToolSpec

_FARTHEST = 4000
"""So far beyond its paragraph an open bracket or tag is followed."""
_MOST = 40
"""So many lines above and paragraphs below at most."""
_BRACKETS = re.compile(r"[({\[]|[)}\]]")
_TAGS = re.compile(r"<(/?)([A-Za-z_][\w:.\-]*)(?:[\s=][^<>]*)?(/?)>")
_WORDS = r"[^\W\d_][\w'’\-]*,?[ \t]+(?:[^\W\d_][\w'’\-]*,?[ \t]+)"
_SPOKEN = re.compile(
    rf"{_WORDS}|\A\s*(?!(?:tool|call|function|action|use|run|execute|invoke)\b)[^\W\d_]+,?[ \t]+\Z", re.IGNORECASE
)
"""What of a line before an attempt is no part of it: two words side by side, or one alone."""
_LEAD = re.compile(r"[^\w\s]{2,12}(?:[ \t][^\w\s]{1,4})?")
_BLANK_LINES = re.compile(r"\s*+")
_SIGNS = re.compile(r"""[^\w\s.,;!?'’)]{1,40}\Z""")
_SENTENCE = re.compile(
    rf"(?:(?<=[)}}\]>`\"'”])|(?<=END)|(?<=\n))[ \t]*(?:[.,;:][ \t]+)?(?P<prose>{_WORDS}(?![^\n]*[{{}}\[\]<>=|])[^\n]*)\Z"
)
"""Words to the end of a line, with nothing of a call among them."""
_MARKUP_LINE = re.compile(
    r"(?:\A|\n)(?P<line>[^\n]*(?:[<>{}]|[|｜]\w+[|｜])[^\n]*|[^\w\n]*[\w:|▁.\-]*(?:tool|call|func|invoke)[\w:|▁.\-]*[^\w\n]*)\n\Z",
    re.IGNORECASE,
)
"""A line above that has something of a call in it."""
_LONGEST_LINE = 400


def sanitized_reply(result: ParseResult, text: str, read: Iterable[TextRead]) -> str:
    """Return what is shown of a reading of `text`; `read` is what was given out as text, in order."""
    lost = [_whole(text, one.span) if one.code in NET_CODES else one.span for one in lost_in_text(result)]
    pieces = list(read)
    if "".join(one.text for one in pieces) != result.text:
        if result.text != text:
            return sanitize(result.text)
        pieces = [TextRead(text, Span(0, len(text)))]
    return sanitize("".join(_left(pieces, lost)) if lost else result.text)


def sanitized_anew(
    result: ParseResult, text: str, spec: Format, tools: Sequence[ToolSpec], reason: str | None, **flags: bool
) -> str:
    """The same of a reading that is kept: its text is read once more where something in it was lost."""
    if not lost_in_text(result):
        return sanitize(result.text)
    if spec.native:
        return sanitized_reply(result, text, ())
    parser = spec.parser(tools, **flags)
    events = [*parser.feed(text), *parser.finish(reason)]
    return sanitized_reply(result, text, (event for event in events if isinstance(event, TextRead)))


def lost_in_text(result: ParseResult) -> list[ParseProblem]:
    """Return the problems of attempts that no call was made of and that stand in the reply's text."""
    return [one for one in result.lost if one.span.source == "text"]


def _left(read: Sequence[TextRead], lost: Iterable[Span]) -> Iterator[str]:
    """Return what of the pieces lies in no lost span."""
    spans = sorted(lost)
    ends = list(accumulate((span.end for span in spans), max))
    for text, (start, end, _) in read:
        at, index = start, bisect_right(ends, start)
        while index < len(spans) and spans[index].start < end:
            yield text[at - start : max(spans[index].start, at) - start]
            at, index = max(at, min(spans[index].end, end)), index + 1
        yield text[at - start :]


def _whole(text: str, span: Span) -> Span:
    """Return the span of all that belongs to an attempt which is told with its paragraph."""
    start, end = span.start, span.end
    line = text.rfind("\n", 0, start) + 1
    head = _SIGNS.sub("", text[line:start])
    start = line + len(head)
    if _SPOKEN.search(head) is None:
        start = line
        for _ in range(_MOST):
            above = _MARKUP_LINE.search(text, max(0, start - _LONGEST_LINE), start)
            if above is None:
                break
            start = above.start("line")
    end = _closed(text, start, end)
    while (prose := _SENTENCE.search(text, start, end)) is not None and prose.start("prose") > start:
        end = start + len(text[start : prose.start("prose")].rstrip())
    return Span(start, max(end, start), span.source)


def _closed(text: str, start: int, end: int) -> int:
    """Return where an attempt ends whose brackets or tags are open at `end`; that itself where they are never closed."""
    if not _open(text[start:end]):
        return _alike(text, start, end)
    stop = end
    for _ in range(_MOST):
        after = text.find("\n\n", stop + 2, end + _FARTHEST)
        stop = min(len(text), end + _FARTHEST) if after < 0 else after
        if not _open(text[start:stop]):
            return stop
    return end


def _alike(text: str, start: int, end: int) -> int:
    """Return where the paragraphs end that begin with the same signs as an attempt."""
    lead = _LEAD.match(text, start)
    for _ in range(_MOST if lead is not None else 0):
        below = _BLANK_LINES.match(text, end).end()  # type: ignore[union-attr]
        if below == end or not text.startswith(lead.group(), below):  # type: ignore[union-attr]
            break
        after = text.find("\n\n", below, end + _FARTHEST)
        end = min(len(text), end + _FARTHEST) if after < 0 else after
    return end


def _open(text: str) -> bool:
    depth = sum(1 if one in "({[" else -1 for one in _BRACKETS.findall(text))
    tags: dict[str, int] = {}
    for closing, name, alone in _TAGS.findall(text):
        tags[name] = tags.get(name, 0) + (-1 if closing else 0 if alone else 1)
    return depth > 0 or any(count > 0 for count in tags.values())
