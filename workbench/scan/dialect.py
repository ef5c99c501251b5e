"""Markup of calls that no format reads: an offered tool, named together with its arguments, between signs that are no prose.

    <<call get_weather city :: Rome>>     {{#tool get_weather city='Rome'}}     CALL get_weather WITH city=Rome
    tool = get_weather⏎city = Rome        [get_weather]⏎city = Rome             * Tool: get_weather⏎* city: Rome

Code, quotations and examples are left alone. What is found here is what a new format can be drafted from.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Span
from workbench.formats.drafting.call_places import call_places
from workbench.formats.drafting.marker_texts import opening

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.tools import ToolSpec

_FAR = 400
"""Characters within which arguments follow the name, and so many of its line tell what it is."""
_MOST = 1_000
"""Names that are looked at in one text."""
_SIGNS = frozenset("<>[]{}|«»@#:!%$^~&*=\u27e8\u27e9\u300c\u300d\u3010\u3011")
_CLOSERS = tuple(">}])»\u27e9\u300d\u3011")
_PAIRS = (("{", "}"), ("[", "]"), ("(", ")"), ("<", ">"))
_WORD_HEAD = re.compile(r"^\W*(?:[A-Z][A-Z_]{1,15})\W*$")
_TAG_HEAD = re.compile(r"[<\[{|«@#%~][\w#/:.-]{1,16}[ \t]$")
"""`<<call `, `{{#tool `."""
_OPENER = re.compile(r"[<\[{|«@#%~^&*$!\u27e8\u300c\u3010]{1,6}[\w#/:.~-]{0,20}[ \t:=>\]]{0,3}$")
"""What a call begins with behind words in its line: `I look. <<call `."""
_SIGN_NEXT = re.compile(r"[ \t]{0,2}(?:\n|[^\w\s])")
_CODE = re.compile(r"(?:\w\s*[=(,.]\s*|(?:def|return|await|import|from|class|function|const|let|var|new|yield)\s+)$")
_DEFINITION = re.compile(
    r"[\"']?(?:properties|inputSchema|input_schema|description)[\"']?\s*:|\"type\"\s*:\s*\"object\""
)
_TALK = re.compile(
    r"(?:for example|e\.g\.|such as|for instance|like this|looks like|syntax|usage)\W{0,8}$", re.IGNORECASE
)
_MARKER = re.compile(
    r"[<\[{\u27e6\u27e8\u300c\u3010\u00ab@%$~|\u00a7\u00a4\u2020#][<\[{@%$~|!#/\w]|>>|={2,}|-{3}|[A-Z]_[A-Z]\w*\s?[:=>]|^[`~]{3}\w"
)
"""What no prose begins with."""
_HTML = re.compile(
    r"<(?:a|b|br|code|div|em|h\d|i|li|p|pre|span|strong|td|th|tr|ul|ol)\b|\{\s*[\"']|\[[^\]\n]*\]\(|\|[ -]|`(?!``)|\*|#{1,6} ",
    re.IGNORECASE,
)
_PLAIN_WORD = re.compile(r"[A-Za-z][a-z]+")
"""A tool's name that may stand in any sentence."""
OWN_FENCE = re.compile(r"[`~]{3}(?:tool|call|func|action|invoke|run|use|exec)")
"""A block that is said to be a call, not one of code."""
_QUOTE = re.compile(r"\s*>(?!>+\w)")
_LABEL = (
    r"^[ \t]{0,8}(?:(?:[-*+•]|\d{1,2}[.)])[ \t]+)?[*_]{0,3}(?:(?:tool|function|call|action|command)(?:[ _]name)?|name)[*_]{0,3}[ \t]?[:=][ \t]?"
    r"[*_\"']{0,4}[ \t]?(?P<name>%s)[*_\"']{0,4},?[ \t]*"
)
_SECTION = r"^[ \t]{0,8}\[(?:(?:tool|call|function)[ .:/-])?(?P<name>%s)\][ \t]*"
_ARGUMENT_LINE = r"\r?\n[ \t]{0,12}(?:[-*+•][ \t]+)?[*_]{0,3}(?:%s)[*_]{0,3}[ \t]?[:=]"
"""An argument in the line behind its tool."""
_HEADER = re.compile(r"[<\[{«@#%~=\u3010-][^\n]{0,30}\n\Z")
_FENCE = re.compile(r"^[ \t]{0,8}(?:```|~~~)", re.MULTILINE)


class UnknownCall(NamedTuple):
    """A stretch of text that names a tool in markup of its own."""

    span: Span
    tool: str


def unknown_markup(text: str, tools: Sequence[ToolSpec]) -> Iterator[UnknownCall]:
    """Yield the places where an offered tool is called in a way that nobody knows, in order."""
    last = 0
    found = sorted(
        ((match.start(), match.end(), tool) for tool in tools for match in re.finditer(_name(tool.name), text)),
        key=lambda one: one[:2],
    )[:_MOST]
    fences = [match.start() for match in _FENCE.finditer(text)] if found else []
    labelled = _labelled(text, tools) if found else {}
    opened = _opened(text, tools) | labelled if found else {}
    for start, end, tool in found:
        marked = _marked(text, start, end)
        if (
            start < last
            or not (marked or start in opened)
            or _talked_about(text, start, fences, opened.get(start, start))
        ):
            continue
        stretch = _stretch(text, start, end, whole=start in labelled)
        inside = text[end : stretch.end]
        if _DEFINITION.search(inside) or not ((marked and _has_argument(inside, tool)) or start in opened):
            continue
        stretch = Span(min(stretch.start, opened.get(start, start)), stretch.end)
        last = stretch.end
        yield UnknownCall(stretch, tool.name)


def _opened(text: str, tools: Sequence[ToolSpec]) -> dict[int, int]:
    """Names that arguments of theirs follow behind a marker that no prose holds, and where that begins."""
    found = {}
    for place in islice(call_places(text, tools), _MOST):
        mark = opening([place.before])
        begin = (place.first if place.kind == "inside" else place.start) - len(mark)
        line = _line_before(text, place.start)
        if _MARKER.search(mark) and not (
            _CODE.search(line) or _HTML.match(mark) or _PLAIN_WORD.fullmatch(place.tool.name)
        ):
            found[place.start] = begin
    return found


def _labelled(text: str, tools: Sequence[ToolSpec]) -> dict[int, int]:
    """Names in a line of their own behind a label, or alone in brackets, with an argument in the next; and where that begins."""
    found = {}
    for tool in tools:
        keys = "|".join(map(re.escape, tool.properties))
        for line in (_LABEL, _SECTION) if keys else ():
            whole = line % re.escape(tool.name) + _ARGUMENT_LINE % keys
            for match in islice(re.finditer(whole, text, re.MULTILINE | re.IGNORECASE), _MOST):
                near = max(match.start() - 34, 0)
                header = _HEADER.search(text[near : match.start()].rpartition("\n\n")[2])
                found[match.start("name")] = match.start() - len(header[0] if header else "")
    return found


def _name(name: str) -> str:
    inner = "".join(r"[_.\- ]" if char in "_-." else re.escape(char) for char in name)
    return rf"(?<![\w./])(?:{inner})(?!\w)"


def _line_before(text: str, at: int) -> str:
    """What stands before a place in its line, as far as it can matter."""
    near = max(at - _FAR, 0)
    return text[max(text.rfind("\n", near, at) + 1, near) : at]


def _marked(text: str, start: int, end: int) -> bool:
    """Whether what stands before a name in its line is markup: signs, a word in capitals, or nothing."""
    line = _line_before(text, start)
    if _CODE.search(line):
        return False
    bare = line.rstrip()
    if not bare:
        return _SIGN_NEXT.match(text, end) is not None
    return bare[-1] in _SIGNS or bool(_WORD_HEAD.match(line) or _TAG_HEAD.search(line))


def _has_argument(inside: str, tool: ToolSpec) -> bool:
    """Whether one of the tool's arguments follows, with something behind it."""
    names = "|".join(re.escape(key) for key in tool.properties)
    return bool(names) and re.search(rf"(?<!\w)(?:{names})[\"'”]?\s{{0,2}}(?:[=:|>~]|->|→)", inside) is not None


def _stretch(text: str, start: int, end: int, *, whole: bool) -> Span:
    """From the markup before a name to the end of its paragraph, or of what its markup closes; `whole`: the paragraph."""
    line = start - len(_line_before(text, start))
    begin = start
    while begin > line and not text[begin - 1].isspace() and not text[begin - 1].isalnum():
        begin -= 1
    head = text[line:start].rstrip()
    if head and (_WORD_HEAD.match(head) or not any(char.isalnum() for char in head) or _SIGNS & set(head[:3])):
        begin = line + len(text[line:start]) - len(text[line:start].lstrip())
    elif (opener := _OPENER.search(text, max(line, start - 32), start)) is not None:
        begin = min(begin, opener.start())
    stop = text.find("\n\n", end, end + _FAR)
    stop = min(len(text), end + _FAR) if stop < 0 else stop
    stop = stop if whole else _closed(text, begin, end, stop)
    return Span(begin, start + len(text[start:stop].rstrip()))


def _closed(text: str, begin: int, end: int, stop: int) -> int:
    """The end of the first line that closes what was opened, or where the stretch ends."""
    at = text.find("\n", end, stop)
    while at >= 0:
        inside = text[begin:at].rstrip()
        if inside.endswith(_CLOSERS) and all(inside.count(one) <= inside.count(other) for one, other in _PAIRS):
            return at
        at = text.find("\n", at + 1, stop)
    return stop


def _talked_about(text: str, start: int, fences: Sequence[int], opener: int) -> bool:
    before = bisect_left(fences, start)
    if before and fences[before - 1] == opener and OWN_FENCE.match(text, opener):
        before -= 1
    line = _line_before(text, start)
    return (
        before % 2 == 1
        or (line.count("`") % 2 == 1 and not _FENCE.match(line))
        or _QUOTE.match(line) is not None
        or _TALK.search(text[max(start - 80, 0) : start]) is not None
    )
